import { describe, expect, test } from 'vitest';
import {
  formatLimit,
  type LimitRule,
  LimitTable,
  limitRefusal,
  parseCurrencyLimit,
  parseLimit,
  parseNumber,
  usedPercent,
} from '../../../engine/domain/risk/limits.js';

test.each([
  [0, 100, 0],
  [29, 100, 29],
  [99_999, 100_000, 99],
  [100, 100, 100],
  [199, 100, 199],
  [999_999_999_999_998, 999_999_999_999_999, 99],
  [5, 0, undefined],
])('%s of a limit of %s are %s percent, rounded down', (used, most, percent) => {
  expect(usedPercent(used, most)).toBe(percent);
});

describe('the text of a limit', () => {
  test.each([
    ['0', 'USD', 0],
    ['1000000', 'USD', 100_000_000],
    ['0.01', 'USD', 1],
    ['9999999999999.99', 'USD', 999_999_999_999_999],
    ['5', 'JPY', 5],
    ['none', 'USD', null],
    ['default', 'USD', undefined],
  ])('%s in %s is %s', (text, base, limit) => {
    expect(parseLimit(text, base)).toBe(limit);
    if (limit !== undefined) expect(parseLimit(formatLimit('deal', limit, base)!, base)).toBe(limit);
  });

  test.each(['', '-1', '1e3', '1.001', '10000000000000', ' 1', '1,000', 'None', '0x10', 'NaN'])(
    'rejects %j',
    (text) => {
      expect(parseLimit(text, 'USD')).toMatchObject({ refusal: 'BAD_AMOUNT' });
    },
  );

  test.each([
    ['dealsPerSecond', '1', 1],
    ['dealsPerSecond', '999999', 999_999],
    ['dealsPerSecond', 'none', null],
    ['warnPercent', '100', 100],
    ['warnPercent', 'default', undefined],
  ] as const)('%s %s', (field, text, limit) => expect(parseNumber(field, text)).toBe(limit));

  test.each([
    ['dealsPerSecond', '0'],
    ['dealsPerSecond', '1000000'],
    ['dealsPerSecond', '1.5'],
    ['warnPercent', '0'],
    ['warnPercent', '101'],
  ] as const)('rejects %s %s', (field, text) =>
    expect(parseNumber(field, text)).toMatchObject({ refusal: 'BAD_AMOUNT' }),
  );

  test('of a currency is an amount of the base currency', () => {
    expect(parseCurrencyLimit('JPY=1.50', 'USD')).toEqual(['JPY', 150]);
    expect(parseCurrencyLimit('EUR=none', 'USD')).toEqual(['EUR', null]);
    for (const bad of ['EUR', 'EUR=', 'eur=1', 'VND=1', 'QQQ=1', '=1'])
      expect(parseCurrencyLimit(bad, 'USD'), bad).toMatchObject({ refusal: expect.stringMatching(/^BAD_/) });
  });
});

describe('the limits that apply', () => {
  const table = (rules: Record<string, LimitRule>, base = 'USD') => {
    const limits = new LimitTable(base);
    limits.replace(new Map(Object.entries(rules)));
    return limits;
  };
  const base = 'USD';

  test('none where nothing is set, or nothing that limits', () => {
    expect(table({}).of('acme')).toBeUndefined();
    expect(table({ acme: { base, warnPercent: 50 } }).of('acme')).toBeUndefined();
    expect(table({ house: { base, nop: 5 } }).of('house')).toBeUndefined();
  });

  test("each is the client's own, else that of every client; null frees from it", () => {
    const limits = table({
      '*': { base, deal: 100, nop: 500, nopOf: { EUR: 7, GBP: 8 } },
      acme: { base, deal: 200, nopOf: { EUR: null, JPY: 9 } },
      free: { base, deal: null, nop: null, nopOf: { EUR: null, GBP: null } },
      house: { base, nop: 1 },
    });
    expect(limits.of('other')).toEqual({ deal: 100, nop: 500, nopOf: { EUR: 7, GBP: 8 } });
    expect(limits.of('acme')).toEqual({ deal: 200, nop: 500, nopOf: { GBP: 8, JPY: 9 } });
    expect(limits.of('free')).toBeUndefined();
    expect(limits.house).toEqual({ nop: 1, nopOf: {} });
  });

  test('amounts of another base currency count as 0, numbers as they are', () => {
    const limits = table({ acme: { base: 'EUR', deal: 100, dealsPerSecond: 3, nopOf: { EUR: 7, JPY: null } } });
    expect(limits.of('acme')).toEqual({ deal: 0, dealsPerSecond: 3, nopOf: { EUR: 0 } });
  });
});

test.each([
  ['deal', /your limit of the largest single deal/],
  ['deals-per-second', /your limit of deals per second/],
  ['nop', /your limit of the net open position:/],
  ['nop EUR', /your limit of the net open position in EUR:/],
  ['settlement 20261125', /your limit of the amount to settle on 2026-11-25:/],
  ['daily-loss', /your limit of the daily loss/],
  ['house', /a limit of ours/],
])('%s is refused with the name of the limit alone', (name, text) => {
  const refusal = limitRefusal(name);
  expect([refusal.refusal, refusal.text]).toEqual(['CREDIT_LIMIT', expect.stringMatching(text)]);
  expect(refusal.text.replace('2026-11-25', '')).not.toMatch(/\d/);
});
