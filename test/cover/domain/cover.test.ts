import { describe, expect, test } from 'vitest';
import {
  addedFill,
  type CoverFilled,
  type CoverRule,
  coverAmount,
  isWithinWorst,
  type ProviderReport,
  settlingFill,
  worstPrice,
} from '../../../engine/domain/cover/cover.js';
import { Decimal } from '../../../engine/domain/money/decimal.js';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';

const RULE: CoverRule = {
  pair: 'EUR/USD',
  band: 1_000_000,
  ratio: 80,
  min: 100_000,
  max: 5_000_000,
  step: 10_000,
  everyMs: 1_000,
  worst: '5',
  quoteAgeMs: 500,
  order: 'limit',
  timeInForce: 'IOC',
  providers: ['LP1'],
};

test.each([
  // net, minor units   side    amount
  ['0', undefined, ''],
  ['100000000', undefined, ''],
  ['-100000000', undefined, ''],
  ['100000001', 'sell', '80000000'],
  ['-100000001', 'buy', '80000000'],
  ['-1234567800', 'buy', '500000000'],
  ['123456700', 'sell', '98000000'],
])('a net position of %s', (net, side, amount) => {
  expect(coverAmount(RULE, BigInt(net))).toEqual(side && { side, amount: BigInt(amount) });
});

test('names what is below the smallest order', () => {
  expect(coverAmount({ ...RULE, band: 0, min: 100_000 }, 12_000_000n)).toBe('below-minimum');
  expect(coverAmount({ ...RULE, band: 0, min: 1, step: 100_000 }, 12_000_000n)).toBe('below-minimum');
  expect(coverAmount({ ...RULE, pair: 'USD/JPY', ratio: 100 }, 200_000_000n)).toEqual({
    side: 'sell',
    amount: 200_000_000n,
  });
});

test('the worst price is rounded towards the mid', () => {
  const pair = pairBySymbol('EUR/USD')!;
  const mid = new Decimal('1.084325');
  expect(worstPrice(pair, RULE, 'buy', mid).toFixed()).toBe('1.08482');
  expect(worstPrice(pair, RULE, 'sell', mid).toFixed()).toBe('1.08383');
  expect(isWithinWorst(pair, 'buy', '1.08482', 10_800_000, 10_848_200)).toBe(true);
  expect(isWithinWorst(pair, 'buy', '1.08482', 10_800_000, 10_848_201)).toBe(false);
  expect(isWithinWorst(pair, 'sell', '1.08383', 10_838_300, 10_900_000)).toBe(true);
  expect(isWithinWorst(pair, 'sell', '1.08383', 10_838_299, 10_900_000)).toBe(false);
  const yen = pairBySymbol('USD/JPY')!;
  expect(worstPrice(yen, RULE, 'buy', new Decimal('150.0004')).toFixed()).toBe('150.05');
});

describe('what a report adds', () => {
  const take = (order: CoverFilled, report: ProviderReport): CoverFilled => {
    const fill = addedFill(order, report);
    if (fill === undefined || fill === 'malformed') return order;
    return {
      ...order,
      filled: order.filled + fill.base,
      quote: order.quote + fill.quote,
      fills: [...order.fills, fill],
    };
  };
  const none: CoverFilled = { pair: 'EUR/USD', filled: 0n, quote: 0n, fills: [] };
  const first = { execId: 'X1', lastQty: '400', lastPx: '1.08441', cumQty: '400', avgPx: '1.08441' };
  const second = { execId: 'X2', lastQty: '600', lastPx: '1.08445', cumQty: '1000', avgPx: '1.084434' };

  test('each execution at its own price, and the sum rounded once', () => {
    const one = take(none, first);
    expect(one.fills).toEqual([{ execId: 'X1', base: 40_000n, quote: 43_376n, price: '1.08441' }]);
    const both = take(one, second);
    expect(both.fills[1]).toEqual({ execId: 'X2', base: 60_000n, quote: 65_067n, price: '1.08445' });
    // 400 x 1.08441 + 600 x 1.08445 = 1084.434
    expect([both.filled, both.quote]).toEqual([100_000n, 108_443n]);
  });

  test('nothing twice: the same execution, an earlier one, and a status of what is known', () => {
    const both = take(take(none, first), second);
    expect(addedFill(both, second)).toBeUndefined();
    expect(addedFill(both, { ...first, execId: 'X1b' })).toBeUndefined();
    expect(addedFill(both, { execId: 'S1', cumQty: '1000', avgPx: '1.084434' })).toBeUndefined();
  });

  test('a status has what reports did not tell, at the price that is left for it', () => {
    const one = take(none, first);
    const status = { execId: 'S1', cumQty: '1000.00', avgPx: '1.084434' };
    expect(addedFill(one, status)).toEqual({ execId: 'cum:100000', base: 60_000n, quote: 65_067n, price: '1.08445' });
    const both = take(one, status);
    expect(addedFill(both, second)).toBeUndefined();
    expect(take(none, second)).toMatchObject({ filled: 100_000n, quote: 108_443n });
  });

  test.each([
    ['no amount', { execId: 'X' }],
    ['more decimals than the currency', { execId: 'X', cumQty: '1.005', avgPx: '1' }],
    ['no price', { execId: 'X', lastQty: '5', cumQty: '5' }],
    ['a price of zero', { execId: 'X', lastQty: '5', lastPx: '0', cumQty: '5' }],
    ['an average below what is booked', { execId: 'X', cumQty: '1000', avgPx: '0.4' }],
    ['a price that is none', { execId: 'X', cumQty: '1000', avgPx: '1e3' }],
  ] as [string, ProviderReport][])('malformed: %s', (_what, report) => {
    expect(addedFill(take(none, first), { ...report, ...(report.lastQty && { cumQty: '405' }) })).toBe('malformed');
  });

  test('amounts of a currency without decimals', () => {
    const yen: CoverFilled = { pair: 'USD/JPY', filled: 0n, quote: 0n, fills: [] };
    const report = { execId: 'X1', lastQty: '1000', lastPx: '151.2345', cumQty: '1000', avgPx: '151.2345' };
    expect(addedFill(yen, report)).toMatchObject({ base: 100_000n, quote: 151_234n });
  });

  test('a settlement by hand corrects both amounts, and later fills build on it', () => {
    const both = take(take(none, first), second);
    expect(settlingFill(both, 100_000n, '1.084434')).toBeUndefined();
    expect(settlingFill(both, 0n, '0')).toEqual({ execId: 'hand:3', base: -100_000n, quote: -108_443n, price: '0' });
    const less = settlingFill(both, 60_000n, '1.09')!;
    expect(less).toEqual({ execId: 'hand:3', base: -40_000n, quote: -43_043n, price: '1.09' });
    const settled = { ...both, filled: 60_000n, quote: 65_400n, fills: [...both.fills, less] };
    const later = { execId: 'X9', lastQty: '100', lastPx: '1.1', cumQty: '700', avgPx: '1.0914' };
    expect(addedFill(settled, later)).toEqual({ execId: 'X9', base: 10_000n, quote: 11_000n, price: '1.1' });
    expect(settlingFill({ ...none, pair: 'USD/JPY' }, 100_000n, '151.2345')).toMatchObject({ quote: 151_234n });
  });
});
