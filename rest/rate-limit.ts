/** How many requests somebody may send in a minute: a fixed window per name, kept by each sidecar for itself. */

const WINDOW_MS = 60_000;
/** Names counted at once; the one that was new longest ago is forgotten first. */
const MAX_NAMES = 50_000;

interface Window {
  startMs: number;
  used: number;
}

export interface Permit {
  readonly granted: boolean;
  /** How many are left in this minute, and the seconds until it ends. */
  readonly left: number;
  readonly resetS: number;
}

const UNLIMITED: Permit = { granted: true, left: Number.POSITIVE_INFINITY, resetS: 0 };

export class RateLimit {
  readonly #name: string;
  readonly #perMinute: number;
  readonly #policy: string;
  readonly #windows = new Map<string, Window>();

  /** `perMinute` 0 is no limit. `name` stands in the headers: reads, authentication. */
  constructor(name: string, perMinute: number) {
    this.#name = name;
    this.#perMinute = perMinute;
    this.#policy = `"${name}";q=${perMinute};w=60`;
  }

  /** Counts one; not granted, and not counted, when the minute's permits are used up. */
  take(who: string, nowMs: number): Permit {
    if (this.#perMinute === 0) return UNLIMITED;
    const window = this.#windows.get(who) ?? this.#begin(who, nowMs);
    if (hasEnded(window, nowMs)) {
      window.startMs = nowMs;
      window.used = 0;
    }
    const granted = window.used < this.#perMinute;
    if (granted) window.used++;
    return this.#permit(granted, window, nowMs);
  }

  /** Whether `take` would be granted. */
  look(who: string, nowMs: number): Permit {
    const window = this.#windows.get(who);
    if (this.#perMinute === 0 || window === undefined || hasEnded(window, nowMs)) return UNLIMITED;
    return this.#permit(window.used < this.#perMinute, window, nowMs);
  }

  /** RateLimit and RateLimit-Policy as name, value pairs; none when there is no limit. */
  headers({ left, resetS }: Permit): readonly string[] {
    if (this.#perMinute === 0) return [];
    return ['ratelimit-policy', this.#policy, 'ratelimit', `"${this.#name}";r=${left};t=${resetS}`];
  }

  #permit(granted: boolean, { startMs, used }: Window, nowMs: number): Permit {
    const resetS = Math.max(1, Math.ceil((startMs + WINDOW_MS - nowMs) / 1000));
    return { granted, left: this.#perMinute - used, resetS };
  }

  #begin(who: string, nowMs: number): Window {
    const window = { startMs: nowMs, used: 0 };
    this.#windows.set(who, window);
    if (this.#windows.size > MAX_NAMES) this.#windows.delete(this.#windows.keys().next().value!);
    return window;
  }
}

// A clock that was set back begins a new minute rather than a very long one.
function hasEnded({ startMs }: Window, nowMs: number): boolean {
  return nowMs - startMs >= WINDOW_MS || nowMs < startMs;
}
