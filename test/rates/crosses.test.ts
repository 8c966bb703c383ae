import { expect, test } from 'vitest';
import { PAIRS } from '../../engine/domain/money/pair.js';
import { scaledFromText } from '../../engine/domain/money/rate.js';
import { bookWithClock, indexOf } from './clock.js';

function desk() {
  const made = bookWithClock();
  const lp = made.book.registerProvider('LP');
  const tick = (symbol: string, bid: string, offer: string, sourceTimeUs = 1) => {
    const { index, priceDigits } = PAIRS[indexOf(symbol)];
    made.book.tick(
      lp,
      index,
      scaledFromText(bid, priceDigits, 'down'),
      scaledFromText(offer, priceDigits, 'up'),
      1e6,
      1e6,
      sourceTimeUs,
      0,
    );
  };
  return { ...made, lp, tick };
}

const EURNZD = indexOf('EUR/NZD');

test("a pair that no provider quotes is crossed through USD, with the older leg's time", () => {
  const { book, clock, tick } = desk();
  tick('EUR/USD', '1.39440', '1.39456', 1_000);
  clock.ms += 100;
  tick('NZD/USD', '0.87640', '0.87660', 2_000);
  const { priceDigits } = PAIRS[EURNZD];
  expect(book.read(EURNZD)).toMatchObject({
    bid: Math.floor((1.3944 / 0.8766) * 10 ** priceDigits),
    offer: Math.ceil((1.39456 / 0.8764) * 10 ** priceDigits),
    sourceTimeUs: 1_000,
    ageMs: 100,
    crossed: true,
  });
});

test('through EUR when no cross through USD exists', () => {
  const { book, tick } = desk();
  tick('EUR/GBP', '0.81600', '0.81620');
  tick('EUR/NOK', '8.15000', '8.15200');
  expect(book.read(indexOf('GBP/NOK'))).toMatchObject({ crossed: true });
});

test("a provider's own price comes before a cross", () => {
  const { book, tick } = desk();
  tick('EUR/USD', '1.39440', '1.39456');
  tick('NZD/USD', '0.87640', '0.87660');
  tick('EUR/NZD', '1.59000', '1.59100');
  expect(book.read(EURNZD)?.crossed).toBe(false);
});

test('one stale leg: no price', () => {
  const { book, clock, tick } = desk();
  tick('EUR/USD', '1.39440', '1.39456');
  clock.ms += 3_000;
  tick('NZD/USD', '0.87640', '0.87660');
  clock.ms += 3_000;
  expect(book.read(EURNZD)).toBeUndefined();
});

test('a leg is never itself a cross', () => {
  const { book, tick } = desk();
  tick('EUR/USD', '1.39440', '1.39456');
  tick('NZD/USD', '0.87640', '0.87660');
  tick('EUR/SEK', '9.05000', '9.05100');
  book.watch(EURNZD);
  expect(book.bid[EURNZD]).toBeGreaterThan(0);
  expect(book.read(indexOf('NZD/SEK'))).toBeUndefined();
});

test('recomputed and published on ticks of its legs only while it is watched', () => {
  const { book, tick, changes } = desk();
  tick('EUR/USD', '1.39440', '1.39456', 1);
  tick('NZD/USD', '0.87640', '0.87660', 1);
  changes.length = 0;
  book.watch(EURNZD);
  book.watch(EURNZD);
  expect(changes.length).toBe(1);
  tick('EUR/USD', '1.39450', '1.39466', 2);
  expect(changes.length).toBe(3);
  book.unwatch(EURNZD);
  tick('EUR/USD', '1.39460', '1.39476', 3);
  expect(changes.length).toBe(5);
  book.unwatch(EURNZD);
  tick('EUR/USD', '1.39470', '1.39486', 4);
  expect(changes.length).toBe(6);
  expect(book.bid[EURNZD]).toBe(0);
});

test('a watched pair changes from its provider to the cross and back, and is withdrawn with its legs', () => {
  const { book, clock, tick } = desk();
  book.watch(EURNZD);
  tick('EUR/NZD', '1.59000', '1.59100', 1);
  clock.ms += 3_000;
  tick('EUR/USD', '1.39440', '1.39456', 1);
  tick('NZD/USD', '0.87640', '0.87660', 1);
  const direct = book.bid[EURNZD];
  clock.ms += 2_500;
  book.sweep();
  const crossed = book.bid[EURNZD];
  expect(crossed).toBeGreaterThan(direct);
  tick('EUR/NZD', '1.59000', '1.59100', 2);
  expect(book.bid[EURNZD]).toBe(direct);
  clock.ms += 6_000;
  book.sweep();
  expect(book.bid[EURNZD]).toBe(0);
});

test('a cross of a halted pair has no price, watched or not, until the pair is resumed; a halted cross has none', () => {
  const { book, tick } = desk();
  tick('EUR/USD', '1.39440', '1.39456');
  tick('NZD/USD', '0.87640', '0.87660');
  const prices = () => [book.read(EURNZD) !== undefined, book.bid[EURNZD] > 0];
  book.watch(EURNZD);
  expect(prices()).toEqual([true, true]);

  book.halt(new Set([indexOf('NZD/USD')]));
  tick('NZD/USD', '0.87641', '0.87661', 2);
  tick('EUR/USD', '1.39441', '1.39457', 2);
  expect(prices()).toEqual([false, false]);
  book.halt(new Set([EURNZD]));
  tick('NZD/USD', '0.87642', '0.87662', 3);
  expect(prices()).toEqual([false, false]);
  book.unwatch(EURNZD);
  expect(book.read(EURNZD)).toBeUndefined();
  book.watch(EURNZD);
  book.halt(new Set());
  expect(prices()).toEqual([true, true]);
});

test('of a provider that is lost no leg is left in a cross, not even for a moment', () => {
  const { book, lp, tick } = desk();
  const other = book.registerProvider('other');
  tick('EUR/USD', '1.10000', '1.10010');
  tick('USD/JPY', '150.000', '150.010');
  // Its cross is as good, its legs are not those of the market.
  book.tick(other, indexOf('EUR/USD'), 11_005_000, 11_006_000, 0, 0, 0, 0);
  book.tick(other, indexOf('USD/JPY'), 14_990_000, 14_991_000, 0, 0, 0, 0);
  const cross = indexOf('EUR/JPY');
  book.watch(cross);
  const seen: (number | undefined)[] = [];
  const levels: (number | undefined)[] = [];
  book.onChange((pair) => pair === cross && seen.push(book.bid[cross]));
  book.onDepthChange((pair) => pair === indexOf('USD/JPY') && levels.push(book.ladder(pair)?.bid.price[0]));
  book.providerDown(other);
  expect(seen).toEqual([Math.floor(11_000_000 * 1.5)]);
  expect(levels).toEqual([15_000_000]);
  book.providerDown(lp);
  expect(seen.slice(1)).toEqual([0]);
});
