import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  BY_ACCOUNT,
  BY_CURRENCY,
  type Client,
  type Fields,
  type MoneyDoor,
  openMoneyDoor,
} from '../../rest/money-door.js';
import type { Answer } from '../../rest/rest-door.js';

let door: MoneyDoor;
let acme: Client;
let eur: number;
let usd: number;
let next = 0;

beforeAll(async () => {
  door = await openMoneyDoor();
  acme = await door.client('acme');
  eur = await acme.account('EUR', 1_000_000_00n);
  usd = await acme.account('USD', 1_000_000_00n);
  await acme.account('JPY', 100_000_000n);
  await door.opened.store.clients.setScheduledLimit('acme', '1000000');
});
afterAll(() => door.stop());
beforeEach(() => door.freshPrices());

const nextId = () => `r-${++next}`;
const byCurrency = (more: Fields = {}): Fields => ({
  request_id: nextId(),
  description: 'Rent, July',
  sell_currency: 'EUR',
  buy_currency: 'USD',
  sell_amount: 100,
  ...more,
});
const byAccount = (more: Fields = {}): Fields => ({
  request_id: nextId(),
  description: 'Rent, July',
  to_account: eur,
  from_account: usd,
  sell_amount: 100,
  ...more,
});
async function booked(path: string, fields: Fields, send: 'post' | 'form' = 'post'): Promise<Record<string, unknown>> {
  const { status, body } = await acme[send](path, fields);
  expect([status, body.detail, body.errors]).toEqual([200, undefined, undefined]);
  return body;
}
const balances = async () =>
  Object.fromEntries(
    ((await acme.get('/api/v1/balance/all')).body as unknown as Record<string, number>[]).map((account) => [
      account.currency,
      account.balance,
    ]),
  );

const CONFIRMATION: readonly (readonly [field: string, type: string, value: () => unknown])[] = [
  ['confirmation_id', 'string', () => expect.stringMatching(/^BFX[0-9A-Z]{13,20}$/)],
  // 100 x 1.0815992, rounded down
  ['buy_amount', 'number', () => 108.15],
  ['sell_amount', 'number', () => 100],
  ['from_account', 'number', () => usd],
  ['to_account', 'number', () => eur],
  ['buy_currency', 'string', () => 'USD'],
  ['sell_currency', 'string', () => 'EUR'],
  // 1.08431 x 0.9975, half-even at 7 decimals
  ['instarem_fx_rate', 'number', () => 1.0815992],
  ['fx_rate', 'number', () => 1.08431],
  ['margin_percent', 'number', () => 0.25],
  ['margin_value', 'number', () => 0.0027108],
  ['created_at', 'string', () => '2028-07-03T10:00:00.000Z'],
  ['expiry_at', 'string', () => '2028-07-03T22:00:00.000Z'],
  ['status', 'string', () => 'SETTLED'],
  ['settlement_date', 'string', () => '2028-07-05'],
  ['buy_account', 'number', () => usd],
  ['sell_account', 'number', () => eur],
];

describe.each<[string, () => Promise<Record<string, unknown>>]>([
  ['created by currency', () => booked(BY_CURRENCY, byCurrency())],
  ['created by currency as a form', () => booked(BY_CURRENCY, byCurrency(), 'form')],
  ['created by account', () => booked(BY_ACCOUNT, byAccount())],
  ['created by account as a form', () => booked(BY_ACCOUNT, byAccount(), 'form')],
  [
    'read',
    async () => {
      const { confirmation_id } = await booked(BY_CURRENCY, byCurrency());
      return (await acme.get(`/api/v1/bookfx/${confirmation_id}`)).body;
    },
  ],
])('a confirmation that is %s', (_how, confirmation) => {
  test.each(CONFIRMATION)('%s', async (field, type, value) => {
    const body = await confirmation();
    expect(body[field]).toEqual(value());
    expect(typeof body[field]).toBe(type);
  });

  test('has no other field', async () => {
    expect(Object.keys(await confirmation())).toEqual(CONFIRMATION.map(([field]) => field));
  });
});

test('moves the money of the confirmation, and a read answers the same', async () => {
  const before = await balances();
  const confirmation = await booked(BY_ACCOUNT, byAccount());
  const after = await balances();
  expect([after.EUR, after.USD]).toEqual([before.EUR - 100, Number((before.USD + 108.15).toFixed(2))]);
  expect((await acme.get(`/api/v1/bookfx/${confirmation.confirmation_id}`)).body).toEqual(confirmation);
});

describe('the rate is buy per sell', () => {
  test.each([
    // sold base: the bid as it is; sold quote: the inverse of the offer at 10 significant digits
    ['EUR', 'USD', 1.08431, 1.0815992, 0.0027108],
    ['USD', 'EUR', 0.9222284729, 0.9199229178, 0.0023055551],
    ['USD', 'JPY', 151.234, 150.85592, 0.37808],
    ['JPY', 'USD', 0.006611963687, 0.006595433783, 0.000016529904],
  ])('%s to %s', async (sell_currency, buy_currency, fxRate, clientRate, marginValue) => {
    const amount = sell_currency === 'JPY' ? 10_000 : 100;
    const body = await booked(BY_CURRENCY, byCurrency({ sell_currency, buy_currency, sell_amount: amount }));
    expect([body.fx_rate, body.instarem_fx_rate, body.margin_value]).toEqual([fxRate, clientRate, marginValue]);
    const { body: rate } = await acme.get(
      `/api/v1/bookfx/rate?sell_currency=${sell_currency}&buy_currency=${buy_currency}`,
    );
    expect([rate.fx_rate, rate.instarem_fx_rate, rate.margin]).toEqual([fxRate, clientRate, body.margin_percent]);
  });
});

describe('amounts', () => {
  test.each<[string, Fields, number, number]>([
    ['sold: the bought one is rounded down', { sell_amount: 33.33 }, 33.33, 36.04],
    ['bought: the sold one is rounded up', { sell_amount: undefined, buy_amount: 100 }, 92.46, 100],
    ['both, with more to sell than it takes', { sell_amount: 93, buy_amount: 100 }, 92.46, 100],
    ['both, with just enough to sell', { sell_amount: 92.46, buy_amount: 100 }, 92.46, 100],
  ])('%s', async (_what, amounts, sold, bought) => {
    const body = await booked(BY_CURRENCY, byCurrency(amounts));
    expect([body.sell_amount, body.buy_amount]).toEqual([sold, bought]);
  });

  test('yen have no decimals', async () => {
    const body = await booked(
      BY_CURRENCY,
      byCurrency({ sell_currency: 'USD', buy_currency: 'JPY', sell_amount: 10.01 }),
    );
    expect(body.buy_amount).toBe(1510);
  });
});

describe('book_fx_type', () => {
  test.each<[unknown, string, number, string, string]>([
    [undefined, 'SETTLED', 0.25, '2028-07-03T22:00:00.000Z', '2028-07-05'],
    ['', 'SETTLED', 0.25, '2028-07-03T22:00:00.000Z', '2028-07-05'],
    ['PREFUNDING', 'SETTLED', 0.25, '2028-07-03T22:00:00.000Z', '2028-07-05'],
    // Tuesday is Independence Day.
    ['SCHEDULED1', 'OPEN', 0.5, '2028-07-05T10:00:00.000Z', '2028-07-05'],
    ['SCHEDULED2', 'OPEN', 0.25, '2028-07-05T10:00:00.000Z', '2028-07-05'],
  ])('%s', async (book_fx_type, status, margin, expiry, settlement) => {
    for (const [path, fields] of [
      [BY_CURRENCY, byCurrency({ book_fx_type })],
      [BY_ACCOUNT, byAccount({ book_fx_type })],
    ] as const) {
      const body = await booked(path, fields);
      expect([body.status, body.margin_percent, body.expiry_at, body.settlement_date]).toEqual([
        status,
        margin,
        expiry,
        settlement,
      ]);
    }
  });

  test('none: the client’s own, but a hold’s when there is one', async () => {
    const other = await door.client('other', 'SCHEDULED2');
    await other.account('EUR', 1_000_00n);
    await other.account('USD');
    await door.opened.store.clients.setScheduledLimit('other', '1000');
    const first = await other.post(BY_CURRENCY, byCurrency());
    expect([first.status, first.body.status, first.body.expiry_at]).toEqual([200, 'OPEN', '2028-07-05T10:00:00.000Z']);
    const fx_hold_id = await other.hold('source_currency=EUR&destination_currency=USD');
    const second = await other.post(BY_CURRENCY, byCurrency({ fx_hold_id }));
    expect([second.status, second.body.status]).toEqual([200, 'SETTLED']);
  });

  test('a scheduled one moves nothing yet', async () => {
    const before = await balances();
    await booked(BY_CURRENCY, byCurrency({ book_fx_type: 'SCHEDULED2' }));
    expect(await balances()).toEqual(before);
  });
});

describe('settlement_date', () => {
  test.each(['2028-07-05', '', undefined])('%s is spot', async (settlement_date) => {
    expect((await booked(BY_CURRENCY, byCurrency({ settlement_date }))).settlement_date).toBe('2028-07-05');
    expect((await booked(BY_ACCOUNT, byAccount({ settlement_date }))).settlement_date).toBe('2028-07-05');
  });
});

describe('fx_hold_id', () => {
  test('books the held rate, when the market has moved', async () => {
    const fx_hold_id = await acme.hold('source_currency=EUR&destination_currency=USD&sell_amount=50');
    door.price('EUR/USD', '1.07431', '1.07433');
    const body = await booked(BY_ACCOUNT, byAccount({ fx_hold_id, sell_amount: 50 }));
    expect([body.instarem_fx_rate, body.buy_amount]).toEqual([1.0815992, 54.07]);
  });

  test('empty is none', async () => {
    expect((await booked(BY_CURRENCY, byCurrency({ fx_hold_id: '' }))).status).toBe('SETTLED');
  });
});

test('the extra names of the accounts, alone or agreeing with the first ones', async () => {
  const names = [
    { buy_account: usd, sell_account: eur },
    { from_account: usd, sell_account: eur },
  ];
  for (const accounts of [...names, { from_account: usd, buy_account: usd, to_account: eur, sell_account: eur }]) {
    const body = await booked(BY_ACCOUNT, { request_id: nextId(), description: 'x', sell_amount: 1, ...accounts });
    expect([body.from_account, body.to_account]).toEqual([usd, eur]);
  }
  const form = { request_id: nextId(), description: 'x', sell_amount: 1, buy_account: usd, sell_account: eur };
  expect((await booked(BY_ACCOUNT, form, 'form')).from_account).toBe(usd);
});

describe('reading a confirmation', () => {
  test('answers 404 for an unknown one and for another client’s, with the same body', async () => {
    const { confirmation_id } = await booked(BY_CURRENCY, byCurrency());
    const stranger = await door.client('reader');
    const ids = [String(confirmation_id), 'BFX0000000000000000'];
    const [foreign, unknown] = await Promise.all(ids.map((id) => stranger.get(`/api/v1/bookfx/${id}`)));
    expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND']);
    const without = ({ body, headers }: Answer) =>
      JSON.stringify(body)
        .replace(/BFX[0-9A-Z]+/, '<id>')
        .replace(String(headers['x-request-id']), '<request>');
    expect(without(foreign)).toBe(without(unknown).replaceAll('BFX0000000000000000', '<id>'));
  });

  test.each(['BFX', 'bfx0000000000000', 'x', '%00', '..%2f..', 'currency', '__proto__'])('%s: 404', async (id) => {
    const { status, body } = await acme.get(`/api/v1/bookfx/${id}`);
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('the rate keeps its path', async () => {
    expect((await acme.get('/api/v1/bookfx/rate?sell_currency=EUR&buy_currency=USD')).body.fx_rate).toBe(1.08431);
    expect((await acme.post('/api/v1/bookfx/rate', {})).headers.allow).toBe('GET, HEAD');
  });

  test('shows the current state of a scheduled conversion', async () => {
    const { confirmation_id } = await booked(BY_CURRENCY, byCurrency({ book_fx_type: 'SCHEDULED1' }));
    const { store } = door.opened;
    const client = (await store.clients.get('acme'))!;
    const booking = (await store.bookings.read(client, String(confirmation_id)))!;
    await store.dueQueue.cancel(client, booking, { actor: 'operator', reason: '' });
    expect((await acme.get(`/api/v1/bookfx/${confirmation_id}`)).body.status).toBe('CANCELLED');
  });
});
