import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type MoneyDoor, openMoneyDoor } from '../../rest/money-door.js';

let door: MoneyDoor;
let acme: Client;
let other: Client;
let usd: number;
let second: number;
let jpy: number;
let foreign: number;

beforeAll(async () => {
  door = await openMoneyDoor();
  acme = await door.client('acme');
  usd = await acme.account('USD', 12_345_670n, { label: 'main', sequence: 2 });
  second = await acme.account('USD');
  jpy = await acme.account('JPY', 999_999_999_999_999n);
  other = await door.client('other');
  foreign = await other.account('USD', 1n);
});
afterAll(() => door.stop());

type Balances = readonly Record<string, unknown>[];
const read = async (path: string) => (await acme.get(`/api/v1/balance/${path}`)).body as unknown as Balances;

describe.each([
  ['all', () => 'all'],
  ['currency', () => 'currency/USD'],
  ['account', () => `account/${usd}`],
])('by %s, every field of a balance', (_by, path) => {
  test.each<[string, string, () => unknown]>([
    ['account_number', 'number', () => usd],
    ['currency', 'string', () => 'USD'],
    ['auto_bookfx_sequence', 'number', () => 2],
    ['active', 'boolean', () => true],
    ['default', 'boolean', () => true],
    ['label', 'string', () => 'main'],
    ['balance', 'number', () => 123456.7],
  ])('%s', async (field, type, value) => {
    const found = (await read(path())).find(({ account_number }) => account_number === usd)!;
    expect(found[field]).toBe(value());
    expect(typeof found[field]).toBe(type);
    expect(Object.keys(found)).toHaveLength(7);
  });
});

test('each read has the accounts that it asks for, and those alone', async () => {
  const numbers = async (path: string) => new Set((await read(path)).map(({ account_number }) => account_number));
  expect(await numbers('all')).toEqual(new Set([usd, second, jpy]));
  expect(await numbers('currency/USD')).toEqual(new Set([usd, second]));
  expect(await numbers('currency/JPY')).toEqual(new Set([jpy]));
  expect(await numbers(`account/${second}`)).toEqual(new Set([second]));
});

test('a balance keeps all its digits, and an empty account has 0', async () => {
  expect((await read(`account/${jpy}`))[0].balance).toBe(999_999_999_999_999);
  expect((await read(`account/${second}`))[0].balance).toBe(0);
});

test.each(['CAD', 'BHD', 'VND', 'CNH'])('in %s, without an account in it: an empty list', async (currency) => {
  const { status, body } = await acme.get(`/api/v1/balance/currency/${currency}`);
  expect([status, body]).toEqual([200, []]);
});

test.each(['ZZZ', 'usd', 'US', 'USDX', '840', 'XAU', '%20', '__proto__'])(
  '%s is no currency: 400',
  async (currency) => {
    const { status, body } = await acme.get(`/api/v1/balance/currency/${currency}`);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.errors).toEqual([
      { field: 'currency', code: expect.any(String), message: expect.stringContaining('ISO 4217') },
    ]);
  },
);

test('answers 404 for an unknown account and for another client’s, with the same body', async () => {
  const unknown = foreign === 123456789018 ? 123456789026 : 123456789018;
  const [one, two] = await Promise.all(
    [foreign, unknown].map((number) => acme.get(`/api/v1/balance/account/${number}`)),
  );
  expect([one.status, one.body.code]).toEqual([404, 'NOT_FOUND']);
  const without = ({ body, headers }: typeof one, number: number) =>
    JSON.stringify([body, { ...headers, date: '' }])
      .replaceAll(String(number), '<number>')
      .replaceAll(String(headers['x-request-id']), '<id>');
  expect(without(one, foreign)).toBe(without(two, unknown));
  expect((await other.get(`/api/v1/balance/account/${foreign}`)).status).toBe(200);
});

test.each(['1', 'abc', '-1', '0', '1e11', '999999999999999999999', 'default:USD', '%00'])(
  'an account %s: 404',
  async (number) => {
    const { status, body } = await acme.get(`/api/v1/balance/account/${number}`);
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
  },
);

test.each(['', '/', '/nothing', '/currency', '/currency/', '/account/'])('no such path: /balance%s', async (path) => {
  expect((await acme.get(`/api/v1/balance${path}`)).status).toBe(404);
});
