/** A minute, and the one before it: the skew of two clocks changes little in that time. */
const WINDOW_MS = 60_000;

/**
 * The delay of a message between two clocks that do not agree: the message with the least difference in the last minute or two gives the
 * skew. It shows messages that have waited for a stalled store or process.
 */
export class ClockSkew {
  #least = Number.POSITIVE_INFINITY;
  #leastBefore = Number.POSITIVE_INFINITY;
  #sinceMs = 0;

  /** Ms; both times are monotonic, of the sender's clock and of ours. */
  delayMs(sentAtMs: number, receivedAtMs: number): number {
    if (receivedAtMs - this.#sinceMs >= WINDOW_MS) {
      this.#leastBefore = this.#least;
      this.#least = Number.POSITIVE_INFINITY;
      this.#sinceMs = receivedAtMs;
    }
    const took = receivedAtMs - sentAtMs;
    this.#least = Math.min(this.#least, took);
    return took - Math.min(this.#least, this.#leastBefore);
  }
}
