import { Decimal } from '../domain/decimal.js';
import { pairOf } from '../domain/pair.js';
import { referenceUsdWorth } from './feeds/reference-rates.js';
import type { RateBook } from './rate-book.js';

/**
 * US dollars for one unit of a currency, by the last price of any age, against the dollar or through the euro, else by the newest
 * reference rate on file. Undefined: neither is known. For thresholds alone: nothing is ever booked at it.
 */
export function usdWorth(book: RateBook, currency: string): Decimal | undefined {
  if (currency === 'USD') return new Decimal(1);
  return lastMid(book, currency, 'USD') ?? throughEuro(book, currency) ?? referenceUsdWorth(currency);
}

function throughEuro(book: RateBook, currency: string): Decimal | undefined {
  const inEuro = lastMid(book, currency, 'EUR');
  const euro = lastMid(book, 'EUR', 'USD');
  return inEuro && euro && inEuro.mul(euro);
}

/** Units of `to` for one unit of `from`. */
function lastMid(book: RateBook, from: string, to: string): Decimal | undefined {
  const found = pairOf(from, to);
  const mid = found && book.lastMid(found.pair.index);
  return mid && (found.inverse ? new Decimal(1).div(mid) : mid);
}
