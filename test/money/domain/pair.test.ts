import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CURRENCIES, exponentOf, isCurrency, isIsoCurrency } from '../../../engine/domain/money/money.js';
import { PAIRS, pairBySymbol, pairOf } from '../../../engine/domain/money/pair.js';
import { MAX_SCALED } from '../../../engine/domain/money/rate.js';

describe('currencies', () => {
  test.each([
    ['JPY', 0],
    ['KRW', 0],
    ['ISK', 0],
    ['EUR', 2],
    ['CNH', 2],
    ['KWD', 3],
  ])('%s has %i decimals', (code, exponent) => expect(exponentOf(code)).toBe(exponent));

  test('what is offered, what is ISO, and what is neither', () => {
    expect(CURRENCIES).toHaveLength(31);
    expect(CURRENCIES.every(({ code, exponent }) => isCurrency(code) && exponentOf(code) === exponent)).toBe(true);
    expect([isCurrency('KWD'), isIsoCurrency('KWD')]).toEqual([false, true]);
    expect([isCurrency('CNH'), isIsoCurrency('CNH')]).toEqual([true, false]);
    expect([isCurrency('eur'), isIsoCurrency('eur')]).toEqual([false, false]);
    expect(() => exponentOf('QQQ')).toThrow('no such currency: QQQ');
  });
});

describe('pairs', () => {
  test('every two offered currencies make one pair, found from both sides', () => {
    expect(PAIRS).toHaveLength((31 * 30) / 2);
    PAIRS.forEach((pair, index) => {
      expect(pair.index).toBe(index);
      expect(pairBySymbol(pair.symbol)).toBe(pair);
      expect(pairOf(pair.base, pair.quote)).toEqual({ pair, inverse: false });
      expect(pairOf(pair.quote, pair.base)).toEqual({ pair, inverse: true });
    });
    expect(pairBySymbol('USD/EUR')).toBeUndefined();
    expect(pairOf('EUR', 'EUR')).toBeUndefined();
    expect(pairOf('EUR', 'QQQ')).toBeUndefined();
  });

  test.each([
    // symbol    market  price  pip  smallest  largest
    ['EUR/USD', 5, 7, 4, '1', '5000000'],
    ['USD/JPY', 3, 5, 2, '1', '5000000'],
    ['JPY/KRW', 4, 6, 2, '100', '500000000'],
    ['EUR/CZK', 4, 6, 3, '1', '5000000'],
  ])('%s', (symbol, marketDigits, priceDigits, pipDigits, minAmount, maxAmount) => {
    expect(pairBySymbol(symbol)).toMatchObject({ marketDigits, priceDigits, pipDigits, minAmount, maxAmount });
  });

  // The list gives some pairs in whole pips (EUR/USD 4) and some in tenths (EUR/AUD 5); providers quote tenths of all.
  test.each(rows('market-pair-order-and-digits.csv'))(
    '%s is in market order with its %s decimals, or tenths of them',
    (symbol, digits) => {
      const pair = pairBySymbol(symbol);
      expect(pair).toBeDefined();
      expect([Number(digits), Number(digits) + 1]).toContain(pair?.marketDigits);
    },
  );

  test('three times the highest price of 2014 to 2024 still fits a scaled price, and the lowest has five figures', () => {
    const euro = new Map(
      rows('euro-rates-2014-2024.csv').map(([code, lowest, highest]) => [code, [Number(lowest), Number(highest)]]),
    );
    euro.set('EUR', [1, 1]);
    euro.set('CNH', euro.get('CNY') ?? []);
    const usd = euro.get('USD') ?? [];
    euro.set('AED', [3.6725 * (usd[0] ?? 0), 3.6725 * (usd[1] ?? 0)]);
    for (const { base, quote, symbol, priceDigits, marketDigits } of PAIRS) {
      const [baseLow = Number.NaN, baseHigh = Number.NaN] = euro.get(base) ?? [];
      const [quoteLow = Number.NaN, quoteHigh = Number.NaN] = euro.get(quote) ?? [];
      expect((quoteHigh / baseLow) * 10 ** priceDigits * 3, symbol).toBeLessThan(MAX_SCALED);
      // The lira's way from 3 to 38 for a euro leaves TRY/JPY and the like with less at one end.
      expect((quoteLow / baseHigh) * 10 ** marketDigits, symbol).toBeGreaterThan(
        base === 'TRY' || quote === 'TRY' ? 500 : 2_000,
      );
    }
  });
});

function rows(file: string): [string, string, string][] {
  return readFileSync(new URL(`../../data/domain/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',') as [string, string, string]);
}
