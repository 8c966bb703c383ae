/** The rate relay and the lease that decides who feeds it. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { LEASE_MS } from '../../engine/store/lease.js';
import type { Store } from '../../engine/store/store.js';
import { startTestStore, type TestStore } from '../support/store.js';

let running: TestStore;
let other: Store;
beforeAll(async () => {
  running = await startTestStore();
  other = await running.another();
});
afterAll(() => running.stop());

test('what is published is heard by all who listen, byte for byte, until they stop', async () => {
  const heard: Buffer[] = [];
  const alsoHeard: Buffer[] = [];
  const stop = other.relay.subscribe((bytes) => heard.push(bytes));
  other.relay.subscribe((bytes) => alsoHeard.push(bytes));
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  await vi.waitFor(() => {
    running.store.relay.publish(bytes);
    expect(heard.length).toBeGreaterThan(0);
  }, 5_000);
  expect([...heard[0]]).toEqual([...bytes]);

  stop();
  const before = heard.length;
  const alsoBefore = alsoHeard.length;
  running.store.relay.publish(bytes);
  await vi.waitFor(() => expect(alsoHeard.length).toBeGreaterThan(alsoBefore), 5_000);
  expect(heard.length).toBe(before);
});

test('a snapshot replaces the one before', async () => {
  await running.store.relay.writeSnapshot({ 'EUR/USD': '1', 'USD/JPY': '2' });
  await running.store.relay.writeSnapshot({ 'EUR/USD': '3' });
  expect(await other.relay.readSnapshot()).toEqual({ 'EUR/USD': '3' });
  await running.store.relay.writeSnapshot({});
  expect(await other.relay.readSnapshot()).toEqual({});
});

test('a lease is held by one, until it is released or lapses', async () => {
  const mine = running.store.lease('feed');
  const theirs = other.lease('feed');
  expect(await mine.acquire()).toBe(true);
  expect(await mine.acquire()).toBe(true);
  expect(await theirs.acquire()).toBe(false);
  expect(await theirs.renew()).toBe(false);
  await theirs.release();
  expect(await mine.renew()).toBe(true);
  await mine.release();
  expect(await mine.renew()).toBe(false);
  expect(await theirs.acquire()).toBe(true);

  const redis = new Redis(running.redisUrl);
  const leftMs = await redis.pttl('lease:feed');
  expect(leftMs).toBeGreaterThan(0);
  expect(leftMs).toBeLessThanOrEqual(LEASE_MS);
  await redis.del('lease:feed');
  redis.disconnect();
  expect(await theirs.renew()).toBe(false);
  expect(await mine.acquire()).toBe(true);
});
