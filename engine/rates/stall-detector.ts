/** After a stall of this length, ms, more input is pending than is read at once: the provider connections are reopened. */
const LONG_MS = 1_000;

/** Detects a stall of the process by a late timer. Input that is read before the timer fires may have waited since its last firing. */
export class StallDetector {
  #firedAtMs = 0;
  #dueMs = Number.POSITIVE_INFINITY;
  #listeners: ((stalledMs: number) => void)[] = [];

  /** The timer is overdue. */
  isLate(nowMs: number): boolean {
    return nowMs > this.#dueMs;
  }

  /** How long input that is read now may have waited, ms. */
  waitedMs(nowMs: number): number {
    return nowMs > this.#dueMs ? nowMs - this.#firedAtMs : 0;
  }

  /** The timer has fired, and fires again within so many ms. Returns what is to be called when all stale prices are withdrawn. */
  fired(nowMs: number, againWithinMs: number): () => void {
    const stalledMs = this.waitedMs(nowMs);
    this.#firedAtMs = nowMs;
    this.#dueMs = nowMs + againWithinMs;
    return () => {
      if (stalledMs >= LONG_MS) for (const listener of this.#listeners) listener(stalledMs);
    };
  }

  onLong(listener: (stalledMs: number) => void): () => void {
    this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners.filter((kept) => kept !== listener);
    };
  }
}
