/** A bucket of permits: `burst` at once, `perSecond` in the long run. */
export class Pace {
  private permits: number;
  private atMs: number;

  constructor(
    private readonly perSecond: number,
    private readonly burst: number,
    nowMs: number,
  ) {
    this.permits = burst;
    this.atMs = nowMs;
  }

  /** Takes a permit; false when there is none. A clock that steps back gives none and takes none. */
  take(nowMs: number): boolean {
    if (!this.has(nowMs)) return false;
    this.permits--;
    return true;
  }

  /** Whether `take` would be given a permit. */
  has(nowMs: number): boolean {
    const passed = Math.max(0, nowMs - this.atMs);
    this.atMs = nowMs;
    this.permits = Math.min(this.burst, this.permits + (passed * this.perSecond) / 1000);
    return this.permits >= 1;
  }
}

/** Breaches of the pace within a window: the last of `limit` ends the session. */
export class Breaches {
  private times: number[] = [];

  constructor(
    private readonly limit: number,
    private readonly windowMs: number,
  ) {}

  /** True when this breach is one too many. */
  add(nowMs: number): boolean {
    this.times = this.times.filter((at) => nowMs - at < this.windowMs);
    this.times.push(nowMs);
    return this.times.length >= this.limit;
  }
}
