import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../engine/domain/money/decimal.js';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import {
  type DayStart,
  dayStartOf,
  type MidOf,
  profitIn,
  valuePositions,
  worthOf,
} from '../../../engine/domain/risk/figures.js';
import {
  averageRates,
  type DealSums,
  dealsByPair,
  NO_DEALS,
  netBase,
  netByCurrency,
  netQuote,
  realisedProfit,
  totalPosition,
  totalProfit,
  unrealisedProfit,
} from '../../../engine/domain/risk/position.js';
import { random } from '../../domain/random.js';

const EURUSD = pairBySymbol('EUR/USD')!;
const USDJPY = pairBySymbol('USD/JPY')!;
const EURJPY = pairBySymbol('EUR/JPY')!;

/** Minor units: base bought, quote paid, base sold, quote received. */
const sums = (b: bigint, q: bigint, s: bigint, r: bigint): DealSums => ({
  ...NO_DEALS,
  baseBought: b,
  quotePaid: q,
  baseSold: s,
  quoteReceived: r,
});

/** 1,000,000 EUR bought at 1.0800, 600,000 EUR sold at 1.0850. */
const LONG = sums(100_000_000n, 108_000_000n, 60_000_000n, 65_100_000n);
/** 100,000 USD sold at 150.00. */
const SHORT = sums(0n, 0n, 10_000_000n, 15_000_000n);

describe('the position of one pair', () => {
  test('net is bought less sold, and quote received less quote paid', () => {
    expect([netBase(LONG), netQuote(LONG)]).toEqual([40_000_000n, -42_900_000n]);
    expect([netBase(SHORT), netQuote(SHORT)]).toEqual([-10_000_000n, 15_000_000n]);
  });

  test('average rates are units of quote for one of base, whatever the decimals of the currencies', () => {
    expect(averageRates(EURUSD, LONG)).toMatchObject({ bought: new Decimal('1.08'), sold: new Decimal('1.085') });
    expect(averageRates(USDJPY, SHORT)).toMatchObject({ bought: undefined, sold: new Decimal(150) });
  });

  test('what matches is realised at the difference of the averages, the rest is valued at the mid', () => {
    // 600,000 x (1.0850 - 1.0800) = 3,000 USD; 400,000 x (1.0820 - 1.0800) = 800 USD.
    expect(realisedProfit(LONG).toFixed()).toBe('300000');
    expect(unrealisedProfit(EURUSD, LONG, new Decimal('1.0820')).toFixed()).toBe('80000');
    // 100,000 x (150 - 151) = -100,000 JPY.
    expect(realisedProfit(SHORT).toFixed()).toBe('0');
    expect(unrealisedProfit(USDJPY, SHORT, new Decimal(151)).toFixed()).toBe('-100000');
  });

  test('realised and unrealised profit, each by its definition, are together what closing at the mid would leave', () => {
    const next = random(15);
    const amount = () => BigInt(1 + Math.floor(next() * 1e12));
    for (let i = 0; i < 500; i++) {
      const dealt = sums(amount(), amount(), amount(), amount());
      const mid = new Decimal(next() * 2 + 0.01);
      const { bought, sold } = averageRates(EURUSD, dealt);
      const rest = new Decimal(netBase(dealt).toString());
      const byAverage = rest.isPositive() ? mid.sub(bought!).mul(rest) : mid.sub(sold!).mul(rest);
      expect(unrealisedProfit(EURUSD, dealt, mid).sub(byAverage).abs().lt('1e-12')).toBe(true);
      expect(
        realisedProfit(dealt)
          .add(byAverage)
          .sub(totalProfit(EURUSD, dealt, mid))
          .abs()
          .lt('1e-12'),
      ).toBe(true);
    }
  });

  test('sums of several dates and shards are one position', () => {
    const lines = [
      { pair: 'EUR/USD', ...LONG },
      { pair: 'USD/JPY', ...SHORT },
      { pair: 'EUR/USD', ...LONG },
    ];
    const [both, yen] = [...dealsByPair(lines)];
    expect(both).toEqual([EURUSD, sums(200_000_000n, 216_000_000n, 120_000_000n, 130_200_000n)]);
    expect(realisedProfit(both![1]).toFixed()).toBe('600000');
    expect(yen).toMatchObject([USDJPY, SHORT]);
    expect(() => dealsByPair([{ pair: 'USD/EUR', ...LONG }])).toThrow(RangeError);
  });

  test('what was taken back after its date was folded leaves no rate and no realised profit', () => {
    const negative = sums(-1n, -1n, 5n, 6n);
    expect(averageRates(EURUSD, negative).bought).toBeUndefined();
    expect(realisedProfit(negative).toFixed()).toBe('0');
    expect(netBase(negative)).toBe(-6n);
  });
});

describe('net open positions', () => {
  test('each currency has its part of every pair', () => {
    const net = netByCurrency([
      [EURUSD, LONG],
      [USDJPY, SHORT],
    ]);
    expect(Object.fromEntries(net)).toEqual({ EUR: 40_000_000n, USD: -42_900_000n - 10_000_000n, JPY: 15_000_000n });
  });

  test("the total is the larger of the sums of longs and of shorts: the Basel Committee's example", () => {
    const example = [
      ['JPY', 50],
      ['EUR', 100],
      ['GBP', 150],
      ['CHF', -20],
      ['USD', -180],
    ] as const;
    expect(totalPosition(example, 'AUD')).toEqual({ long: 300, short: 200, total: 300 });
    expect(totalPosition(example, 'USD')).toEqual({ long: 300, short: 20, total: 300 });
    expect(totalPosition(example, 'GBP')).toEqual({ long: 150, short: 200, total: 200 });
    expect(totalPosition([], 'USD')).toEqual({ long: 0, short: 0, total: 0 });
  });
});

const NO_CLOSE_OUT = { closeOut: 0n, closeOutValue: 0 };

describe('the valuation', () => {
  const MIDS: Record<string, [mid: string, ageMs: number]> = {
    'EUR/USD': ['1.0820', 40],
    'USD/JPY': ['151', 900],
    'EUR/JPY': ['163.4', 60],
  };
  const midOf: MidOf = ({ symbol }) => {
    const [mid, ageMs] = MIDS[symbol] ?? [];
    return mid === undefined ? undefined : { mid: new Decimal(mid), ageMs: ageMs! };
  };
  const value = (baseCurrency: string, dayStart: DayStart = new Map(), known = midOf) =>
    valuePositions({
      positions: [
        [USDJPY, SHORT],
        [EURUSD, { ...LONG, marginBase: 1_000n, marginQuote: 20_000n }],
      ],
      closeOuts: new Map(),
      baseCurrency,
      midOf: known,
      dayStart,
    });

  test('a currency is worth the mid of its pair with the base currency, or its inverse', () => {
    expect(worthOf('EUR', 'USD', midOf)!.worth.toFixed()).toBe('1.082');
    expect(worthOf('JPY', 'USD', midOf)!.worth.mul(151).toDecimalPlaces(10).toFixed()).toBe('1');
    expect(worthOf('USD', 'USD', midOf)).toMatchObject({ ageMs: 0 });
    expect(worthOf('GBP', 'USD', midOf)).toBeUndefined();
  });

  test('the profit for a limit is that of the figures, within a unit of each pair', () => {
    const next = random(16);
    const amount = () => BigInt(Math.floor(next() * 1e12));
    const closeOuts = new Map([['JPY', -12_345n]]);
    for (let i = 0; i < 200; i++) {
      const positions = [EURUSD, USDJPY, EURJPY].map(
        (pair) => [pair, sums(amount(), amount(), amount(), amount())] as const,
      );
      for (const baseCurrency of ['USD', 'EUR', 'JPY']) {
        const rates = (pair: typeof EURUSD) => midOf(pair) ?? { mid: new Decimal('163.4'), ageMs: 0 };
        const valuation = { positions, closeOuts, baseCurrency, midOf: rates, dayStart: new Map() };
        const { realised, unrealised } = valuePositions(valuation).total.profit;
        expect(Math.abs(profitIn(valuation, baseCurrency, rates)! - realised - unrealised)).toBeLessThanOrEqual(4);
      }
    }
    const open = [[EURUSD, sums(5n, 6n, 0n, 0n)]] as const;
    const unpriced = (positions: Parameters<typeof profitIn>[0]['positions'], of = new Map<string, bigint>()) =>
      profitIn({ positions, closeOuts: of }, 'USD', () => undefined);
    expect(unpriced(open)).toBeUndefined();
    expect(unpriced([], closeOuts)).toBeUndefined();
    // Nothing is open in EUR: the dollars that it has earned need no rate.
    expect(unpriced([[EURUSD, sums(5n, 6n, 5n, 9n)]])).toBe(3);
  });

  test('pairs, currencies and totals in US dollars', () => {
    const { pairs, currencies, total } = value('USD');
    expect(pairs).toEqual([
      {
        pair: 'EUR/USD',
        netBase: 40_000_000n,
        netQuote: -42_900_000n,
        averageBought: '1.0800000',
        averageSold: '1.0850000',
        mid: '1.082',
        midAgeMs: 40,
        value: 43_280_000,
        // 10.00 EUR at 1.082, and 200.00 USD.
        profit: { realised: 300_000, unrealised: 80_000, margin: 21_082 },
        dayProfit: { realised: 300_000, unrealised: 80_000, margin: 21_082 },
      },
      {
        pair: 'USD/JPY',
        netBase: -10_000_000n,
        netQuote: 15_000_000n,
        averageBought: undefined,
        averageSold: '150.00000',
        mid: '151',
        midAgeMs: 900,
        value: -10_000_000,
        // -100,000 JPY at 151.
        profit: { realised: 0, unrealised: -66_225, margin: 0 },
        dayProfit: { realised: 0, unrealised: -66_225, margin: 0 },
      },
    ]);
    expect(currencies).toEqual([
      { currency: 'EUR', net: 40_000_000n, value: 43_280_000, rate: '1.082', rateAgeMs: 40, ...NO_CLOSE_OUT },
      {
        currency: 'JPY',
        net: 15_000_000n,
        value: 9_933_775,
        rate: '0.00662251655629',
        rateAgeMs: 900,
        ...NO_CLOSE_OUT,
      },
      { currency: 'USD', net: -52_900_000n, value: -52_900_000, rate: '1', rateAgeMs: 0, ...NO_CLOSE_OUT },
    ]);
    expect(total).toEqual({
      long: 53_213_775,
      short: 0,
      total: 53_213_775,
      profit: { realised: 300_000, unrealised: 13_775, margin: 21_082 },
      dayProfit: { realised: 300_000, unrealised: 13_775, margin: 21_082 },
      rateAgeMs: 900,
    });
  });

  test('in yen, which has no decimals', () => {
    const { pairs, total } = value('JPY');
    // 3,000 USD at 151; 432,800 USD worth of EUR at the mid of EUR/JPY.
    expect(pairs[0]).toMatchObject({ value: 65_360_000, profit: { realised: 453_000, unrealised: 120_800 } });
    expect(total).toMatchObject({ long: 65_360_000, short: 79_879_000, total: 79_879_000 });
  });

  test('the profit of the trading day is what has changed since it began', () => {
    const began = { realised: 100_000, unrealised: 90_000, margin: 20_000 };
    const { pairs, total } = value('USD', new Map([['EUR/USD', began]]));
    expect(pairs[0]!.dayProfit).toEqual({ realised: 200_000, unrealised: -10_000, margin: 1_082 });
    expect(total.dayProfit).toEqual({ realised: 200_000, unrealised: -76_225, margin: 1_082 });
    // Unknown when the day began: it counts from the first valuation, which writes it.
    expect(value('USD', new Map([['EUR/USD', null]])).pairs[0]!.dayProfit).toEqual({
      realised: 0,
      unrealised: 0,
      margin: 0,
    });
  });

  test('a currency that never had a rate is not valued, and the totals tell', () => {
    const { pairs, currencies, total } = value('USD', new Map(), (pair) => (pair === USDJPY ? undefined : midOf(pair)));
    expect(pairs[1]).toMatchObject({ pair: 'USD/JPY', value: -10_000_000, mid: undefined, profit: undefined });
    expect(currencies[1]).toMatchObject({ currency: 'JPY', net: 15_000_000n, value: undefined, rate: undefined });
    expect(total).toMatchObject({ long: 43_280_000, rateAgeMs: undefined });
  });

  test('close-outs are profit of their currency, and no position', () => {
    const closed = (dayStart: DayStart) =>
      valuePositions({
        positions: [],
        closeOuts: new Map([
          ['EUR', 10_000n],
          ['JPY', -1_510n],
        ]),
        baseCurrency: 'USD',
        midOf,
        dayStart,
      });
    const first = closed(new Map());
    expect(first.currencies[0]).toMatchObject({ currency: 'EUR', net: 0n, closeOut: 10_000n, closeOutValue: 10_820 });
    expect(first.currencies[1]).toMatchObject({ currency: 'JPY', closeOut: -1_510n, closeOutValue: -1_000 });
    expect(first.total).toMatchObject({ total: 0, profit: { realised: 9_820, unrealised: 0 }, rateAgeMs: 900 });
    expect(first.total.dayProfit.realised).toBe(9_820);
    expect(closed(dayStartOf(first)).total.dayProfit.realised).toBe(0);
  });

  test('a rate that only a flat position would need does not age the totals', () => {
    const flat = sums(5n, 6n, 5n, 6n);
    const { total, currencies } = valuePositions({
      positions: [[EURJPY, flat]],
      closeOuts: new Map(),
      baseCurrency: 'USD',
      midOf: () => undefined,
      dayStart: new Map(),
    });
    expect(total).toMatchObject({ total: 0, rateAgeMs: 0 });
    expect(currencies.map(({ net }) => net)).toEqual([0n, 0n]);
  });
});
