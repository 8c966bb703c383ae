import { PAIRS } from '../../domain/pair.js';

/**
 * Watches a stream's own count for gaps. Some providers count per connection and some per pair, and they do not say: a
 * number is in order when it follows either.
 */
export class GapWatch {
  #last = 0;
  readonly #lastOfPair = new Float64Array(PAIRS.length);

  /** True when ticks before this one are missing. A count of 0 is none. */
  misses(pair: number, count: number): boolean {
    if (count === 0) return false;
    const last = this.#last;
    const lastOfPair = this.#lastOfPair[pair];
    this.#last = count;
    this.#lastOfPair[pair] = count;
    return last !== 0 && count > last + 1 && count !== lastOfPair + 1;
  }

  /** A new connection counts anew. */
  reset(): void {
    this.#last = 0;
    this.#lastOfPair.fill(0);
  }
}
