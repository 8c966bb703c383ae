import type { TickToWire } from './engine-status.js';

/**
 * Counts of durations in buckets that grow by a factor of two, for the tick path: recording is one add to a typed array, and
 * the histogram of the metrics is filled from it at scrape. Float64, because 32 bits would be full within days.
 */
export class LogBuckets {
  /** counts[i] holds durations of at most bounds[i] microseconds; the last one holds everything longer. */
  readonly counts: Float64Array;
  readonly bounds: readonly number[];
  /** Sum of all recorded durations, microseconds. */
  sum = 0;

  /** Upper bounds 1, 2, 4 ... microseconds; 24 buckets reach 8 seconds. */
  constructor(buckets = 24) {
    this.bounds = Array.from({ length: buckets }, (_, i) => 2 ** i);
    this.counts = new Float64Array(buckets + 1);
  }

  /** `micros` is not negative; a clock that stepped back counts as zero. */
  record(micros: number): void {
    const whole = micros > 1 ? Math.ceil(micros) - 1 : 0;
    const bucket = 32 - Math.clz32(Math.min(whole, 0x7fffffff));
    this.counts[Math.min(bucket, this.counts.length - 1)]!++;
    this.sum += Math.max(micros, 0);
  }
}

const SECONDS = 10;

/**
 * The counts of the last ten seconds: the current ones less those of ten seconds ago. The counts are copied each second, so readers do
 * not disturb each other and the tick path is not involved.
 */
export class RecentBuckets {
  /** The oldest is at `next`. */
  private readonly copies: readonly Float64Array[];
  private next = 0;

  constructor(private readonly buckets: LogBuckets) {
    this.copies = Array.from({ length: SECONDS }, () => new Float64Array(buckets.counts.length));
  }

  /** Called each second. */
  onTimer(): void {
    this.copies[this.next]!.set(this.buckets.counts);
    this.next = (this.next + 1) % SECONDS;
  }

  /** Within a bucket durations are taken to lie evenly. */
  read(): TickToWire {
    const before = this.copies[this.next]!;
    const counts = this.buckets.counts.map((count, i) => count - before[i]!);
    const count = counts.reduce((sum, one) => sum + one, 0);
    const at = (share: number) => Math.round(this.quantile(counts, count * share) * 10) / 10;
    return { count, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
  }

  /** The duration, microseconds, that `rank` of all do not exceed; 0 where there are none. */
  private quantile(counts: Float64Array, rank: number): number {
    const { bounds } = this.buckets;
    let below = 0;
    for (let i = 0; i < counts.length; i++) {
      const inside = counts[i]!;
      if (inside === 0 || below + inside < rank) {
        below += inside;
        continue;
      }
      const lower = bounds[i - 1] ?? 0;
      const upper = bounds[i] ?? lower;
      return lower + ((upper - lower) * (rank - below)) / inside;
    }
    return 0;
  }
}
