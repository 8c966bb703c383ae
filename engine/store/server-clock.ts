/** A slower answer says too little about what the clock shows now. */
const PROMPT_MS = 250;

/** What the server's own clock shows, by its last prompt answer: a step can then be told when it comes too late, whatever our clock says. */
export class ServerClock {
  /** Ahead of our monotonic clock, ms, and at most so much too far. */
  #ahead: number | undefined;

  /** `time` asks the server for TIME: seconds, microseconds. */
  async ask(time: () => Promise<readonly (string | number)[]>): Promise<void> {
    const askedMs = performance.now();
    const [seconds, microseconds] = await time();
    if (performance.now() - askedMs > PROMPT_MS) return;
    this.#ahead = Number(seconds) * 1_000 + Number(microseconds) / 1_000 - askedMs;
  }

  /** Another server may answer next. */
  forget(): void {
    this.#ahead = undefined;
  }

  /** Epoch ms, whole; undefined before the first answer. */
  now(): number | undefined {
    return this.#ahead === undefined ? undefined : Math.ceil(performance.now() + this.#ahead);
  }
}
