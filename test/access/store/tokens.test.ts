/** Tokens: unknown, expired and revoked are distinguished, and a revocation applies everywhere within about a second. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { RIGHTS, type Right } from '../../../engine/domain/core/rights.js';
import { tokenHash } from '../../../engine/store/access/credentials.js';
import type { Store } from '../../../engine/store/store.js';
import { redisAt } from '../../support/redis-client.js';
import { startTestStore, type TestStore } from '../../support/store.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

let clockMs = Date.now();
let running: TestStore;
let other: Store;

beforeAll(async () => {
  running = await startTestStore({ now: () => clockMs });
  other = await running.another();
});
afterAll(() => running.stop());

test('a token has 43 characters, lives 24 hours, and identifies its client', async () => {
  const { token, expiresAtMs } = await running.store.tokens.issue('alice', 'CK_1', ['rates', 'trade']);
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(expiresAtMs).toBe(clockMs + DAY_MS);
  const rights = new Set(['rates', 'trade']);
  const known = { state: 'live', clientId: 'alice', keyId: 'CK_1', rights, expiresAtMs, tokenHash: tokenHash(token) };
  expect(await running.store.tokens.read(token)).toEqual(known);
  expect(await other.tokens.read(token)).toEqual(known);
});

test('distinguishes unknown, expired and revoked', async () => {
  const { tokens } = running.store;
  const revoked = await tokens.issue('alice', 'CK_1', ['rates']);
  const expired = await tokens.issue('alice', 'CK_1', ['rates']);
  expect(await tokens.revoke(revoked.token)).toBe(true);
  expect(await tokens.revoke('A'.repeat(43))).toBe(false);
  expect(await tokens.read('A'.repeat(43))).toBeUndefined();
  expect(await tokens.read('not a token')).toBeUndefined();
  expect((await tokens.read(revoked.token))?.state).toBe('revoked');
  expect((await tokens.read(expired.token))?.state).toBe('live');
  const before = clockMs;
  clockMs = expired.expiresAtMs - 1;
  expect((await tokens.read(expired.token))?.state).toBe('live');
  clockMs = expired.expiresAtMs;
  expect((await tokens.read(expired.token))?.state).toBe('expired');
  expect((await tokens.read(revoked.token))?.state).toBe('revoked');
  clockMs = before;
});

test('an expired token is remembered for another day, a revoked one for an hour', async () => {
  const { token } = await running.store.tokens.issue('alice', 'CK_1', ['rates']);
  const redis = redisAt(running.redisUrl);
  const keptMinutes = async () => Math.ceil((await redis.pttl(`token:${tokenHash(token)}`)) / 60_000);
  expect(await keptMinutes()).toBe((2 + 7) * 24 * 60);
  await running.store.tokens.revoke(token);
  expect(await keptMinutes()).toBe(60);
  redis.disconnect();
});

test('a revocation is delivered to another process at once', async () => {
  const { token } = await running.store.tokens.issue('alice', 'CK_1', ['rates']);
  expect((await other.tokens.read(token))?.state).toBe('live');
  const received = new Promise((resolve) => other.tokens.onRevoked(resolve));
  await running.store.tokens.revoke(token);
  expect(await received).toBe(tokenHash(token));
  expect((await other.tokens.read(token))?.state).toBe('revoked');
});

test('a revocation whose message was lost applies when the cache of one second expires', async () => {
  const { token } = await running.store.tokens.issue('alice', 'CK_1', ['rates']);
  for (const { tokens } of [running.store, other]) expect((await tokens.read(token))?.state).toBe('live');
  // Does what revoke does, without its message.
  const redis = redisAt(running.redisUrl);
  await redis.hset(`token:${tokenHash(token)}`, 'revoked', '1');
  redis.disconnect();
  expect((await other.tokens.read(token))?.state).toBe('live');
  const [fresh] = await other.tokens.readMany([tokenHash(token)]);
  expect(fresh?.state).toBe('revoked');
  await vi.waitFor(async () => expect((await running.store.tokens.read(token))?.state).toBe('revoked'), 120_000);
});

test('reads many tokens together, in their order', async () => {
  const { tokens } = running.store;
  const issued = await Promise.all(Array.from({ length: 50 }, () => tokens.issue('many', 'CK_1', ['rates'])));
  const hashes = issued.map(({ token }) => tokenHash(token));
  await tokens.revoke(issued[7].token);
  const read = await tokens.readMany([...hashes, tokenHash('unknown'), 'not a hash']);
  expect(read.map((record) => record?.state)).toEqual([
    ...issued.map((_, i) => (i === 7 ? 'revoked' : 'live')),
    undefined,
    undefined,
  ]);
  expect(await tokens.revokeAll('many')).toBe(49);
});

const issue = (clientId: string, keyId: string, rights: readonly Right[]) => {
  clockMs += 1;
  return running.store.tokens.issue(clientId, keyId, rights);
};
const stateOf = async (hash: string) => (await running.store.tokens.readMany([hash]))[0]?.state;
const statesOf = (...hashes: string[]) => Promise.all(hashes.map(stateOf));

/**
 * Stores live tokens of a key as `issue` does, each issued a millisecond after the previous one. Returns their hashes.
 */
async function kept(clientId: string, keyId: string, rights: readonly Right[], many: number) {
  const redis = redisAt(running.redisUrl);
  const writes: Promise<unknown>[] = [];
  const hashes = Array.from({ length: many }, (_, n) => tokenHash(`${clientId} ${keyId} ${n}`));
  for (const hash of hashes) {
    const expires = String(++clockMs + DAY_MS);
    writes.push(redis.hset(`token:${hash}`, { client: clientId, key: keyId, rights: rights.join(' '), expires }));
    writes.push(redis.zadd(`client-tokens:${clientId}`, expires, hash));
    writes.push(redis.zadd(`{client-tokens:${clientId}}:key:${keyId}`, expires, hash));
  }
  writes.push(redis.hset(`{client-tokens:${clientId}}:keys`, keyId, rights.join(' ')));
  await Promise.all(writes);
  redis.disconnect();
  return hashes;
}

test('the 1,001st live token of a key revokes the oldest of that key, and none of another key', async () => {
  const trading = tokenHash((await issue('hoarder', 'CK_TRADE', RIGHTS)).token);
  const first = tokenHash((await issue('hoarder', 'CK_READ', ['read'])).token);
  const [second] = await kept('hoarder', 'CK_READ', ['read'], 999);
  expect(await stateOf(first)).toBe('live');
  for (let n = 0; n < 9; n++) await issue('hoarder', 'CK_READ', ['read']);
  expect(await statesOf(first, second!, trading)).toEqual(['revoked', 'revoked', 'live']);
  expect((await running.store.tokens.list('hoarder')).length).toBe(1_001);
});

test('at 5,000 live tokens of a client the key with most loses its oldest, but never a key with a right that the requesting key lacks', async () => {
  const { tokens } = running.store;
  const trading = await kept('full', 'CK_TRADE', RIGHTS, 1_000);
  const reading = await kept('full', 'CK_READ1', ['read'], 999);
  for (const n of [2, 3, 4]) await kept('full', `CK_READ${n}`, ['read'], 998);
  const few = await kept('full', 'CK_READ5', ['read'], 7);
  // A read-only key revokes from the read-only key with most tokens.
  await issue('full', 'CK_READ5', ['read']);
  expect(await statesOf(trading[0]!, reading[0]!, few[0]!)).toEqual(['live', 'revoked', 'live']);
  // A trading key may revoke from any key.
  const another = await issue('full', 'CK_TRADE2', RIGHTS);
  expect(await statesOf(trading[0]!, reading[1]!, tokenHash(another.token))).toEqual(['revoked', 'live', 'live']);
  // No key's tokens may be revoked for one without their rights; a revocation makes room for it.
  const refused = await issue('full', 'CK_RATES', ['rates']);
  expect([another.isLive, refused.isLive, await stateOf(tokenHash(refused.token))]).toEqual([true, false, undefined]);
  await tokens.revoke(another.token);
  expect(await issue('full', 'CK_RATES', ['rates'])).toMatchObject({ isLive: true });
  const redis = redisAt(running.redisUrl);
  expect(await redis.zcard('client-tokens:full')).toBe(5_000);
  redis.disconnect();
});
