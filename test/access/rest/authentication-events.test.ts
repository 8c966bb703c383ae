/** Who was let in and who was not, in the log and in the counts; and tokens that their client revokes. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Right } from '../../../engine/domain/core/rights.js';
import { AuthenticationEvents } from '../../../engine/service/access/authentication-events.js';
import { openRestDoor, type RestDoor } from '../../rest/rest-door.js';
import { startTestStore, type TestStore } from '../../support/store.js';

const LOGIN = '/api/v1/authentication';
const REVOKE = '/api/v1/authentication/revoke';
const BALANCES = '/api/v1/balance/all';
let opened: TestStore;
let door: RestDoor;

beforeAll(async () => {
  opened = await startTestStore();
  door = await openRestDoor(opened.store);
  await opened.store.clients.create({ id: 'acme', name: 'Acme', defaultType: 'PREFUNDING' });
});
afterAll(async () => {
  await door.stop();
  await opened.stop();
});
beforeEach(() => {
  door.services.logged.length = 0;
});

interface Key {
  readonly client_key: string;
  readonly client_secret: string;
}
/** A key of its own for each test, so that none is locked by another. */
async function key(rights: readonly Right[] = ['read'], addresses: readonly string[] = []): Promise<Key> {
  const { clientKey, clientSecret } = (await opened.store.keys.issue('acme', rights, addresses))!;
  return { client_key: clientKey, client_secret: clientSecret };
}
const post = (path: string, headers: object) => door.ask('POST', path, headers as Record<string, string>);
const bearer = (token: unknown) => ({ authorization: `Bearer ${token}` });
const tokenOf = async (credentials: Key) => (await post(LOGIN, credentials)).body.token;
const statusOf = async (token: unknown) => (await door.ask('GET', BALANCES, bearer(token))).status;
const events = () =>
  door.services.logged.flatMap((line) => {
    const fields = JSON.parse(line.slice(line.indexOf('{')));
    return fields.event ? [fields] : [];
  });

describe('one line for each event, which names key, client, address, door and request', () => {
  test.each<[string, string | undefined, (key: Key) => Promise<{ headers: object }>]>([
    ['authentication.succeeded', undefined, (credentials) => post(LOGIN, credentials)],
    ['authentication.failed', 'BAD_CREDENTIALS', (credentials) => post(LOGIN, { ...credentials, client_secret: 'x' })],
    ['authentication.failed', 'TOKEN_INVALID', () => door.ask('GET', BALANCES, bearer('A'.repeat(43)))],
    [
      'authentication.forbidden',
      'NOT_ENTITLED',
      async (credentials) => {
        const token = await tokenOf(credentials);
        door.services.logged.length = 0;
        return door.ask('GET', '/api/v1/bookfx/rate?sell_currency=EUR&buy_currency=USD', bearer(token));
      },
    ],
    [
      'authentication.forbidden',
      'NOT_ENTITLED',
      async (credentials) => {
        const token = await tokenOf(credentials);
        await opened.store.keys.setAddresses(credentials.client_key, ['192.0.2.1']);
        door.services.logged.length = 0;
        return door.ask('GET', BALANCES, bearer(token));
      },
    ],
    [
      'authentication.locked',
      'KEY_LOCKED',
      async (credentials) => {
        for (let n = 0; n < 5; n++) await post(LOGIN, { ...credentials, client_secret: 'x' });
        door.services.logged.length = 0;
        return post(LOGIN, credentials);
      },
    ],
    ['token.revoked', undefined, (credentials) => post(REVOKE, credentials)],
    [
      'authentication.failed',
      'TOKEN_REVOKED',
      async (credentials) => {
        const token = await tokenOf(credentials);
        await post(REVOKE, bearer(token));
        door.services.logged.length = 0;
        return post(REVOKE, bearer(token));
      },
    ],
  ])('%s %s', async (event, code, ask) => {
    const credentials = await key();
    const { headers } = await ask(credentials);
    const [line, ...more] = events();
    expect(more).toEqual([]);
    const isKnown = code !== 'TOKEN_INVALID';
    expect([line.event, line.code, line.door, line.address]).toEqual([event, code, 'rest', '127.0.0.1']);
    expect([line.key_id, line.client]).toEqual(isKnown ? [credentials.client_key, 'acme'] : [undefined, undefined]);
    expect(line.request_id).toBe((headers as Record<string, string>)['x-request-id']);
    expect(door.services.logged.join()).not.toContain(credentials.client_secret);
  });

  test('does not log an unknown client key: it may be a secret in the wrong field', async () => {
    const { client_secret } = await key();
    await post(LOGIN, { client_key: client_secret, client_secret: 'x' });
    expect(events()).toMatchObject([{ event: 'authentication.failed', key_id: 'unknown' }]);
    expect(door.services.logged.join()).not.toContain(client_secret);
  });
});

test('five lines of an address and key in a minute, 120 of an outcome, then one with how many were suppressed', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { services } = door;
  const paced = new AuthenticationEvents(services);
  const fail = (address: string) =>
    paced.note({ door: 'rest', outcome: 'failed', clientKey: undefined, address, requestId: 'r1' });
  for (let n = 0; n < 9; n++) await fail('192.0.2.7');
  expect(events()).toHaveLength(5);
  for (let n = 0; n < 300; n++) await fail(`192.0.2.${n}`);
  expect(events()).toHaveLength(120);
  await paced.note({ door: 'rest', outcome: 'locked', clientKey: undefined, address: '192.0.2.7', requestId: 'r1' });
  expect(events().at(-1).event).toBe('authentication.locked');
  expect([...paced.read()]).toEqual([
    [{ door: 'rest', outcome: 'failed' }, 309],
    [{ door: 'rest', outcome: 'locked' }, 1],
  ]);
  vi.advanceTimersByTime(60_000);
  expect(events().at(-1)).toEqual({ event: 'authentication.suppressed', suppressed: { failed: 189 } });
  await fail('192.0.2.7');
  expect(events().at(-1).event).toBe('authentication.failed');
});

describe('a client revokes', () => {
  test('the token that it sends, and no other', async () => {
    const credentials = await key();
    const [one, other] = [await tokenOf(credentials), await tokenOf(credentials)];
    expect(await post(REVOKE, bearer(one))).toMatchObject({
      status: 200,
      body: { status: 'revoked', tokens_revoked: 1 },
    });
    expect([await statusOf(one), await statusOf(other)]).toEqual([401, 200]);
    expect((await post(REVOKE, bearer(one))).body.code).toBe('TOKEN_REVOKED');
  });

  test('all tokens of a key, with the key and its secret; those of its other keys, and the key, stay', async () => {
    const [mine, another] = [await key(), await key()];
    const tokens = [await tokenOf(mine), await tokenOf(mine), await tokenOf(another)];
    expect((await post(REVOKE, mine)).body).toEqual({ status: 'revoked', tokens_revoked: 2 });
    expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 401, 200]);
    expect((await post(REVOKE, mine)).body).toEqual({ status: 'revoked', tokens_revoked: 0 });
    expect(await statusOf(await tokenOf(mine))).toBe(200);
  });

  test.each<[string, number, string, (key: Key) => object]>([
    ['nothing', 401, 'TOKEN_REQUIRED', () => ({})],
    ['a token that is none', 401, 'TOKEN_INVALID', () => bearer('A'.repeat(43))],
    ['a wrong secret', 401, 'BAD_CREDENTIALS', ({ client_key }) => ({ client_key, client_secret: 'x' })],
    ['a key without its secret', 401, 'BAD_CREDENTIALS', ({ client_key }) => ({ client_key })],
    ['an unknown key', 401, 'BAD_CREDENTIALS', () => ({ client_key: 'CK_NONE', client_secret: 'x' })],
    ['both', 400, 'VALIDATION_FAILED', (credentials) => ({ ...credentials, ...bearer('A'.repeat(43)) })],
  ])('with %s: %i %s', async (_what, status, code, headers) => {
    const answer = await post(REVOKE, headers(await key()));
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test('not from an address that the key is not allowed from', async () => {
    expect((await post(REVOKE, await key(['read'], ['192.0.2.1']))).body.code).toBe('NOT_ENTITLED');
  });

  test('five wrong secrets here lock the key, for authentication too', async () => {
    const credentials = await key();
    for (let n = 0; n < 5; n++) await post(REVOKE, { ...credentials, client_secret: `wrong${n}` });
    expect((await post(LOGIN, credentials)).body.code).toBe('KEY_LOCKED');
  });
});
