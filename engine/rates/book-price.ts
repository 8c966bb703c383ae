import { type Decimal, decimalFromScaled } from '../domain/decimal.js';
import { PAIRS } from '../domain/pair.js';
import type { PriceColumns } from '../domain/price-columns.js';
import { MAX_PROVIDERS } from './tick-sink.js';

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

/** What is known of a provider, for the metrics. */
export interface ProviderStatus {
  readonly name: string;
  readonly up: boolean;
  readonly ticks: number;
  /** Since its last good tick; undefined before the first. */
  readonly ageMs: number | undefined;
  /** How often it has ended a connection or lost it, and its reason for the last time; absent before the first. */
  readonly losses: number;
  readonly lastLoss?: string;
}

export function newPrice(crossed: boolean): BookPrice {
  return { bid: 0, offer: 0, bidSize: 0, offerSize: 0, bidLimit: 0, offerLimit: 0, sourceTimeUs: 0, ageMs: 0, crossed };
}

const REASON_MAX = 200;

/** The providers by number, and what is known of each. */
export class ProviderStates {
  readonly names: string[] = [];
  readonly up = new Uint8Array(MAX_PROVIDERS);
  readonly ticks = new Float64Array(MAX_PROVIDERS);
  readonly lastTickAtMs = new Float64Array(MAX_PROVIDERS);

  readonly #losses = new Float64Array(MAX_PROVIDERS);
  readonly #reasons: (string | undefined)[] = [];

  /** The provider is away; without a reason it was our own end. */
  down(provider: number, reason: string | undefined): void {
    this.up[provider] = 0;
    if (reason === undefined) return;
    this.#losses[provider]++;
    // A line of its own in a log and in /ready: a provider's text may have any byte.
    this.#reasons[provider] = reason.replace(/[^\x20-\x7e]/g, '?').slice(0, REASON_MAX);
  }

  /** The number of this provider; the same name gives the same number. Throws RangeError above MAX_PROVIDERS. */
  register(name: string): number {
    const known = this.names.indexOf(name);
    if (known >= 0) return known;
    if (this.names.length === MAX_PROVIDERS) throw new RangeError(`more than ${MAX_PROVIDERS} providers`);
    return this.names.push(name) - 1;
  }

  /** `nowMs` is monotonic, the clock of the book. */
  status(nowMs: number): readonly ProviderStatus[] {
    return this.names.map((name, provider) => ({
      name,
      up: this.up[provider] === 1,
      ticks: this.ticks[provider],
      ageMs: this.lastTickAtMs[provider] === 0 ? undefined : nowMs - this.lastTickAtMs[provider],
      losses: this.#losses[provider],
      ...(this.#reasons[provider] !== undefined && { lastLoss: this.#reasons[provider] }),
    }));
  }
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
export interface BookColumns extends PriceColumns {
  readonly bidLimit: Float64Array;
  readonly offerLimit: Float64Array;
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
