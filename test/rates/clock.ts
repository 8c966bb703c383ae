import { pairBySymbol } from '../../engine/domain/pair.js';
import { RateBook, type RateBookOptions } from '../../engine/rates/rate-book.js';

/** A book whose clock the test turns by hand. */
export function bookWithClock(options: RateBookOptions = {}) {
  const clock = { ms: 1_000_000 };
  const book = new RateBook({ ...options, now: () => clock.ms });
  const changes: string[] = [];
  book.onChange((pair) => changes.push(`${book.bid[pair]}/${book.offer[pair]}`));
  return { book, clock, changes };
}

export function indexOf(symbol: string): number {
  return pairBySymbol(symbol)!.index;
}
