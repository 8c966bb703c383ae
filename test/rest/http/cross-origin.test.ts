/** Pages of other origins: answers and preflights with CORS_ORIGINS, and no header without it. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../engine/wiring/config.js';
import { crossOrigin } from '../../../rest/http/cross-origin.js';
import { application, listen, type RestServer } from '../../../rest/server.js';
import { type Client, type MoneyDoor, openMoneyDoor } from '../money-door.js';

const APP = 'https://app.example.com';
const { CORS_ORIGINS } = readConfig({ CORS_ORIGINS: `${APP}, http://localhost:3000` });

let door: MoneyDoor;
let acme: Client;
let allowing: RestServer;
let authorization: string;

beforeAll(async () => {
  door = await openMoneyDoor();
  acme = await door.client('acme');
  await acme.account('EUR', 100n);
  const { clientKey } = (await door.opened.store.keys.issue('acme', ['read']))!;
  authorization = `Bearer ${(await door.opened.store.tokens.issue('acme', clientKey, ['read'])).token}`;
  allowing = await listen(application(door.door), { host: '127.0.0.1', port: 0, cors: crossOrigin(CORS_ORIGINS) });
});
afterAll(async () => {
  await allowing.stop();
  await door.stop();
});

interface Got {
  readonly status: number | undefined;
  readonly body: string;
  /** Those of CORS, and Vary. */
  readonly headers: Record<string, unknown>;
}

const ask = (port: number, method: string, path: string, headers: Record<string, string>): Promise<Got> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
      let body = '';
      answer.on('data', (chunk) => {
        body += chunk;
      });
      const own = Object.entries(answer.headers).filter(([name]) => /^(access-control-|vary$)/.test(name));
      answer.on('end', () => resolve({ status: answer.statusCode, body, headers: Object.fromEntries(own) }));
    });
    sent.on('error', reject).end();
  });

const ALLOWED = {
  'access-control-allow-origin': APP,
  'access-control-expose-headers':
    'ETag, Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After, x-acting-for, x-request-id',
  vary: 'Origin',
};
const preflight = (origin: string) => ({ origin, 'access-control-request-method': 'POST' });

describe('with CORS_ORIGINS', () => {
  test('an answer, a refusal and a path that there is not may be read by an allowed origin', async () => {
    const get = (path: string, token = authorization) =>
      ask(allowing.port, 'GET', path, { origin: APP, authorization: token });
    expect(await get('/api/v1/account')).toMatchObject({ status: 200, headers: ALLOWED });
    expect(await get('/api/v1/account', 'Bearer wrong')).toMatchObject({ status: 401, headers: ALLOWED });
    expect(await get('/api/v1/nowhere')).toMatchObject({ status: 404, headers: ALLOWED });
    expect(await get('/openapi.json')).toMatchObject({ status: 200, headers: ALLOWED });
  });

  test('a preflight is answered without a token, and names what may be sent', async () => {
    const { status, body, headers } = await ask(
      allowing.port,
      'OPTIONS',
      '/api/v1/bookfx/currency/create',
      preflight('http://localhost:3000'),
    );
    expect([status, body]).toEqual([204, '']);
    expect(headers).toEqual({
      ...ALLOWED,
      'access-control-allow-origin': 'http://localhost:3000',
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
      'access-control-allow-headers': 'authorization, content-type, if-match, if-none-match, x-on-behalf-of',
      'access-control-max-age': '600',
    });
  });

  test.each([
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://APP.example.com',
    'null',
    '*',
  ])('the origin %s gets no permission', async (origin) => {
    const answer = await ask(allowing.port, 'GET', '/api/v1/account', { origin, authorization });
    expect(answer).toMatchObject({ status: 200, headers: { vary: 'Origin' } });
    expect(Object.keys(answer.headers)).toEqual(['vary']);
    const asked = await ask(allowing.port, 'OPTIONS', '/api/v1/account', preflight(origin));
    expect([asked.status, Object.keys(asked.headers)]).toEqual([405, ['vary']]);
  });

  test('an OPTIONS that is no preflight is a method that no path has', async () => {
    const { status } = await ask(allowing.port, 'OPTIONS', '/api/v1/account', { origin: APP });
    expect(status).toBe(405);
  });

  test('the pages are for their own origin', async () => {
    expect((await ask(allowing.port, 'GET', '/docs', { origin: APP })).headers).toEqual({});
    expect(await ask(allowing.port, 'OPTIONS', '/docs', preflight(APP))).toMatchObject({ status: 405, headers: {} });
  });

  test('no answer allows cookies', async () => {
    const { headers } = await ask(allowing.port, 'GET', '/api/v1/account', { origin: APP, authorization });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });
});

describe('without it', () => {
  test('no answer has a header of CORS, and a preflight is refused', async () => {
    expect(crossOrigin(readConfig({}).CORS_ORIGINS)).toBeUndefined();
    expect((await ask(door.port, 'GET', '/api/v1/account', { origin: APP, authorization })).headers).toEqual({});
    expect(await ask(door.port, 'OPTIONS', '/api/v1/account', preflight(APP))).toMatchObject({
      status: 405,
      headers: {},
    });
  });
});

test.each([
  '*',
  'null',
  'app.example.com',
  'https://app.example.com/',
  'https://app.example.com/path',
  'https://APP.example.com',
  'https://app.example.com:443',
  'ftp://app.example.com',
  Array.from({ length: 33 }, (_, i) => `https://a${i}.example.com`).join(),
])('a setting of %s ends the start', (text) => {
  expect(() => readConfig({ CORS_ORIGINS: text })).toThrow(/^CORS_ORIGINS .*https:\/\/app\.example\.com,/);
});
