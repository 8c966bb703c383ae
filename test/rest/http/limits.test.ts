import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStore, type TestStore } from '../../support/store.js';
import { openRestDoor, type RestDoor } from '../rest-door.js';

const RATE = '/api/v1/bookfx/rate?sell_currency=EUR&buy_currency=USD';
let opened: TestStore;
let door: RestDoor;

beforeAll(async () => {
  opened = await startTestStore();
  door = await openRestDoor(opened.store, { reads: 2, authentication: 3 });
  // A minute begins.
  door.services.nowMs = Math.ceil(Date.now() / 60_000) * 60_000;
});
afterAll(async () => {
  await door.stop();
  await opened.stop();
});

async function tokenOf(clientId: string): Promise<string> {
  await opened.store.clients.create({ id: clientId, name: clientId, defaultType: 'PREFUNDING' });
  return (await opened.store.tokens.issue(clientId, 'CK_X', ['rates'])).token;
}
const rate = (token: string) => door.ask('GET', RATE, { authorization: `Bearer ${token}` });

test('a client has a limit of reads a minute, and each answer has the remaining number', async () => {
  const token = await tokenOf('one');
  const first = await rate(token);
  expect(first.headers['ratelimit-policy']).toBe('"reads";q=2;w=60');
  expect(first.headers.ratelimit).toBe('"reads";r=1;t=60');
  await rate(token);
  const third = await rate(token);
  expect([third.status, third.body.code]).toEqual([429, 'RATE_LIMITED']);
  expect(third.headers['retry-after']).toBe('60');
  expect(third.headers.ratelimit).toBe('"reads";r=0;t=60');

  // Another client has its own, and a minute later they are back.
  expect((await rate(await tokenOf('two'))).status).not.toBe(429);
  door.services.nowMs += 60_000;
  expect((await rate(token)).status).not.toBe(429);
});

test('a request without a right is refused before it is counted', async () => {
  await opened.store.clients.create({ id: 'three', name: 'three', defaultType: 'PREFUNDING' });
  const { token } = await opened.store.tokens.issue('three', 'CK_X', ['read']);
  for (let n = 0; n < 5; n++) expect((await rate(token)).status).toBe(403);
});

test('wrong credentials are limited by address, right ones by key', async () => {
  await opened.store.clients.create({ id: 'four', name: 'four', defaultType: 'PREFUNDING' });
  const { clientKey, clientSecret } = (await opened.store.keys.issue('four', ['rates']))!;
  const right = () =>
    door.ask('POST', '/api/v1/authentication', { client_key: clientKey, client_secret: clientSecret });
  const wrong = (n: number) =>
    door.ask('POST', '/api/v1/authentication', { client_key: `CK_${n}`, client_secret: 'x' });
  for (let n = 0; n < 3; n++) expect((await right()).status).toBe(200);
  expect((await right()).body.code).toBe('RATE_LIMITED');

  door.services.nowMs += 60_000;
  for (let n = 0; n < 3; n++) expect((await wrong(n)).status).toBe(401);
  const fourth = await wrong(4);
  expect([fourth.status, fourth.body.code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(fourth.headers['retry-after'])).toBeGreaterThan(0);
  expect(fourth.headers.ratelimit).toMatch(/^"authentication";r=0;t=\d+$/);
});
