import { describe, expect, test } from 'vitest';
import {
  formatMinor,
  MAX_MINOR,
  minorToNumber,
  parseAmount,
  parsePositive,
} from '../../../engine/domain/money/money.js';
import { random } from '../../domain/random.js';

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

test.each(REFUSED)('rejects %s %s: %s', (amount, currency, text) => {
  expect(parseAmount(amount, currency)).toEqual({ refusal: 'BAD_AMOUNT', text });
});

test.each([
  [27_108_773n, 'USD', '271087.73'],
  [5n, 'USD', '0.05'],
  [-5n, 'USD', '-0.05'],
  [0n, 'USD', '0.00'],
  [1234n, 'JPY', '1234'],
  [1n, 'KWD', '0.001'],
])('%i minor units of %s read %s', (minor, currency, text) => expect(formatMinor(minor, currency)).toBe(text));

describe('numbers of JSON', () => {
  test.each([
    // as sent              currency  minor units, or why not
    ['250000', 'EUR', 25_000_000n],
    ['250000.50', 'EUR', 25_000_050n],
    ['1e3', 'JPY', 1000n], // Its shortest text has no exponent.
    ['0.07', 'EUR', 7n],
    ['1.001', 'KWD', 1001n],
    ['9999999999999.99', 'EUR', MAX_MINOR],
    ['999999999999.999', 'KWD', MAX_MINOR],
    ['999999999999999', 'JPY', MAX_MINOR],
    ['1e21', 'JPY', 'without sign or exponent'],
    ['1e-7', 'EUR', 'without sign or exponent'],
    ['1000000000000000', 'JPY', 'at most 15 digits'],
    ['9007199254740993', 'EUR', 'at most 15 digits'],
    ['10000000000000.01', 'EUR', 'Amount above 999,999,999,999,999 minor units: send less'],
    ['999999999999999.9', 'JPY', 'Amount has 1 decimals and JPY has 0: round it first'],
    ['99999999999999.999', 'KWD', 'Amount above 999,999,999,999,999 minor units: send less'],
    ['0.30000000000000004', 'EUR', 'Amount has 17 decimals and EUR has 2: round it first'],
    ['1.0001', 'KWD', 'Amount has 4 decimals and KWD has 3: round it first'],
  ])('%s %s', (sent, currency, outcome) => {
    const answer = parseAmount(JSON.parse(sent), currency);
    if (typeof outcome === 'bigint') expect(answer).toBe(outcome);
    else expect(answer).toMatchObject({ refusal: 'BAD_AMOUNT', text: expect.stringContaining(outcome) });
  });

  test.each([
    [27_108_773n, 'USD', '271087.73'],
    [27_108_770n, 'USD', '271087.7'],
    [27_108_700n, 'USD', '271087'],
    [0n, 'USD', '0'],
    [-5n, 'USD', '-0.05'],
    [1n, 'KWD', '0.001'],
    [1234n, 'JPY', '1234'],
    [MAX_MINOR, 'KWD', '999999999999.999'],
    [MAX_MINOR, 'USD', '9999999999999.99'],
    [-MAX_MINOR, 'JPY', '-999999999999999'],
  ])('%i minor units of %s are written %s', (minor, currency, written) => {
    expect(JSON.stringify(minorToNumber(minor, currency))).toBe(written);
  });

  test('keeps every digit: the text parses to the same amount', () => {
    const draw = random(15);
    for (let i = 0; i < 20_000; i++) {
      const minor = BigInt(Math.floor(draw() * 10 ** (1 + Math.floor(draw() * 15)))) % (MAX_MINOR + 1n);
      for (const currency of ['JPY', 'USD', 'KWD'])
        expect(parseAmount(minorToNumber(minor, currency), currency)).toBe(minor);
    }
    for (const minor of [MAX_MINOR + 1n, -MAX_MINOR - 1n])
      expect(() => minorToNumber(minor, 'USD')).toThrow('do not fit a JSON number');
  });
});

test.each([
  ['0.01', 'EUR', 1n],
  [1, 'JPY', 1n],
  ['0', 'EUR', 'Amount must be above 0'],
  ['0.00', 'EUR', 'Amount must be above 0'],
  [0, 'JPY', 'Amount must be above 0'],
  [-0, 'JPY', 'Amount must be above 0'],
  [-1, 'JPY', 'Amount must be a plain decimal of at most 15 digits, without sign or exponent'],
  ['-0.01', 'EUR', 'Amount must be a plain decimal of at most 15 digits, without sign or exponent'],
  ['0.001', 'EUR', 'Amount has 3 decimals and EUR has 2: round it first'],
])('an amount that moves is above 0: %s %s', (amount, currency, outcome) => {
  const answer = parsePositive(amount, currency);
  expect(answer).toEqual(typeof outcome === 'bigint' ? outcome : { refusal: 'BAD_AMOUNT', text: outcome });
});
