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
