/** Latencies in logarithmic buckets, within 4 percent: a desk that watches for days keeps the same few kilobytes. */
const PER_DOUBLING = 16;
const DOUBLINGS = 26;

export class Latency {
  readonly #buckets = new Uint32Array(PER_DOUBLING * DOUBLINGS);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Milliseconds from 0 to an hour or so; a clock that runs behind ours gives less than nothing, which counts as 0. */
  record(ms: number): void {
    if (Number.isNaN(ms)) return;
    const bucket = Math.floor(Math.log2(Math.max(ms, 0) / RESOLUTION_MS + 1) * PER_DOUBLING);
    this.#buckets[Math.min(bucket, this.#buckets.length - 1)]! += 1;
    this.#count += 1;
  }

  /** The latency that `share` (0 to 1) of all stays within, milliseconds; undefined before the first. */
  percentile(share: number): number | undefined {
    if (this.#count === 0) return undefined;
    const wanted = Math.max(1, Math.ceil(share * this.#count));
    let seen = 0;
    let bucket = 0;
    while (bucket < this.#buckets.length - 1 && seen + this.#buckets[bucket]! < wanted)
      seen += this.#buckets[bucket++]!;
    return (2 ** ((bucket + 0.5) / PER_DOUBLING) - 1) * RESOLUTION_MS;
  }
}

const RESOLUTION_MS = 0.1;
