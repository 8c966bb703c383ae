/**
 * Prices: on the hot path whole numbers scaled by 10^digits (Pair.priceDigits), with a client's margin applied; to a client the decimal rate
 * of a conversion. The hot path allocates nothing, and nothing rounds except where a rounding is named.
 */
import type { AgreedRate } from '../conversions/booking.js';
import { Decimal } from './decimal.js';
import { formatScaled } from './money.js';
import { type Pair, pairBySymbol, pairOf } from './pair.js';

/** Margin of 100 percent in parts per million; a margin is always below it. */
export const WHOLE_PPM = 1_000_000;

/**
 * A margin percent as parts per million: '0.25' is 2500. From 0 to below 100, at most 4 decimals, no sign, no
 * exponent; undefined when the text is not such a margin.
 */
export function marginPpmFromText(text: string): number | undefined {
  const parts = /^(\d{1,2})(?:\.(\d{1,4}))?$/.exec(text);
  if (!parts) return undefined;
  return Number(parts[1]) * 10_000 + Number((parts[2] ?? '').padEnd(4, '0'));
}

/** A margin in parts per million, and the amount above which it applies, whole units of the pair's base. */
export interface MarginBand {
  readonly above: number;
  readonly marginPpm: number;
}

/** No price is larger: price x 1,000,000 stays below 2^53, so that a margin is taken exactly. */
export const MAX_SCALED = 9_000_000_000;

/**
 * How decimals that do not fit are rounded. A provider's bid is rounded down and its offer up, so that neither gets better than it
 * was.
 */
export type ScaledRounding = 'down' | 'up';

/**
 * What the client gets per unit of base: bid x (1 - margin), half-even. `bid` 0 to MAX_SCALED, `marginPpm` 0 to
 * 999,999.
 */
export function clientBid(bid: number, marginPpm: number): number {
  return quotientHalfEven(bid * (WHOLE - marginPpm), WHOLE);
}

/**
 * What the client pays per unit of base: offer / (1 - margin), half-even. `offer` 0 to MAX_SCALED, `marginPpm` 0 to
 * 999,999.
 */
export function clientOffer(offer: number, marginPpm: number): number {
  return quotientHalfEven(offer * WHOLE, WHOLE - marginPpm);
}

/** Whether a margin has left a price: it can take all of a very small bid, and make an offer larger than any price. */
export function isClientPrice(bid: number, offer: number): boolean {
  return bid > 0 && offer <= MAX_SCALED;
}

// Both whole and below 2^53. Such a division never rounds up to a whole number above the true quotient (that would
// take a numerator of 2^53), so the floor is the true one and the remainder is exact.
function quotientHalfEven(numerator: number, denominator: number): number {
  const quotient = Math.floor(numerator / denominator);
  const remainder = numerator - quotient * denominator;
  const twice = remainder * 2;
  if (twice > denominator || (twice === denominator && quotient % 2 === 1)) return quotient + 1;
  return quotient;
}

/**
 * A provider's decimal text as a scaled price: digits with at most one point, nothing else. NaN when it is not that,
 * longer than 32 characters, or above MAX_SCALED. `digits` 0 to 9.
 */
export function scaledFromText(text: string, digits: number, rounding: ScaledRounding): number {
  if (text.length > MAX_PRICE_LENGTH) return Number.NaN;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > NINE) return Number.NaN;
    PRICE_TEXT[i] = code;
  }
  return scaledFromBytes(PRICE_TEXT, 0, text.length, digits, rounding);
}

/** The same from the bytes `start` to before `end`. */
export function scaledFromBytes(
  bytes: Uint8Array,
  start: number,
  end: number,
  digits: number,
  rounding: ScaledRounding,
): number {
  if (end - start > MAX_PRICE_LENGTH) return Number.NaN;
  let scaled = 0;
  let decimals = -1; // -1: before the point.
  let figures = 0;
  let beyond = false; // A figure other than 0 after the last decimal that fits.
  for (let i = start; i < end; i++) {
    const byte = bytes[i];
    if (byte === POINT) {
      if (decimals >= 0) return Number.NaN;
      decimals = 0;
    } else if (byte >= ZERO && byte <= NINE) {
      figures++;
      if (decimals === digits) {
        if (byte !== ZERO) beyond = true;
      } else {
        scaled = scaled * 10 + (byte - ZERO);
        if (scaled > MAX_SCALED) return Number.NaN;
        if (decimals >= 0) decimals++;
      }
    } else {
      return Number.NaN;
    }
  }
  if (figures === 0) return Number.NaN;
  scaled *= POWER_OF_TEN[digits - Math.max(decimals, 0)];
  if (beyond && rounding === 'up') scaled += 1;
  return scaled > MAX_SCALED ? Number.NaN : scaled;
}

/** Writes what formatScaled would give at `at`, and returns where it ends. At most 12 bytes. */
export function writeScaled(out: Uint8Array, at: number, scaled: number, digits: number): number {
  const power = POWER_OF_TEN[digits];
  // Both parts fit 32-bit arithmetic for every pair: a price has two decimals or more, and the decimals are nine at
  // most.
  let whole = Math.floor(scaled / power);
  let decimals = scaled - whole * power;
  let width = 1;
  while (width < 10 && whole >= POWER_OF_TEN[width]) width++;
  for (let i = at + width - 1; i >= at; i--) {
    const rest = Math.floor(whole / 10);
    out[i] = ZERO + (whole - rest * 10);
    whole = rest;
  }
  let end = at + width;
  if (digits === 0) return end;
  out[end] = POINT;
  end += 1 + digits;
  for (let i = end - 1; i > end - 1 - digits; i--) {
    const rest = (decimals / 10) | 0;
    out[i] = ZERO + (decimals - rest * 10);
    decimals = rest;
  }
  return end;
}

/** How a pair is priced through a third currency: base into `via` on the first leg, `via` into quote on the second. */
export interface CrossLegs {
  readonly pair: Pair;
  readonly first: Pair;
  /** `first` is via/base. */
  readonly firstInverse: boolean;
  readonly second: Pair;
  /** `second` is quote/via. */
  readonly secondInverse: boolean;
}

/** The legs of a pair through a currency, or undefined when that currency is one of the pair or not offered. */
export function crossLegs(pair: Pair, via: string): CrossLegs | undefined {
  const first = pairOf(pair.base, via);
  const second = pairOf(via, pair.quote);
  if (!first || !second) return undefined;
  return { pair, first: first.pair, firstInverse: first.inverse, second: second.pair, secondInverse: second.inverse };
}

/**
 * Bid of the cross, rounded down: base sold on the first leg and `via` sold on the second, each at the side that is
 * hit. NaN when a leg has no price (0) or the cross is above MAX_SCALED.
 */
export function crossBid(legs: CrossLegs, bid1: number, offer1: number, bid2: number, offer2: number): number {
  return cross(legs, legs.firstInverse ? offer1 : bid1, legs.secondInverse ? offer2 : bid2, false);
}

/** Offer of the cross, rounded up: the other side of each leg. NaN as for crossBid. */
export function crossOffer(legs: CrossLegs, bid1: number, offer1: number, bid2: number, offer2: number): number {
  return cross(legs, legs.firstInverse ? bid1 : offer1, legs.secondInverse ? bid2 : offer2, true);
}

// Precedence leaves three shapes: both legs are never inverse, because quote would then precede base.
function cross(legs: CrossLegs, first: number, second: number, up: boolean): number {
  const { pair, first: leg1, second: leg2 } = legs;
  if (!(first > 0 && second > 0)) return Number.NaN;
  if (legs.firstInverse)
    return multiplyDivide(second, POWER_OF_TEN[pair.priceDigits + leg1.priceDigits - leg2.priceDigits], first, up);
  if (legs.secondInverse)
    return multiplyDivide(first, POWER_OF_TEN[pair.priceDigits + leg2.priceDigits - leg1.priceDigits], second, up);
  return multiplyDivide(first, second, POWER_OF_TEN[leg1.priceDigits + leg2.priceDigits - pair.priceDigits], up);
}

// a x b / c, rounded down or up, exactly, where b or c is a power of ten and the others are prices. The product needs
// up to 67 bits, so the remainder is taken in two limbs, each below 2^53. Rounding of the doubles never makes the
// first quotient too small (with c a power of ten, quotient x c has few enough binary figures to be exact; with b one,
// the product has), and too large by one at most.
function multiplyDivide(a: number, b: number, c: number, up: boolean): number {
  let quotient = Math.floor((a * b) / c);
  if (!(quotient <= MAX_SCALED)) return Number.NaN;
  const aHigh = Math.floor(a / LIMB);
  const quotientHigh = Math.floor(quotient / LIMB);
  const high = aHigh * b - quotientHigh * c;
  const low = (a - aHigh * LIMB) * b - (quotient - quotientHigh * LIMB) * c;
  let remainder = high * LIMB + low;
  if (remainder < 0) {
    quotient -= 1;
    remainder += c;
  }
  if (up && remainder > 0) quotient += 1;
  return quotient > MAX_SCALED ? Number.NaN : quotient;
}

// Not exported: Node 20 reads an exported constant from its module each time.
const WHOLE = WHOLE_PPM;
const LIMB = 131_072;
const ZERO = 48;
const NINE = 57;
const POINT = 46;
const MAX_PRICE_LENGTH = 32;
const PRICE_TEXT = new Uint8Array(MAX_PRICE_LENGTH);
const POWER_OF_TEN = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/**
 * A price as a conversion sees it: units of the bought currency for one unit of the sold one. Decimal texts without idle
 * zeros.
 */
export interface ConversionRate {
  /** The provider's side that the client would hit. */
  readonly providerRate: string;
  /** What the client gets. */
  readonly clientRate: string;
  /** The distance between the two. */
  readonly marginValue: string;
  /** The side of the pair in market convention. */
  readonly side: 'bid' | 'offer';
}

/**
 * The rate that is published for a pair, or agreed. A client who sells base hits the bid, and sees it as it is; one who sells quote takes the
 * offer, and sees its inverse at 10 significant digits. Both doors show one price. Throws RangeError for a price that is not above 0, and for a
 * pair that is none.
 */
export function agreedConversionRate({
  pair: symbol,
  sellCurrency,
  price,
  providerPrice,
}: Pick<AgreedRate, 'pair' | 'sellCurrency' | 'price' | 'providerPrice'>): ConversionRate {
  const pair = pairBySymbol(symbol);
  if (pair === undefined || !(price > 0 && providerPrice > 0)) throw new RangeError(`${symbol}: no agreed rate`);
  const sellsBase = sellCurrency === pair.base;
  return rateOf(shown(pair, sellsBase, providerPrice), shown(pair, sellsBase, price), sellsBase);
}

function rateOf(provider: Shown, client: Shown, sellsBase: boolean): ConversionRate {
  return {
    providerRate: textOf(provider),
    clientRate: textOf(client),
    // Computed on request: the reads that are most frequent do not need it.
    get marginValue() {
      return textOf(difference(provider, client));
    },
    side: sellsBase ? 'bid' : 'offer',
  };
}

/** Whether a price is more than so many parts per million of another one away from it, in either direction. Scaled prices above 0. */
export function hasMoved(was: number, is: number, tolerancePpm: number): boolean {
  return BigInt(Math.abs(is - was)) * BigInt(WHOLE_PPM) > BigInt(was) * BigInt(tolerancePpm);
}

/**
 * A decimal text as the JSON number that reads the same. A price has at most 12 significant digits, and a number keeps
 * 15; throws RangeError rather than lose one.
 */
export function jsonNumber(text: string): number {
  const number = Number(text);
  if (String(number) === text) return number;
  if (!new Decimal(text).eq(new Decimal(String(number)))) throw new RangeError(`${text} does not fit a JSON number`);
  return number;
}

/** A decimal: a whole number, and how many of its digits are behind the point. */
interface Shown {
  readonly scaled: number | bigint;
  readonly digits: number;
}

const SHOWN_DIGITS = 10;

const shown = (pair: Pair, sellsBase: boolean, price: number): Shown =>
  sellsBase ? { scaled: price, digits: pair.priceDigits } : inverse(price, pair.priceDigits);

function textOf({ scaled, digits }: Shown): string {
  const text = formatScaled(scaled, digits);
  return digits === 0 ? text : text.replace(/\.?0+$/, '');
}

function difference(one: Shown, other: Shown): Shown {
  const digits = Math.max(one.digits, other.digits);
  const at = (of: Shown) => BigInt(of.scaled) * POWER_OF_TEN_EXACT[digits - of.digits]!;
  return { scaled: at(one) - at(other), digits };
}

// In whole numbers, rounded half-even: computed for each reply, several times as fast as with decimals.
function inverse(scaled: number, digits: number): Shown {
  const price = BigInt(scaled);
  // Places after the point that leave as many figures as are shown; one fewer where the quotient has one too many.
  let places = SHOWN_DIGITS - 1 - digits + String(scaled).length;
  let quotient = bigQuotientHalfEven(POWER_OF_TEN_EXACT[digits + places]!, price);
  if (quotient > LARGEST_SHOWN) {
    places -= 1;
    quotient = bigQuotientHalfEven(POWER_OF_TEN_EXACT[digits + places]!, price);
  }
  return { scaled: quotient, digits: places };
}

const POWER_OF_TEN_EXACT = Array.from({ length: 20 }, (_, power) => 10n ** BigInt(power));
const LARGEST_SHOWN = POWER_OF_TEN_EXACT[SHOWN_DIGITS]!;

/** Half-even; both above 0. */
export function bigQuotientHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator - quotient * denominator) * 2n;
  return twice > denominator || (twice === denominator && quotient % 2n === 1n) ? quotient + 1n : quotient;
}
