/** Waits between attempts: doubled after each failure up to a bound, each shortened by up to half at random. */
export class Reconnect {
  private failures = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly wait: { readonly firstMs: number; readonly maxMs: number },
    private readonly attempt: () => void,
    private readonly random: () => number = Math.random,
  ) {}

  schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.attempt, this.nextMs());
  }

  /** The session was up: the next wait is the first one again. */
  succeeded(): void {
    this.failures = 0;
  }

  cancel(): void {
    clearTimeout(this.timer);
  }

  /** Many clients of one server that went away must not all come back in the same moment. */
  nextMs(): number {
    const wholeMs = Math.min(this.wait.maxMs, this.wait.firstMs * 2 ** Math.min(this.failures, 30));
    this.failures++;
    return wholeMs * (1 - this.random() / 2);
  }
}
