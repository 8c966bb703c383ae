import type { TickToWire } from '../../domain/engine-status.js';
import type { LogBuckets } from './log-buckets.js';

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
