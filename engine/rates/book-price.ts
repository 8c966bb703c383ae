import { type Decimal, decimalFromScaled } from '../domain/money/decimal.js';
import { PAIRS } from '../domain/money/pair.js';
import { PriceColumns } from '../domain/money/price-columns.js';
import type { FeedKind } from '../domain/system/feed-kind.js';

export interface RateBookOptions {
  /** A provider's price older than this is no price, ms. */
  readonly maxAgeMs?: number;
  /** A provider's mid further than this from its last must be confirmed, percent. */
  readonly maxJumpPercent?: number;
  /** A tick wider than this is refused, percent. */
  readonly maxSpreadPercent?: number;
  /** Providers carry the sizes that they state and no more: a price without a size carries nothing. */
  readonly isFirm?: boolean;
  /** Monotonic ms, the clock of performance.now. */
  readonly now?: () => number;
}

/** The price of a pair as `read` gives it: one reused object, good until the next read. */
export interface BookPrice {
  /** Scaled by the pair's price digits. */
  bid: number;
  offer: number;
  /** Whole units of base; 0: not sent by the provider. */
  bidSize: number;
  offerSize: number;
  /** What the price carries before another level begins, whole units of base; Infinity: any amount. */
  bidLimit: number;
  offerLimit: number;
  /** The provider's own time of the newer of the two ticks, epoch microseconds; of a cross the older leg's. */
  sourceTimeUs: number;
  /** Since the oldest tick that makes the price was received. */
  ageMs: number;
  /** Computed from two other pairs, because no provider quotes this one. */
  crossed: boolean;
}

export function newPrice(crossed: boolean): BookPrice {
  return { bid: 0, offer: 0, bidSize: 0, offerSize: 0, bidLimit: 0, offerLimit: 0, sourceTimeUs: 0, ageMs: 0, crossed };
}

/** The mid of each pair's last direct price; it outlives the price. */
export class LastMids {
  // Twice the mid, so that it stays whole.
  readonly #mid2 = new Float64Array(PAIRS.length);
  readonly #atMs = new Float64Array(PAIRS.length);

  set(pair: number, mid2: number, atMs: number): void {
    this.#mid2[pair] = mid2;
    this.#atMs[pair] = atMs;
  }

  /** Undefined: there was none since `oldestMs`. */
  read(pair: number, oldestMs: number): Decimal | undefined {
    const mid2 = this.#mid2[pair];
    if (mid2 === 0 || this.#atMs[pair] < oldestMs) return undefined;
    return decimalFromScaled(mid2, PAIRS[pair].priceDigits).div(2);
  }
}

/** The columns of a price, copied; `ageMs` is the caller's. */
export function copyPrice(columns: BookColumns, pair: number, price: BookPrice): BookPrice {
  price.bid = columns.bid[pair];
  price.offer = columns.offer[pair];
  price.bidSize = columns.bidSize[pair];
  price.offerSize = columns.offerSize[pair];
  price.bidLimit = columns.bidLimit[pair];
  price.offerLimit = columns.offerLimit[pair];
  price.sourceTimeUs = columns.sourceTimeUs[pair];
  return price;
}

/**
 * Writes a price over that of the columns; false where they are the same. What a price carries is part of it: who may deal it for an amount
 * must see that it has changed.
 */
export function replacePrice(columns: BookColumns, pair: number, price: BookPrice): boolean {
  const isSame =
    columns.bid[pair] === price.bid &&
    columns.offer[pair] === price.offer &&
    columns.bidSize[pair] === price.bidSize &&
    columns.offerSize[pair] === price.offerSize &&
    columns.bidLimit[pair] === price.bidLimit &&
    columns.offerLimit[pair] === price.offerLimit;
  if (isSame) return false;
  columns.bid[pair] = price.bid;
  columns.offer[pair] = price.offer;
  columns.bidSize[pair] = price.bidSize;
  columns.offerSize[pair] = price.offerSize;
  columns.bidLimit[pair] = price.bidLimit;
  columns.offerLimit[pair] = price.offerLimit;
  return true;
}

/** The prices of a book, by pair index. */
export class BookColumns extends PriceColumns {
  /** When the bytes of the tick that last changed the price were read, or its end was noticed, monotonic ms: where tick-to-wire begins. */
  readonly stamp = new Float64Array(PAIRS.length);
  /** When the price before this one was to become too old, on the same clock. */
  readonly lastFreshUntilMs = new Float64Array(PAIRS.length);
  /** What the price carries before another level begins, whole units of base; Infinity: any amount. */
  readonly bidLimit = new Float64Array(PAIRS.length);
  readonly offerLimit = new Float64Array(PAIRS.length);

  /**
   * Which input has made the present prices, for the day record: the number of the last one recorded; in a book that follows the relay that of
   * the last message, whose publisher is `source`. 0: neither.
   */
  position = 0;
  source = 0;
  feedKinds: readonly FeedKind[] = [];

  constructor() {
    super(PAIRS.length);
  }
}

/** Functions that are called with the index of a pair. */
export class PairListeners {
  all: readonly ((pair: number) => void)[] = [];

  /** Returns what ends it; a list in use is not changed. */
  add(listener: (pair: number) => void): () => void {
    this.all = [...this.all, listener];
    return () => {
      this.all = this.all.filter((kept) => kept !== listener);
    };
  }

  notify(pair: number): void {
    for (const listener of this.all) listener(pair);
  }
}
