import { describe, expect, test } from 'vitest';
import {
  baseMinorOf,
  type Conversion,
  type ConversionRequest,
  checkDealtSize,
  checkSellAtMost,
  convert,
} from '../../../engine/domain/money/conversion.js';
import { formatMinor, MAX_MINOR, parseAmount } from '../../../engine/domain/money/money.js';
import { type Pair, pairBySymbol } from '../../../engine/domain/money/pair.js';
import { MAX_SCALED, scaledFromText } from '../../../engine/domain/money/rate.js';

const KUWAIT = { base: 'KWD', quote: 'JPY', priceDigits: 5 };
const BAHRAIN = { base: 'EUR', quote: 'BHD', priceDigits: 7 };

describe('the computed amount never favours the client', () => {
  test.each([
    // pair       sell   price        provider     given  amount       sold          bought        margin
    ['EUR/USD', 'EUR', '1.0788760', '1.0815800', 'sell', '250000', '250000.00', '269719.00', '676.00 USD'],
    ['EUR/USD', 'EUR', '1.0788760', '1.0815800', 'sell', '0.07', '0.07', '0.07', '0.00 USD'],
    ['EUR/USD', 'EUR', '1.0788760', '1.0815800', 'buy', '269719', '250000.00', '269719.00', '625.01 EUR'],
    ['EUR/USD', 'EUR', '1.0788760', '1.0815800', 'buy', '0.01', '0.01', '0.01', '0.00 EUR'],
    ['EUR/USD', 'USD', '1.0843509', '1.0816400', 'sell', '1000', '1000.00', '922.21', '2.31 EUR'],
    ['EUR/USD', 'USD', '1.0843509', '1.0816400', 'buy', '1000', '1084.36', '1000.00', '2.72 USD'],
    ['USD/JPY', 'USD', '151.23400', '151.23400', 'sell', '100.05', '100.05', '15130', '0 JPY'],
    ['USD/JPY', 'JPY', '151.77020', '151.24100', 'sell', '1000', '1000', '6.58', '0.03 USD'],
    ['USD/JPY', 'JPY', '151.77020', '151.24100', 'buy', '6.58', '999', '6.58', '3 JPY'],
    ['KWD/JPY', 'KWD', '489.12345', '490.12345', 'sell', '1.001', '1.001', '489', '1 JPY'],
    ['KWD/JPY', 'JPY', '491.12345', '490.12345', 'buy', '0.003', '2', '0.003', '0 JPY'],
    ['EUR/BHD', 'EUR', '0.4400000', '0.4411000', 'buy', '0.999', '2.28', '0.999', '0.01 EUR'],
    ['EUR/BHD', 'BHD', '0.4422000', '0.4411000', 'sell', '1000.001', '1000.001', '2261.42', '5.64 EUR'],
  ] as const)(
    '%s: %s at %s, provider %s, %s %s',
    (symbol, sell, price, provider, side, amount, sold, bought, margin) => {
      const { pair, buy } = named(symbol, sell);
      const answer = convert({
        pair,
        sell,
        price: scaledFromText(price, pair.priceDigits, 'down'),
        providerPrice: scaledFromText(provider, pair.priceDigits, 'down'),
        amount: { side, minor: parseAmount(amount, side === 'sell' ? sell : buy) as bigint },
      }) as Conversion;
      const { sellMinor, buyMinor, marginMinor, marginCurrency } = answer;
      expect([
        formatMinor(sellMinor, sell),
        formatMinor(buyMinor, buy),
        `${formatMinor(marginMinor, marginCurrency)} ${marginCurrency}`,
      ]).toEqual([sold, bought, margin]);
    },
  );
});

function named(symbol: string, sell: string) {
  const pair = pairBySymbol(symbol) ?? (symbol === 'KWD/JPY' ? KUWAIT : BAHRAIN);
  return { pair, buy: sell === pair.base ? pair.quote : pair.base };
}

describe('rejected amounts', () => {
  const pair = pairBySymbol('EUR/USD') as Pair;
  const at = (price: number, side: 'sell' | 'buy', minor: bigint, sell = 'EUR', providerPrice = price) =>
    convert({ pair, sell, price, providerPrice, amount: { side, minor } });

  test.each([
    ['nothing sold', at(10_788_760, 'sell', 0n), 'BAD_AMOUNT'],
    ['nothing bought', at(10_788_760, 'buy', 0n), 'BAD_AMOUNT'],
    ['less than nothing', at(10_788_760, 'sell', -1n), 'BAD_AMOUNT'],
    ['a sale that buys nothing', at(9_999_999, 'sell', 1n), 'AMOUNT_BELOW_MIN'],
    ['16 digits sold', at(9_999_999, 'sell', MAX_MINOR + 1n), 'AMOUNT_ABOVE_LIMIT'],
    ['16 digits bought', at(10_788_760, 'sell', MAX_MINOR), 'AMOUNT_ABOVE_LIMIT'],
    ['16 digits to pay', at(9_999_999, 'buy', MAX_MINOR), 'AMOUNT_ABOVE_LIMIT'],
    ['16 digits of margin', at(1, 'sell', MAX_MINOR, 'EUR', MAX_SCALED), 'AMOUNT_ABOVE_LIMIT'],
  ])('%s', (_, answer, refusal) => expect(answer).toMatchObject({ refusal }));

  test.each([
    ['the largest amount at par', at(10_000_000, 'sell', MAX_MINOR), MAX_MINOR, MAX_MINOR],
    ['bought at par', at(10_000_000, 'buy', MAX_MINOR, 'USD'), MAX_MINOR, MAX_MINOR],
    ['the largest amount at the smallest price', at(1, 'sell', MAX_MINOR), MAX_MINOR, 99_999_999n],
    ['a cent at the smallest price', at(1, 'buy', 1n), 10_000_000n, 1n],
    ['a cent at the largest price', at(MAX_SCALED, 'sell', 1n), 1n, 900n],
    ['a cent bought at the largest price', at(MAX_SCALED, 'buy', 1n), 1n, 1n],
    ['all that 15 digits of dollars buy', at(1, 'sell', 99_999_999n, 'USD'), 99_999_999n, 999_999_990_000_000n],
  ])('but not %s', (_, answer, sellMinor, buyMinor) => {
    expect(answer).toMatchObject({ sellMinor, buyMinor, marginMinor: 0n });
  });

  test.each<[string, Partial<ConversionRequest>]>([
    ['no price', { price: 0 }],
    ['a price that is no number', { price: Number.NaN }],
    ['a price between two whole numbers', { price: 10_788_760.5 }],
    ['a bid above the provider', { price: 10_815_801 }],
    ['an offer below the provider', { sell: 'USD', price: 10_815_799 }],
    ['an offer without a provider', { sell: 'USD', price: 10_815_799, providerPrice: 0 }],
    ['a currency of another pair', { sell: 'JPY' }],
  ])('%s is a fault of ours, and thrown', (_, wrong) => {
    const right: ConversionRequest = {
      pair,
      sell: 'EUR',
      price: 10_788_760,
      providerPrice: 10_815_800,
      amount: { side: 'sell', minor: 100n },
    };
    expect(convert(right)).toHaveProperty('buyMinor');
    expect(() => convert({ ...right, ...wrong })).toThrow(RangeError);
  });
});

test.each([
  // sell  computed   at most     answer
  ['USD', 108_436n, 108_436n, undefined],
  ['USD', 108_436n, 200_000n, undefined],
  ['USD', 108_436n, 108_435n, 'The rate needs 1084.36 USD, more than the sell amount given: nothing was booked'],
  ['JPY', 999n, 0n, 'The rate needs 999 JPY, more than the sell amount given: nothing was booked'],
])('both amounts given: %s %i where %i is the most', (sell, computed, most, text) => {
  expect(checkSellAtMost(sell, computed, most)).toEqual(text && { refusal: 'RATE_MOVED', text });
});

describe('the limits of a pair are in units of its base', () => {
  test.each([
    // pair     minor units of base  refusal              text
    ['EUR/USD', 99n, 'AMOUNT_BELOW_MIN', 'Amount below pair minimum 1'],
    ['EUR/USD', 100n],
    ['EUR/USD', 500_000_000n],
    ['EUR/USD', 500_000_001n, 'AMOUNT_ABOVE_LIMIT', 'Amount above pair limit 5000000'],
    ['JPY/KRW', 99n, 'AMOUNT_BELOW_MIN', 'Amount below pair minimum 100'],
    ['JPY/KRW', 100n],
    ['JPY/KRW', 500_000_000n],
    ['JPY/KRW', 500_000_001n, 'AMOUNT_ABOVE_LIMIT', 'Amount above pair limit 500000000'],
  ])('%s %i', (symbol, minor, refusal?: string, text?: string) => {
    expect(checkDealtSize(pairBySymbol(symbol) as Pair, minor)).toEqual(refusal && { refusal, text });
  });

  test('three decimals count', () => {
    const dinar = { base: 'KWD', minAmount: '1', maxAmount: '5000000' };
    expect(checkDealtSize(dinar, 999n)).toMatchObject({ refusal: 'AMOUNT_BELOW_MIN' });
    expect(checkDealtSize(dinar, 1000n)).toBeUndefined();
    expect(checkDealtSize(dinar, 5_000_000_000n)).toBeUndefined();
    expect(checkDealtSize(dinar, 5_000_000_001n)).toMatchObject({ refusal: 'AMOUNT_ABOVE_LIMIT' });
  });

  test('with base on either side', () => {
    const conversion = { sellMinor: 3n, buyMinor: 7n, marginMinor: 0n, marginCurrency: 'JPY' };
    expect(baseMinorOf(KUWAIT, 'KWD', conversion)).toBe(3n);
    expect(baseMinorOf(KUWAIT, 'JPY', conversion)).toBe(7n);
  });
});
