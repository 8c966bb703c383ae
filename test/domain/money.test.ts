import { describe, expect, test } from 'vitest';
import { Decimal } from '../../engine/domain/decimal.js';
import { formatMinor, MAX_MINOR, parseAmount, toMinorUnits } from '../../engine/domain/money.js';

test.each([
  // amount             currency  minor units
  ['250000', 'EUR', 25_000_000n],
  ['250000.00', 'EUR', 25_000_000n],
  ['0.1', 'EUR', 10n],
  [0.1, 'EUR', 10n],
  [271087.73, 'USD', 27_108_773n],
  ['0', 'USD', 0n],
  ['1234', 'JPY', 1234n],
  ['1.234', 'KWD', 1234n],
  ['9999999999999.99', 'USD', MAX_MINOR],
  ['999999999999999', 'JPY', MAX_MINOR],
])('%s %s is %i minor units', (amount, currency, minor) => expect(parseAmount(amount, currency)).toBe(minor));

const REFUSED: readonly (readonly [string | number, string, string])[] = [
  ['1.005', 'EUR', 'Amount has 3 decimals and EUR has 2: round it first'],
  ['1.0', 'JPY', 'Amount has 1 decimals and JPY has 0: round it first'],
  ['10000000000000', 'USD', 'Amount above 999,999,999,999,999 minor units: send less'],
  ...['-1', '+1', '1e3', '', '.5', '5.', ' 1', '1,000', 'NaN', '1234567890123456', Number.NaN, 1e21, 1e-7, -0.5].map(
    (amount) =>
      [amount, 'EUR', 'Amount must be a plain decimal of at most 15 digits, without sign or exponent'] as const,
  ),
];

test.each(REFUSED)('%s %s is refused: %s', (amount, currency, text) => {
  expect(parseAmount(amount, currency)).toEqual({ refusal: 'BAD_AMOUNT', text });
});

describe('rounding never favours the client', () => {
  test.each([
    ['271087.725', 'USD', 27_108_772n, 27_108_773n],
    ['271087.73', 'USD', 27_108_773n, 27_108_773n],
    ['0.001', 'USD', 0n, 1n],
    ['1.5', 'JPY', 1n, 2n],
  ])('%s %s', (amount, currency, down, up) => {
    expect(toMinorUnits(new Decimal(amount), currency, 'down')).toBe(down);
    expect(toMinorUnits(new Decimal(amount), currency, 'up')).toBe(up);
  });
});

test.each([
  [27_108_773n, 'USD', '271087.73'],
  [5n, 'USD', '0.05'],
  [-5n, 'USD', '-0.05'],
  [0n, 'USD', '0.00'],
  [1234n, 'JPY', '1234'],
  [1n, 'KWD', '0.001'],
])('%i minor units of %s read %s', (minor, currency, text) => expect(formatMinor(minor, currency)).toBe(text));
