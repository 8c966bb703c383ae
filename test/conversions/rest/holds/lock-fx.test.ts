import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  BY_CURRENCY,
  type Client,
  type Fields,
  GET_FX_RATE,
  LOCK,
  MONDAY,
  type MoneyDoor,
  openMoneyDoor,
  RELEASE,
} from '../../../rest/money-door.js';

const EUR_TO_USD = 'source_currency=EUR&destination_currency=USD';

let door: MoneyDoor;
let acme: Client;
let next = 0;

beforeAll(async () => {
  door = await openMoneyDoor();
  acme = await door.client('acme');
  await acme.account('EUR', 1_000_000_00n);
  await acme.account('USD', 1_000_000_00n);
  await door.opened.store.clients.setScheduledLimit('acme', '1000000');
  // Each test leaves holds open.
  await door.opened.store.clients.change('acme', { holdLimitUsd: 1_000_000_000 });
});
afterAll(() => door.stop());
beforeEach(() => {
  door.services.nowMs = MONDAY;
  door.freshPrices();
});

async function offered(query: string): Promise<Record<string, unknown>> {
  const { status, body } = await acme.get(`${GET_FX_RATE}?${query}`);
  expect([status, body.detail, body.errors]).toEqual([200, undefined, undefined]);
  return body;
}
async function held(query: string): Promise<Record<string, unknown>> {
  const { rate_signature } = await offered(query);
  return (await acme.get(`${LOCK}?rate_signature=${rate_signature}`)).body;
}
const book = (more: Fields) =>
  acme.post(BY_CURRENCY, {
    request_id: `r-${++next}`,
    description: 'x',
    sell_currency: 'EUR',
    buy_currency: 'USD',
    sell_amount: 100,
    ...more,
  });

type Field = readonly [field: string, type: string, value: unknown];
const OFFER: readonly Field[] = [
  ['source_currency', 'string', 'EUR'],
  ['destination_currency', 'string', 'USD'],
  ['base_fx_rate', 'number', 1.08431],
  ['margin', 'number', 0.25],
  ['fx_rate', 'number', 1.0815992],
  ['schedule', 'string', 'PREFUNDING'],
  ['settlement_date', 'string', '2028-07-05'],
  ['rate_signature', 'string', expect.stringMatching(/^[A-Za-z0-9_-]{100,2048}$/)],
  ['lock_expiry_at', 'string', '2028-07-03T10:00:30.000Z'],
  ['hold_expiry_at', 'string', '2028-07-03T10:15:00.000Z'],
];
const HELD: readonly Field[] = [
  ['fx_hold_id', 'string', expect.stringMatching(/^HLD[0-9A-Z]{13,20}$/)],
  ...OFFER.slice(0, 7),
  ['hold_expiry_at', 'string', '2028-07-03T10:15:00.000Z'],
  ['status', 'string', 'OPEN'],
];

describe('every field of an offer', () => {
  test.each(OFFER)('%s', async (field, type, value) => {
    const body = await offered(EUR_TO_USD);
    expect(body[field]).toEqual(value);
    expect(typeof body[field]).toBe(type);
  });

  test('has no other field', async () => {
    expect(Object.keys(await offered(EUR_TO_USD))).toEqual(OFFER.map(([field]) => field));
  });

  test.each([
    ['sell_amount=100', 100, 108.15],
    ['sell_amount=33.33', 33.33, 36.04],
    ['buy_amount=100', 92.46, 100],
  ])('and both amounts when %s is asked for', async (amount, sold, bought) => {
    const body = await offered(`${EUR_TO_USD}&${amount}`);
    expect(Object.keys(body).slice(OFFER.length)).toEqual(['sell_amount', 'buy_amount']);
    expect([body.sell_amount, body.buy_amount]).toEqual([sold, bought]);
  });
});

describe.each<[string, () => Promise<Record<string, unknown>>]>([
  ['by GET', () => held(EUR_TO_USD)],
  ['by POST', async () => (await acme.post(LOCK, { rate_signature: (await offered(EUR_TO_USD)).rate_signature })).body],
  [
    'by a form',
    async () => (await acme.form(LOCK, { rate_signature: (await offered(EUR_TO_USD)).rate_signature })).body,
  ],
])('every field of a hold that is taken %s', (_how, hold) => {
  test.each(HELD)('%s', async (field, type, value) => {
    const body = await hold();
    expect(body[field]).toEqual(value);
    expect(typeof body[field]).toBe(type);
  });

  test('has no other field', async () => {
    expect(Object.keys(await hold())).toEqual(HELD.map(([field]) => field));
  });
});

test.each([
  ['sell_amount=100', 'sell_amount', 100],
  ['buy_amount=99.9', 'buy_amount', 99.9],
])('a hold of %s says so', async (query, field, amount) => {
  const body = await held(`${EUR_TO_USD}&${query}`);
  expect(Object.keys(body).slice(HELD.length)).toEqual([field]);
  expect(body[field]).toBe(amount);
});

test.each([
  ['EUR', 'USD', 1.08431, 1.0815992],
  ['USD', 'EUR', 0.9222284729, 0.9199229178],
  ['USD', 'JPY', 151.234, 150.85592],
  ['JPY', 'USD', 0.006611963687, 0.006595433783],
])('%s to %s: offer, hold, rate and booking show the same numbers', async (sell, buy, base, client) => {
  const pair = `source_currency=${sell}&destination_currency=${buy}`;
  const offer = await offered(pair);
  const hold = await held(pair);
  const { body: rate } = await acme.get(`/api/v1/bookfx/rate?sell_currency=${sell}&buy_currency=${buy}`);
  expect([offer.base_fx_rate, offer.fx_rate]).toEqual([base, client]);
  expect([hold.base_fx_rate, hold.fx_rate, hold.margin]).toEqual([base, client, offer.margin]);
  expect([rate.fx_rate, rate.instarem_fx_rate, rate.margin]).toEqual([base, client, offer.margin]);
});

describe('how it may be asked for', () => {
  test.each([
    ['sell_currency=EUR&buy_currency=USD'],
    ['source_currency=EUR&buy_currency=USD'],
    ['source_currency=EUR&sell_currency=EUR&destination_currency=USD&buy_currency=USD'],
    [`${EUR_TO_USD}&schedule=&hold_period=&sell_amount=&buy_amount=`],
    [`${EUR_TO_USD}&schedule=PREFUNDING&hold_period=15_mins`],
  ])('%s', async (query) => {
    expect(await offered(query)).toEqual(Object.fromEntries(OFFER.map(([field, , value]) => [field, value])));
  });

  test.each([
    ['SCHEDULE1', 'SCHEDULED1', 0.5],
    ['SCHEDULED1', 'SCHEDULED1', 0.5],
    ['SCHEDULE2', 'SCHEDULED2', 0.25],
    ['SCHEDULED2', 'SCHEDULED2', 0.25],
  ])('schedule %s', async (asked, schedule, margin) => {
    const body = await offered(`${EUR_TO_USD}&schedule=${asked}`);
    expect([body.schedule, body.margin, body.settlement_date]).toEqual([schedule, margin, '2028-07-05']);
  });

  test.each([
    // 1.08431 less the margin, half-even at 7 decimals
    ['5_mins', 0.25, 1.0815992, 300],
    ['15_mins', 0.25, 1.0815992, 900],
    ['1_hour', 0.27, 1.0813824, 3_600],
    ['4_hours', 0.3, 1.0810571, 14_400],
    ['8_hours', 0.33, 1.0807318, 28_800],
    ['24_hours', 0.4, 1.0799728, 86_400],
  ])('hold_period %s', async (period, margin, rate, seconds) => {
    const offer = await offered(`${EUR_TO_USD}&hold_period=${period}`);
    const hold = await held(`${EUR_TO_USD}&hold_period=${period}`);
    for (const body of [offer, hold]) {
      expect([body.margin, body.fx_rate]).toEqual([margin, rate]);
      expect(Date.parse(String(body.hold_expiry_at)) - MONDAY).toBe(seconds * 1_000);
    }
  });
});

describe('a hold', () => {
  test('is firm: it books at its rate after the market moved, the feed closed or a day passed', async () => {
    const { fx_hold_id } = await held(`${EUR_TO_USD}&hold_period=24_hours`);
    door.withdraw('EUR/USD');
    door.services.nowMs += 23 * 3_600_000;
    const { status, body } = await book({ fx_hold_id });
    // 1.08431 less 0.4 %
    expect([status, body.instarem_fx_rate, body.margin_percent, body.buy_amount]).toEqual([
      200, 1.0799728, 0.4, 107.99,
    ]);
  });

  test.each([
    ['until its end', 870_000, 200],
    ['and not longer', 900_001, 400],
  ])('lasts %s', async (_what, ms, status) => {
    const { fx_hold_id } = await held(EUR_TO_USD);
    door.services.nowMs += ms;
    expect((await book({ fx_hold_id })).status).toBe(status);
  });

  test('one signature is one hold, by GET and POST, at once and when it is late', async () => {
    const { rate_signature } = await offered(EUR_TO_USD);
    const ask = () => acme.get(`${LOCK}?rate_signature=${rate_signature}`);
    const answers = await Promise.all([ask(), ask(), acme.post(LOCK, { rate_signature }), ask()]);
    expect(new Set(answers.map(({ body }) => body.fx_hold_id)).size).toBe(1);
    door.services.nowMs += 60_000;
    expect((await ask()).body).toEqual(answers[0].body);

    expect((await book({ fx_hold_id: answers[0].body.fx_hold_id })).status).toBe(200);
    expect((await ask()).body).toEqual({ ...answers[0].body, status: 'USED' });
  });

  test('reports that it has ended', async () => {
    const { rate_signature } = await offered(EUR_TO_USD);
    await acme.post(LOCK, { rate_signature });
    door.services.nowMs += 900_001;
    expect((await acme.post(LOCK, { rate_signature })).body.status).toBe('EXPIRED');
  });

  test('two offers are two holds', async () => {
    expect((await held(EUR_TO_USD)).fx_hold_id).not.toBe((await held(EUR_TO_USD)).fx_hold_id);
  });

  test('an offer alone holds nothing', async () => {
    const before = await door.kept('acme');
    await offered(EUR_TO_USD);
    expect(await door.kept('acme')).toEqual(before);
  });
});

describe('a release', () => {
  test.each(['post', 'form'] as const)('by %s answers the hold, and again the same', async (send) => {
    const hold = await held(`${EUR_TO_USD}&sell_amount=100`);
    const released = { ...hold, status: 'RELEASED' };
    for (let times = 0; times < 2; times++) {
      const { status, body } = await acme[send](RELEASE, { fx_hold_id: hold.fx_hold_id });
      expect([status, body]).toEqual([200, released]);
    }
    expect((await book({ fx_hold_id: hold.fx_hold_id })).body.code).toBe('HOLD_EXPIRED');
  });
});

test('a lock is never cached', async () => {
  const { rate_signature } = await offered(EUR_TO_USD);
  for (const { headers } of [
    await acme.get(`${LOCK}?rate_signature=${rate_signature}`),
    await acme.post(LOCK, { rate_signature }),
  ])
    expect(headers['cache-control']).toBe('no-store');
});
