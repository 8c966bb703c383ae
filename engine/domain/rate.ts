import { Decimal, decimalFromScaled } from './decimal.js';
import type { Pair } from './pair.js';
import { clientBid, clientOffer } from './scaled.js';

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
  const provider = sellsBase
    ? decimalFromScaled(providerBid, digits)
    : inverse(decimalFromScaled(providerOffer, digits));
  const client = sellsBase
    ? decimalFromScaled(clientBid(providerBid, marginPpm), digits)
    : inverse(decimalFromScaled(clientOffer(providerOffer, marginPpm), digits));
  return {
    providerRate: provider.toString(),
    clientRate: client.toString(),
    marginValue: provider.minus(client).toString(),
    side: sellsBase ? 'bid' : 'offer',
  };
}

/**
 * A decimal text as the JSON number that reads the same. A price has at most 12 significant digits, and a number keeps
 * 15; throws RangeError rather than lose one.
 */
export function jsonNumber(text: string): number {
  const number = Number(text);
  if (!new Decimal(text).eq(new Decimal(String(number)))) throw new RangeError(`${text} does not fit a JSON number`);
  return number;
}

const SHOWN_DIGITS = 10;

function inverse(price: Decimal): Decimal {
  return new Decimal(1).div(price).toSignificantDigits(SHOWN_DIGITS);
}
