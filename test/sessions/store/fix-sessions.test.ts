/** A FIX session's numbers and messages, which one engine at a time writes. */

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SessionTakenOver } from '../../../engine/store/connection/errors.js';
import { LEASE_MS } from '../../../engine/store/coordination/lease.js';
import type { Store } from '../../../engine/store/store.js';
import { keysOf, redisAt } from '../../support/redis-client.js';
import { startTestStore, type TestStore } from '../../support/store.js';

const T0 = 1_763_625_600_000;
let clockMs = T0;
let running: TestStore;
let other: Store;

beforeAll(async () => {
  running = await startTestStore({ now: () => clockMs });
  other = await running.another();
});
afterAll(() => running.stop());

const session = (desk: string, store: Store = running.store) =>
  store.fixSessions.store({ senderCompId: 'FXENGINE', targetCompId: desk }, 7);
/** As if the engine had been suspended for longer than its lease. */
const lapse = async () => {
  const redis = redisAt(running.redisUrl);
  await redis.del(`lease:engine-${running.store.engineId}`);
  redis.disconnect();
};
/** Opens the session in the other engine. The lease of this one may be renewed at any time until then. */
const takeOver = async (desk: string) => {
  const theirs = session(desk, other);
  await vi.waitFor(async () => {
    await lapse();
    expect(await theirs.open()).toBeDefined();
  }, 60_000);
  return theirs;
};
const bytes = (text: string) => new TextEncoder().encode(text);
const texts = (found: readonly { number: number; message: Uint8Array }[]) =>
  found.map(({ number, message }) => [number, new TextDecoder().decode(message)]);

test('a new session starts at 1; a crash skips the reserved numbers; a clean stop keeps the exact ones', async () => {
  const first = session('NUMBERS');
  expect(await first.open()).toEqual({ nextOut: 1, nextIn: 1, createdAtMs: T0 });
  await first.reserve(10_000);

  const afterCrash = session('NUMBERS');
  expect(await afterCrash.open()).toEqual({ nextOut: 10_000, nextIn: 1, createdAtMs: T0 });
  await afterCrash.reserve(20_000);
  await afterCrash.reserve(15_000);
  await afterCrash.settle(10_017, 42);
  expect(await session('NUMBERS').open()).toEqual({ nextOut: 10_017, nextIn: 42, createdAtMs: T0 });
});

test('messages are read by number, in order, with a limit; their bytes are unchanged', async () => {
  const store = session('MESSAGES');
  await store.open();
  const binary = Uint8Array.from({ length: 256 }, (_, i) => i);
  await store.append(9, binary);
  await store.append(2, bytes('two'));
  await store.append(10_000, bytes('8=FIX.4.4\x019=5\x0134=10000:1.2:\x01'));
  await store.append(3, bytes('three'));
  expect(texts(await store.read(1, 8, 100))).toEqual([
    [2, 'two'],
    [3, 'three'],
  ]);
  expect(texts(await store.read(1, 1_000_000, 1))).toEqual([[2, 'two']]);
  expect(await store.read(1, 1_000_000, 0)).toEqual([]);
  expect([...(await store.read(9, 9, 1))[0].message]).toEqual([...binary]);
  expect(texts(await store.read(10_000, 10_000, 1))).toEqual([[10_000, '8=FIX.4.4\x019=5\x0134=10000:1.2:\x01']]);
});

test('a message appended twice under one number is stored once', async () => {
  const store = session('TWICE');
  await store.open();
  await store.append(5, bytes('first'));
  clockMs += 10;
  await store.append(5, bytes('again'));
  expect(texts(await store.read(1, 10, 10))).toEqual([[5, 'again']]);
});

test('a reset begins at 1 without any message', async () => {
  const store = session('RESET');
  await store.open();
  await store.append(1, bytes('gone'));
  await store.settle(500, 600);
  await store.reset(T0 + 5);
  expect(await store.read(1, 1_000, 10)).toEqual([]);
  expect(await session('RESET').open()).toEqual({ nextOut: 1, nextIn: 1, createdAtMs: T0 + 5 });
});

test('rejects the writes of an engine after another has claimed the session', async () => {
  const old = session('FENCED');
  let takenOver = 0;
  await old.open(() => takenOver++);
  await old.append(1, bytes('one'));
  old.saveNextIn(5);
  const young = await takeOver('FENCED');

  await expect(old.append(2, bytes('late'))).rejects.toThrow(SessionTakenOver);
  expect(takenOver).toBe(1);
  await expect(old.reserve(20_000)).rejects.toThrow(SessionTakenOver);
  await expect(old.settle(7, 7)).rejects.toThrow(SessionTakenOver);
  await expect(old.reset(T0)).rejects.toThrow(SessionTakenOver);
  await old.close();
  expect(takenOver).toBe(1);

  await young.append(2, bytes('two'));
  expect(texts(await young.read(1, 10, 10))).toEqual([
    [1, 'one'],
    [2, 'two'],
  ]);
  expect(await session('FENCED', other).open()).toMatchObject({ nextOut: 1, nextIn: 1 });
});

test('rejects a claim of a session that is live in an engine, until it is closed', async () => {
  const mine = session('ELSEWHERE');
  await mine.open(() => expect.fail('taken over'));
  const beganAt = performance.now();
  expect(await session('ELSEWHERE', other).open()).toBeUndefined();
  expect(performance.now() - beganAt).toBeGreaterThan(LEASE_MS);
  await mine.append(1, bytes('still mine'));
  await mine.settle(2, 3);
  await mine.close();
  expect(await session('ELSEWHERE', other).open()).toMatchObject({ nextOut: 2, nextIn: 3 });
});

test('a claim that waits for a live session succeeds as soon as the other engine has closed it', async () => {
  const mine = session('HANDED');
  await mine.open();
  const wanted = session('HANDED', other).open();
  await new Promise((resolve) => setTimeout(resolve, 300));
  await mine.close();
  expect(await wanted).toBeDefined();
});

test('an engine suspended for longer than its lease is notified of its lost sessions, and keeps the others', async () => {
  const notified: string[] = [];
  const lost = session('LOST');
  await lost.open(() => notified.push('LOST'));
  const kept = session('KEPT');
  await kept.open(() => notified.push('KEPT'));
  await takeOver('LOST');
  // It writes nothing itself: its next renewal detects the loss.
  await vi.waitFor(() => expect(notified).toEqual(['LOST']), 120_000);
  await kept.append(1, bytes('mine'));
  expect(notified).toEqual(['LOST']);
});

test('a store that was never opened writes nothing', async () => {
  const store = session('UNOPENED');
  await expect(store.append(1, bytes('x'))).rejects.toThrow(SessionTakenOver);
  await expect(store.reset(T0)).rejects.toThrow(SessionTakenOver);
});

test('the inbound number is written at close, the newest only', async () => {
  const store = session('INBOUND');
  await store.open();
  for (let n = 2; n <= 300; n++) store.saveNextIn(n);
  await store.close();
  expect(await session('INBOUND').open()).toMatchObject({ nextIn: 300 });
});

test('deletes messages older than seven days, and a session that is no longer used', async () => {
  const store = session('OLD');
  await store.open();
  await store.append(1, bytes('old'));
  clockMs += 7 * 24 * 60 * 60 * 1_000;
  await store.append(2, bytes('kept'));
  clockMs += 1;
  await store.append(3, bytes('new'));
  expect(texts(await store.read(1, 10, 10))).toEqual([
    [2, 'kept'],
    [3, 'new'],
  ]);
  const redis = redisAt(running.redisUrl);
  const keys = await keysOf(redis, '*:fix:FXENGINE:OLD:messages');
  expect(keys).toEqual(['{s07}:fix:FXENGINE:OLD:messages']);
  expect(await redis.pttl(keys[0])).toBeGreaterThan(6 * 24 * 60 * 60 * 1_000);
  redis.disconnect();
});

test('the numbers are read without claiming the session', async () => {
  const { read } = running.store.fixSessions;
  const id = { senderCompId: 'FXENGINE', targetCompId: 'READ' };
  expect(await read(id, 7)).toBeUndefined();
  const store = session('READ');
  await store.open();
  await store.settle(12, 7);
  expect(await read(id, 7)).toEqual({ nextOut: 12, nextIn: 7 });
  await store.settle(13, 8);
});
