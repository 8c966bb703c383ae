/** A minute, and the one before it: clocks that run apart have moved little in that time. */
const WINDOW_MS = 60_000;

/**
 * How much later than others a message comes, though the two clocks do not agree: the one that took least in the last minute or two is
 * the measure. What has waited for a store that stood still, or for a process that did, is found out by it.
 */
export class Lateness {
  #least = Number.POSITIVE_INFINITY;
  #leastBefore = Number.POSITIVE_INFINITY;
  #sinceMs = 0;

  /** Ms; both times are of a monotonic clock, the sender's and ours. */
  of(sentAtMs: number, heardAtMs: number): number {
    if (heardAtMs - this.#sinceMs >= WINDOW_MS) {
      this.#leastBefore = this.#least;
      this.#least = Number.POSITIVE_INFINITY;
      this.#sinceMs = heardAtMs;
    }
    const took = heardAtMs - sentAtMs;
    this.#least = Math.min(this.#least, took);
    return took - Math.min(this.#least, this.#leastBefore);
  }
}
