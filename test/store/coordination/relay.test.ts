/** The rate relay and the lease that decides who feeds it. */

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { LEASE_MS } from '../../../engine/store/coordination/lease.js';
import { MessageSigner } from '../../../engine/store/coordination/signed-messages.js';
import type { Store } from '../../../engine/store/store.js';
import { redisAt } from '../../support/redis-client.js';
import { ON_CLUSTER, startTestStore, type TestStore } from '../../support/store.js';
import { SOON } from '../../support/until.js';

/** No server of a cluster knows those of the others. */
const HEARERS = ON_CLUSTER ? undefined : 1;

let running: TestStore;
let other: Store;
beforeAll(async () => {
  running = await startTestStore();
  other = await running.another();
});
afterAll(() => running.stop());

test('what its holder publishes is heard by all who listen, byte for byte, until they stop', async () => {
  const lease = running.store.lease('feed');
  const holding = (await lease.acquire())!;
  const heard: Buffer[] = [];
  const alsoHeard: Buffer[] = [];
  const stop = await other.relay.subscribe((bytes) => heard.push(bytes));
  const alsoStop = await other.relay.subscribe((bytes) => alsoHeard.push(bytes));
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  await vi.waitFor(async () => {
    if (ON_CLUSTER) await running.store.relay.publish(holding, bytes);
    else expect(await running.store.relay.publish(holding, bytes)).toBeGreaterThan(0);
    expect(heard.length).toBeGreaterThan(0);
  }, SOON);
  expect([...heard[0]!]).toEqual([...bytes]);

  stop();
  const before = heard.length;
  const alsoBefore = alsoHeard.length;
  await running.store.relay.publish(holding, bytes);
  await vi.waitFor(() => expect(alsoHeard.length).toBeGreaterThan(alsoBefore), SOON);
  expect(heard.length).toBe(before);
  alsoStop();
  await lease.release();
});

test('whoever does not hold the lease is not heard and writes nothing; who has it again has it anew', async () => {
  const mine = running.store.lease('feed');
  const theirs = other.lease('feed');
  const heard: string[] = [];
  const stop = await other.relay.subscribe((bytes) => heard.push(bytes.toString()));
  const say = (by: Store, holding: string, text: string) => by.relay.publish(holding, Buffer.from(text));

  const first = (await mine.acquire())!;
  await vi.waitFor(async () => {
    await say(running.store, first, 'first');
    expect(heard).toContain('first');
  }, SOON);
  expect(await running.store.relay.writeSnapshot(first, { 'EUR/USD': '1' })).toBe(true);

  const redis = redisAt(running.redisUrl);
  await redis.del('lease:feed');
  expect(await say(running.store, first, 'nobody has it')).toBe('not-held');
  const second = (await theirs.acquire())!;
  expect(await say(running.store, first, 'asleep meanwhile')).toBe('not-held');
  expect(await running.store.relay.writeSnapshot(first, { 'EUR/USD': '2' })).toBe(false);
  expect(await say(other, second, 'second')).toBe(HEARERS);

  await theirs.release();
  const third = (await mine.acquire())!;
  expect(third).not.toBe(first);
  expect(await say(running.store, first, 'from before')).toBe('not-held');
  expect(await say(running.store, third, 'third')).toBe(HEARERS);
  await vi.waitFor(() => expect(heard).toContain('third'), SOON);
  expect(new Set(heard)).toEqual(new Set(['first', 'second', 'third']));
  expect(await other.relay.readSnapshot()).toEqual({ 'EUR/USD': '1' });
  stop();
  await mine.release();
  redis.disconnect();
});

test('a message says how long ago the store passed it on, whatever our clock says', async () => {
  const lease = running.store.lease('feed');
  const holding = (await lease.acquire())!;
  const redis = redisAt(running.redisUrl);
  const heard: number[] = [];
  const stop = await other.relay.subscribe((_bytes, underWayMs) => heard.push(underWayMs));
  await vi.waitFor(async () => {
    await running.store.relay.publish(holding, Buffer.from('x'));
    expect(heard.length).toBeGreaterThan(0);
  }, SOON);
  // The time between the two clocks' beginnings would be decades.
  expect(heard[0]).toBeLessThan(60_000);

  // As if it had waited in our socket for three seconds.
  const [seconds, us] = await redis.time();
  const atMs = Number(seconds) * 1_000 + Number(us) / 1_000 - 3_000;
  const passedOn = Buffer.alloc(8);
  passedOn.writeDoubleLE(atMs);
  const signer = new MessageSigner(running.store.subKey('messages'));
  const waited = signer.sign('relay:rates', { sender: holding, number: 1e6, atMs, body: Buffer.from('x') });
  await redis.publish('relay:rates', Buffer.concat([passedOn, waited]));
  await vi.waitFor(() => expect(Math.max(...heard)).toBeGreaterThanOrEqual(3_000), SOON);
  expect(Math.max(...heard)).toBeLessThan(63_000);
  stop();
  await lease.release();
  redis.disconnect();
});

test('nothing of what is published reaches the file of the store', async () => {
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

test('a snapshot replaces the one before', async () => {
  const lease = running.store.lease('feed');
  const holding = (await lease.acquire())!;
  await running.store.relay.writeSnapshot(holding, { 'EUR/USD': '1', 'USD/JPY': '2' });
  await running.store.relay.writeSnapshot(holding, { 'EUR/USD': '3' });
  expect(await other.relay.readSnapshot()).toEqual({ 'EUR/USD': '3' });
  await running.store.relay.writeSnapshot(holding, {});
  expect(await other.relay.readSnapshot()).toEqual({});
  await lease.release();
});

test('a lease is held by one, until it is released or lapses; the others hear of the release', async () => {
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
