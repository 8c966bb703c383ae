/** A request that is sent again: the first answer, or 409 when it is another command. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { perform } from '../../../engine/service/perform.js';
import {
  BY_ACCOUNT,
  BY_CURRENCY,
  type Client,
  type Fields,
  MONDAY,
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
});
afterAll(() => door.stop());
beforeEach(() => door.freshPrices());

const nextId = () => `r-${++next}`;
const common = () => ({ request_id: nextId(), description: 'Rent, July', sell_amount: 100 });
const byCurrency = (more: Fields = {}): Fields => ({ ...common(), sell_currency: 'EUR', buy_currency: 'USD', ...more });
const byAccount = (more: Fields = {}): Fields => ({ ...common(), to_account: eur, from_account: usd, ...more });
const booked = async (path: string, fields: Fields) => expect((await acme.post(path, fields)).status).toBe(200);
const euros = async () => {
  const { body } = await acme.get('/api/v1/balance/currency/EUR');
  return (body as unknown as { balance: number }[])[0].balance;
};

const again = async (path: string, fields: Fields): Promise<[first: Answer, second: Answer]> => [
  await acme.post(path, fields),
  await acme.post(path, fields),
];

test.each<[string, () => [string, Fields]]>([
  ['by currency', () => [BY_CURRENCY, byCurrency()]],
  ['by account', () => [BY_ACCOUNT, byAccount()]],
])('%s: the first answer again, and nothing moves', async (_how, request) => {
  const [path, fields] = request();
  const first = await acme.post(path, fields);
  expect([first.status, first.headers['idempotent-replayed']]).toEqual([200, undefined]);
  const before = await door.kept('acme');
  const [second, third] = await again(path, { ...fields, description: 'told otherwise' });
  for (const { status, headers, body } of [second, third]) {
    expect([status, headers['idempotent-replayed'], body]).toEqual([200, 'true', first.body]);
  }
  expect(await door.kept('acme')).toEqual(before);
  expect((await acme.form(path, fields)).body).toEqual(first.body);
});

test.each<[string, () => void]>([
  ['the rate is gone', () => door.withdraw('EUR/USD')],
  ['the rate has moved', () => door.price('EUR/USD', '1.07431', '1.07433')],
  ['the market is closed', () => Object.assign(door.services, { isOpen: false })],
  ['days have passed', () => Object.assign(door.services, { nowMs: MONDAY + 23 * 3_600_000 })],
])('also when %s', async (_what, change) => {
  const fields = byCurrency({ buy_amount: 108.15 });
  const first = await acme.post(BY_CURRENCY, fields);
  change();
  const second = await acme.post(BY_CURRENCY, fields);
  Object.assign(door.services, { isOpen: true, nowMs: MONDAY });
  expect([second.status, second.headers['idempotent-replayed'], second.body]).toEqual([200, 'true', first.body]);
});

test('also when its hold is used up by it', async () => {
  const fx_hold_id = await acme.hold('source_currency=EUR&destination_currency=USD');
  const [first, second] = await again(BY_CURRENCY, byCurrency({ fx_hold_id }));
  expect([second.status, second.headers['idempotent-replayed'], second.body]).toEqual([200, 'true', first.body]);
});

test.each<[string, Fields]>([
  ['another amount', { sell_amount: 100.01 }],
  ['the amount of the other side', { sell_amount: undefined, buy_amount: 100 }],
  ['both amounts', { buy_amount: 100 }],
  ['another currency', { buy_currency: 'JPY' }],
  ['another type', { book_fx_type: 'SCHEDULED1' }],
  ['a settlement date', { settlement_date: '2028-07-05' }],
  ['a hold', { fx_hold_id: 'HLD0000000000000' }],
])('with %s it is another command: 409', async (_what, more) => {
  const fields = byCurrency();
  await booked(BY_CURRENCY, fields);
  const before = await door.kept('acme');
  const { status, body, headers } = await acme.post(BY_CURRENCY, { ...fields, ...more });
  expect([status, body.code, headers['idempotent-replayed']]).toEqual([409, 'REQUEST_ID_REUSED', undefined]);
  expect(await door.kept('acme')).toEqual(before);
});

describe('a type that is absent and the one that it resolved to when it was booked are the same command', () => {
  const typed = (fields: Fields, type: string | undefined): Fields => ({ ...fields, book_fx_type: type });
  const defaultTo = async (defaultType: 'PREFUNDING' | 'SCHEDULED1') => {
    await perform(door.services, 'changeClient', undefined, { id: 'acme', defaultType });
  };

  test.each<[string, string | undefined, string | undefined]>([
    ['absent, then named', undefined, 'PREFUNDING'],
    ['empty, then named', '', 'PREFUNDING'],
    ['named, then absent', 'PREFUNDING', undefined],
    ['named, then empty', 'PREFUNDING', ''],
  ])('%s; a later default changes nothing', async (_what, one, other) => {
    const fields = byCurrency();
    const first = await acme.post(BY_CURRENCY, typed(fields, one));
    expect(first.status).toBe(200);
    for (const defaultType of ['PREFUNDING', 'SCHEDULED1'] as const) {
      await defaultTo(defaultType);
      for (const type of [one, other]) {
        const { status, headers, body } = await acme.post(BY_CURRENCY, typed(fields, type));
        expect([status, headers['idempotent-replayed'], body]).toEqual([200, 'true', first.body]);
      }
      const another = await acme.post(BY_CURRENCY, typed(fields, 'SCHEDULED1'));
      expect([another.status, another.body.code]).toEqual([409, 'REQUEST_ID_REUSED']);
    }
    await defaultTo('PREFUNDING');
  });

  test('another amount stays another command', async () => {
    const fields = byCurrency();
    await booked(BY_CURRENCY, fields);
    const { body } = await acme.post(BY_CURRENCY, { ...typed(fields, 'PREFUNDING'), sell_amount: 101 });
    expect(body.code).toBe('REQUEST_ID_REUSED');
  });
});

test('by account what was booked by currency is another command: 409, and so the other way round', async () => {
  const one = byCurrency();
  await booked(BY_CURRENCY, one);
  expect((await acme.post(BY_ACCOUNT, byAccount({ request_id: one.request_id }))).body.code).toBe('REQUEST_ID_REUSED');
  const two = byAccount();
  await booked(BY_ACCOUNT, two);
  expect((await acme.post(BY_CURRENCY, byCurrency({ request_id: two.request_id }))).body.code).toBe(
    'REQUEST_ID_REUSED',
  );
});

test('another client may use the id', async () => {
  const fields = byCurrency();
  await booked(BY_CURRENCY, fields);
  const stranger = await door.client('stranger');
  expect((await stranger.post(BY_CURRENCY, fields)).body.code).toBe('UNKNOWN_ACCOUNT');
});

test('sent twice at once it is booked once', async () => {
  const fields = byAccount({ sell_amount: 7 });
  const before = await euros();
  const answers = await Promise.all(Array.from({ length: 20 }, () => acme.post(BY_ACCOUNT, fields)));
  expect(new Set(answers.map(({ body }) => body.confirmation_id)).size).toBe(1);
  expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
  expect(await euros()).toBe(before - 7);
});
