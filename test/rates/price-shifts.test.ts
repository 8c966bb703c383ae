import { expect, test } from 'vitest';
import { PAIRS, pairBySymbol } from '../../engine/domain/money/pair.js';
import { TradingStates } from '../../engine/domain/risk/trading-state.js';
import { PriceShifts } from '../../engine/rates/price-shifts.js';
import { MarginTable, Pricing } from '../../engine/rates/pricing.js';
import { bookWithClock, indexOf } from './clock.js';

const EURUSD = indexOf('EUR/USD');
const USDJPY = indexOf('USD/JPY');
const EURJPY = indexOf('EUR/JPY');

function shifted() {
  const { book, clock } = bookWithClock();
  const shifts = new PriceShifts(book);
  const changed: string[] = [];
  shifts.onChange((pair) => changed.push(PAIRS[pair]!.symbol));
  const [a, b] = [book.registerProvider('A'), book.registerProvider('B')];
  const tick = (pair = EURUSD, provider = a, bid = 10_843_100) => {
    const [from, to] = pair === USDJPY ? [15_123_400, 15_124_100] : [bid, bid + 200];
    book.tick(provider, pair, from, to, 0, 0, 0, 0);
  };
  return { book, clock, shifts, changed, tick, a, b };
}

test('a skew follows the figures, and ends with them', () => {
  const { shifts, changed } = shifted();
  expect(shifts.needsPosition).toBe(false);
  shifts.replace([{ pair: 'EUR/USD', skew: 500, skewMax: 2_000 }]);
  expect([shifts.needsPosition, shifts.isWithoutPosition, changed]).toEqual([true, true, []]);
  shifts.setPosition((pair) => (pair === EURUSD ? 3_000_000 : 1e9));
  expect([shifts.isWithoutPosition, shifts.skewedPairs, shifts.skew[EURUSD]]).toEqual([false, 1, 1_500]);
  shifts.setPosition(() => 3_000_000);
  expect(changed).toEqual(['EUR/USD']);
  shifts.setPosition(undefined);
  expect([shifts.isWithoutPosition, shifts.skewedPairs, shifts.isOn[EURUSD]]).toEqual([true, 0, 0]);
  expect(changed).toEqual(['EUR/USD', 'EUR/USD']);
});

test('wider while the newest tick is older than the bound, of whichever provider it is', () => {
  const { book, clock, shifts, changed, tick, b } = shifted();
  shifts.replace([{ pair: 'EUR/USD', widenAfterMs: 1_000, widenBy: 700 }]);
  shifts.sweep();
  expect(shifts.widenedPairs).toBe(0);
  tick();
  clock.ms += 900;
  // A worse price, which does not make that of the pair.
  book.tick(b, EURUSD, 10_843_000, 10_844_000, 0, 0, 0, 0);
  clock.ms += 1_000;
  shifts.sweep();
  expect(shifts.widenedPairs).toBe(0);
  clock.ms += 1;
  shifts.sweep();
  expect([shifts.widenedPairs, shifts.widening[EURUSD], changed]).toEqual([1, 700, ['EUR/USD']]);

  // A tick that changes no price ends it too, at once.
  tick();
  expect([shifts.widening[EURUSD], changed]).toEqual([0, ['EUR/USD', 'EUR/USD']]);
  clock.ms += 1_001;
  shifts.judge(EURUSD);
  expect([shifts.widening[EURUSD], changed.length]).toEqual([700, 3]);
  clock.ms += 4_000;
  book.sweep();
  shifts.sweep();
  expect(shifts.widenedPairs).toBe(0);
});

test('a tick that changes the price is read with the new shift, and there is no second change', () => {
  const { book, clock, shifts, changed, tick } = shifted();
  const read: number[] = [];
  book.onChange((pair) => read.push(shifts.widening[pair]!));
  shifts.replace([{ pair: '*', widenAfterMs: 1_000, widenBy: 700 }]);
  tick();
  clock.ms += 1_001;
  shifts.sweep();
  expect(changed).toEqual(['EUR/USD']);
  tick(EURUSD, 0, 10_843_200);
  expect([read, changed]).toEqual([[0, 0], ['EUR/USD']]);
});

test('a cross is as old as the newest tick of its older leg', () => {
  const { clock, shifts, tick } = shifted();
  shifts.replace([{ pair: 'EUR/JPY', widenAfterMs: 1_000, widenBy: 700 }]);
  tick();
  clock.ms += 800;
  tick(USDJPY);
  clock.ms += 300;
  shifts.judge(EURJPY);
  expect(shifts.widening[EURJPY]).toBe(700);
  tick();
  shifts.judge(EURJPY);
  expect(shifts.widening[EURJPY]).toBe(0);
});

test('a rule that is taken away changes the prices back', () => {
  const { shifts, changed } = shifted();
  shifts.replace([{ pair: 'EUR/USD', spreadMin: 2_000 }]);
  shifts.replace([{ pair: 'EUR/USD', spreadMin: 2_000 }]);
  expect([shifts.isOn[EURUSD], shifts.isOn[EURJPY]]).toEqual([1, 0]);
  shifts.replace([]);
  expect([shifts.isOn[EURUSD], changed]).toEqual([0, ['EUR/USD', 'EUR/USD']]);
});

test('a quote has the effective margin of each side, by size too', () => {
  const { book, tick } = shifted();
  const margins = new MarginTable();
  margins.replace([
    { clientId: '*', pair: '*', type: '*', marginPpm: 100 },
    { clientId: '*', pair: '*', type: '*', marginPpm: 50, above: 1_000_000 },
  ]);
  const pricing = new Pricing(book, margins, new TradingStates());
  tick();
  pricing.shifts.replace([{ pair: 'EUR/USD', skew: 1_084, skewMax: 9_000 }]);
  pricing.shifts.setPosition(() => 1_000_000);
  const quote = pricing.quote('acme', pairBySymbol('EUR/USD')!, 'PREFUNDING');
  if ('refusal' in quote) throw new Error(quote.text);
  expect(quote).toMatchObject({ rulePpm: 100, bidMarginPpm: 200, offerMarginPpm: 0 });
  expect(pricing.effectivePpm(quote, true, 50)).toBe(150);
  expect(pricing.marginParts(quote, false, 50)).toEqual({
    ...{ rulePpm: 50, skewPpm: -100, wideningPpm: 0, spreadPpm: 0, marginPpm: 0 },
  });
});

test('both sides of a price have one shift, though its tick becomes too old between them', () => {
  const { book, clock, shifts, tick } = shifted();
  const margins = new MarginTable();
  margins.replace([{ clientId: '*', pair: '*', type: '*', marginPpm: 2_500 }]);
  const pricing = new Pricing(book, margins, new TradingStates());
  pricing.shifts.replace([{ pair: 'EUR/USD', widenAfterMs: 1_000, widenBy: 700 }]);
  tick();
  clock.ms += 1_000;
  const quote = () => pricing.quote('acme', PAIRS[EURUSD]!, 'PREFUNDING');
  const [bid, offer] = pricing.shifts.once(EURUSD, () => {
    const first = quote();
    clock.ms += 1;
    return [first, quote()];
  });
  expect([bid, offer]).toMatchObject([{ bidMarginPpm: 2_500 }, { offerMarginPpm: 2_500 }]);
  expect(quote()).toMatchObject({ bidMarginPpm: 2_565 });
  expect(shifts.widening[EURUSD]).toBe(0);
});
