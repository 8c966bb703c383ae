/** Margin rules apply in every process within a second, also when their message is lost. */

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { MarginRule } from '../../../engine/store/prices/margins.js';
import { redisAt } from '../../support/redis-client.js';
import { startTestStore, type TestStore } from '../../support/store.js';

let running: TestStore;
beforeAll(async () => {
  running = await startTestStore();
});
afterAll(() => running.stop());

const ALL = { clientId: '*', pair: '*', type: '*' } as const;
const rule = (clientId: string, marginPpm: number): MarginRule => ({
  clientId,
  pair: 'EUR/USD',
  type: 'PREFUNDING',
  marginPpm,
});

test('a rule is set, replaced, listed and removed', async () => {
  const { margins } = running.store;
  expect(await margins.set({ ...ALL, marginPpm: 2_500 })).toBe(true);
  await margins.set(rule('alice', 100));
  await margins.set(rule('alice', 200));
  expect(await margins.load()).toEqual([{ ...ALL, marginPpm: 2_500 }, rule('alice', 200)]);
  expect(await margins.list('alice')).toEqual([rule('alice', 200)]);
  expect(await margins.remove(rule('alice', 0))).toBe(true);
  expect(await margins.remove(rule('alice', 0))).toBe(false);
  expect(await margins.list()).toEqual([{ ...ALL, marginPpm: 2_500 }]);
});

test('a change applies in the process that makes it before it is answered', async () => {
  const { margins, limits } = running.store;
  let rules: readonly MarginRule[] | undefined;
  let names: readonly string[] | undefined;
  const stops = [margins.onChange((all) => (rules = all)), limits.onChange((all) => (names = [...all.keys()]))];
  await vi.waitFor(() => expect([rules, names]).not.toContain(undefined), { timeout: 60_000 });
  for (let ppm = 1; ppm <= 50; ppm++) {
    await margins.set(rule('bob', ppm));
    expect(rules).toContainEqual(rule('bob', ppm));
    await margins.remove(rule('bob', 0));
    expect(rules?.some(({ clientId }) => clientId === 'bob')).toBe(false);
    await limits.change('bob', () => ({ base: 'USD', deal: ppm }));
    expect(names).toContain('bob');
    await limits.change('bob', () => undefined);
    expect(names).not.toContain('bob');
  }
  for (const stop of stops) stop();
});

test('a rule of a size is beside that of every amount', async () => {
  const { margins } = running.store;
  const large = { ...rule('dave', 50), above: 5_000_000 };
  const larger = { ...rule('dave', 25), above: 10_000_000 };
  for (const one of [larger, rule('dave', 100), large]) await margins.set(one);
  expect(await margins.list('dave')).toEqual([rule('dave', 100), large, larger]);
  expect(await margins.remove(rule('dave', 0))).toBe(true);
  expect(await margins.list('dave')).toEqual([large, larger]);
  for (const { above } of [large, larger]) expect(await margins.remove({ ...rule('dave', 0), above })).toBe(true);
  expect(await margins.remove(large)).toBe(false);
  for (const above of [0, -1, 0.5, 1e12]) await expect(margins.set({ ...large, above })).rejects.toThrow(RangeError);
});

test.each([-1, 0.5, 1_000_000, Number.NaN])('rejects a margin of %d millionths', async (marginPpm) => {
  await expect(running.store.margins.set({ ...ALL, marginPpm })).rejects.toThrow(RangeError);
});

test('setting and removing publish a notification at once', async () => {
  const ears = redisAt(running.redisUrl);
  let rung = 0;
  ears.on('message', () => {
    rung += 1;
  });
  await ears.subscribe('margins:changed');
  await running.store.margins.set(rule('carol', 1));
  // On a cluster an earlier notification may be delivered later.
  await vi.waitFor(() => expect(rung).toBeGreaterThan(0), 120_000);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const before = rung;
  await running.store.margins.remove(rule('carol', 1));
  await vi.waitFor(() => expect(rung).toBe(before + 1), 120_000);
  ears.disconnect();
});

test('another process learns of a change, also when its message was lost', async () => {
  const { margins } = running.store;
  let newest: readonly MarginRule[] = [];
  const stop = margins.onChange((rules) => {
    newest = rules;
  });
  await margins.set(rule('bob', 300));
  await vi.waitFor(() => expect(newest).toContainEqual(rule('bob', 300)), 120_000);

  // Does what `set` does, without its message.
  const redis = redisAt(running.redisUrl);
  await redis.hset('{margins}:rules', 'bob|EUR/USD|PREFUNDING', '301');
  await redis.incr('{margins}:version');
  redis.disconnect();
  await vi.waitFor(() => expect(newest).toContainEqual(rule('bob', 301)), 120_000);
  stop();
});
