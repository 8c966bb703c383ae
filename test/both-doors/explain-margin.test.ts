/** The explained price equals the price of REST, of a stream, of a hold and of a booking, for any margin and any tick. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RIGHTS } from '../../engine/domain/core/rights.js';
import { Decimal } from '../../engine/domain/money/decimal.js';
import type { PricingRule } from '../../engine/domain/prices/pricing-rule.js';
import type { OperatorOperationName, OutputOf } from '../../engine/service/operations.js';
import { perform } from '../../engine/service/perform.js';
import { type Rig, startRig } from '../fix/rig.js';
import type { TestDesk } from '../support/desk.js';
import { NEAREST_FIRST } from '../support/margin-rules.js';

/** Decimals of a provider's price, initial prices, decimals of the client's price. */
const PAIRS = [
  ['EUR/USD', 5, 1, 7],
  ['USD/JPY', 3, 150, 5],
  ['GBP/USD', 5, 1.2, 7],
] as const;

let rig: Rig;
let desk: TestDesk;
beforeAll(async () => {
  rig = await startRig();
  const acme = await rig.client('acme', { margin: '0.25' });
  desk = rig.desk(acme);
  const token = (await desk.logon()).get(20001)!;
  for (const [pair] of PAIRS) desk.stream(pair, [pair], token);
});
afterAll(() => rig.stop());

const CALLER = { clientId: 'acme', keyId: 'CK_X', rights: new Set(RIGHTS) };
const operator = async <Name extends OperatorOperationName>(name: Name, input: object): Promise<OutputOf<Name>> => {
  const answer = await perform(rig.services, name, undefined, input);
  if ('refusal' in answer) throw new Error(`${answer.refusal} ${answer.text}`);
  return answer as OutputOf<Name>;
};
const explain = (more: object = {}) => operator('explainMargin', { clientId: 'acme', pair: 'EUR/USD', ...more });
const rules = (...all: (readonly [string, string, string, number])[]) =>
  rig.services.margins.replace(
    all.map(([clientId, pair, type, marginPpm]) => ({ clientId, pair, type: type as '*', marginPpm })),
  );
const asked = async (name: 'getRate' | 'getLockableRate', input: object) => {
  const answer = await perform(rig.services, name, CALLER, input);
  if ('refusal' in answer) throw new Error(`${answer.refusal} ${answer.text}`);
  return answer;
};

/** The last streamed price, once it equals `expected`, or the last one after two minutes. */
async function streamed(pair: string, expected: readonly string[]): Promise<readonly string[]> {
  for (let tries = 0; ; tries++) {
    const shown = desk.received.findLast((message) => message.get(35) === 'W' && message.get(55) === pair);
    const prices = shown?.all(270) ?? [];
    if (tries === 24_000 || prices.join() === expected.join()) return prices;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The shown unrounded price, rounded: must equal the price itself. A truncated text is never half way. */
const rounded = (exact: string, digits: number) =>
  new Decimal(exact.replace('...', '1')).toDecimalPlaces(digits, Decimal.ROUND_HALF_EVEN).toFixed(digits);

/** Thousandths of a pip: for some cases none, for others few or many. */
const PIPS = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 9_999_999 }));

test('explains any margin, any price, any rule of pricing and both directions', async () => {
  const any = fc.record({
    pair: fc.constantFrom(...PAIRS),
    ppm: fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 900_000 })),
    points: fc.integer({ min: 0, max: 99_999 }),
    spread: fc.integer({ min: 0, max: 40 }),
    amount: fc.integer({ min: 1, max: 9_999_999 }),
    shift: fc.option(fc.record({ skew: PIPS, net: fc.integer({ min: -9, max: 9 }), spreadMin: PIPS, spreadMax: PIPS })),
  });
  await fc.assert(
    fc.asyncProperty(any, async ({ pair: [symbol, decimals, from], ppm, points, spread, amount, shift }) => {
      const bid = new Decimal(from).plus(new Decimal(points).div(10 ** decimals));
      const offer = bid.plus(new Decimal(spread).div(10 ** decimals));
      rig.tick(symbol, bid.toFixed(decimals), offer.toFixed(decimals));
      rules(['acme', symbol, '*', ppm], ['acme', '*', '*', 1]);
      const { net = 0, ...parts } = shift ?? {};
      rig.services.pricing.shifts.setPosition(() => net * 1e6);
      rig.services.pricing.shifts.replace(shift ? [{ pair: '*', ...parts, skewMax: 50_000 } as PricingRule] : []);
      const [base, quote] = symbol.split('/') as [string, string];
      const sellAmount = base === 'JPY' ? String(amount) : new Decimal(amount).div(100).toFixed(2);
      const explained = await explain({ pair: symbol, sellCurrency: base, amount: sellAmount });
      expect(explained.marginPpm).toBe(ppm);
      const price = explained.price!;

      const prices = [price.bid.client, price.offer.client];
      expect(await streamed(symbol, prices)).toEqual(prices);
      const { length } = prices[0]!.split('.')[1]!;
      expect([rounded(price.bid.exact, length), rounded(price.offer.exact, length)]).toEqual(prices);

      const sellsBase = await asked('getRate', { sellCurrency: base, buyCurrency: quote });
      expect(sellsBase).toMatchObject({
        clientRate: new Decimal(price.bid.client).toFixed(),
        providerRate: new Decimal(price.bid.provider).toFixed(),
      });
      const sellsQuote = await asked('getRate', { sellCurrency: quote, buyCurrency: base });
      const inverse = new Decimal(1).div(price.offer.client).toSignificantDigits(10, Decimal.ROUND_HALF_EVEN);
      expect(sellsQuote).toMatchObject({ clientRate: inverse.toFixed() });

      const offered = await perform(rig.services, 'getLockableRate', CALLER, {
        sellCurrency: base,
        buyCurrency: quote,
        sellAmount: Number(sellAmount),
        holdPeriod: '15_mins',
      });
      // Too small or too large for the pair: an explanation has no limits.
      if ('refusal' in offered) {
        expect(offered.refusal).toMatch(/^AMOUNT_/);
        return;
      }
      // Of a hold, which may be worth more than the margin.
      const held = await explain({ pair: symbol, sellCurrency: base, amount: sellAmount, holdPeriod: '15_mins' });
      const { sellMinor, buyMinor, marginMinor, marginCurrency } = held.conversion!;
      expect(offered.conversion).toEqual({ sellMinor, buyMinor, marginMinor, marginCurrency });
    }),
    { numRuns: 90, seed: 20_261_120 },
  );
  rig.services.pricing.shifts.replace([]);
});

test('includes the add-on of a longer hold in the margin, as an offer does', async () => {
  rig.tick('EUR/USD', '1.08431', '1.08433');
  rules(['acme', '*', '*', 2_500]);
  const offered = await asked('getLockableRate', { sellCurrency: 'USD', buyCurrency: 'EUR', holdPeriod: '4_hours' });
  const explained = await explain({ holdPeriod: '4_hours' });
  expect(explained).toMatchObject({ marginPpm: 2_500, addOnPpm: 500, holdPeriod: '4_hours' });
  expect(explained).toMatchObject({ price: { offer: { rate: { marginPpm: 3_000 } } } });
  expect(offered).toMatchObject({ rate: { price: explained.price?.offer.rate.price } });
});

describe('the rules', () => {
  test.each(NEAREST_FIRST.map((_rule, i) => i))(
    'without the first %i: the next rule applies, and is named',
    async (i) => {
      rules(...NEAREST_FIRST.slice(i));
      const explained = await explain({ type: 'SCHEDULED1' });
      expect(explained.rules.map(({ clientId, pair, type }) => [clientId, pair, type])).toEqual(
        NEAREST_FIRST.map((rule) => rule.slice(0, 3)),
      );
      expect(explained.rules.map(({ marginPpm }) => marginPpm)).toEqual(
        NEAREST_FIRST.map(([, , , ppm], place) => (place < i ? undefined : ppm)),
      );
      expect(explained.rules.findIndex(({ wins }) => wins)).toBe(i);
      expect(explained.marginPpm).toBe(i + 1);
      expect(rig.services.pricing.marginPpm('acme', { symbol: 'EUR/USD' } as never, 'SCHEDULED1')).toBe(i + 1);
    },
  );

  test('explains the rules without a price, with the reason', async () => {
    rules(['acme', '*', '*', 2_500]);
    rig.withdraw('GBP/USD');
    expect(await explain({ pair: 'GBP/USD' })).toMatchObject({
      marginPpm: 2_500,
      noPrice: { refusal: 'RATE_UNAVAILABLE' },
    });
    rules();
    const none = await explain();
    expect(none).toMatchObject({ marginPpm: undefined, noPrice: { refusal: 'NOT_ENTITLED' } });
    expect(none.rules.some(({ wins }) => wins)).toBe(false);
  });
});

test.each([
  [{ clientId: 'unknown' }, 'UNKNOWN_CLIENT'],
  [{ pair: 'USD/EUR' }, 'VALIDATION_FAILED'],
  [{ amount: '1' }, 'VALIDATION_FAILED'],
  [{ amount: '1', sellCurrency: 'JPY' }, 'BAD_CURRENCY'],
  [{ amount: '1.001', sellCurrency: 'EUR' }, 'BAD_AMOUNT'],
  [{ holdPeriod: 'long' }, 'VALIDATION_FAILED'],
])('rejects %j', async (more, refusal) => {
  const input = { clientId: 'acme', pair: 'EUR/USD', ...more };
  expect(await perform(rig.services, 'explainMargin', undefined, input)).toMatchObject({ refusal });
});
