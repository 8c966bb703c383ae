/** Halts apply in every process within a second, also when their message is lost. */

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Halt } from '../../../engine/domain/pair.js';
import { redisAt } from '../../support/redis-client.js';
import { SILENT, startTestStore, type TestStore } from '../../support/store.js';

let running: TestStore;
const warned: string[] = [];
beforeAll(async () => {
  running = await startTestStore({
    log: { ...SILENT, warn: (_fields: object, text: string) => void warned.push(text) },
  });
});
afterAll(() => running.stop());

const halt = (pair: string, reason = 'news'): Halt => ({ pair, by: 'ops@desk1', reason, sinceMs: 1_763_625_600_000 });

test('a pair is halted once and resumed once; the first halt stays', async () => {
  const { halts } = running.store;
  expect(await halts.halt(halt('USD/JPY'))).toBe(true);
  expect(await halts.halt(halt('USD/JPY', 'other news'))).toBe(false);
  expect(await halts.halt(halt('*'))).toBe(true);
  expect(await halts.list()).toEqual([halt('*'), halt('USD/JPY')]);
  expect(await halts.resume('*')).toBe(true);
  expect(await halts.resume('*')).toBe(false);
  expect(await halts.list()).toEqual([halt('USD/JPY')]);
  expect(await halts.resume('USD/JPY')).toBe(true);
  await expect(halts.halt(halt('{x}'))).rejects.toThrow(TypeError);
});

test('another process learns of a change, also when its message was lost', async () => {
  const other = await running.another();
  let newest: readonly Halt[] = [halt('never reported')];
  const stop = other.halts.onChange((halts) => {
    newest = halts;
  });
  await vi.waitFor(() => expect(newest).toEqual([]), 120_000);
  await running.store.halts.halt(halt('EUR/USD'));
  await vi.waitFor(() => expect(newest).toEqual([halt('EUR/USD')]), 120_000);

  // Does what `resume` does, without its message.
  const redis = redisAt(running.redisUrl);
  await redis.hdel('{halts}:pairs', 'EUR/USD');
  await redis.incr('{halts}:version');
  redis.disconnect();
  await vi.waitFor(() => expect(newest).toEqual([]), 120_000);
  stop();
});

test('unreadable halts leave the last readable ones in effect, and are logged once, not at each read', async () => {
  let newest: readonly Halt[] = [];
  const stop = running.store.halts.onChange((halts) => {
    newest = halts;
  });
  await running.store.halts.halt(halt('USD/JPY'));
  await vi.waitFor(() => expect(newest).toEqual([halt('USD/JPY')]), 120_000);
  warned.length = 0;

  const redis = redisAt(running.redisUrl);
  await redis.hset('{halts}:pairs', 'EUR/USD', 'an unreadable halt');
  await redis.incr('{halts}:version');
  await vi.waitFor(() => expect(warned).toEqual([expect.stringMatching(/^The halts .*SyntaxError.*release/)]), 120_000);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(warned).toHaveLength(1);
  expect(warned[0]).not.toContain('what unknown');
  expect(newest).toEqual([halt('USD/JPY')]);

  await redis.hdel('{halts}:pairs', 'EUR/USD');
  redis.disconnect();
  await running.store.halts.resume('USD/JPY');
  await vi.waitFor(() => expect(newest).toEqual([]), 120_000);
  stop();
});
