/** How many requests somebody may send in a minute: a fixed window per name, kept by each sidecar for itself. */

const WINDOW_MS = 60_000;
/** Names counted at once; the one that was new longest ago is forgotten first. */
const MAX_NAMES = 50_000;

interface Window {
  startMs: number;
  used: number;
}

export class RateLimit {
  /** Value of RateLimit-Policy: the limit and its window in seconds. */
  readonly policy: string;
  readonly #windows = new Map<string, Window>();

  /** `perMinute` 0 is no limit. `name` stands in the headers: reads, authentication. */
  constructor(
    readonly name: string,
    readonly perMinute: number,
  ) {
    this.policy = `"${name}";q=${perMinute};w=60`;
  }

  /** Counts one; false when the minute's permits are used up. */
  take(who: string, nowMs: number): boolean {
    if (this.perMinute === 0) return true;
    const window = this.#window(who, nowMs);
    if (window.used >= this.perMinute) return false;
    window.used++;
    return true;
  }

  /** True when there is none left, without counting. */
  isUsedUp(who: string, nowMs: number): boolean {
    const window = this.#windows.get(who);
    if (this.perMinute === 0 || window === undefined) return false;
    return nowMs - window.startMs < WINDOW_MS && window.used >= this.perMinute;
  }

  /** Seconds until permits come back. */
  resetS(who: string, nowMs: number): number {
    return Math.max(1, Math.ceil((this.#window(who, nowMs).startMs + WINDOW_MS - nowMs) / 1000));
  }

  /** RateLimit and RateLimit-Policy as name, value pairs; none when there is no limit. */
  headers(who: string, nowMs: number): readonly string[] {
    if (this.perMinute === 0) return [];
    const left = this.perMinute - this.#window(who, nowMs).used;
    return ['ratelimit-policy', this.policy, 'ratelimit', `"${this.name}";r=${left};t=${this.resetS(who, nowMs)}`];
  }

  #window(who: string, nowMs: number): Window {
    const known = this.#windows.get(who);
    if (known) {
      if (nowMs - known.startMs >= WINDOW_MS || nowMs < known.startMs) {
        known.startMs = nowMs;
        known.used = 0;
      }
      return known;
    }
    const window = { startMs: nowMs, used: 0 };
    this.#windows.set(who, window);
    if (this.#windows.size > MAX_NAMES) this.#windows.delete(this.#windows.keys().next().value!);
    return window;
  }
}
