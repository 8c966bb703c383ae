/** Rules of pricing: the operator's commands, and the effective margin at each place of the service that prices. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Booking, Hold } from '../../../engine/domain/conversions/booking.js';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import { clientBid, clientOffer } from '../../../engine/domain/money/rate.js';
import { perform } from '../../../engine/service/perform.js';
import { type MoneyRig, startMoney } from '../../service/money-rig.js';

let on: MoneyRig;
let ids = 0;
beforeAll(async () => {
  on = await startMoney();
  await perform(on.services, 'createClient', undefined, { id: 'acme', name: 'Acme' });
  await on.open('acme', 'EUR', '9000000');
  await on.open('acme', 'USD', '9000000');
});
afterAll(() => on.stop());

const operator = (name: Parameters<typeof perform>[1], input: object = {}) =>
  perform(on.services, name, undefined, input) as Promise<Record<string, unknown>>;
const ask = async (name: Parameters<typeof perform>[1], input: object) => {
  const answer = await perform(on.services, name, on.caller('acme'), input);
  if ('refusal' in answer) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
  return answer as unknown;
};
const EURUSD = { sellCurrency: 'EUR', buyCurrency: 'USD' };
const USDEUR = { sellCurrency: 'USD', buyCurrency: 'EUR' };

describe('the operator’s commands', () => {
  test('set the parts that are named, and keep the others', async () => {
    expect(await operator('setPricing', { pair: 'EUR/USD', skew: '0.5', skewMax: '3' })).toMatchObject({ skew: '0.5' });
    expect(await operator('setPricing', { pair: 'EUR/USD', spreadMin: '1.250' })).toEqual({
      ...{ pair: 'EUR/USD', skew: '0.5', skewMax: '3', spreadMin: '1.25' },
      ...{ spreadMax: undefined, widenAfterMs: undefined, widenBy: undefined },
    });
    await operator('setPricing', { pair: '*', widenAfterMs: '1500', widenBy: '0.1' });
    expect(await operator('listPricing')).toMatchObject({
      rules: [
        { pair: '*', widenAfterMs: 1_500, widenBy: '0.1' },
        { pair: 'EUR/USD', skewMax: '3', spreadMin: '1.25' },
      ],
    });
    expect(await operator('setPricing', { pair: '*', volatility: '0' })).toMatchObject({
      volatility: '0',
      widenBy: '0.1',
    });
    expect(await operator('setPricing', { pair: '*', volatility: '7.50' })).toMatchObject({ volatility: '7.5' });
    expect(await operator('removePricing', { pair: '*' })).toEqual({ pair: '*' });
    expect(await operator('removePricing', { pair: '*' })).toMatchObject({ refusal: 'WRONG_STATE' });
    expect(await operator('removePricing', { pair: 'EUR/USD' })).toEqual({ pair: 'EUR/USD' });
    expect(await operator('listPricing')).toEqual({ rules: [] });
  });

  test.each([
    [{}, 'Name at least one'],
    [{ skew: '1' }, 'with its bound'],
    [{ skewMax: '1' }, 'with its bound'],
    [{ skew: '1', skewMax: '0' }, 'with its bound'],
    [{ widenBy: '1' }, 'with an age'],
    [{ widenAfterMs: '100' }, 'with an age'],
    [{ spreadMin: '2', spreadMax: '1.999' }, 'above the most'],
    [{ skew: '-1', skewMax: '1' }, 'pips, 0 to 9999.999'],
    [{ spreadMin: '1.0001' }, 'pips, 0 to 9999.999'],
    [{ widenBy: '1', widenAfterMs: '1.5' }, 'whole milliseconds'],
    [{ widenBy: '1', widenAfterMs: '600001' }, 'whole milliseconds'],
    [{ volatility: '100.01' }, 'percent of a year'],
    [{ volatility: '1.234' }, 'percent of a year'],
    [{ volatility: '' }, 'percent of a year'],
    [{ pair: 'USD/EUR', spreadMin: '1' }, 'market convention'],
  ])('%j is refused, and changes nothing', async (parts, text) => {
    const refused = await operator('setPricing', { pair: 'EUR/USD', ...parts });
    expect(refused.refusal).toBe('VALIDATION_FAILED');
    expect(JSON.stringify(refused)).toContain(text);
    expect(await operator('listPricing')).toEqual({ rules: [] });
  });

  test('processes have a change within a second, and two at once are both made', async () => {
    let rules = 0;
    const stop = on.services.store.pricingRules.onChange((all) => {
      rules = all.size;
    });
    const parts = [{ spreadMin: '1' }, { spreadMax: '9' }, { skew: '1', skewMax: '2' }];
    await Promise.all(parts.map((part) => operator('setPricing', { pair: 'EUR/USD', ...part })));
    await expect.poll(() => rules).toBe(1);
    expect(await operator('listPricing')).toMatchObject({
      rules: [{ skew: '1', skewMax: '2', spreadMin: '1', spreadMax: '9' }],
    });
    await operator('removePricing', { pair: 'EUR/USD' });
    await expect.poll(() => rules).toBe(0);
    stop();
  });
});

/** The price of a side follows from the provider's and the margin that is stored with it, to the last digit. */
function follows({
  sellCurrency,
  price,
  providerPrice,
  marginPpm,
}: Pick<Booking, 'sellCurrency' | 'price' | 'providerPrice' | 'marginPpm'>) {
  expect((sellCurrency === 'EUR' ? clientBid : clientOffer)(providerPrice, marginPpm)).toBe(price);
}

test('rate, offer, hold of both sides, conversion and explanation have the same effective margin, for any shift', async () => {
  const { shifts } = on.services.pricing;
  const pips = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60_000 }));
  const any = fc.record({
    skew: pips,
    net: fc.integer({ min: -5_000_000, max: 5_000_000 }),
    spreadMin: pips,
    spreadMax: pips,
    addOn: fc.constantFrom('15_mins', '4_hours'),
  });
  await fc.assert(
    fc.asyncProperty(any, async ({ skew, net, spreadMin, spreadMax, addOn }) => {
      shifts.replace([{ pair: 'EUR/USD', skew, skewMax: skew, spreadMin, spreadMax }]);
      shifts.setPosition(() => net);
      const quote = on.services.pricing.quote('acme', pairBySymbol('EUR/USD')!, 'PREFUNDING');
      if ('refusal' in quote) throw new Error(quote.text);
      const percentOf = { bid: quote.bidMarginPpm / 10_000, offer: quote.offerMarginPpm / 10_000 };
      const [sells, buys] = (await Promise.all([ask('getRate', EURUSD), ask('getRate', USDEUR)])) as {
        margin: string;
      }[];
      expect([Number(sells!.margin), Number(buys!.margin)]).toEqual([percentOf.bid, percentOf.offer]);

      const offered = { ...EURUSD, sellAmount: 10, holdPeriod: addOn, twoWay: true };
      const offer = (await ask('getLockableRate', offered)) as {
        rate: Booking;
        opposite: Booking;
        rateSignature: string;
      };
      follows(offer.rate);
      follows(offer.opposite);
      // The value of a two-way hold is its floor.
      const [addOnPpm, floorPpm] = addOn === '4_hours' ? [500, 1_704] : [0, 426];
      const effective = [quote.bidMarginPpm, quote.offerMarginPpm].map((ppm) => Math.max(ppm + addOnPpm, floorPpm));
      expect([offer.rate.marginPpm, offer.opposite.marginPpm]).toEqual(effective);
      const { hold } = (await ask('lockRate', { rateSignature: offer.rateSignature })) as { hold: Hold };
      expect([hold.marginPpm, hold.opposite!.marginPpm]).toEqual(effective);

      for (const direction of [EURUSD, USDEUR]) {
        const command = { ...direction, sellAmount: 10, requestId: `pricing-${++ids}`, description: 'a test' };
        const { booking } = (await ask('bookFxByCurrency', command)) as { booking: Booking };
        follows(booking);
        const isBid = direction === EURUSD;
        expect(booking.marginPpm).toBe(isBid ? quote.bidMarginPpm : quote.offerMarginPpm);
        expect(isBid ? booking.price <= booking.providerPrice : booking.price >= booking.providerPrice).toBe(true);
      }
      const explained = await operator('explainMargin', {
        ...{ clientId: 'acme', pair: 'EUR/USD', holdPeriod: addOn, twoWay: true },
      });
      expect(explained).toMatchObject({
        marginPpm: 2_500,
        price: {
          bid: { margin: { rulePpm: 2_500, marginPpm: quote.bidMarginPpm }, rate: { marginPpm: effective[0] } },
          offer: { margin: { rulePpm: 2_500, marginPpm: quote.offerMarginPpm }, rate: { marginPpm: effective[1] } },
        },
      });
    }),
    { numRuns: 40, seed: 15 },
  );
  shifts.replace([]);
});
