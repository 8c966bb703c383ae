/** Ladders: prices by level, best first, and the volume-weighted price of an amount. */
import { exponentOf } from './money.js';
import type { Pair } from './pair.js';
import { bigQuotientHalfEven } from './rate.js';

/** Levels kept of one provider's side; further ones are dropped. */
export const MAX_LEVELS = 10;

/** One side of a ladder. A level's size is what it adds to the levels before it. */
export class LadderSide {
  count = 0;
  /** Scaled by the pair's price digits. */
  readonly price: Float64Array;
  /** Whole units of base. Of a provider's ladder 0 is unknown; of the book Infinity carries any amount. */
  readonly size: Float64Array;
  /** Of a provider's ladder: by how much the level is older than its tick, ms (relay). Of the book: its age. */
  readonly ageMs: Float64Array;

  constructor(readonly capacity = MAX_LEVELS) {
    this.price = new Float64Array(capacity);
    this.size = new Float64Array(capacity);
    this.ageMs = new Float64Array(capacity);
  }

  /** The age of its oldest level, ms. */
  get oldestMs(): number {
    let most = 0;
    for (let i = 0; i < this.count; i++) most = Math.max(most, this.ageMs[i]);
    return most;
  }

  /** Behind the last level; beyond the capacity it is dropped. */
  add(price: number, size: number, ageMs = 0): void {
    if (this.count === this.capacity) return;
    this.price[this.count] = price;
    this.size[this.count] = size;
    this.ageMs[this.count] = ageMs;
    this.count++;
  }

  /** In order of price; of equal prices behind those before it. Beyond the capacity the worst is dropped. */
  insert(price: number, size: number, isBid: boolean): void {
    let at = this.count;
    while (at > 0 && (isBid ? this.price[at - 1] < price : this.price[at - 1] > price)) at--;
    if (at === this.capacity) return;
    if (this.count < this.capacity) this.count++;
    for (let i = this.count - 1; i > at; i--) {
      this.price[i] = this.price[i - 1];
      this.size[i] = this.size[i - 1];
    }
    this.price[at] = price;
    this.size[at] = size;
    this.ageMs[at] = 0;
  }
}

export class Ladder {
  readonly bid: LadderSide;
  readonly offer: LadderSide;

  constructor(capacity = MAX_LEVELS) {
    this.bid = new LadderSide(capacity);
    this.offer = new LadderSide(capacity);
  }

  clear(): void {
    this.bid.count = 0;
    this.offer.count = 0;
  }
}

/** Levels get no better: bids do not rise, offers do not fall, and a size is 0 or more. The first level is checked as a tick. */
export function isMonotonic({ bid, offer }: Ladder): boolean {
  for (let i = 1; i < bid.count; i++) if (!(bid.price[i] > 0 && bid.price[i] <= bid.price[i - 1])) return false;
  for (let i = 1; i < offer.count; i++) if (!(offer.price[i] >= offer.price[i - 1])) return false;
  for (let i = 0; i < bid.count; i++) if (!(bid.size[i] >= 0)) return false;
  for (let i = 0; i < offer.count; i++) if (!(offer.size[i] >= 0)) return false;
  return true;
}

/** The price of an amount, and the age of the oldest level that it takes. */
export interface SizePrice {
  /** Scaled by the pair's price digits. */
  readonly price: number;
  readonly ageMs: number;
  /** How many levels it takes. */
  readonly levels: number;
}

/** An amount of quote at the provider, minor units: a fraction, because a margin is a part of a million. Both are above 0. */
export interface QuoteAmount {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * The volume-weighted price of an amount over the best levels, half-even at the pair's price digits, as a client's price is rounded: of minor
 * units of the pair's base, above 0, or of quote.
 * Of an amount of quote each level carries what its size is worth. Undefined: the levels end before it.
 */
export function sizePrice(side: LadderSide, pair: Pair, amount: bigint | QuoteAmount): SizePrice | undefined {
  return typeof amount === 'bigint' ? basePrice(side, pair, amount) : quotePrice(side, pair, amount);
}

function basePrice(side: LadderSide, { base }: Pair, baseMinor: bigint): SizePrice | undefined {
  const unit = 10n ** BigInt(exponentOf(base));
  let left = baseMinor;
  let worth = 0n;
  let ageMs = 0;
  for (let i = 0; i < side.count; i++) {
    const size = side.size[i];
    const most = size === Number.POSITIVE_INFINITY ? left : BigInt(size) * unit;
    const taken = most < left ? most : left;
    worth += taken * BigInt(side.price[i]);
    left -= taken;
    ageMs = Math.max(ageMs, side.ageMs[i]);
    if (left === 0n) return { price: Number(bigQuotientHalfEven(worth, baseMinor)), ageMs, levels: i + 1 };
  }
  return undefined;
}

function quotePrice(side: LadderSide, { base, quote, priceDigits }: Pair, of: QuoteAmount): SizePrice | undefined {
  const unit = 10n ** BigInt(exponentOf(base));
  // Worth is minor units of base times the scaled price; both are taken `scale` times, so that they are whole.
  const scale = of.denominator * 10n ** BigInt(exponentOf(quote));
  const worth = of.numerator * unit * 10n ** BigInt(priceDigits);
  let left = worth;
  let taken = 0n;
  let ageMs = 0;
  for (let i = 0; i < side.count; i++) {
    const size = side.size[i];
    const price = BigInt(side.price[i]);
    const most = size === Number.POSITIVE_INFINITY ? undefined : BigInt(size) * unit * scale;
    ageMs = Math.max(ageMs, side.ageMs[i]);
    if (most === undefined || most * price >= left)
      return { price: Number(bigQuotientHalfEven(worth * price, taken * price + left)), ageMs, levels: i + 1 };
    taken += most;
    left -= most * price;
  }
  return undefined;
}

/**
 * The same for whole units of base, up to a pair's maximum, without an allocation: for the tick path. NaN: the levels end before it.
 * The distances of the levels from the first are summed in two limbs, each below 2^53.
 */
export function bandPrice(side: LadderSide, size: number): number {
  const best = side.price[0];
  let left = size;
  let high = 0;
  let low = 0;
  for (let i = 0; i < side.count; i++) {
    const taken = Math.min(side.size[i], left);
    const distance = Math.abs(side.price[i] - best);
    const distanceHigh = Math.floor(distance / LIMB);
    high += distanceHigh * taken;
    low += (distance - distanceHigh * LIMB) * taken;
    left -= taken;
    if (left <= 0) {
      const sign = side.price[i] < best ? -1 : 1;
      return distance === 0 && high === 0 && low === 0 ? best : nearest(best, sign, high, low, size);
    }
  }
  return Number.NaN;
}

// best +- (high x LIMB + low) / size, half-even by the result.
function nearest(best: number, sign: number, high: number, low: number, size: number): number {
  const highQuotient = Math.floor(high / size);
  const lowQuotient = Math.floor(low / size);
  const rest = (high - highQuotient * size) * LIMB + (low - lowQuotient * size);
  const restQuotient = Math.floor(rest / size);
  const remainder = rest - restQuotient * size;
  const price = best + sign * (highQuotient * LIMB + lowQuotient + restQuotient);
  const twice = remainder * 2;
  return twice > size || (twice === size && price % 2 === 1) ? price + sign : price;
}

const LIMB = 131_072;
