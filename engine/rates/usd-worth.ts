import { Decimal } from '../domain/money/decimal.js';
import { pairOf } from '../domain/money/pair.js';
import { referenceUsdWorth } from './feeds/reference-rates.js';
import type { RateBook } from './rate-book.js';

/**
 * US dollars for one unit of a currency, by the last price, against the dollar or through the euro. Without `maxAgeMs` of any age, and where
 * there was none by the newest reference rate on file. Undefined: neither is known. For thresholds and limits only: no booking uses it.
 */
export function usdWorth(book: RateBook, currency: string, maxAgeMs?: number): Decimal | undefined {
  if (currency === 'USD') return new Decimal(1);
  const worth = lastMid(book, currency, 'USD', maxAgeMs) ?? throughEuro(book, currency, maxAgeMs);
  return worth ?? (maxAgeMs === undefined ? referenceUsdWorth(currency) : undefined);
}

function throughEuro(book: RateBook, currency: string, maxAgeMs: number | undefined): Decimal | undefined {
  const inEuro = lastMid(book, currency, 'EUR', maxAgeMs);
  const euro = lastMid(book, 'EUR', 'USD', maxAgeMs);
  return inEuro && euro && inEuro.mul(euro);
}

/** Units of `to` for one unit of `from`. */
function lastMid(book: RateBook, from: string, to: string, maxAgeMs: number | undefined): Decimal | undefined {
  const found = pairOf(from, to);
  const mid = found && book.lastMid(found.pair.index, maxAgeMs);
  return mid && (found.inverse ? new Decimal(1).div(mid) : mid);
}
