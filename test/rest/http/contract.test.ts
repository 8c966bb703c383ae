import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Right } from '../../../engine/domain/core/rights.js';
import { startTestStore, type TestStore } from '../../support/store.js';
import { openRestDoor, type RestDoor } from '../rest-door.js';

const AUTHENTICATION = '/api/v1/authentication';
const RATE = '/api/v1/bookfx/rate';
const JSON_IN_CHUNKS = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
const EUR_TO_USD = `${RATE}?sell_currency=EUR&buy_currency=USD`;

let opened: TestStore;
let door: RestDoor;
let key: { clientKey: string; clientSecret: string };
let token: string;

beforeAll(async () => {
  const startedAtMs = Date.now();
  opened = await startTestStore({ now: () => door?.services.nowMs ?? startedAtMs });
  const { store } = opened;
  await store.clients.create({ id: 'acme', name: 'Acme', defaultType: 'PREFUNDING' });
  await store.margins.set({ clientId: 'acme', pair: '*', type: '*', marginPpm: 2_500 });
  await store.margins.set({ clientId: 'acme', pair: '*', type: 'SCHEDULED1', marginPpm: 5_000 });
  key = await issue('acme', ['read', 'rates']);
  door = await openRestDoor(store, {}, undefined, () => opened.turn());
  token = String((await authenticate()).body.token);
});
afterAll(async () => {
  await door.stop();
  await opened.stop();
});
beforeEach(() => door.price('EUR/USD', '1.08431', '1.08433'));

async function issue(clientId: string, rights: readonly Right[]) {
  return (await opened.store.keys.issue(clientId, rights))!;
}
const authenticate = (clientKey = key.clientKey, clientSecret = key.clientSecret) =>
  door.ask('POST', AUTHENTICATION, { client_key: clientKey, client_secret: clientSecret });
const rate = (path = EUR_TO_USD, authorization = `Bearer ${token}`) => door.ask('GET', path, { authorization });

test('authentication answers a token of 24 hours, and a new one leaves the old one alone', async () => {
  const { status, headers, body } = await authenticate();
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(Object.keys(body)).toEqual(['token', 'expires_at']);
  expect(body.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(body.expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const lifetimeMs = Date.parse(String(body.expires_at)) - Date.now();
  expect(Math.round(lifetimeMs / 3_600_000)).toBe(24);
  expect(body.token).not.toBe(token);
  expect((await rate()).status).toBe(200);
  expect((await rate(EUR_TO_USD, `Bearer ${body.token}`)).status).toBe(200);
});

test('ignores the content-type of a request without a body', async () => {
  const headers = { client_key: key.clientKey, client_secret: key.clientSecret, 'content-type': 'text/plain' };
  expect((await door.ask('POST', AUTHENTICATION, headers)).status).toBe(200);
  expect((await door.ask('POST', AUTHENTICATION, { ...headers, 'transfer-encoding': 'chunked' })).status).toBe(200);
});

test('takes blanks as no body where none is expected, in chunks too', async () => {
  const headers = { client_key: key.clientKey, client_secret: key.clientSecret, ...JSON_IN_CHUNKS };
  expect((await door.ask('POST', AUTHENTICATION, headers, ' '.repeat(65_536))).status).toBe(200);
});

describe('the rate', () => {
  test('of a sold base is the bid, and its own client rate', async () => {
    const { status, body } = await rate();
    expect(status).toBe(200);
    expect(body).toEqual({
      sell_currency: 'EUR',
      buy_currency: 'USD',
      fx_rate: 1.08431,
      margin: 0.25,
      // 1.08431 x 0.9975, half-even at 7 decimals
      instarem_fx_rate: 1.0815992,
      expiry_at: expect.stringMatching(/Z$/),
      valid_until: expect.stringMatching(/Z$/),
    });
    expect(Date.parse(String(body.expiry_at))).toBe(door.services.nowMs + 12 * 3_600_000);
    expect(Date.parse(String(body.valid_until))).toBeGreaterThan(door.services.nowMs);
    expect(Date.parse(String(body.valid_until))).toBeLessThanOrEqual(door.services.nowMs + door.services.book.maxAgeMs);
  });

  test('of a bought base is the inverse of the offer, 10 significant digits', async () => {
    const { body } = await rate(`${RATE}?sell_currency=USD&buy_currency=EUR`);
    // 1 / 1.08433; 1.08433 / 0.9975 = 1.0870476 at 7 decimals, and its inverse
    expect(body.fx_rate).toBe(0.9222284729);
    expect(body.instarem_fx_rate).toBe(0.9199229178);
  });

  test.each([
    ['', 0.25, 12],
    ['&type=', 0.25, 12],
    ['&type=PREFUNDING', 0.25, 12],
    ['&type=SCHEDULED1', 0.5, 24],
  ])('with %s has margin %d', async (type, margin, hours) => {
    const { body } = await rate(`${EUR_TO_USD}${type}`);
    expect(body.margin).toBe(margin);
    expect(Date.parse(String(body.expiry_at)) - door.services.nowMs).toBeGreaterThanOrEqual(hours * 3_600_000);
  });

  test('refuses what it does not know', async () => {
    expect((await rate(`${EUR_TO_USD}&colour=green`)).status).toBe(400);
  });
});

describe('every refusal is a problem with its status and code', () => {
  test.each<[string, () => ReturnType<typeof rate>, number, string]>([
    ['an unknown path', () => rate('/api/v1/nothing'), 404, 'NOT_FOUND'],
    ['a path with another slash', () => rate(`${RATE}/`), 404, 'NOT_FOUND'],
    ['another case', () => rate('/API/v1/bookfx/rate'), 404, 'NOT_FOUND'],
    ['a path that cannot be decoded', () => rate('/api/v1/%ff'), 404, 'NOT_FOUND'],
    ['POST to the rate', () => door.ask('POST', RATE), 405, 'METHOD_NOT_ALLOWED'],
    ['GET of authentication', () => door.ask('GET', AUTHENTICATION), 405, 'METHOD_NOT_ALLOWED'],
    ['OPTIONS', () => door.ask('OPTIONS', RATE), 405, 'METHOD_NOT_ALLOWED'],
    [
      'another body',
      () => door.ask('POST', AUTHENTICATION, { 'content-type': 'text/xml' }, '<a/>'),
      400,
      'UNSUPPORTED_CONTENT_TYPE',
    ],
    ['a body without a type', () => door.ask('POST', AUTHENTICATION, {}, '{}'), 400, 'UNSUPPORTED_CONTENT_TYPE'],
    [
      '64 KiB and one byte',
      () => door.ask('POST', AUTHENTICATION, { 'content-type': 'application/json' }, ' '.repeat(65_537)),
      400,
      'BODY_TOO_LARGE',
    ],
    [
      '64 KiB and one byte in chunks',
      () => door.ask('POST', AUTHENTICATION, { ...JSON_IN_CHUNKS }, ' '.repeat(65_537)),
      400,
      'BODY_TOO_LARGE',
    ],
    [
      'chunks without a type',
      () => door.ask('POST', AUTHENTICATION, { 'transfer-encoding': 'chunked' }, '{}'),
      400,
      'UNSUPPORTED_CONTENT_TYPE',
    ],
    ['no credentials', () => door.ask('POST', AUTHENTICATION), 401, 'BAD_CREDENTIALS'],
    ['an unknown key', () => authenticate('CK_UNKNOWN'), 401, 'BAD_CREDENTIALS'],
    ['a wrong secret', () => authenticate(key.clientKey, 'x'.repeat(43)), 401, 'BAD_CREDENTIALS'],
    ['an endless secret', () => authenticate(key.clientKey, 'x'.repeat(9_000)), 401, 'BAD_CREDENTIALS'],
    ['no token', () => door.ask('GET', EUR_TO_USD), 401, 'TOKEN_REQUIRED'],
    ['a scheme without a token', () => rate(EUR_TO_USD, 'Bearer'), 401, 'TOKEN_REQUIRED'],
    ['an unknown token', () => rate(EUR_TO_USD, `Bearer ${'x'.repeat(43)}`), 401, 'TOKEN_INVALID'],
    ['another scheme', () => rate(EUR_TO_USD, 'Basic dXNlcjpwYXNz'), 401, 'TOKEN_INVALID'],
    ['no currencies', () => rate(RATE), 400, 'VALIDATION_FAILED'],
    ['a currency in lower case', () => rate(`${RATE}?sell_currency=eur&buy_currency=USD`), 400, 'VALIDATION_FAILED'],
    ['a type that is none', () => rate(`${EUR_TO_USD}&type=SOON`), 400, 'VALIDATION_FAILED'],
    ['a currency twice', () => rate(`${EUR_TO_USD}&sell_currency=GBP`), 400, 'VALIDATION_FAILED'],
    ['a currency not offered', () => rate(`${RATE}?sell_currency=EUR&buy_currency=XAU`), 400, 'VALIDATION_FAILED'],
    ['one currency', () => rate(`${RATE}?sell_currency=EUR&buy_currency=EUR`), 400, 'SAME_CURRENCY'],
    ['a pair without a price', () => rate(`${RATE}?sell_currency=GBP&buy_currency=USD`), 503, 'RATE_UNAVAILABLE'],
  ])('%s', async (_what, ask, status, code) => {
    const answer = await ask();
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    const members = 'type title status detail instance code message request_id errors'.split(' ');
    expect(Object.keys(answer.body)).toEqual(status === 503 ? [...members, 'outcome'] : members);
    expect(answer.body.status).toBe(status);
    expect(answer.headers['x-request-id']).toBe(answer.body.request_id);
    expect(answer.headers['x-powered-by']).toBeUndefined();
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.headers.etag).toBeUndefined();
    if (status === 503) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    if (status === 401) expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  test('405 names the methods that are allowed', async () => {
    expect((await door.ask('DELETE', RATE)).headers.allow).toBe('GET, HEAD');
    expect((await door.ask('GET', AUTHENTICATION)).headers.allow).toBe('POST');
  });

  test('all faults of a query at once, under the names of the interface', async () => {
    const { body } = await rate(`${RATE}?buy_currency=usd&type=SOON`);
    expect(body.errors).toEqual([
      { field: 'sell_currency', code: 'field_missing', message: expect.any(String) },
      { field: 'buy_currency', code: 'incorrect_format', message: expect.any(String) },
      { field: 'type', code: 'incorrect_value', message: expect.any(String) },
    ]);
  });

  test('reports an expired and a revoked token by different codes', async () => {
    const { body } = await authenticate();
    const mine = `Bearer ${body.token}`;
    door.services.nowMs += 24 * 3_600_000 + 60_000;
    expect((await rate(EUR_TO_USD, mine)).body.code).toBe('TOKEN_EXPIRED');
    door.services.nowMs = Date.now();
    await opened.store.tokens.revoke(String(body.token));
    expect((await rate(EUR_TO_USD, mine)).body.code).toBe('TOKEN_REVOKED');
  });

  test('a key without the right, a client without a margin, a client that is disabled', async () => {
    const { store } = opened;
    await store.clients.create({ id: 'bare', name: 'Bare', defaultType: 'PREFUNDING' });
    const reader = await issue('bare', ['read']);
    const dealer = await issue('bare', ['rates']);
    const readerToken = (await authenticate(reader.clientKey, reader.clientSecret)).body.token;
    const dealerToken = (await authenticate(dealer.clientKey, dealer.clientSecret)).body.token;
    const withoutRight = await rate(EUR_TO_USD, `Bearer ${readerToken}`);
    expect([withoutRight.status, withoutRight.body.code, withoutRight.body.detail]).toEqual([
      403,
      'NOT_ENTITLED',
      'Not entitled: this key lacks the right rates',
    ]);
    expect((await rate(EUR_TO_USD, `Bearer ${dealerToken}`)).body.code).toBe('NOT_ENTITLED');
    await store.clients.setDisabled('bare', true);
    expect((await authenticate(dealer.clientKey, dealer.clientSecret)).status).toBe(403);
  });

  test('a right comes before the query, the query before the operation', async () => {
    expect((await rate(`${RATE}?sell_currency=x`, 'Bearer x')).body.code).toBe('TOKEN_INVALID');
    expect((await rate(`${RATE}?sell_currency=EUR&buy_currency=eur`)).body.code).toBe('VALIDATION_FAILED');
  });
});

test('the sixth wrong secret from an address finds the key locked there, even with the right one', async () => {
  const victim = await issue('acme', ['rates']);
  for (let wrong = 0; wrong < 5; wrong++) {
    expect((await authenticate(victim.clientKey, 'wrong')).body.code).toBe('BAD_CREDENTIALS');
  }
  const { status, body, headers } = await authenticate(victim.clientKey, victim.clientSecret);
  expect([status, body.code]).toEqual([401, 'KEY_LOCKED']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(800);
});

test('HEAD of the rate is the head of GET', async () => {
  const { status, headers, body } = await door.ask('HEAD', EUR_TO_USD, { authorization: `Bearer ${token}` });
  expect(status).toBe(200);
  expect(Number(headers['content-length'])).toBeGreaterThan(100);
  expect(body).toEqual({});
});

test.each([
  ['bytes that are no HTTP', '8=FIX.4.4\x019=5\x0135=0\x0110=000\x01\r\n\r\n', /Not a valid HTTP request/],
  ['a request without Host', `GET ${RATE} HTTP/1.1\r\n\r\n`, /Not a valid HTTP request/],
  ['a tunnel', 'CONNECT elsewhere:443 HTTP/1.1\r\nHost: x\r\n\r\n', /Not a valid HTTP request/],
  ['endless headers', `GET ${RATE} HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(17_000)}\r\n\r\n`, /above 16 KiB/],
])('%s: answered by a problem and a closed connection', async (_what, bytes, text) => {
  const said = await exchange(bytes);
  expect(said).toMatch(/^HTTP\/1\.1 400 /);
  for (const header of ['application/problem+json', 'nosniff', 'x-request-id: ', 'date: '])
    expect(said).toContain(header);
  const body = JSON.parse(said.slice(said.indexOf('\r\n\r\n')));
  expect([body.status, body.code, body.errors]).toEqual([400, 'VALIDATION_FAILED', []]);
  expect(body.detail).toMatch(text);
});

test('an expectation that is unknown here is passed over', async () => {
  const said = await exchange(`GET ${RATE} HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n`);
  expect(said).toMatch(/^HTTP\/1\.1 401 /);
  expect(said).toContain('TOKEN_REQUIRED');
});

/** What the server says to these bytes until it closes. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(door.port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}

test('no secret and no token is in the log', async () => {
  await authenticate(key.clientKey, 'a-very-secret-word');
  const log = door.services.logged.join('\n');
  for (const secret of [key.clientSecret, token, 'a-very-secret-word']) expect(log).not.toContain(secret);
});
