import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type MoneyDoor, openMoneyDoor } from '../../rest/money-door.js';

let door: MoneyDoor;
let acme: Client;
let usd: number;

beforeAll(async () => {
  door = await openMoneyDoor();
  acme = await door.client('acme');
  usd = await acme.account('USD', 100n, { label: 'Naïve “main”', sequence: 3 });
});
afterAll(() => door.stop());

const list = async (client = acme) =>
  (await client.get('/api/v1/account')).body as unknown as Record<string, unknown>[];

describe('has every field of an account', () => {
  test.each<[string, string, () => unknown]>([
    ['account_number', 'number', () => usd],
    ['currency', 'string', () => 'USD'],
    ['auto_bookfx_sequence', 'number', () => 3],
    ['active', 'boolean', () => true],
    ['default', 'boolean', () => true],
    ['label', 'string', () => 'Naïve “main”'],
  ])('%s', async (field, type, value) => {
    const [account] = await list();
    expect(account[field]).toBe(value());
    expect(typeof account[field]).toBe(type);
  });

  test('has no other field', async () => {
    const [account] = await list();
    expect(Object.keys(account)).toEqual(
      'account_number currency auto_bookfx_sequence active default label'.split(' '),
    );
    expect(String(account.account_number)).toMatch(/^[1-9]\d{11}$/);
  });
});

test('all accounts, by currency: the first in a currency is its default, and one without a label has an empty one', async () => {
  const client = await door.client('orderly');
  const eur = [await client.account('EUR'), await client.account('EUR', 0n, { label: 'second' })];
  const aud = await client.account('AUD');
  await door.opened.store.accounts.change((await door.opened.store.clients.get('orderly'))!, String(aud), {
    active: false,
  });

  const found = await list(client);
  expect(found.map(({ currency }) => currency)).toEqual(['AUD', 'EUR', 'EUR']);
  expect(found.find(({ account_number }) => account_number === aud)).toMatchObject({
    active: false,
    default: true,
    label: '',
  });
  expect(found.find(({ account_number }) => account_number === eur[0])).toMatchObject({ default: true, label: '' });
  expect(found.find(({ account_number }) => account_number === eur[1])).toMatchObject({
    default: false,
    label: 'second',
  });
});

test('a client without accounts has an empty list, and no client sees the accounts of another', async () => {
  const { status, body } = await (await door.client('newcomer')).get('/api/v1/account');
  expect([status, body]).toEqual([200, []]);
});

test('without the right to read: 403', async () => {
  const { token } = await door.opened.store.tokens.issue('acme', 'CK_X', ['rates', 'trade']);
  for (const path of [
    '/api/v1/account',
    '/api/v1/balance/all',
    '/api/v1/balance/currency/USD',
    `/api/v1/balance/account/${usd}`,
  ]) {
    const { status, body } = await acme.get(path, { authorization: `Bearer ${token}` });
    expect([status, body.code, body.detail]).toEqual([
      403,
      'NOT_ENTITLED',
      'Not entitled: this key lacks the right read',
    ]);
  }
});
