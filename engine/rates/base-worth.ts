import { exponentOf } from '../domain/money/money.js';
import { pairOf } from '../domain/money/pair.js';
import type { RateBook } from './rate-book.js';

/**
 * Minor units of `base` for one minor unit of a currency, at composite mids of at most `maxAgeMs`: that of their own pair, else through USD
 * or EUR. Undefined: there is none. A double, for limits alone: what becomes of it is rounded to a whole minor unit, and no ledger amount.
 */
export function baseWorth(book: RateBook, currency: string, base: string, maxAgeMs: number): number | undefined {
  if (currency === base) return 1;
  const units = mid(book, currency, base, maxAgeMs) ?? through(book, currency, base, maxAgeMs);
  return units === undefined ? undefined : units * 10 ** (exponentOf(base) - exponentOf(currency));
}

function through(book: RateBook, currency: string, base: string, maxAgeMs: number): number | undefined {
  for (const via of ['USD', 'EUR']) {
    if (via === currency || via === base) continue;
    const first = mid(book, currency, via, maxAgeMs);
    const second = first && mid(book, via, base, maxAgeMs);
    if (first !== undefined && second !== undefined) return first * second;
  }
  return undefined;
}

/** Units of `to` for one unit of `from`. */
function mid(book: RateBook, from: string, to: string, maxAgeMs: number): number | undefined {
  const found = pairOf(from, to);
  const price = found && book.lastMid(found.pair.index, maxAgeMs)?.toNumber();
  return price && (found.inverse ? 1 / price : price);
}
