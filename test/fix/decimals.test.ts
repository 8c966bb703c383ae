import { describe, expect, test } from 'vitest';
import { pairBySymbol } from '../../engine/domain/money/pair.js';
import { priceText, providerPriceText, quantityOf, quantityText } from '../../engine/fix/fields.js';

describe('a Qty becomes a number only when that number reads the same', () => {
  test.each([
    ['250000', 250_000],
    ['250000.00', 250_000],
    ['00250000.10', 250_000.1],
    ['250000.', 250_000],
    ['.5', 0.5],
    ['0', 0],
    ['0.000', 0],
    ['999999999999999', 999_999_999_999_999],
    ['9999999999999.99', 9_999_999_999_999.99],
    ['0000000000000000000000001', 1],
    ['1.00000000000000000000', 1],
  ])('%s', (text, number) => expect(quantityOf(text)).toBe(number));

  test.each([
    '',
    '.',
    '-1',
    '+1',
    '1e5',
    ' 1',
    '1,000',
    '0x10',
    'Infinity',
    '1.2.3',
    '1000000000000000',
    '1.000000000000001',
  ])('not %s', (text) => expect(quantityOf(text)).toMatchObject({ refusal: 'BAD_AMOUNT' }));
});

test('amounts and provider prices have no idle zeros, prices of clients have all their decimals', () => {
  expect(quantityText(25_000_000n, 'EUR')).toBe('250000');
  expect(quantityText(25_000_050n, 'EUR')).toBe('250000.5');
  expect(quantityText(156_523n, 'JPY')).toBe('156523');
  const pair = pairBySymbol('EUR/USD')!;
  expect(priceText(10_788_760, pair)).toBe('1.0788760');
  expect(providerPriceText(10_816_400, pair)).toBe('1.08164');
  expect(providerPriceText(10_000_000, pair)).toBe('1');
  expect(providerPriceText(100_000_000, pair)).toBe('10');
});
