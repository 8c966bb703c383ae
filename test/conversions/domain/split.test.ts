/** The parts of a split sum to the conversion exactly, in both currencies and in the margin. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitConversion } from '../../../engine/domain/conversions/split.js';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { convert } from '../../../engine/domain/money/conversion.js';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';

const PAIRS = ['EUR/USD', 'USD/JPY', 'USD/KWD'].flatMap((symbol) => pairBySymbol(symbol) ?? []);

const booked = (pair: (typeof PAIRS)[number], sellsBase: boolean, minor: bigint) => {
  const [sellCurrency, buyCurrency] = sellsBase ? [pair.base, pair.quote] : [pair.quote, pair.base];
  const [price, providerPrice] = sellsBase ? [1_080_000, 1_083_000] : [1_083_000, 1_080_000];
  const amounts = convert({ pair, sell: sellCurrency, price, providerPrice, amount: { side: 'sell', minor } });
  if (isRefusal(amounts)) return undefined;
  const { sellMinor, buyMinor, marginMinor } = amounts;
  return { sellCurrency, buyCurrency, sell: String(sellMinor), buy: String(buyMinor), margin: String(marginMinor) };
};

describe('splitConversion', () => {
  test('sums to the whole, whatever the weights are, and rounds each part to a neighbour', () => {
    const property = fc.property(
      fc.constantFrom(...PAIRS),
      fc.boolean(),
      fc.constantFrom('sell' as const, 'buy' as const),
      fc.bigInt(10_000_000n, 90_000_000_000n),
      fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 9 }),
      (pair, sellsBase, side, minor, cuts) => {
        const booking = booked(pair, sellsBase, minor);
        if (booking === undefined) return;
        const whole = BigInt(booking[side]);
        const places = [
          0n,
          ...cuts.map((cut) => (whole * BigInt(cut)) / 1_000_000n).sort((a, b) => (a < b ? -1 : 1)),
          whole,
        ];
        const amounts = places.slice(1).map((place, i) => place - places[i]!);
        const parts = splitConversion(pair, booking, side, amounts);
        if (isRefusal(parts)) return;
        for (const what of ['sell', 'buy', 'margin'] as const) {
          const sum = parts.reduce((all, part) => all + part[what], 0n);
          expect(String(sum)).toBe(booking[what]);
          for (const [i, part] of parts.entries()) {
            const exact = BigInt(booking[what]) * amounts[i]!;
            const distance = part[what] * whole - exact;
            expect(distance < whole && distance > -whole).toBe(true);
          }
        }
        expect(parts.map((part) => part[side])).toEqual(amounts);
      },
    );
    fc.assert(property, { numRuns: 2_000 });
  });

  test('is not vacuous: an even split of the middle of the range is accepted', () => {
    const [pair] = PAIRS;
    const booking = booked(pair!, true, 10_000_001n)!;
    const parts = splitConversion(pair!, booking, 'sell', [3_333_333n, 3_333_333n, 3_333_335n]);
    expect(isRefusal(parts)).toBe(false);
  });
});
