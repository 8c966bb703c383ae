/** A client's fee rules: stored with its ledger, limited in number, and cached for a second. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { FeeRule } from '../../../engine/domain/payments/fee.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type KeyspaceReader, keyspaceReader } from '../../support/keyspace.js';
import { startTestStore, type TestStore } from '../../support/store.js';

let running: TestStore;
let keyspace: KeyspaceReader;
beforeAll(async () => {
  running = await startTestStore();
  keyspace = keyspaceReader(running.redisUrl);
});
afterAll(async () => {
  keyspace.close();
  await running.stop();
});

let of: { id: string; shard: number };
let clients = 0;
beforeEach(async () => {
  const id = `client${++clients}`;
  of = (await running.store.clients.create({ id, name: id, defaultType: 'PREFUNDING' }))!;
});

const EVERYWHERE: FeeRule = { corridor: '*', method: '*', fixed: '1', ppm: 0 };
const DOLLARS: FeeRule = { corridor: 'US-USD', method: 'BANK', fixed: '5.255', ppm: 5_000 };

test('a rule is set, replaced, listed and removed', async () => {
  const { fees } = running.store;
  expect(await fees.list(of)).toEqual([]);
  expect(await fees.set(of, DOLLARS)).toBe(true);
  expect(await fees.set(of, EVERYWHERE)).toBe(true);
  expect(await fees.set(of, { ...DOLLARS, ppm: 1_000_000 })).toBe(true);
  expect(await fees.list(of)).toEqual([EVERYWHERE, { ...DOLLARS, ppm: 1_000_000 }]);
  expect(await keyspace.redis.hkeys(ledgerKeys(of).fees)).toEqual(['US-USD/BANK', '*/*']);
  expect(await fees.remove(of, DOLLARS)).toBe(true);
  expect(await fees.remove(of, DOLLARS)).toBe(false);
  expect(await fees.list(of)).toEqual([EVERYWHERE]);
});

test.each<[Partial<FeeRule>]>([
  [{ ppm: -1 }],
  [{ ppm: 0.5 }],
  [{ ppm: 1_000_001 }],
  [{ fixed: '-1' }],
  [{ fixed: '1e3' }],
  [{ corridor: 'USA' }],
  [{ corridor: 'US/USD' }],
])('rejects %j as a rule', async (wrong) => {
  await expect(running.store.fees.set(of, { ...EVERYWHERE, ...wrong })).rejects.toThrow();
  expect(await running.store.fees.list(of)).toEqual([]);
});

test('a client has at most a thousand rules, and existing ones can be changed', async () => {
  const { fees } = running.store;
  const terms = Object.fromEntries(Array.from({ length: 999 }, (_, i) => [`X${i}/*`, '0 0']));
  await keyspace.redis.hset(ledgerKeys(of).fees, terms);
  expect(await fees.set(of, EVERYWHERE)).toBe(true);
  expect(await fees.set(of, DOLLARS)).toBe(false);
  expect(await fees.set(of, { ...EVERYWHERE, fixed: '2' })).toBe(true);
  expect(await keyspace.redis.hlen(ledgerKeys(of).fees)).toBe(1_000);
});

test('a cached rule is not read again at once; an own change applies at once, another process sees it within a second', async () => {
  const { fees } = running.store;
  const other = (await running.another()).fees;
  expect((await fees.cached(of)).size).toBe(0);
  expect((await other.cached(of)).size).toBe(0);
  // Written past the store's cache, so that only a read can find it.
  await keyspace.redis.hset(ledgerKeys(of).fees, 'GB/*', '3 0');
  expect((await fees.cached(of)).size).toBe(0);
  await fees.set(of, EVERYWHERE);
  expect([...(await fees.cached(of)).keys()]).toEqual(['*/*', 'GB/*']);
  await vi.waitFor(async () => expect((await other.cached(of)).size).toBe(2), 120_000);
});
