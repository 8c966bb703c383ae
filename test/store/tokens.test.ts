/** Tokens: their states stay apart, and an end is known everywhere within about a second. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Store } from '../../engine/store/store.js';
import { tokenHash } from '../../engine/store/tokens.js';
import { redisAt } from '../support/redis-client.js';
import { startTestStore, type TestStore } from '../support/store.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

let clockMs = Date.now();
let running: TestStore;
let other: Store;

beforeAll(async () => {
  running = await startTestStore({ now: () => clockMs });
  other = await running.another();
});
afterAll(() => running.stop());

test('a token is 43 characters, lives 24 hours, and names its client', async () => {
  const { token, expiresAtMs } = await running.store.tokens.issue('alice', 'CK_1', ['rates', 'trade']);
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(expiresAtMs).toBe(clockMs + DAY_MS);
  const rights = new Set(['rates', 'trade']);
  const known = { state: 'live', clientId: 'alice', keyId: 'CK_1', rights, expiresAtMs, tokenHash: tokenHash(token) };
  expect(await running.store.tokens.read(token)).toEqual(known);
  expect(await other.tokens.read(token)).toEqual(known);
});

test('unknown, expired and revoked stay apart', async () => {
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

test('an expired token is remembered for a day more, a revoked one for an hour', async () => {
  const { token } = await running.store.tokens.issue('alice', 'CK_1', ['rates']);
  const redis = redisAt(running.redisUrl);
  const keptMinutes = async () => Math.ceil((await redis.pttl(`token:${tokenHash(token)}`)) / 60_000);
  expect(await keptMinutes()).toBe(2 * 24 * 60);
  await running.store.tokens.revoke(token);
  expect(await keptMinutes()).toBe(60);
  redis.disconnect();
});

test('a revocation is heard of by another process at once', async () => {
  const { token } = await running.store.tokens.issue('alice', 'CK_1', ['rates']);
  expect((await other.tokens.read(token))?.state).toBe('live');
  const heard = new Promise((resolve) => other.tokens.onRevoked(resolve));
  await running.store.tokens.revoke(token);
  expect(await heard).toBe(tokenHash(token));
  expect((await other.tokens.read(token))?.state).toBe('revoked');
});

test('a revocation whose message was lost is known when the memory of a second has passed', async () => {
  const { token } = await running.store.tokens.issue('alice', 'CK_1', ['rates']);
  for (const { tokens } of [running.store, other]) expect((await tokens.read(token))?.state).toBe('live');
  // What revoke does, without its message.
  const redis = redisAt(running.redisUrl);
  await redis.hset(`token:${tokenHash(token)}`, 'revoked', '1');
  redis.disconnect();
  expect((await other.tokens.read(token))?.state).toBe('live');
  const [fresh] = await other.tokens.readMany([tokenHash(token)]);
  expect(fresh?.state).toBe('revoked');
  await vi.waitFor(async () => expect((await running.store.tokens.read(token))?.state).toBe('revoked'), 5_000);
});

test('many tokens are read together, in their order', async () => {
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

test('the 1,001st live token ends the oldest of the client', async () => {
  const { tokens } = running.store;
  const first = await tokens.issue('hoarder', 'CK_1', ['rates']);
  clockMs += 1;
  const second = await tokens.issue('hoarder', 'CK_1', ['rates']);
  clockMs += 1;
  await Promise.all(Array.from({ length: 998 }, () => tokens.issue('hoarder', 'CK_1', ['rates'])));
  expect((await tokens.read(first.token))?.state).toBe('live');
  clockMs += 1;
  await tokens.issue('hoarder', 'CK_1', ['rates']);
  expect((await tokens.read(first.token))?.state).toBe('revoked');
  expect((await tokens.read(second.token))?.state).toBe('live');
});
