/** Every path of accounts, balances, Book FX, lock and hold: its method, which limit it counts against, and what holds for all. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type MoneyDoor, openMoneyDoor } from '../money-door.js';

let door: MoneyDoor;
let acme: Client;

beforeAll(async () => {
  door = await openMoneyDoor({ reads: 1_000, writes: 2_000 });
  acme = await door.client('acme');
});
afterAll(() => door.stop());

const PATHS: readonly (readonly [methods: string, path: string, limit: Readonly<Record<string, string>>])[] = [
  ['GET, HEAD', '/api/v1/account', { GET: 'reads' }],
  ['GET, HEAD', '/api/v1/balance/all', { GET: 'reads' }],
  ['GET, HEAD', '/api/v1/balance/currency/USD', { GET: 'reads' }],
  ['GET, HEAD', '/api/v1/balance/account/123456789018', { GET: 'reads' }],
  ['GET, HEAD', '/api/v1/bookfx/rate', { GET: 'reads' }],
  ['POST', '/api/v1/bookfx/currency/create', { POST: 'writes' }],
  ['POST', '/api/v1/bookfx/account/create', { POST: 'writes' }],
  ['GET, HEAD', '/api/v1/bookfx/BFX0000000000000000', { GET: 'reads' }],
  ['GET, HEAD', '/api/v1/lockFx/getFxRate', { GET: 'reads' }],
  ['GET, HEAD, POST', '/api/v1/lockFx/lockFxRate', { GET: 'writes', POST: 'writes' }],
  ['POST', '/api/v1/lockFx/releaseFxRate', { POST: 'writes' }],
  ['POST', '/api/v1/fund/create', { POST: 'writes' }],
  ['GET, HEAD', '/api/v1/fund/reference/GLR0000000000000000', { GET: 'reads' }],
  ['GET, HEAD', '/api/v1/bookfx', { GET: 'reads' }],
  ['GET, HEAD', '/api/v1/fund', { GET: 'reads' }],
  ['GET, HEAD', '/api/v1/payments', { GET: 'reads' }],
  ['GET, HEAD', '/api/v1/balance/account/110000000001/entries', { GET: 'reads' }],
];

describe.each(PATHS)('%s %s', (methods, path, limits) => {
  test.each(Object.entries(limits))('%s counts against the %s', async (method, limit) => {
    const { headers } = await (method === 'GET' ? acme.get(path) : acme.post(path, {}));
    expect(headers['ratelimit-policy']).toBe(`"${limit}";q=${limit === 'reads' ? 1_000 : 2_000};w=60`);
  });

  test.each(Object.keys(limits))('%s is never cached, and requires a token', async (method) => {
    const { status, headers, body } = await door.ask(method, path);
    expect([status, body.code]).toEqual([401, 'TOKEN_REQUIRED']);
    expect(headers['cache-control']).toBe('no-store');
    const answer = await (method === 'GET' ? acme.get(path) : acme.post(path, {}));
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('any other method: 405, with those that are allowed', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (methods.includes(method)) continue;
      const { status, headers, body } = await door.ask(method, path);
      expect([status, body.code, headers.allow]).toEqual([405, 'METHOD_NOT_ALLOWED', methods]);
    }
  });

  test('with a slash behind it, or in another case: 404', async () => {
    for (const wrong of [`${path}/`, path.replace('/api', '/API'), path.replace('v1', 'v2')])
      expect((await acme.get(wrong)).status).toBe(404);
  });
});
