const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** Waits between attempts to reconnect: 1, 2, 4 ... 30 s, each a fifth more or less, so that many engines do not reconnect at once. */
export class BackOff {
  #nextMs = FIRST_MS;

  next(): number {
    const ms = this.#nextMs * (0.8 + 0.4 * Math.random());
    this.#nextMs = Math.min(this.#nextMs * 2, LONGEST_MS);
    return ms;
  }

  /** The provider works again: the next loss is retried quickly. */
  reset(): void {
    this.#nextMs = FIRST_MS;
  }
}
