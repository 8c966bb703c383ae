/** A slower answer is too imprecise to derive the clock from. */
const PROMPT_MS = 250;

/** The server's own clock, by its last prompt answer: a step can then be rejected as late, whatever the local clock is. */
export class ServerClock {
  /** Ahead of the local monotonic clock, ms, at most PROMPT_MS too high. */
  #ahead: number | undefined;
  /** The same by the midpoint of the round trip: the best estimate, also from a slow answer or the previous server. */
  #middle: number | undefined;
  #hostAheadMs: number | undefined;

  /** `time` sends TIME to the server: seconds, microseconds. */
  async ask(time: () => Promise<readonly (string | number)[]>): Promise<void> {
    const askedMs = performance.now();
    const [seconds, microseconds] = await time();
    const tookMs = performance.now() - askedMs;
    const isPrompt = tookMs <= PROMPT_MS;
    if (!isPrompt && this.#ahead !== undefined) return;
    const serverMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000;
    this.#middle = serverMs - askedMs - tookMs / 2;
    if (!isPrompt) return;
    this.#ahead = serverMs - askedMs;
    this.#hostAheadMs = Date.now() - serverMs - tookMs / 2;
  }

  /** Another server may answer next. */
  forget(): void {
    this.#ahead = undefined;
    this.#hostAheadMs = undefined;
  }

  /** Epoch ms, whole, never too early; undefined before the first prompt answer. */
  now(): number | undefined {
    return this.#ahead === undefined ? undefined : Math.ceil(performance.now() + this.#ahead);
  }

  /** Epoch ms, whole, within half a round trip; undefined before the very first answer. */
  estimate(): number | undefined {
    return this.#middle === undefined ? undefined : Math.floor(performance.now() + this.#middle);
  }

  /** This machine's clock minus the server's, ms. Undefined before the first prompt answer. */
  get hostAheadMs(): number | undefined {
    return this.#hostAheadMs;
  }
}
