/** A process that has stood still for so long has more waiting for it than it reads at once: its providers are called again, ms. */
const LONG_MS = 1_000;

/**
 * Finds out that the process has stood still, by a timer that comes late. What is read before the timer comes may have waited since it came
 * last.
 */
export class Standstill {
  #cameAtMs = 0;
  #dueMs = Number.POSITIVE_INFINITY;
  #listeners: ((stoodStillMs: number) => void)[] = [];

  /** The timer is later than it said. */
  isLate(nowMs: number): boolean {
    return nowMs > this.#dueMs;
  }

  /** How long something may have waited that is read now, ms. */
  waitedMs(nowMs: number): number {
    return nowMs > this.#dueMs ? nowMs - this.#cameAtMs : 0;
  }

  /** The timer has come, and comes again within so many ms. Returns what is to be called when all that is old is withdrawn. */
  came(nowMs: number, againWithinMs: number): () => void {
    const stoodStillMs = this.waitedMs(nowMs);
    this.#cameAtMs = nowMs;
    this.#dueMs = nowMs + againWithinMs;
    return () => {
      if (stoodStillMs >= LONG_MS) for (const listener of this.#listeners) listener(stoodStillMs);
    };
  }

  onLong(listener: (stoodStillMs: number) => void): () => void {
    this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners.filter((kept) => kept !== listener);
    };
  }
}
