import { Ladder, LadderSide } from '../../engine/domain/money/ladder.js';
import { pairBySymbol } from '../../engine/domain/money/pair.js';
import { scaledFromText } from '../../engine/domain/money/rate.js';
import type { RateBookOptions } from '../../engine/rates/book-price.js';
import { RateBook } from '../../engine/rates/rate-book.js';

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

/** `1.1000x1000000 1.0999` as a side: a level without a size has 0. */
export function sideOf(text: string, symbol: string, side = new LadderSide()): LadderSide {
  for (const level of text.split(' ')) {
    const [price, size = '0'] = level.split('x');
    side.add(scaledFromText(price!, pairBySymbol(symbol)!.priceDigits, 'down'), Number(size));
  }
  return side;
}

/** A tick of a provider of the book; without `isLadder` it is one of a single price. */
export function quoteLadder(
  book: RateBook,
  provider: number,
  [symbol, bids, offers]: readonly [symbol: string, bids: string, offers: string],
  sourceTimeUs = 0,
  isLadder = true,
): void {
  const ladder = new Ladder();
  const bid = sideOf(bids, symbol, ladder.bid);
  const offer = sideOf(offers, symbol, ladder.offer);
  const [bidSize, offerSize] = [bid.size[0]!, offer.size[0]!];
  const shown = isLadder ? ladder : undefined;
  book.tick(provider, indexOf(symbol), bid.price[0]!, offer.price[0]!, bidSize, offerSize, sourceTimeUs, 0, shown);
}
