/** The rate relay and the lease that selects its publisher. */

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { LEASE_MS } from '../../../engine/store/coordination/lease.js';
import { MessageSigner } from '../../../engine/store/coordination/signed-messages.js';
import type { Store } from '../../../engine/store/store.js';
import { redisAt } from '../../support/redis-client.js';
import { ON_CLUSTER, startTestStore, type TestStore } from '../../support/store.js';
import { SOON } from '../../support/until.js';

/** A node of a cluster does not know the subscribers of the others. */
const HEARERS = ON_CLUSTER ? undefined : 1;

let running: TestStore;
let other: Store;
beforeAll(async () => {
  running = await startTestStore();
  other = await running.another();
});
afterAll(() => running.stop());

test('every subscriber gets what the lease holder publishes, byte for byte, until it unsubscribes', async () => {
  const lease = running.store.lease('feed');
  const holding = (await lease.acquire())!;
  const received: Buffer[] = [];
  const alsoHeard: Buffer[] = [];
  const stop = await other.relay.subscribe((bytes) => received.push(bytes));
  const alsoStop = await other.relay.subscribe((bytes) => alsoHeard.push(bytes));
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  await vi.waitFor(async () => {
    if (ON_CLUSTER) await running.store.relay.publish(holding, bytes);
    else expect(await running.store.relay.publish(holding, bytes)).toBeGreaterThan(0);
    expect(received.length).toBeGreaterThan(0);
  }, SOON);
  expect([...received[0]!]).toEqual([...bytes]);

  stop();
  const before = received.length;
  const alsoBefore = alsoHeard.length;
  await running.store.relay.publish(holding, bytes);
  await vi.waitFor(() => expect(alsoHeard.length).toBeGreaterThan(alsoBefore), SOON);
  expect(received.length).toBe(before);
  alsoStop();
  await lease.release();
});

test('a process without the lease delivers and writes nothing; with the lease again it has a new holding', async () => {
  const mine = running.store.lease('feed');
  const theirs = other.lease('feed');
  const received: string[] = [];
  const stop = await other.relay.subscribe((bytes) => received.push(bytes.toString()));
  const say = (by: Store, holding: string, text: string) => by.relay.publish(holding, Buffer.from(text));

  const first = (await mine.acquire())!;
  await vi.waitFor(async () => {
    await say(running.store, first, 'first');
    expect(received).toContain('first');
  }, SOON);
  expect(await running.store.relay.writeSnapshot(first, { 'EUR/USD': '1' })).toBe(true);

  const redis = redisAt(running.redisUrl);
  await redis.del('lease:feed');
  expect(await say(running.store, first, 'without lease')).toBe('not-held');
  const second = (await theirs.acquire())!;
  expect(await say(running.store, first, 'asleep meanwhile')).toBe('not-held');
  expect(await running.store.relay.writeSnapshot(first, { 'EUR/USD': '2' })).toBe(false);
  expect(await say(other, second, 'second')).toBe(HEARERS);

  await theirs.release();
  const third = (await mine.acquire())!;
  expect(third).not.toBe(first);
  expect(await say(running.store, first, 'from before')).toBe('not-held');
  expect(await say(running.store, third, 'third')).toBe(HEARERS);
  await vi.waitFor(() => expect(received).toContain('third'), SOON);
  expect(new Set(received)).toEqual(new Set(['first', 'second', 'third']));
  expect(await other.relay.readSnapshot()).toEqual({ 'EUR/USD': '1' });
  stop();
  await mine.release();
  redis.disconnect();
});

test('a message states how long ago the store relayed it, independent of the local clock', async () => {
  const lease = running.store.lease('feed');
  const holding = (await lease.acquire())!;
  const redis = redisAt(running.redisUrl);
  const received: number[] = [];
  const stop = await other.relay.subscribe((_bytes, underWayMs) => received.push(underWayMs));
  await vi.waitFor(async () => {
    await running.store.relay.publish(holding, Buffer.from('x'));
    expect(received.length).toBeGreaterThan(0);
  }, SOON);
  // The difference between the two clocks' epochs would be decades.
  expect(received[0]).toBeLessThan(60_000);

  // As if it had been in our socket for three seconds.
  const [seconds, us] = await redis.time();
  const atMs = Number(seconds) * 1_000 + Number(us) / 1_000 - 3_000;
  const passedOn = Buffer.alloc(8);
  passedOn.writeDoubleLE(atMs);
  const signer = new MessageSigner(running.store.subKey('messages'));
  const waited = signer.sign('relay:rates', { sender: holding, number: 1e6, atMs, body: Buffer.from('x') });
  await redis.publish('relay:rates', Buffer.concat([passedOn, waited]));
  await vi.waitFor(() => expect(Math.max(...received)).toBeGreaterThanOrEqual(3_000), SOON);
  expect(Math.max(...received)).toBeLessThan(63_000);
  stop();
  await lease.release();
  redis.disconnect();
});

test("published prices never reach the store's file", async () => {
  const lease = running.store.lease('feed');
  const holding = (await lease.acquire())!;
  const redis = redisAt(running.redisUrl);
  const written = async () => Number(/aof_current_size:(\d+)/.exec(await redis.info('persistence'))?.[1]);
  const before = await written();
  expect(before).toBeGreaterThan(0);
  for (let i = 0; i < 200; i++) await running.store.relay.publish(holding, Buffer.alloc(5_000));
  expect((await written()) - before).toBeLessThan(5_000);
  await lease.release();
  redis.disconnect();
});

test('a snapshot replaces the previous one', async () => {
  const lease = running.store.lease('feed');
  const holding = (await lease.acquire())!;
  await running.store.relay.writeSnapshot(holding, { 'EUR/USD': '1', 'USD/JPY': '2' });
  await running.store.relay.writeSnapshot(holding, { 'EUR/USD': '3' });
  expect(await other.relay.readSnapshot()).toEqual({ 'EUR/USD': '3' });
  await running.store.relay.writeSnapshot(holding, {});
  expect(await other.relay.readSnapshot()).toEqual({});
  await lease.release();
});

test('a lease has one holder until it is released or expires; the others are notified of the release', async () => {
  const mine = running.store.lease('feed');
  const theirs = other.lease('feed');
  const holding = await mine.acquire();
  expect(holding).toMatch(/^[0-9a-f]{16} \d{16}$/);
  expect(await mine.acquire()).toBe(holding);
  expect(await theirs.acquire()).toBeUndefined();
  let rung = 0;
  const deafen = theirs.onRelease(() => rung++);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await theirs.release();
  expect(await mine.acquire()).toBe(holding);
  await mine.release();
  await vi.waitFor(() => expect(rung).toBe(1), SOON);
  deafen();
  expect(await theirs.acquire()).toBeDefined();

  const redis = redisAt(running.redisUrl);
  const leftMs = await redis.pttl('lease:feed');
  expect(leftMs).toBeGreaterThan(0);
  expect(leftMs).toBeLessThanOrEqual(LEASE_MS);
  await redis.del('lease:feed');
  redis.disconnect();
  expect(await mine.acquire()).toBeDefined();
  await mine.release();
});
