/** A slower answer says too little about what the clock shows now. */
const PROMPT_MS = 250;

/** What the server's own clock shows, by its last prompt answer: a step can then be told when it comes too late, whatever our clock says. */
export class ServerClock {
  /** Ahead of our monotonic clock, ms, and at most so much too far. */
  #ahead: number | undefined;
  /** The same by the middle of the answer's way there and back: the best that is known, also of a slow answer or of the server before. */
  #middle: number | undefined;
  #hostAheadMs: number | undefined;

  /** `time` asks the server for TIME: seconds, microseconds. */
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

  /** Epoch ms, whole, within half of the time that an answer takes; undefined before the very first answer. */
  estimate(): number | undefined {
    return this.#middle === undefined ? undefined : Math.floor(performance.now() + this.#middle);
  }

  /** How far this machine's clock is ahead of the server's, ms; below 0: behind. Undefined before the first prompt answer. */
  get hostAheadMs(): number | undefined {
    return this.#hostAheadMs;
  }
}
