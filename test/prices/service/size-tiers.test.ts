/** A rate, a hold, a conversion and a payment are priced for their size, and refused where the book ends. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Booking } from '../../../engine/domain/conversions/booking.js';
import { DEFAULT_HOLD_ADD_ONS } from '../../../engine/domain/conversions/hold-period.js';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import { clientBid } from '../../../engine/domain/money/rate.js';
import type { Booked } from '../../../engine/service/conversions/book-fx.js';
import type { StreamedPrice } from '../../../engine/service/core/services.js';
import { perform } from '../../../engine/service/perform.js';
import { type MoneyRig, outcomeOf, startMoney } from '../../service/money-rig.js';

const EURUSD = { sellCurrency: 'EUR', buyCurrency: 'USD' };
const USDEUR = { sellCurrency: 'USD', buyCurrency: 'EUR' };
const BIDS = '1.1000x1000000 1.0990x1000000 1.0970x1000000';
const OFFERS = '1.1010x1000000 1.1020x1000000 1.1040x1000000';

let on: MoneyRig;
let ids = 0;

beforeAll(async () => {
  on = await startMoney();
  await perform(on.services, 'createClient', undefined, { id: 'acme', name: 'Acme' });
  await on.open('acme', 'EUR', '100000000');
  await on.open('acme', 'USD', '100000000');
  await perform(on.services, 'changeClient', undefined, {
    id: 'acme',
    holdLimitUsd: 100_000_000,
    holdMaximumUsd: 10_000_000,
  });
  on.quote('EUR/USD', BIDS, OFFERS);
});
afterAll(() => on.stop());

const ask = (name: Parameters<typeof perform>[1], input: object) =>
  perform(on.services, name, on.caller('acme'), input);
const order = (input: object) => ask('bookFxByCurrency', { requestId: `size-${++ids}`, description: 'size', ...input });
const priced = (answer: unknown) => {
  const { price, providerPrice, marginPpm } = (answer as Booked).booking;
  return [price, providerPrice, marginPpm];
};
const bid = (provider: number) => clientBid(provider, 2_500);

const ownMargin = (ppm: number) => ({
  rulePpm: ppm,
  skewPpm: 0,
  wideningPpm: 0,
  spreadPpm: 0,
  marginPpm: ppm,
  levels: 1,
});
const BAND = { limit: 1_000_000, ...ownMargin(2_500) };
const STREAMED = (): StreamedPrice => ({
  pair: pairBySymbol('EUR/USD')!,
  bid: bid(11_000_000),
  offer: 11_037_594,
  providerBid: 11_000_000,
  providerOffer: 11_010_000,
  bidBand: BAND,
  offerBand: { ...BAND, limit: 500_000 },
  originKeys: new Float64Array(8),
  type: 'PREFUNDING',
  sides: 'both',
  position: 0,
});

describe('an amount has the volume-weighted price of the levels that it takes', () => {
  test.each([
    // sold      provider's bid
    [1_000, 11_000_000],
    [1_000_000, 11_000_000],
    [2_000_000, 10_995_000],
    [3_000_000, 10_986_667],
  ])('%d EUR', async (sellAmount, provider) => {
    const booked = await order({ ...EURUSD, sellAmount });
    expect(priced(booked)).toEqual([bid(provider), provider, 2_500]);
    const { sell, buy } = (booked as { booking: Booking }).booking;
    expect(BigInt(buy)).toBe((BigInt(sell) * BigInt(bid(provider))) / 10_000_000n);
  });

  test('an amount of the quote currency is priced in it', async () => {
    // 2,000,000 EUR at 1.1010 and 1.1020, and the margin: 2,203,000 / 0.9975.
    expect(priced(await order({ ...USDEUR, sellAmount: 2_208_521.3 }))).toEqual([11_042_607, 11_015_000, 2_500]);
    expect(priced(await order({ ...USDEUR, buyAmount: 2_000_000 }))).toEqual([11_042_607, 11_015_000, 2_500]);
    // 3,307,000 / 0.9975 = 3,315,288.22.
    expect(priced(await order({ ...USDEUR, sellAmount: 3_315_288.22 }))[1]).toBe(11_023_333);
    expect(outcomeOf((await order({ ...USDEUR, sellAmount: 3_315_288.23 })) as Booked)).toBe('INSUFFICIENT_LIQUIDITY');
  });

  test('a rate, one that can be locked, and its hold', async () => {
    const first = await ask('getRate', EURUSD);
    expect(first).toMatchObject({ providerRate: '1.1', clientRate: '1.09725', conversion: undefined });
    const sized = { providerRate: '1.0995', clientRate: '1.0967512', conversion: { sellMinor: 200_000_000n } };
    expect(await ask('getRate', { ...EURUSD, sellAmount: 2_000_000 })).toMatchObject(sized);
    const bought = await ask('getRate', { ...EURUSD, buyAmount: 2_193_502.5 });
    expect(bought).toMatchObject({ providerRate: '1.0995', conversion: { buyMinor: 219_350_250n } });

    const hold = await on.hold('acme', { ...EURUSD, holdPeriod: '5_mins', sellAmount: 2_000_000 });
    expect(hold).toMatchObject({ price: bid(10_995_000), providerPrice: 10_995_000 });
    expect(priced(await order({ ...EURUSD, sellAmount: 2_000_000, holdId: hold.id }))).toEqual([
      bid(10_995_000),
      10_995_000,
      2_500,
    ]);
  });

  test('a hold without an amount is at the first band, and for no more', async () => {
    const hold = await on.hold('acme', { ...EURUSD, holdPeriod: '5_mins' });
    expect(hold).toMatchObject({ providerPrice: 11_000_000, maximum: '100000000' });
    expect(outcomeOf((await order({ ...EURUSD, sellAmount: 1_000_000.01, holdId: hold.id })) as Booked)).toBe(
      'AMOUNT_ABOVE_LIMIT',
    );
    expect(priced(await order({ ...EURUSD, sellAmount: 1_000_000, holdId: hold.id }))[1]).toBe(11_000_000);
  });
});

describe('an amount has the margin of its band', () => {
  beforeAll(async () => {
    const rules = { clientId: 'acme', pair: 'EUR/USD', type: '*' };
    await perform(on.services, 'setMargin', undefined, { ...rules, margin: '0.2' });
    await perform(on.services, 'setMargin', undefined, { ...rules, above: '1000000', margin: '0.15' });
    await on.loadMargins();
  });
  afterAll(async () => {
    const rules = { clientId: 'acme', pair: 'EUR/USD', type: '*' };
    await perform(on.services, 'removeMargin', undefined, { ...rules, above: '1000000' });
    await perform(on.services, 'removeMargin', undefined, rules);
    await on.loadMargins();
  });

  test('above the amount, in units of the first currency', async () => {
    const at = (provider: number, marginPpm: number) => [clientBid(provider, marginPpm), provider, marginPpm];
    expect(priced(await order({ ...EURUSD, sellAmount: 1_000_000 }))).toEqual(at(11_000_000, 2_000));
    expect(priced(await order({ ...EURUSD, sellAmount: 1_000_000.01 }))).toEqual(at(11_000_000, 1_500));
    expect(priced(await order({ ...EURUSD, sellAmount: 2_000_000 }))).toEqual(at(10_995_000, 1_500));
    // 1,097,800 USD is 1,000,000 EUR at the first band's bid; less the second margin, 1,098,350 USD is.
    for (const [buyAmount, marginPpm] of [
      [1_097_800, 2_000],
      [1_098_300, 2_000],
      [1_098_400, 1_500],
    ] as const)
      expect([buyAmount, priced(await order({ ...EURUSD, buyAmount }))[2]]).toEqual([buyAmount, marginPpm]);
    expect(await ask('getRate', { ...EURUSD, sellAmount: 2_000_000 })).toMatchObject({ margin: '0.15' });
    expect(await ask('getRate', EURUSD)).toMatchObject({ margin: '0.2' });
  });

  test.each([
    // The largest amounts have the smallest margin, and then the largest.
    ['5', '0.1'],
    ['0.1', '5'],
  ])(
    'an amount in the second currency has no smaller margin than the first currency would: %s, then %s',
    async (...margins) => {
      const rules = { clientId: 'acme', pair: 'EUR/USD', type: '*' };
      await perform(on.services, 'setMargin', undefined, { ...rules, margin: margins[0] });
      await perform(on.services, 'setMargin', undefined, { ...rules, above: '1000000', margin: margins[1] });
      await on.loadMargins();
      const dueOf = (minor: bigint) =>
        on.services.pricing.marginPpm('acme', pairBySymbol('EUR/USD')!, 'PREFUNDING', Number(minor) / 100)!;
      let between = 0;
      for (let amount = 1_000_000; amount <= 1_200_000; amount += 5_000)
        for (const wanted of [
          { ...EURUSD, buyAmount: amount },
          { ...USDEUR, sellAmount: amount },
        ])
          for (const holdPeriod of [undefined, '24_hours'] as const) {
            const name = holdPeriod ? 'getLockableRate' : 'getRate';
            const answer = (await ask(name, { ...wanted, ...(holdPeriod && { holdPeriod }) })) as {
              margin?: string;
              rate?: { marginPpm: number };
              conversion: { sellMinor: bigint; buyMinor: bigint };
            };
            const marginPpm = answer.rate?.marginPpm ?? Number(answer.margin) * 10_000;
            const base = wanted.sellCurrency === 'EUR' ? answer.conversion.sellMinor : answer.conversion.buyMinor;
            const due = dueOf(base) + (holdPeriod ? DEFAULT_HOLD_ADD_ONS[holdPeriod] : 0);
            expect(marginPpm, JSON.stringify([wanted, String(base)])).toBeGreaterThanOrEqual(due);
            if (marginPpm > due) between++;
          }
      // Where the amount would be below at the one margin and above at the other, it has the larger one.
      expect(between).toBeGreaterThan(0);
      await perform(on.services, 'setMargin', undefined, { ...rules, margin: '0.2' });
      await perform(on.services, 'setMargin', undefined, { ...rules, above: '1000000', margin: '0.15' });
      await on.loadMargins();
    },
  );

  test('is explained by the rule of its size', async () => {
    const explain = (more: object) =>
      perform(on.services, 'explainMargin', undefined, { clientId: 'acme', pair: 'EUR/USD', ...more });
    expect(await explain({})).toMatchObject({ marginPpm: 2_000 });
    expect(await explain({ sellCurrency: 'EUR', amount: '2000000' })).toMatchObject({
      marginPpm: 1_500,
      price: { bid: { provider: '1.0995000' } },
    });
    const { rules } = (await explain({ sellCurrency: 'USD', amount: '2000000' })) as { rules: readonly object[] };
    expect(rules).toContainEqual({
      clientId: 'acme',
      pair: 'EUR/USD',
      type: '*',
      above: 1_000_000,
      marginPpm: 1_500,
      wins: true,
    });
    expect(await explain({ sellCurrency: 'EUR', amount: '4000000' })).toMatchObject({
      noPrice: { refusal: 'INSUFFICIENT_LIQUIDITY' },
    });
  });

  test.each(['0', '-1', '1.5', '01', '1000000000000', 'much'])('is not above %s', async (above) => {
    const rule = { clientId: 'acme', pair: 'EUR/USD', type: '*', above, margin: '0.1' };
    expect(await perform(on.services, 'setMargin', undefined, rule)).toMatchObject({
      refusal: 'VALIDATION_FAILED',
      fields: [{ field: 'above' }],
    });
  });

  test('a smaller amount is not dealt at the price of another margin', async () => {
    const streamed = { ...STREAMED(), bidBand: { limit: 2_000_000, ...ownMargin(1_500) } };
    const deal = (sellAmount: number) =>
      perform({ ...on.services, streamed: { find: () => streamed } }, 'bookFxByCurrency', on.caller('acme'), {
        ...EURUSD,
        requestId: `size-${++ids}`,
        description: 'size',
        quoteId: 'E1.17',
        sellAmount,
      });
    expect(await deal(1_500_000)).toMatchObject({ replayed: false });
    expect(await deal(1_000_000)).toMatchObject({ refusal: 'HOLD_MISMATCH' });
    expect(await deal(2_000_001)).toMatchObject({ refusal: 'AMOUNT_ABOVE_LIMIT' });
  });
});

describe('where the book ends', () => {
  test.each([
    ['an order', 'bookFxByCurrency', { requestId: 'end', description: 'end' }],
    ['a rate', 'getRate', {}],
    ['a rate that can be locked', 'getLockableRate', {}],
  ] as const)(
    '%s is refused with INSUFFICIENT_LIQUIDITY, above the maximum with AMOUNT_ABOVE_LIMIT',
    async (_, name, more) => {
      for (const [sellAmount, refusal] of [
        [3_000_000.01, 'INSUFFICIENT_LIQUIDITY'],
        [5_000_000, 'INSUFFICIENT_LIQUIDITY'],
        [5_000_000.01, 'AMOUNT_ABOVE_LIMIT'],
      ] as const) {
        expect(await ask(name, { ...EURUSD, ...more, sellAmount })).toMatchObject({ refusal });
      }
    },
  );

  test('comes before a limit that is not met', async () => {
    const answer = await order({ ...EURUSD, sellAmount: 4_000_000, limitPrice: '1.2' });
    expect(answer).toMatchObject({ refusal: 'INSUFFICIENT_LIQUIDITY' });
    expect(await order({ ...EURUSD, sellAmount: 3_000_000, limitPrice: '1.2' })).toMatchObject({
      refusal: 'LIMIT_NOT_MET',
    });
    expect(await order({ ...EURUSD, sellAmount: 2_000_000, limitPrice: '1.0967' })).toMatchObject({ replayed: false });
    expect(await order({ ...EURUSD, sellAmount: 2_000_000, limitPrice: '1.0968' })).toMatchObject({
      refusal: 'LIMIT_NOT_MET',
    });
  });
});

describe('a streamed price', () => {
  const streamed = (bidBand: StreamedPrice['bidBand']) => ({ ...STREAMED(), bidBand });
  const deal = (input: object, bidBand = BAND) =>
    perform({ ...on.services, streamed: { find: () => streamed(bidBand) } }, 'bookFxByCurrency', on.caller('acme'), {
      requestId: `size-${++ids}`,
      description: 'size',
      quoteId: 'E1.17',
      ...input,
    });

  test('is for the amounts of its band', async () => {
    expect(priced(await deal({ ...EURUSD, sellAmount: 1_000_000 }))[1]).toBe(11_000_000);
    expect(await deal({ ...EURUSD, sellAmount: 1_000_000.01 })).toMatchObject({
      refusal: 'AMOUNT_ABOVE_LIMIT',
      text: "The price is for at most 1000000 EUR: use that of the amount's own band, or a market order",
    });
    expect(priced(await deal({ ...USDEUR, buyAmount: 500_000 }))[1]).toBe(11_010_000);
    expect(await deal({ ...USDEUR, buyAmount: 500_001 })).toMatchObject({ refusal: 'AMOUNT_ABOVE_LIMIT' });
    expect(
      await deal({ ...EURUSD, sellAmount: 1_000_000 }, { ...BAND, limit: Number.POSITIVE_INFINITY }),
    ).toMatchObject({
      replayed: false,
    });
  });
});
