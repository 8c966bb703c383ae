/**
 * Prices side by side, a typed array a field: a row for each price as an object would be garbage of every tick. A bid of 0 is no price.
 */
export class QuoteColumns {
  /** Scaled by the pair's price digits. */
  readonly bid: Float64Array;
  readonly offer: Float64Array;
  /** Units of the base currency; 0: the provider gave none. */
  readonly bidSize: Float64Array;
  readonly offerSize: Float64Array;

  constructor(rows: number) {
    this.bid = new Float64Array(rows);
    this.offer = new Float64Array(rows);
    this.bidSize = new Float64Array(rows);
    this.offerSize = new Float64Array(rows);
  }
}

export class PriceColumns extends QuoteColumns {
  /** The provider's own time, epoch microseconds. */
  readonly sourceTimeUs: Float64Array;
  /** When the tick was received, monotonic ms, the clock of performance.now(). */
  readonly receivedAtMs: Float64Array;

  constructor(rows: number) {
    super(rows);
    this.sourceTimeUs = new Float64Array(rows);
    this.receivedAtMs = new Float64Array(rows);
  }
}

/** Values that name the quotes which both sides of a price are made of; 0: none. */
export const ORIGIN_KEYS = 8;

/** Names what the pair's present price is made of, without an allocation: `nowMs` is of the clock of the book. */
export interface OriginKeys {
  write(pair: number, nowMs: number, out: Float64Array, at?: number): void;
}
