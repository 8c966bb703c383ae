/** What an operator may do with a client's keys, and the effect on the tokens of each key. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import type { Right } from '../../../engine/domain/core/rights.js';
import { resolveToken } from '../../../engine/service/core/caller.js';
import type { Services } from '../../../engine/service/core/services.js';
import type { AnyOperationName, OutputOf } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import { startServices, type TestServices } from '../../service/core/services.js';
import { SOON } from '../../support/until.js';

const HERE = '192.0.2.10';

let on: TestServices;
let services: Services;
let clients = 0;
beforeAll(async () => {
  on = await startServices();
  services = on.services;
});
afterAll(() => on.stop());

const ask = <Name extends AnyOperationName>(name: Name, input: object) => perform(services, name, undefined, input);
async function must<Name extends AnyOperationName>(name: Name, input: object): Promise<OutputOf<Name>> {
  const answer = await ask(name, input);
  if (isRefusal(answer)) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
  return answer;
}
async function keyOf(more: object = {}) {
  const clientId = `client${++clients}`;
  await must('createClient', { id: clientId, name: 'Some' });
  return { clientId, ...(await must('issueKey', { clientId, ...more })) };
}
const enter = (key: { clientKey: string; clientSecret: string }, address = HERE) =>
  ask('authenticate', { clientKey: key.clientKey, clientSecret: key.clientSecret, address });
const outcome = async (answer: Promise<object>) => {
  const said = await answer;
  return isRefusal(said) ? said.refusal : 'done';
};
async function tokenOf(key: { clientKey: string; clientSecret: string }, address = HERE): Promise<string> {
  const issued = await enter(key, address);
  if (isRefusal(issued)) throw new Error(issued.text);
  return issued.token;
}
const used = (token: string, address = HERE) => outcome(resolveToken(services, token, address));
/** When what this process has cached of the token and its key is read again: within a second. */
const becomes = (token: string, said: string) => vi.waitFor(async () => expect(await used(token)).toBe(said), SOON);

test('lists what is known of a key without its secret', async () => {
  const key = await keyOf({ rights: ['read', 'rates'], addresses: ['192.0.2.0/24'] });
  await must('rotateKey', { clientKey: key.clientKey });
  const { keys } = await must('listKeys', { clientId: key.clientId });
  expect(keys).toEqual([
    {
      clientId: key.clientId,
      keyId: key.clientKey,
      rights: ['read', 'rates'],
      liveSecrets: 2,
      revoked: false,
      addresses: ['192.0.2.0/24'],
      createdAtMs: expect.any(Number),
    },
  ]);
  expect(await ask('listKeys', { clientId: 'unknown' })).toMatchObject({ refusal: 'UNKNOWN_CLIENT' });
});

describe('rotating a secret without downtime', () => {
  test('accepts both secrets until the previous one is retired, and rejects a third', async () => {
    const old = await keyOf();
    const { clientKey } = old;
    const fresh = await must('rotateKey', { clientKey });
    expect(fresh).toMatchObject({ clientId: old.clientId, clientKey });
    expect([await outcome(enter(old)), await outcome(enter(fresh))]).toEqual(['done', 'done']);
    expect(await ask('rotateKey', { clientKey })).toMatchObject({
      refusal: 'KEY_LIMIT',
      text: expect.stringMatching(/two live secrets.*retire the old one/),
    });
    expect([await outcome(enter(old)), await outcome(enter(fresh))]).toEqual(['done', 'done']);

    const token = await tokenOf(old);
    expect(await must('retirePreviousSecret', { clientKey })).toMatchObject({ keyId: clientKey, liveSecrets: 1 });
    expect([await outcome(enter(old)), await outcome(enter(fresh))]).toEqual(['BAD_CREDENTIALS', 'done']);
    // A token proves the client independently of the secret: it stays valid.
    expect(await used(token)).toBe('done');
    expect(await outcome(ask('rotateKey', { clientKey }))).toBe('done');
  });

  test('two concurrent rotations make one new secret', async () => {
    const { clientKey } = await keyOf();
    const outcomes = await Promise.all([1, 2, 3].map(() => outcome(ask('rotateKey', { clientKey }))));
    expect(outcomes.sort()).toEqual(['KEY_LIMIT', 'KEY_LIMIT', 'done']);
  });
});

describe('revoking a key', () => {
  test("rejects the key and ends its tokens, but no other key's", async () => {
    const key = await keyOf();
    const other = await must('issueKey', { clientId: key.clientId });
    const [token, others] = [await tokenOf(key), await tokenOf(other)];
    expect(await must('revokeKey', { clientKey: key.clientKey })).toMatchObject({ tokensEnded: 1, sessionsEnded: [] });
    expect(await outcome(enter(key))).toBe('NOT_ENTITLED');
    expect([await used(token), await used(others)]).toEqual(['TOKEN_REVOKED', 'done']);
    expect(await outcome(enter(other))).toBe('done');
    expect(await outcome(ask('rotateKey', { clientKey: key.clientKey }))).toBe('WRONG_STATE');
    expect(await outcome(ask('setKeyRights', { clientKey: key.clientKey, rights: ['read'] }))).toBe('WRONG_STATE');
  });

  test('ends a token that the revocation itself missed', async () => {
    const key = await keyOf();
    const token = await tokenOf(key);
    await services.store.keys.revoke(key.clientKey);
    await becomes(token, 'TOKEN_REVOKED');
  });

  test('issues no token when the secret was proved just before the revocation', async () => {
    const key = await keyOf();
    const { store } = services;
    const verify: typeof store.keys.verify = async (...asked) => {
      const verified = await store.keys.verify(...asked);
      await must('revokeKey', { clientKey: key.clientKey });
      return verified;
    };
    const late = { ...services, store: { ...store, keys: { ...store.keys, verify } } };
    const { clientKey, clientSecret } = key;
    const answer = perform(late, 'authenticate', undefined, { clientKey, clientSecret, address: HERE });
    expect(await outcome(answer)).toBe('NOT_ENTITLED');
    expect(await store.tokens.list(key.clientId)).toEqual([]);
  });

  test('frees a place: a client has at most one hundred active keys', async () => {
    const { clientId, clientKey } = await keyOf();
    for (let i = 1; i < 100; i++) await services.store.keys.issue(clientId, ['read']);
    expect(await ask('issueKey', { clientId })).toMatchObject({
      refusal: 'KEY_LIMIT',
      text: expect.stringMatching(/100 keys.*revoke one/),
    });
    await must('revokeKey', { clientKey });
    expect(await outcome(ask('issueKey', { clientId }))).toBe('done');
  });
});

describe('rights of a key', () => {
  const rightsOf = async (token: string) => {
    const caller = await resolveToken(services, token, HERE);
    return isRefusal(caller) ? caller.refusal : [...caller.rights];
  };

  test('an added right applies from the next token', async () => {
    const key = await keyOf({ rights: ['read'] });
    const token = await tokenOf(key);
    expect(await must('setKeyRights', { clientKey: key.clientKey, rights: ['read', 'operate'] })).toMatchObject({
      rights: ['read', 'operate'],
      tokensEnded: 0,
    });
    expect(await rightsOf(token)).toEqual(['read']);
    expect(await rightsOf(await tokenOf(key))).toEqual(['read', 'operate']);
  });

  test('removing a right ends the tokens that have it', async () => {
    const key = await keyOf({ rights: ['read', 'pay'] });
    const token = await tokenOf(key);
    const fewer: readonly Right[] = ['read', 'rates'];
    expect(await must('setKeyRights', { clientKey: key.clientKey, rights: fewer })).toMatchObject({ tokensEnded: 1 });
    expect(await rightsOf(token)).toBe('TOKEN_REVOKED');
    expect(await rightsOf(await tokenOf(key))).toEqual(fewer);
  });
});

describe('addresses of a key', () => {
  test.each([
    [['192.0.2.10'], '192.0.2.10', 'done'],
    [['192.0.2.10'], '192.0.2.11', 'NOT_ENTITLED'],
    [['192.0.2.10'], '::ffff:192.0.2.10', 'done'],
    [['192.0.2.77/28'], '192.0.2.64', 'done'],
    [['192.0.2.77/28'], '192.0.2.80', 'NOT_ENTITLED'],
    [['2001:db8::/32'], '2001:db8:1::5', 'done'],
    [['2001:db8::/32'], '2001:db9::1', 'NOT_ENTITLED'],
    [['10.0.0.0/8', '2001:db8::1'], '2001:DB8:0::1', 'done'],
    [['0.0.0.0/0'], '::1', 'NOT_ENTITLED'],
    [['10.0.0.0/8'], 'unknown', 'NOT_ENTITLED'],
    [[], 'unknown', 'done'],
  ])('%j from %s: %s', async (addresses, address, said) => {
    const key = await keyOf({ addresses });
    expect(await outcome(enter(key, address))).toBe(said);
  });

  test("a token follows its key's address list within a second, and the rejection does not disclose the list", async () => {
    const key = await keyOf();
    const token = await tokenOf(key);
    expect(await used(token)).toBe('done');
    expect(await must('allowKey', { clientKey: key.clientKey, addresses: ['198.51.100.0/24'] })).toMatchObject({
      addresses: ['198.51.100.0/24'],
    });
    await becomes(token, 'NOT_ENTITLED');
    expect(await resolveToken(services, token, HERE)).toEqual({ refusal: 'NOT_ENTITLED', text: 'Not entitled' });
    expect(await used(token, '198.51.100.3')).toBe('done');
    await must('allowKey', { clientKey: key.clientKey, addresses: [] });
    await becomes(token, 'done');
  });

  test('a wrong secret gets the same rejection from every address', async () => {
    const key = await keyOf({ addresses: ['198.51.100.1'] });
    expect(await outcome(enter({ ...key, clientSecret: 'wrong' }))).toBe('BAD_CREDENTIALS');
  });

  test.each([
    '192.0.2.1/33',
    '2001:db8::/129',
    '192.0.2.1/',
    '192.0.2',
    'somewhere',
    '1.2.3.4/-1',
    '::/0/0',
    '',
    '10.0.0.1/08',
  ])('rejects %j, which is no address', async (address) => {
    const { clientKey } = await keyOf();
    expect(await outcome(ask('allowKey', { clientKey, addresses: [address] }))).toBe('VALIDATION_FAILED');
  });
});

test.each([
  ['rotateKey', {}],
  ['retirePreviousSecret', {}],
  ['revokeKey', {}],
  ['setKeyRights', { rights: ['read'] }],
  ['allowKey', { addresses: [] }],
] as const)('%s rejects an unknown key', async (name, more) => {
  expect(await outcome(ask(name, { clientKey: 'CK_UNKNOWN', ...more }))).toBe('UNKNOWN_KEY');
  expect(await outcome(ask(name, { clientKey: 'no key\n', ...more }))).toBe('UNKNOWN_KEY');
});
