/** Mids that a process takes from published risk figures are those that the figures were made with. */
import { expect, test } from 'vitest';
import { Decimal } from '../../engine/domain/money/decimal.js';
import { CURRENCIES } from '../../engine/domain/money/money.js';
import { type Pair, pairOf } from '../../engine/domain/money/pair.js';
import type { RiskFigures } from '../../engine/domain/risk/figures.js';
import { LastKnownMids } from '../../engine/rates/mids.js';
import { bookWithClock } from './clock.js';

/** As the figures have it: 12 digits of one unit in dollars. */
const rateOf = (mid: Decimal, inverse: boolean): string =>
  (inverse ? new Decimal(1).div(mid) : mid).toSignificantDigits(12).toFixed();

const IN_DOLLARS = CURRENCIES.filter(({ code }) => code !== 'USD').flatMap(({ code }) => {
  const found = pairOf(code, 'USD');
  return found ? [[code, found.pair, found.inverse] as const] : [];
});

const midsTaken = (
  currency: string,
  pair: Pair,
  mid: Decimal,
  inverse: boolean,
  dealt: boolean,
): string | undefined => {
  const mids = new LastKnownMids(bookWithClock({ maxAgeMs: 5_000, maxJumpPercent: 1, maxSpreadPercent: 1 }).book);
  const pairs = dealt ? [{ pair: pair.symbol, mid: mid.toFixed(), midAgeMs: 5 }] : [];
  const currencies = [{ currency, rate: rateOf(mid, inverse), rateAgeMs: 5 }];
  mids.take({ baseCurrency: 'USD', pairs, currencies } as unknown as RiskFigures, 1);
  return mids.reading()(pair)?.mid.toFixed();
};

test.each(IN_DOLLARS)('of %s', (currency, pair, inverse) => {
  for (let i = 0; i < 50; i++) {
    // Of a bid and an offer whose sum is odd, and of others.
    const mid = new Decimal(123_450 + i * 7_315).div(10 ** (pair.priceDigits + 1));
    for (const dealt of [true, false]) expect(midsTaken(currency, pair, mid, inverse, dealt)).toBe(mid.toFixed());
  }
});
