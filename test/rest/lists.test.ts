/** Lists over REST: pages of what the single reads answer, by their names, and every fault of a query. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { movesOf } from '../../engine/domain/payments/payment-status.js';
import { perform } from '../../engine/service/perform.js';
import { ENTRIES_RESPONSE } from '../../rest/features/accounts/accounts.js';
import { BOOKINGS_RESPONSE } from '../../rest/features/conversions/book-fx.js';
import { FUNDINGS_RESPONSE } from '../../rest/features/fundings/fundings.js';
import { PAYMENTS_RESPONSE } from '../../rest/features/payments/payment-answers.js';
import { paymentFacts } from '../payments/store/payment-steps.js';
import { about } from '../support/store.js';
import { BY_CURRENCY, type Client, MONDAY, type MoneyDoor, openMoneyDoor } from './money-door.js';
import type { Answer } from './rest-door.js';

const MINUTE_MS = 60_000;
const BOOKINGS = '/api/v1/bookfx';
const FUNDINGS = '/api/v1/fund';
const PAYMENTS = '/api/v1/payments';
const FUND = '/api/v1/fund/create';

type Item = Record<string, unknown>;
interface Page {
  readonly data: readonly Item[];
  readonly next_cursor: string;
}

let door: MoneyDoor;
let acme: Client;
let other: Client;
let eur: number;
let usd: number;
let foreign: number;
let entries: string;
let booked: Item[];
let funded: Item[];
let payments: string[];

const errorsOf = ({ body }: Answer) => body.errors as readonly { field: string; code: string; message: string }[];

async function page(path: string, client = acme): Promise<Page> {
  const { status, body } = await client.get(path);
  expect([status, body.errors]).toEqual([200, undefined]);
  return body as unknown as Page;
}

async function all(path: string): Promise<Item[]> {
  const found: Item[] = [];
  for (let cursor = ''; ; ) {
    const { data, next_cursor } = await page(`${path}&cursor=${cursor}`);
    found.push(...data);
    if (!next_cursor) return found;
    cursor = next_cursor;
  }
}

beforeAll(async () => {
  door = await openMoneyDoor();
  acme = await door.client('acme');
  other = await door.client('other');
  eur = await acme.account('EUR', 10_000_00n);
  usd = await acme.account('USD', 10_000_00n);
  foreign = await other.account('EUR', 10_000_00n);
  await other.account('USD');
  entries = `/api/v1/balance/account/${eur}/entries`;
  booked = [];
  funded = [];
  payments = [];
  const { store } = door.opened;
  const payer = (await store.clients.get('acme'))!;
  for (let i = 0; i < 9; i++) {
    door.services.nowMs = MONDAY + i * MINUTE_MS;
    door.freshPrices();
    const [sell, buy] = i % 3 === 2 ? ['USD', 'EUR'] : ['EUR', 'USD'];
    const command = { request_id: `book-${i}`, description: 'a test', sell_currency: sell, buy_currency: buy };
    const { status, body } = await acme.post(BY_CURRENCY, { ...command, sell_amount: 10.5 + i });
    expect([status, body.code]).toEqual([200, undefined]);
    booked.unshift(body);
    const funding = {
      amount: 5 + i,
      instarem_deposit_account: 'DBS-0012345678-EUR',
      payment_reference: `invoice ${i}`,
    };
    const announced = await acme.post(FUND, { ...funding, account_number: eur });
    expect(announced.status).toBe(200);
    const { account_number: _account, ...rest } = announced.body;
    funded.unshift(rest);
    // Payments that await their funds, every third one in yen, all cancelled but the last three.
    const currency = i % 3 ? 'EUR' : 'JPY';
    const now = door.services.nowMs;
    const facts = paymentFacts({ createdAtMs: now, currency });
    await store.payments.create(payer, { now, facts, newAccount: '123456789018', plan: undefined, draws: [currency] });
    if (i < 6)
      await store.payments.move(payer, facts.id, {
        from: ['AWAITING_FUNDS'],
        to: 'CANCELLED',
        moves: movesOf('AWAITING_FUNDS', 'CANCELLED'),
        actor: 'client',
      });
    payments.unshift(facts.id);
  }
  await perform(door.services, 'completeFunding', undefined, {
    fundingId: funded[4]!.gl_reference_number,
    reason: 'seen',
  });
  funded[4] = (await acme.get(`/api/v1/fund/reference/${funded[4]!.gl_reference_number}`)).body;
});
afterAll(() => door.stop());

describe('pages', () => {
  test('of conversions have what the single read answers, the newest first', async () => {
    const { data, next_cursor } = BOOKINGS_RESPONSE.parse(await page(BOOKINGS));
    expect([data, next_cursor]).toEqual([booked, '']);
    expect(data[3]).toEqual((await acme.get(`${BOOKINGS}/${data[3]!.confirmation_id}`)).body);
    expect(await all(`${BOOKINGS}?limit=2`)).toEqual(booked);
  });

  test('of fundings have what the single read answers', async () => {
    const { data, next_cursor } = FUNDINGS_RESPONSE.parse(await page(FUNDINGS));
    expect([data, next_cursor]).toEqual([funded, '']);
    expect(data[4]).toMatchObject({ status: 'COMPLETED', amount: 9 });
    expect(await all(`${FUNDINGS}?limit=4`)).toEqual(funded);
  });

  test('of payments have every field of the single read', async () => {
    const { data, next_cursor } = PAYMENTS_RESPONSE.parse(await page(PAYMENTS));
    expect([data.map(({ payment_id }) => payment_id), next_cursor]).toEqual([payments, '']);
    const instant = new Date(MONDAY + 8 * MINUTE_MS).toISOString().replace('Z', '+00:00');
    expect(data[0]).toMatchObject({
      status: 'AWAITING_FUNDS',
      created_at: instant,
      additional_info: { currency: 'EUR' },
    });
    expect(await all(`${PAYMENTS}?limit=4`)).toEqual(data);
  });

  test('of an account have its entries, with the balance after each', async () => {
    const { data, next_cursor } = ENTRIES_RESPONSE.parse(await page(entries));
    expect(next_cursor).toBe('');
    const [newest] = data;
    const [{ balance }] = (await acme.get(`/api/v1/balance/account/${eur}`)).body as unknown as [{ balance: number }];
    expect(Date.parse(newest!.created_at)).toEqual(about(MONDAY + 8 * MINUTE_MS));
    expect(newest).toEqual({
      entry_id: expect.stringMatching(/^\d+-\d+$/),
      created_at: newest!.created_at,
      type: 'funding',
      reference: funded[4]!.gl_reference_number,
      amount: 9,
      currency: 'EUR',
      balance,
      receivable: 0,
      pays_on: '',
    });
    const amounts = booked.map(({ buy_currency, buy_amount, sell_amount }) =>
      buy_currency === 'EUR' ? buy_amount : -(sell_amount as number),
    );
    expect(data.map(({ type, reference, amount }) => [type, reference, amount])).toEqual([
      ['funding', funded[4]!.gl_reference_number, 9],
      ...booked.map(({ confirmation_id }, i) => ['book-fx', confirmation_id, amounts[i]]),
      ['deposit', 'credit-1', 10_000],
    ]);
    const cents = (value: number) => Math.round(value * 100);
    for (const [i, { amount, balance }] of data.entries())
      expect(cents(balance)).toBe(cents(data[i + 1]?.balance ?? 0) + cents(amount));
    expect(await all(`${entries}?limit=3`)).toEqual(data);
    expect((await page(`/api/v1/balance/account/${usd}/entries`)).data[0]).toMatchObject({
      currency: 'USD',
      type: 'book-fx',
    });
  });

  test('of a client with nothing are empty', async () => {
    for (const path of [BOOKINGS, FUNDINGS, PAYMENTS])
      expect(await page(path, other)).toEqual({ data: [], next_cursor: '' });
  });
});

describe('filters', () => {
  const minute = (i: number) => `2028-07-03T10:0${i}:00.000`;

  test.each<[string, string, (item: Item, i: number) => boolean]>([
    ['from', `from=${minute(5)}Z`, (_item, i) => i <= 3],
    ['to', `to=${minute(5)}Z`, (_item, i) => i >= 3],
    ['days', 'from=2028-07-03&to=2028-07-03', () => true],
    ['another day', 'to=2028-07-02', () => false],
    ['a plus sign, escaped', `from=${minute(5)}%2B00:00`, (_item, i) => i <= 3],
    ['a plus sign as it stands', `from=${minute(5)}+00:00`, (_item, i) => i <= 3],
    ['empty ones count as absent', 'from=&to=&status=&currency=&limit=&cursor=', () => true],
    ['limit', 'limit=200', () => true],
  ])('of each list: %s', async (_name, query, matches) => {
    expect((await page(`${BOOKINGS}?${query}`)).data).toEqual(booked.filter(matches));
    expect((await page(`${FUNDINGS}?${query}`)).data).toEqual(funded.filter(matches));
    const ids = (await page(`${PAYMENTS}?${query}`)).data.map(({ payment_id }) => payment_id);
    expect(ids).toEqual(payments.filter((id, i) => matches({ id }, i)));
  });

  test('status and currency', async () => {
    expect((await page(`${BOOKINGS}?status=OPEN`)).data).toEqual([]);
    expect((await page(`${BOOKINGS}?status=OPEN,SETTLED&currency=USD`)).data).toEqual(booked);
    expect((await page(`${FUNDINGS}?status=COMPLETED`)).data).toEqual([funded[4]]);
    expect((await page(`${FUNDINGS}?status=PENDING,REJECTED`)).data).toHaveLength(8);
    expect((await page(`${FUNDINGS}?currency=EUR`)).data).toHaveLength(9);
    expect((await page(`${FUNDINGS}?currency=USD`)).data).toEqual([]);
    const of = async (query: string) => (await all(`${PAYMENTS}?${query}`)).map(({ payment_id }) => payment_id);
    expect(await of('status=AWAITING_FUNDS')).toEqual(payments.slice(0, 3));
    expect(await of('status=AWAITING_FUNDS,CANCELLED&limit=2')).toEqual(payments);
    expect(await of('status=PAID')).toEqual([]);
    expect(await of('currency=JPY&limit=1')).toEqual([payments[2], payments[5], payments[8]]);
    expect(await of('currency=JPY&status=CANCELLED')).toEqual([payments[5], payments[8]]);
  });

  test('of entries', async () => {
    expect((await page(`${entries}?type=deposit`)).data).toMatchObject([{ reference: 'credit-1' }]);
    expect((await page(`${entries}?type=deposit,funding&from=${minute(1)}Z`)).data).toMatchObject([
      { type: 'funding' },
    ]);
    expect((await page(`${entries}?to=${minute(2)}Z`)).data.map(({ type }) => type)).toEqual([
      'book-fx',
      'book-fx',
      'deposit',
    ]);
  });
});

describe('faults of a query', () => {
  const lists = [
    ['conversions', () => BOOKINGS],
    ['fundings', () => FUNDINGS],
    ['payments', () => PAYMENTS],
    ['entries', () => entries],
  ] as const;

  describe.each(lists)('%s', (_name, path) => {
    test.each([
      ['limit=0', 'limit', 'incorrect_value'],
      ['limit=201', 'limit', 'incorrect_value'],
      ['limit=1e1', 'limit', 'incorrect_format'],
      ['limit=-1', 'limit', 'incorrect_format'],
      ['limit=7.0', 'limit', 'incorrect_format'],
      ['limit=%2B7', 'limit', 'incorrect_format'],
      ['limit=5&limit=6', 'limit', 'incorrect_format'],
      ['from=2028', 'from', 'incorrect_format'],
      ['from=2028-07-03T10:00Z', 'from', 'incorrect_format'],
      ['from=2028-06-31', 'from', 'incorrect_value'],
      ['to=1850000000000', 'to', 'incorrect_format'],
      ['from=2028-07-03&to=2028-07-02', 'to', 'invalid_combination'],
      ['cursor=abc', 'cursor', 'incorrect_value'],
      ['cursor=%00', 'cursor', 'incorrect_value'],
      ['offset=5', 'offset', 'unsupported_field'],
      ['offset=', 'offset', 'unsupported_field'],
      ['constructor=1', 'constructor', 'unsupported_field'],
      ['__proto__=1', '__proto__', 'unsupported_field'],
      ['toString=1', 'toString', 'unsupported_field'],
    ])('%s', async (query, field, code) => {
      const answer = await acme.get(`${path()}?${query}`);
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(errorsOf(answer)).toEqual([expect.objectContaining({ field, code, message: expect.any(String) })]);
    });
  });

  test.each([
    [() => `${BOOKINGS}?status=PENDING`, 'status', 'incorrect_value'],
    [() => `${FUNDINGS}?status=SETTLED`, 'status', 'incorrect_value'],
    [() => `${BOOKINGS}?currency=XYZ`, 'currency', 'incorrect_value'],
    [() => `${PAYMENTS}?status=SETTLED`, 'status', 'incorrect_value'],
    [() => `${FUNDINGS}?currency=eur`, 'currency', 'incorrect_format'],
    [() => `${entries}?type=fee`, 'type', 'incorrect_value'],
    [() => `${BOOKINGS}?type=deposit`, 'type', 'unsupported_field'],
    [() => `${entries}?currency=EUR`, 'currency', 'unsupported_field'],
    [() => `${entries}?accountNumber=${usd}`, 'accountNumber', 'unsupported_field'],
  ])('of one list: %s', async (path, field, code) => {
    expect(errorsOf(await acme.get(path()))).toMatchObject([{ field, code }]);
  });

  test('all at once, each by its name', async () => {
    const answer = await acme.get(`${BOOKINGS}?limit=x&status=x&currency=x&from=x&to=x&one=1&two=2`);
    expect(
      errorsOf(answer)
        .map(({ field }) => field)
        .sort(),
    ).toEqual(['currency', 'from', 'limit', 'one', 'status', 'to', 'two']);
  });
});

describe('records of other clients', () => {
  test('an account that is unknown or of another client has no entries: 404', async () => {
    for (const number of [foreign, 999_999_999_999, 'x', `${eur}0`]) {
      const { status, body } = await acme.get(`/api/v1/balance/account/${number}/entries?cursor=abc`);
      expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  test('a cursor is of one client, one list and its filters', async () => {
    const cursorOf = async (path: string, client = acme) => (await page(path, client)).next_cursor;
    const mine = await cursorOf(`${BOOKINGS}?limit=1`);
    for (const path of [
      `${BOOKINGS}?currency=EUR&cursor=${mine}`,
      `${BOOKINGS}?status=SETTLED&cursor=${mine}`,
      `${BOOKINGS}?from=2028-07-03&cursor=${mine}`,
      `${FUNDINGS}?cursor=${mine}`,
      `${PAYMENTS}?cursor=${mine}`,
      `${entries}?cursor=${mine}`,
      `/api/v1/balance/account/${usd}/entries?cursor=${await cursorOf(`${entries}?limit=1`)}`,
    ])
      expect(errorsOf(await acme.get(path))).toMatchObject([{ field: 'cursor', code: 'incorrect_value' }]);
    expect(errorsOf(await other.get(`${BOOKINGS}?cursor=${mine}`))).toMatchObject([{ field: 'cursor' }]);
    expect((await page(`${BOOKINGS}?limit=3&cursor=${mine}`)).data).toEqual(booked.slice(1, 4));
  });

  test('any text as a cursor is refused, and nothing else', async () => {
    const { next_cursor: cursor } = await page(`${entries}?limit=1`);
    const texts = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }),
      fc
        .nat(cursor.length - 1)
        .map((at) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)),
      fc.nat(cursor.length - 2).map((length) => cursor.slice(0, length + 1)),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const answer = await acme.get(`${entries}?limit=1&cursor=${encodeURIComponent(text)}`);
        expect([answer.status, errorsOf(answer)]).toMatchObject([400, [{ field: 'cursor', code: 'incorrect_value' }]]);
      }),
      { numRuns: 200 },
    );
  });
});
