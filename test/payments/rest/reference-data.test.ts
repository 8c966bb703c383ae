/** Reference data over REST: equal requests get the same bytes and ETag, and If-None-Match a 304 after all checks of a request. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isoCountries } from '../../../engine/domain/payments/corridors/countries.js';
import { ACCOUNT_TYPES } from '../../../engine/domain/payments/corridors/words.js';
import { perform } from '../../../engine/service/perform.js';
import { type Client, type MoneyDoor, openMoneyDoor } from '../../rest/money-door.js';

const DETAILS = '/api/v1/reference/required-details?country=DE&currency=EUR&method=BANK&party=Individual';

let door: MoneyDoor;
let client: Client;

beforeAll(async () => {
  door = await openMoneyDoor({ reads: 40 });
  door.freshPrices();
  client = await door.client('acme');
});
afterAll(() => door.stop());

const tagOf = async (of: Client, path = DETAILS): Promise<string> => String((await of.get(path)).headers.etag);

test('answers equal requests with the same bytes and ETag', async () => {
  const [first, second] = [await client.get(DETAILS), await client.get(DETAILS)];
  expect(first.status).toBe(200);
  expect(first.headers.etag).toMatch(/^"[\w-]{43}"$/);
  expect(second.body).toEqual(first.body);
  expect(second.headers).toMatchObject({
    etag: first.headers.etag,
    'content-length': first.headers['content-length'],
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
  });
  expect(await tagOf(client, DETAILS.replace('Individual', 'Company'))).not.toBe(first.headers.etag);
});

test.each([
  ['the tag', (tag: string) => tag],
  ['a weak form of it', (tag: string) => `W/${tag}`],
  ['a list with it', (tag: string) => `"other", ${tag}`],
  ['any', () => '*'],
])('answers If-None-Match with %s by 304, without a body, and counts the request', async (_what, sent) => {
  const { headers: before } = await client.get(DETAILS);
  const { status, headers, body } = await client.get(DETAILS, { 'if-none-match': sent(String(before.etag)) });
  expect([status, body, headers.etag]).toEqual([304, {}, before.etag]);
  expect(headers['content-type']).toBeUndefined();
  expect(headers['cache-control']).toBe('no-store');
  const left = (of: typeof before) => Number(/r=(\d+)/.exec(String(of.ratelimit))![1]);
  expect(left(headers)).toBe(left(before) - 1);
  const counted = [...door.door.requestCounts.read()].map(([{ operation, status }]) => `${operation} ${status}`);
  expect(counted).toContain('requiredDetails 304');
});

test('answers another tag in full', async () => {
  const tag = await tagOf(client);
  for (const other of ['"other"', tag.slice(1, -1), `"${tag.slice(2)}`])
    expect((await client.get(DETAILS, { 'if-none-match': other })).status).toBe(200);
});

test('answers no other operation with 304 or an ETag', async () => {
  const { status, headers } = await client.get('/api/v1/account', { 'if-none-match': '*' });
  expect([status, headers.etag]).toEqual([200, undefined]);
});

test('rejects a request before If-None-Match is read', async () => {
  const any = { 'if-none-match': '*' };
  expect((await door.ask('GET', DETAILS, any)).body.code).toBe('TOKEN_REQUIRED');
  expect((await client.get(DETAILS.replace('DE', 'XX'), any)).body.code).toBe('VALIDATION_FAILED');
  const limited = await door.client('limited');
  const codes = new Set<unknown>();
  for (let i = 0; i < 41; i++) codes.add((await limited.get(DETAILS, any)).body.code);
  expect([...codes]).toEqual([undefined, 'RATE_LIMITED']);
});

test('answers each client by its own agreement, and by the rate of the moment', async () => {
  const own = await tagOf(client);
  const other = await door.client('other');
  expect(await tagOf(other)).toBe(own);
  const onBehalf = await door.client('broker');
  const changed = await perform(door.services, 'changeClient', undefined, { id: 'broker', onBehalf: true });
  expect(changed).toMatchObject({ onBehalf: true });
  expect(await tagOf(onBehalf)).not.toBe(own);
  door.price('EUR/USD', '1.08531', '1.08533');
  expect(await tagOf(client)).not.toBe(own);
  door.freshPrices();
  expect(await tagOf(client)).toBe(own);
});

test('keeps the 256 answers that were used last', async () => {
  const caller = { clientId: 'acme', keyId: 'key', rights: new Set(['read'] as const) };
  const details = (country: string, more: object = {}) =>
    perform(door.services, 'requiredDetails', caller, { country, currency: 'USD', ...more });
  const first = await details('DE');
  const second = await details('FR');
  const all = isoCountries().flatMap((country) => ACCOUNT_TYPES.map((party) => ({ country, party })));
  let others = 0;
  for (const { country, party } of all) {
    if (others === 255) continue;
    const answer = await details(country, { party });
    if ('request' in answer) others++;
    expect(await details('DE')).toBe(first);
  }
  expect(others).toBe(255);
  expect(await details('FR')).not.toBe(second);
});
