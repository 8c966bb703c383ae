/** LIQUIDITY=firm: a deal takes its amount of the levels from its draft on, so that no level is sold twice. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import type { Booked } from '../../../engine/service/conversions/book-fx.js';
import type { Services, StreamedPrice } from '../../../engine/service/core/services.js';
import { perform } from '../../../engine/service/perform.js';
import { StoreUnavailable } from '../../../engine/store/connection/errors.js';
import { type MoneyRig, outcomeOf, startMoney } from '../../service/money-rig.js';

const EURUSD = { sellCurrency: 'EUR', buyCurrency: 'USD' };
let on: MoneyRig;
let ids = 0;

beforeAll(async () => {
  on = await startMoney({}, { isFirm: true, maxJumpPercent: 100, maxSpreadPercent: 100 });
  await perform(on.services, 'createClient', undefined, { id: 'acme', name: 'Acme' });
  await perform(on.services, 'changeClient', undefined, { id: 'acme', holdLimitUsd: 100_000_000 });
  for (const pair of ['EUR/USD', 'EUR/JPY', 'USD/JPY'])
    await perform(on.services, 'setMargin', undefined, { clientId: 'acme', pair, type: '*', margin: '0' });
  await on.loadMargins();
  await on.open('acme', 'EUR', '100000000');
  await on.open('acme', 'USD', '1000');
  await on.open('acme', 'JPY');
});
afterAll(() => on.stop());
beforeEach(quote);

function quote(): void {
  on.quote('EUR/USD', '1.1000x100000 1.0900x900000', '1.1010x100000 1.1110x900000');
  on.quote('USD/JPY', '150.00x110000 149.00x5000000', '151.00x110000 152.00x5000000');
}

const ask = (name: Parameters<typeof perform>[1], input: object) =>
  perform(on.services, name, on.caller('acme'), input);
const order = (input: object) =>
  ask('bookFxByCurrency', { requestId: `firm-${++ids}`, description: 'firm', ...input }) as Promise<Booked>;
const bought = ({ booking }: Booked) => BigInt(booking.buy);
const rate = async (sellAmount: number, pair: object = EURUSD) =>
  ((await ask('getRate', { ...pair, sellAmount })) as { providerRate: string }).providerRate;

test('three orders at once get what one of their sum gets', async () => {
  const one = await order({ ...EURUSD, sellAmount: 300_000 });
  expect(bought(one)).toBe(32_799_999n);
  quote();
  const three = await Promise.all([1, 2, 3].map(() => order({ ...EURUSD, sellAmount: 100_000 })));
  expect(three.map(bought).toSorted()).toEqual([10_900_000n, 10_900_000n, 11_000_000n]);
});

test('the other side, and amounts in the second currency', async () => {
  await on.open('acme', 'USD', '1000000');
  const wanted = { sellCurrency: 'USD', buyCurrency: 'EUR' };
  const sold = async (input: object) => BigInt(((await order({ ...wanted, ...input })) as Booked).booking.sell);
  expect(await sold({ buyAmount: 60_000 })).toBe(6_606_000n);
  // 40,000 at 1.1010 for 44,040 USD, and 10,000 at 1.1110.
  const { booking } = await order({ ...wanted, sellAmount: 55_150 });
  expect(booking.buy).toBe('5000000');
});

test('what is refused gives its levels back, what is booked keeps them until the next tick of the provider', async () => {
  expect(outcomeOf(await order({ ...EURUSD, sellAmount: 100_000, limitPrice: '1.2' }))).toBe('LIMIT_NOT_MET');
  const poor = { sellCurrency: 'JPY', buyCurrency: 'EUR', sellAmount: 1_000_000 };
  expect(outcomeOf(await order(poor))).toBe('INSUFFICIENT_BALANCE');
  expect(await rate(1_000_000, { sellCurrency: 'EUR', buyCurrency: 'USD' })).toBe('1.091');
  const requestId = 'firm-again';
  await order({ ...EURUSD, sellAmount: 100_000, requestId });
  await order({ ...EURUSD, sellAmount: 100_000, requestId });
  expect([await rate(100_000), await rate(900_000)]).toEqual(['1.09', '1.09']);
  expect(await ask('getRate', { ...EURUSD, sellAmount: 900_001 })).toMatchObject({ refusal: 'INSUFFICIENT_LIQUIDITY' });
  on.quote('USD/JPY', '150.00x110000', '151.00x110000');
  expect(await rate(100_000)).toBe('1.09');
  quote();
  expect(await rate(100_000)).toBe('1.1');
});

test('a lock takes them too, once; its booking takes no more', async () => {
  const offer = (await ask('getLockableRate', { ...EURUSD, sellAmount: 100_000 })) as unknown as {
    rateSignature: string;
  };
  const { hold } = (await ask('lockRate', { rateSignature: offer.rateSignature })) as unknown as {
    hold: { id: string };
  };
  await ask('lockRate', { rateSignature: offer.rateSignature });
  expect([await rate(100_000), await rate(900_000)]).toEqual(['1.09', '1.09']);
  // At 1.1 less the value of a hold of 15 minutes, 213 parts per million.
  expect(bought(await order({ ...EURUSD, sellAmount: 100_000, holdId: hold.id }))).toBe(10_997_657n);
  expect(await rate(900_000)).toBe('1.09');
});

test('a cross takes the levels of both legs', async () => {
  const cross = { sellCurrency: 'EUR', buyCurrency: 'JPY' };
  expect(bought(await order({ ...cross, sellAmount: 100_000 }))).toBe(16_500_000n);
  expect(await rate(100_000)).toBe('1.09');
  expect(await rate(110_000, { sellCurrency: 'USD', buyCurrency: 'JPY' })).toBe('149');
  // Given back after a refusal, on both.
  quote();
  const refused = await order({ sellCurrency: 'JPY', buyCurrency: 'EUR', buyAmount: 150_000 });
  expect(outcomeOf(refused)).toBe('INSUFFICIENT_BALANCE');
  const offer = (pair: object, buyAmount: number) => ask('getRate', { ...pair, buyAmount });
  const usd = { sellCurrency: 'JPY', buyCurrency: 'USD' };
  expect(await offer(usd, 110_000)).toMatchObject({ conversion: { sellMinor: 16_610_000n } });
  expect(await offer({ sellCurrency: 'USD', buyCurrency: 'EUR' }, 100_000)).toMatchObject({
    conversion: { sellMinor: 11_010_000n },
  });
});

describe('a streamed price', () => {
  const part = { rulePpm: 0, skewPpm: 0, wideningPpm: 0, spreadPpm: 0, marginPpm: 0, levels: 1 };
  const streamed: StreamedPrice = {
    ...{ pair: pairBySymbol('EUR/USD')!, bid: 11_000_000, offer: 11_010_000 },
    ...{ providerBid: 11_000_000, providerOffer: 11_010_000, type: 'PREFUNDING', sides: 'both', position: 0 },
    ...{ bidBand: { limit: 100_000, ...part }, offerBand: { limit: 100_000, ...part } },
    originKeys: new Float64Array(8),
  };
  const deal = (sellAmount: number) =>
    perform({ ...on.services, streamed: { find: () => streamed } }, 'bookFxByCurrency', on.caller('acme'), {
      ...EURUSD,
      ...{ requestId: `firm-${++ids}`, description: 'firm', quoteId: 'E1.17', sellAmount },
    }) as Promise<Booked>;

  test('is rejected with QUOTE_STALE where other deals have taken its level', async () => {
    const both = await Promise.all([deal(60_000), deal(60_000)]);
    expect(both.map(outcomeOf).toSorted()).toEqual(['QUOTE_STALE', 'booked']);
    expect(outcomeOf(await deal(40_000))).toBe('booked');
    expect(outcomeOf(await deal(1_000))).toBe('QUOTE_STALE');
  });

  test('is dealt where only the market has moved', async () => {
    await deal(60_000);
    on.quote('EUR/USD', '1.0990x100000 1.0900x900000', '1.1010x100000 1.1110x900000');
    expect(outcomeOf(await deal(60_000))).toBe('booked');
  });
});

describe('a conversion that ends at the market', () => {
  const scheduled = async (more: object = {}) =>
    (await order({ ...EURUSD, sellAmount: 100_000, type: 'SCHEDULED1', ...more })).booking;
  const quoteOf = async (confirmationId: string) => {
    quote();
    const answer = await ask('quoteCancellation', { confirmationId });
    return (answer as unknown as { quoteId: string }).quoteId;
  };
  /** What 100,000 EUR cost now, minor units of USD. */
  const cost = async () => {
    const answer = await ask('getRate', { sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 100_000 });
    return (answer as unknown as { conversion: { sellMinor: bigint } }).conversion.sellMinor;
  };
  const WHOLE = 11_010_000n;
  /** 110,000 USD at 1.1010 have taken all of the first level but 90.83 EUR. */
  const TAKEN = 11_109_910n;
  beforeAll(async () => {
    await perform(on.services, 'setScheduledLimit', undefined, { clientId: 'acme', limit: '10000000' });
  });

  test('takes the levels of its cancellation, once', async () => {
    const { id: confirmationId } = await scheduled();
    const quoteId = await quoteOf(confirmationId);
    expect(await cost()).toBe(WHOLE);
    const command = { confirmationId, quoteId, requestId: 'cancel-1' };
    expect(await ask('cancelConversion', command)).toMatchObject({ replayed: false });
    expect(await cost()).toBe(TAKEN);
    expect(await ask('cancelConversion', command)).toMatchObject({ replayed: true });
    expect(await cost()).toBe(TAKEN);
    quote();
    expect(await cost()).toBe(WHOLE);
  });

  test('is cancelled once at the price of a level that carries one', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 2; i++) {
      quote();
      ids.push((await scheduled()).id);
    }
    const quotes = await Promise.all(ids.map(quoteOf));
    const both = await Promise.all(
      ids.map((confirmationId, i) =>
        ask('cancelConversion', { confirmationId, quoteId: quotes[i], requestId: `both-${i}` }),
      ),
    );
    expect(both.map((one) => ('refusal' in one ? one.refusal : 'cancelled')).toSorted()).toEqual([
      'RATE_MOVED',
      'cancelled',
    ]);
  });

  test('gives them back when its cancellation is refused, and keeps them when the outcome is unknown', async () => {
    const { id: confirmationId } = await scheduled();
    const quoteId = await quoteOf(confirmationId);
    expect(await ask('cancelConversion', { confirmationId, quoteId, requestId: 'cancel-1' })).toMatchObject({
      refusal: 'REQUEST_ID_REUSED',
    });
    expect(await cost()).toBe(WHOLE);
    const cancel = (outcome: 'none' | 'unknown') => {
      const make = () => Promise.reject(new StoreUnavailable(outcome));
      const store = Object.assign(Object.create(on.services.store), { changes: { make } }) as Services['store'];
      const command = { confirmationId, quoteId, requestId: 'cancel-2' };
      return perform({ ...on.services, store }, 'cancelConversion', on.caller('acme'), command);
    };
    expect(await cancel('none')).toMatchObject({ refusal: 'STORE_UNAVAILABLE' });
    expect(await cost()).toBe(WHOLE);
    expect(await cancel('unknown')).toMatchObject({ refusal: 'STORE_UNAVAILABLE' });
    expect(await cost()).toBe(TAKEN);
  });

  test('takes those of its close-out by the operator; one that is refused takes none', async () => {
    await perform(on.services, 'createClient', undefined, { id: 'poor', name: 'Poor' });
    await perform(on.services, 'setScheduledLimit', undefined, { clientId: 'poor', limit: '10000000' });
    await perform(on.services, 'setMargin', undefined, { clientId: 'poor', pair: 'EUR/USD', type: '*', margin: '0' });
    await on.loadMargins();
    for (const currency of ['EUR', 'USD']) await on.open('poor', currency);
    const booking = await on.book('poor', {
      ...EURUSD,
      ...{ requestId: 'late', description: 'late', sellAmount: 100_000, type: 'SCHEDULED1' },
    });
    on.clock.now = booking.expiryMs;
    await settleDue(on.services, 100);
    quote();
    const named = { clientId: 'poor', confirmationId: booking.id, reason: 'not funded', closeOut: true };
    expect(await perform(on.services, 'cancelBooking', undefined, named)).toMatchObject({
      booking: { status: 'CANCELLED' },
    });
    expect(await cost()).toBe(11_110_000n);
    expect(await perform(on.services, 'cancelBooking', undefined, named)).toHaveProperty('refusal');
    expect(await cost()).toBe(11_110_000n);
  });
});
