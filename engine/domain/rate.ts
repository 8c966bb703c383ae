import type { AgreedRate } from './booking.js';
import { Decimal } from './decimal.js';
import { type Pair, pairBySymbol } from './pair.js';
import { clientBid, clientOffer, formatScaled } from './scaled.js';

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

export interface RateRequest {
  readonly pair: Pair;
  /** The currency of the pair that is sold; the other one is bought. */
  readonly sell: string;
  /** Scaled by the pair's price digits, above 0. */
  readonly providerBid: number;
  readonly providerOffer: number;
  readonly marginPpm: number;
}

/**
 * A client who sells base hits the bid, and sees it as it is; one who sells quote takes the offer, and sees its
 * inverse at 10 significant digits. The client's price is the published one of the market convention, so both doors
 * show one price. Throws RangeError for a price that is not above 0.
 */
export function conversionRate({ pair, sell, providerBid, providerOffer, marginPpm }: RateRequest): ConversionRate {
  if (!(providerBid > 0 && providerOffer > 0)) throw new RangeError(`${pair.symbol}: a price must be above 0`);
  const digits = pair.priceDigits;
  const sellsBase = sell === pair.base;
  const providerRate = sellsBase ? asItIs(providerBid, digits) : inverse(providerOffer, digits);
  const clientRate = sellsBase
    ? asItIs(clientBid(providerBid, marginPpm), digits)
    : inverse(clientOffer(providerOffer, marginPpm), digits);
  return {
    providerRate,
    clientRate,
    // Nobody asks for it where rates are asked for most, so it is computed when it is.
    get marginValue() {
      return new Decimal(providerRate).minus(clientRate).toString();
    },
    side: sellsBase ? 'bid' : 'offer',
  };
}

/** The same for a rate that was agreed on, offered, held or booked: its two prices are kept, so nothing is computed anew. */
export function agreedConversionRate({
  pair: symbol,
  sellCurrency,
  price,
  providerPrice,
}: Pick<AgreedRate, 'pair' | 'sellCurrency' | 'price' | 'providerPrice'>): ConversionRate {
  const pair = pairBySymbol(symbol);
  if (pair === undefined || !(price > 0 && providerPrice > 0)) throw new RangeError(`${symbol}: no agreed rate`);
  const sellsBase = sellCurrency === pair.base;
  const shown = sellsBase ? asItIs : inverse;
  const providerRate = shown(providerPrice, pair.priceDigits);
  const clientRate = shown(price, pair.priceDigits);
  const marginValue = new Decimal(providerRate).minus(clientRate).toString();
  return { providerRate, clientRate, marginValue, side: sellsBase ? 'bid' : 'offer' };
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

const SHOWN_DIGITS = 10;

function asItIs(scaled: number, digits: number): string {
  return formatScaled(scaled, digits).replace(/\.?0+$/, '');
}

// In whole numbers, rounded half-even: asked for with each answer, and several times as fast as decimals.
function inverse(scaled: number, digits: number): string {
  const price = BigInt(scaled);
  // Places after the point that leave as many figures as are shown; one fewer where the quotient has one too many.
  let places = SHOWN_DIGITS - 1 - digits + String(scaled).length;
  let quotient = quotientHalfEven(10n ** BigInt(digits + places), price);
  if (quotient > LARGEST_SHOWN) {
    places -= 1;
    quotient = quotientHalfEven(10n ** BigInt(digits + places), price);
  }
  const text = String(quotient).padStart(places + 1, '0');
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`.replace(/\.?0+$/, '');
}

const LARGEST_SHOWN = 10n ** BigInt(SHOWN_DIGITS);

function quotientHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator - quotient * denominator) * 2n;
  return twice > denominator || (twice === denominator && quotient % 2n === 1n) ? quotient + 1n : quotient;
}
