/** The login of the live page: a cookie that no script reads, from this origin alone, with the API's own limits. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LiveRig, startLive } from './live-rig.js';
import { ask, connectPage, cookieOf, logIn, originOf } from './page-client.js';

let rig: LiveRig;
let key: { clientKey: string; clientSecret: string };
beforeEach(async () => {
  rig = await startLive({ limits: { authentication: 30 } });
  key = await rig.key('acme');
});
afterEach(() => rig.stop());

const codeOf = ({ text }: { readonly text: string }) => (JSON.parse(text) as { code?: string }).code;
const session = async (cookie: string) =>
  JSON.parse((await ask(rig.port, 'GET', '/live/session', { cookie })).text) as { client_id: string | null };

test('a client key and its secret give a cookie, and the answer says nothing that is secret', async () => {
  const answer = await logIn(rig.port, key.clientKey, key.clientSecret);
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.text)).toEqual({
    client_id: 'acme',
    operator: false,
    expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
  expect(String(answer.headers['set-cookie'])).toMatch(
    /^ratewire_live=[\w-]{43}; Path=\/live; Max-Age=86400; HttpOnly; SameSite=Strict$/,
  );
  const token = cookieOf(answer).split('=')[1]!;
  for (const secret of [token, key.clientSecret]) {
    expect(answer.text).not.toContain(secret);
    expect(rig.money.services.logged.join()).not.toContain(secret);
  }
  expect(await session(cookieOf(answer))).toMatchObject({ client_id: 'acme' });
});

test('where the browser speaks TLS, the cookie is for TLS alone', async () => {
  const origin = `https://127.0.0.1:${rig.port}`;
  const answer = await logIn(rig.port, key.clientKey, key.clientSecret, { origin });
  expect(String(answer.headers['set-cookie'])).toMatch(
    /^__Host-ratewire_live=[\w-]{43}; Path=\/; Secure; Max-Age=86400; HttpOnly; SameSite=Strict$/,
  );
  const cookie = cookieOf(answer);
  expect(await session(cookie)).toMatchObject({ client_id: 'acme' });
  // A cookie without the prefix, which another page may have set, does not take its place.
  expect(await session(`ratewire_live=${'x'.repeat(43)}; ${cookie}`)).toMatchObject({ client_id: 'acme' });
  const out = await ask(rig.port, 'POST', '/live/logout', { cookie, origin });
  expect(String(out.headers['set-cookie'])).toMatch(/^__Host-ratewire_live=; Path=\/; Secure; Max-Age=0;/);
});

describe('no cookie', () => {
  test.each([
    ['a wrong secret', () => logIn(rig.port, key.clientKey, 'wrong'), 401, 'BAD_CREDENTIALS'],
    ['an unknown key', () => logIn(rig.port, 'CK_UNKNOWN', 'wrong'), 401, 'BAD_CREDENTIALS'],
    ['no key at all', () => logIn(rig.port, '', ''), 401, 'BAD_CREDENTIALS'],
    [
      'a page of another origin',
      () => logIn(rig.port, key.clientKey, key.clientSecret, { origin: 'http://evil.example' }),
      403,
      'NOT_ENTITLED',
    ],
    [
      'no origin',
      () => ask(rig.port, 'POST', '/live/login', { 'content-type': 'application/json' }, '{}'),
      403,
      'NOT_ENTITLED',
    ],
    [
      'a form, which any page may send',
      () =>
        ask(
          rig.port,
          'POST',
          '/live/login',
          { origin: originOf(rig.port), 'content-type': 'text/plain' },
          JSON.stringify({ client_key: key.clientKey, client_secret: key.clientSecret }),
        ),
      400,
      'UNSUPPORTED_CONTENT_TYPE',
    ],
  ])('%s', async (_, attempt, status, code) => {
    const answer = await attempt();
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('five wrong secrets lock the key here, for the API too', async () => {
    for (let i = 0; i < 5; i++) await logIn(rig.port, key.clientKey, 'wrong');
    const answer = await logIn(rig.port, key.clientKey, key.clientSecret);
    expect([answer.status, codeOf(answer)]).toEqual([401, 'KEY_LOCKED']);
    const api = await ask(rig.port, 'POST', '/api/v1/authentication', {
      client_key: key.clientKey,
      client_secret: key.clientSecret,
    });
    expect(codeOf(api)).toBe('KEY_LOCKED');
  });

  test('more attempts than a minute allows', async () => {
    const attempts = await Promise.all(Array.from({ length: 40 }, () => logIn(rig.port, 'CK_UNKNOWN', 'wrong')));
    const through = attempts.filter(({ status }) => status === 401);
    const refused = attempts.filter(({ status }) => status === 429);
    // Fewer where the store does not answer in time.
    expect(through.length).toBeGreaterThan(0);
    expect(through.length).toBeLessThanOrEqual(30);
    expect(through.length + refused.length).toBe(40);
    expect(refused[0]!.headers['retry-after']).toMatch(/^\d+$/);
  });
});

test('logging out ends the token: a copy of the cookie is worth nothing, and the stream ends', async () => {
  const cookie = cookieOf(await logIn(rig.port, key.clientKey, key.clientSecret));
  const page = connectPage(rig.port, { cookie, origin: originOf(rig.port) });
  const foreign = await ask(rig.port, 'POST', '/live/logout', { cookie, origin: 'http://evil.example' });
  expect([foreign.status, (await session(cookie)).client_id]).toEqual([403, 'acme']);

  const out = await ask(rig.port, 'POST', '/live/logout', { cookie, origin: originOf(rig.port) });
  expect(out.status).toBe(200);
  expect(String(out.headers['set-cookie'])).toMatch(/^ratewire_live=; Path=\/live; Max-Age=0;/);
  expect((await session(cookie)).client_id).toBeNull();
  expect((await page.closed).code).toBe(4401);
});

describe('no stream', () => {
  test.each([
    ['without a cookie', () => ({ origin: originOf(rig.port) }), '/live/stream', 401],
    [
      'with a cookie that is none',
      () => ({ origin: originOf(rig.port), cookie: 'ratewire_live=x' }),
      '/live/stream',
      401,
    ],
    ['from another origin', () => ({ origin: 'http://evil.example', cookie: '' }), '/live/stream', 403],
    ['without an origin', () => ({ cookie: '' }), '/live/stream', 403],
    ['at another path', () => ({ origin: originOf(rig.port), cookie: '' }), '/live/streams', 404],
    ['with a token in the address', () => ({ origin: originOf(rig.port) }), '/live/stream?token=x', 401],
  ])('%s', async (_, headers, path, status) => {
    const cookie = cookieOf(await logIn(rig.port, key.clientKey, key.clientSecret));
    const sent = headers() as { origin?: string; cookie?: string };
    const page = connectPage(
      rig.port,
      { ...sent, ...(sent.cookie === '' && { cookie }) } as Record<string, string>,
      path,
    );
    expect((await page.closed).code).toBe(status);
  });
});

test('the cookie is no token of the API', async () => {
  const cookie = cookieOf(await logIn(rig.port, key.clientKey, key.clientSecret));
  const answer = await ask(rig.port, 'GET', '/api/v1/balance/all', { cookie });
  expect([answer.status, codeOf(answer)]).toEqual([401, 'TOKEN_REQUIRED']);
});
