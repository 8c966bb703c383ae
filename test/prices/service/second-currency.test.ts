/** An amount in a pair's second currency has the price of the levels that it takes in that currency, at the margin of the band that it comes to. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { baseMinorOf, convert } from '../../../engine/domain/money/conversion.js';
import { Ladder, LadderSide, sizePrice } from '../../../engine/domain/money/ladder.js';
import { exponentOf } from '../../../engine/domain/money/money.js';
import { type Pair, pairBySymbol } from '../../../engine/domain/money/pair.js';
import { TradingStates } from '../../../engine/domain/risk/trading-state.js';
import { type MarginRule, MarginTable, Pricing } from '../../../engine/rates/pricing.js';
import { RateBook } from '../../../engine/rates/rate-book.js';
import { type PricedRate, pricedRate } from '../../../engine/service/prices/index.js';
import { quoteLadder } from '../../rates/clock.js';

const RUNS = 1_000;
const EVERY = { clientId: '*', pair: '*', type: '*' } as const;
const of = (symbol: string) => pairBySymbol(symbol)!;

function market(rules: readonly Omit<MarginRule, 'clientId' | 'type' | 'pair'>[]) {
  const book = new RateBook({ maxJumpPercent: 100, maxSpreadPercent: 100, now: () => 0 });
  const margins = new MarginTable();
  margins.replace(rules.map((rule) => ({ ...EVERY, ...rule })));
  const pricing = new Pricing(book, margins, new TradingStates(), () => 0);
  return { book, margins, pricing, provider: book.registerProvider('A') };
}

/** The rate and the conversion of an amount of one currency of the pair, on one side. */
function dealt(
  { pricing }: { pricing: Pricing },
  pair: Pair,
  isBid: boolean,
  inBase: boolean,
  minor: bigint,
  addOn = 0,
) {
  const [sellCurrency, buyCurrency] = isBid ? [pair.base, pair.quote] : [pair.quote, pair.base];
  const amount = { side: inBase === isBid ? ('sell' as const) : ('buy' as const), minor };
  const priced = pricedRate(
    { pricing },
    { clientId: 'acme', pair, sellCurrency, buyCurrency, type: 'PREFUNDING', amount },
    { addOnPpm: addOn, floorPpm: 0 },
  );
  if (isRefusal(priced)) return priced;
  const { price, providerPrice } = priced.rate;
  const conversion = convert({ pair, sell: sellCurrency, price, providerPrice, amount });
  if (isRefusal(conversion)) return conversion;
  return { priced, conversion, baseMinor: baseMinorOf(pair, sellCurrency, conversion) };
}

describe('levels of 1,000,000 at 3.80 and 4,000,000 at 3.60', () => {
  const USDPLN = of('USD/PLN');
  const on = market([{ marginPpm: 0 }]);
  quoteLadder(on.book, on.provider, ['USD/PLN', '3.80x1000000 3.60x4000000', '3.90x1000000 4.10x4000000']);
  const amounts = (isBid: boolean, inBase: boolean, minor: bigint, table = on) => {
    const made = dealt(table, USDPLN, isBid, inBase, minor);
    return isRefusal(made) ? made.refusal : [made.conversion.sellMinor, made.conversion.buyMinor];
  };

  test('buying 17,000,000 PLN costs what brings 17,000,000 PLN when it is sold', () => {
    // 1,000,000 + 13,200,000 / 3.60, at a price of seven decimals: 3.6428571.
    const [cost, bought] = amounts(true, false, 1_700_000_000n) as bigint[];
    expect([cost, bought]).toEqual([466_666_673n, 1_700_000_000n]);
    expect(amounts(true, true, cost!)).toEqual([cost, 1_700_000_003n]);
  });

  test('selling PLN buys what costs as much when it is bought', () => {
    // 1,000,000 + 14,350,000 / 4.10 = 4,500,000 for 18,250,000.
    const [sold, bought] = amounts(false, false, 1_825_000_000n) as bigint[];
    expect([sold, bought]).toEqual([1_825_000_000n, 449_999_995n]);
  });

  test('with a margin the provider pays the given amount and the margin', () => {
    const table = market([{ marginPpm: 20_000 }]);
    quoteLadder(table.book, table.provider, ['USD/PLN', '3.80x1000000 3.60x4000000', '3.90x1000000 4.10x4000000']);
    // 16,660,000 / 0.98 = 17,000,000.
    expect(dealt(table, USDPLN, true, false, 1_666_000_000n)).toMatchObject({
      priced: { rate: { providerPrice: 36_428_571, marginPpm: 20_000 }, levels: 2 },
    });
    // 18,622,449 x 0.98 = 18,250,000.
    expect(dealt(table, USDPLN, false, false, 1_862_244_900n)).toMatchObject({
      priced: { rate: { providerPrice: 40_555_556 } },
    });
  });

  test('the levels end at 3,800,000 + 14,400,000 PLN', () => {
    expect(amounts(true, false, 1_820_000_000n)).toEqual([500_000_000n, 1_820_000_000n]);
    expect(amounts(true, false, 1_820_000_001n)).toBe('INSUFFICIENT_LIQUIDITY');
  });
});

describe('the margin is that of the band whose size contains the amount', () => {
  const EURUSD = of('EUR/USD');
  const banded = (...bands: readonly number[]) => {
    const on = market(bands.map((marginPpm, i) => ({ marginPpm, ...(i > 0 && { above: i * 1_000_000 }) })));
    quoteLadder(on.book, on.provider, ['EUR/USD', '1.0000', '1.0000']);
    return on;
  };
  const margin = (bands: readonly number[], isBid: boolean, quote: number) => {
    const made = dealt(banded(...bands), EURUSD, isBid, false, BigInt(quote) * 100n);
    if (isRefusal(made)) throw new Error(made.text);
    return made.priced.rulePpm;
  };

  test.each<[bands: number[], isBid: boolean, quote: number, marginPpm: number]>([
    // One contains it.
    [[100_000, 50_000], true, 800_000, 100_000],
    [[100_000, 50_000], true, 990_000, 50_000],
    [[50_000, 100_000], true, 800_000, 50_000],
    [[50_000, 100_000], true, 990_000, 100_000],
    [[100_000, 50_000], false, 1_000_000, 100_000],
    [[100_000, 50_000], false, 1_200_000, 50_000],
    // 920,000 / 0.95 is below the end of the first band, 920,000 / 0.9 above it: both contain it.
    [[50_000, 100_000], true, 920_000, 100_000],
    [[100_000, 50_000], false, 1_100_000, 100_000],
    // 920,000 / 0.9 is above it, 920,000 / 0.95 below: none does.
    [[100_000, 50_000], true, 920_000, 100_000],
    [[50_000, 100_000], false, 1_100_000, 100_000],
    // Between the second and the third: the first is not of the choice.
    [[200_000, 100_000, 50_000], true, 1_850_000, 100_000],
    [[200_000, 50_000, 100_000], false, 2_150_000, 100_000],
  ])('of %j, bid %s, %d: %d', (bands, isBid, quote, marginPpm) => {
    expect(margin(bands, isBid, quote)).toBe(marginPpm);
  });

  test('a book that ends before the amount at the margin of its band refuses it, whatever a smaller band would make of it', () => {
    const table = market([{ marginPpm: 0 }, { marginPpm: 50_000, above: 1_000_000 }]);
    const side = '1.0000x1000000 1.0000x1000000';
    quoteLadder(table.book, table.provider, ['EUR/USD', side, side]);
    // 1,950,000 / 0.95 is more than the book has; without a margin it has enough.
    expect(dealt(table, EURUSD, true, false, 195_000_000n)).toMatchObject({ refusal: 'INSUFFICIENT_LIQUIDITY' });
    expect(dealt(table, EURUSD, true, false, 189_000_000n)).toMatchObject({ priced: { rulePpm: 50_000 } });
  });
});

const LEVELS = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 1, max: 2_000_000 })), {
  minLength: 1,
  maxLength: 5,
});
/** Levels of a side, each worse than the one before by so many parts in a million, of so many units for a unit worth a dollar. */
function sideOf(
  levels: readonly (readonly [number, number])[],
  from: number,
  isBid: boolean,
  zeros: number,
): LadderSide {
  const side = new LadderSide();
  let price = from;
  for (const [worseBy, size] of levels) {
    const step = Math.floor((price * worseBy) / 1_000_000);
    price = Math.max(1, isBid ? price - step : price + step);
    side.add(price, size * zeros);
  }
  return side;
}

describe('buying B costs S, and selling S brings B', () => {
  const PAIRS = ['EUR/USD', 'USD/PLN', 'USD/JPY', 'KRW/IDR', 'JPY/KRW', 'EUR/JPY', 'EUR/GBP'].map(of);
  /** Pairs of two legs have no provider of their own. */
  const CROSSES: Readonly<Record<string, readonly [string, string]>> = {
    'EUR/JPY': ['EUR/USD', 'USD/JPY'],
    'EUR/GBP': ['EUR/USD', 'GBP/USD'],
  };
  const TYPICAL: Readonly<Record<string, number>> = {
    ...{ 'EUR/USD': 1.1, 'GBP/USD': 1.3, 'USD/PLN': 3.8, 'USD/JPY': 150 },
    ...{ 'KRW/IDR': 11.7, 'JPY/KRW': 9.4 },
  };
  const BANDS = fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 4 });

  // One book for all: each has room for every pair and provider.
  const shared = market([]);

  function marketOf(pair: Pair, bands: readonly number[], levels: Record<'bid' | 'offer', [number, number][]>[]) {
    const zeros = Number(pair.maxAmount) / 5_000_000;
    const rules = bands.map((marginPpm, i) => ({ marginPpm, ...(i > 0 && { above: i * 700_000 * zeros }) }));
    shared.margins.replace(rules.map((rule) => ({ ...EVERY, ...rule })));
    const on = shared;
    const quoted = CROSSES[pair.symbol] ?? [pair.symbol];
    for (const [i, symbol] of quoted.entries()) {
      const leg = of(symbol);
      const best = Math.floor(TYPICAL[symbol]! * 10 ** leg.priceDigits);
      const ladder = new Ladder();
      const { bid, offer } = levels[i]!;
      const legZeros = Number(leg.maxAmount) / 5_000_000;
      for (const side of [
        [sideOf(bid, best, true, legZeros), ladder.bid],
        [sideOf(offer, best, false, legZeros), ladder.offer],
      ] as const)
        for (let k = 0; k < side[0].count; k++) side[1].add(side[0].price[k]!, side[0].size[k]!);
      const [first, last] = [ladder.bid, ladder.offer];
      on.book.tick(
        on.provider,
        leg.index,
        first.price[0]!,
        last.price[0]!,
        first.size[0]!,
        last.size[0]!,
        0,
        0,
        ladder,
      );
    }
    return on;
  }

  const LADDERS = fc.record({ bid: LEVELS, offer: LEVELS });
  test('within what one minor unit buys and the rounding of the price, and never better than in the first currency', () => {
    let fitted = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...PAIRS),
        BANDS,
        fc.tuple(LADDERS, LADDERS),
        fc.boolean(),
        fc.integer({ min: 1, max: 5_000_000 }),
        fc.constantFrom(0, 123, 2_000),
        (pair, bands, levels, isBid, units, addOn) => {
          const on = marketOf(pair, bands, levels);
          const best = on.book.read(pair.index);
          fc.pre(best !== undefined);
          // Units of base, in money of quote at about the best price.
          const zeros = Number(pair.maxAmount) / 5_000_000;
          const quoteUnits = (units * zeros * best!.bid) / 10 ** pair.priceDigits;
          const given = BigInt(Math.max(1, Math.floor(quoteUnits * 10 ** exponentOf(pair.quote))));
          const stated = dealt(on, pair, isBid, false, given, addOn);
          if (isRefusal(stated)) return;
          const again = dealt(on, pair, isBid, true, stated.baseMinor, addOn);
          if (isRefusal(again)) {
            // At the very end of the book the rounding of the price can make the base a little more than its levels.
            const side = on.book.ladder(pair.index)![isBid ? 'bid' : 'offer'];
            expect(['INSUFFICIENT_LIQUIDITY', 'AMOUNT_ABOVE_LIMIT']).toContain(again.refusal);
            expect(stated.priced.levels).toBe(side.count);
            return;
          }
          const quoted = isBid ? again.conversion.buyMinor : again.conversion.sellMinor;
          const off = quoted - given;
          const within = tolerance(pair, stated.baseMinor, stated.priced);
          // Below 0 at the bid: the amount in base brings less; above 0 at the offer: it costs more.
          expect(isBid ? off : -off).toBeGreaterThanOrEqual(-within);
          if (again.priced.rulePpm !== stated.priced.rulePpm) {
            // No band contains it: the dearer of two.
            expect(stated.priced.rulePpm).toBeGreaterThan(again.priced.rulePpm);
            return;
          }
          fitted++;
          expect(off < 0n ? -off : off).toBeLessThanOrEqual(within);
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(fitted).toBeGreaterThan(RUNS / 10);
  });

  // One minor unit of base, and two roundings of the price, of the provider's and of the client's, in each of two conversions.
  function tolerance(pair: Pair, baseMinor: bigint, { rate: { price } }: PricedRate): bigint {
    const worth = (minor: bigint, scaled: bigint) =>
      (minor * scaled * 10n ** BigInt(exponentOf(pair.quote))) /
      10n ** BigInt(exponentOf(pair.base) + pair.priceDigits);
    return worth(1n, BigInt(price)) + worth(baseMinor, 2n) + 2n;
  }
});

describe('the price of an amount of quote', () => {
  const MADE = ['KWD/BHD', 'JPY/KWD', 'KWD/JPY', 'USD/KWD', 'JPY/KRW', 'EUR/USD'].map((symbol) => {
    const [base, quote] = symbol.split('/') as [string, string];
    return { ...of('EUR/USD'), symbol, base, quote };
  });

  test('is that of the base that it comes to, with 0, 2 and 3 decimals on each side', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...MADE),
        LEVELS,
        fc.boolean(),
        fc.integer({ min: 1_000, max: 90_000_000 }),
        fc.integer({ min: 1, max: 3_000_000 }),
        (pair, levels, isBid, from, units) => {
          const side = sideOf(levels, from * 10, isBid, 1);
          const baseMinor = BigInt(units) * 10n ** BigInt(exponentOf(pair.base));
          const bySize = sizePrice(side, pair, baseMinor);
          // The worth of the base level by level, as a fraction of minor units of quote.
          let left = units;
          let worth = 0n;
          for (let i = 0; i < side.count && left > 0; i++) {
            const taken = Math.min(left, side.size[i]!);
            worth += BigInt(taken) * BigInt(side.price[i]!);
            left -= taken;
          }
          if (left > 0) worth += BigInt(left) * BigInt(side.price[side.count - 1]!);
          const numerator = worth * 10n ** BigInt(exponentOf(pair.quote));
          const found = sizePrice(side, pair, { numerator, denominator: 10n ** BigInt(pair.priceDigits) });
          expect(found).toEqual(bySize);
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
