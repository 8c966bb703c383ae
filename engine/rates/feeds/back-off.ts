const FIRST_MS = 1_000;
const LONGEST_MS = 4_000;

/** Waits between attempts to reconnect: 1, 2, 4, 4 ... s, each a fifth more or less: a provider that comes back is used within 5 s. */
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
