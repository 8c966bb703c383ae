/** Trading states apply in every process within a second, also when their message is lost. */

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { HOUSE, type TradingRestriction, TradingStates } from '../../../engine/domain/risk/trading-state.js';
import { redisAt } from '../../support/redis-client.js';
import { SILENT, startTestStore, type TestStore } from '../../support/store.js';
import { SOON } from '../../support/until.js';

let running: TestStore;
const warned: string[] = [];
beforeAll(async () => {
  running = await startTestStore({
    log: { ...SILENT, warn: (_fields: object, text: string) => void warned.push(text) },
  });
});
afterAll(() => running.stop());

const BY = { by: 'ops@desk1', reason: 'news', sinceMs: 1_763_625_600_000 };
const halt = (name: string): TradingRestriction => ({ scope: 'pair', name, state: 'HALTED', ...BY });
const acme = { scope: 'client', name: 'acme' } as const;

afterEach(async () => {
  for (const one of await running.store.tradingStates.list()) await running.store.tradingStates.resume(one);
});

test('a pair is halted once and resumed once; the first halt stays', async () => {
  const { tradingStates } = running.store;
  expect(await tradingStates.restrict(halt('USD/JPY'))).toEqual({ changed: true, inForce: halt('USD/JPY') });
  const other = { ...halt('USD/JPY'), reason: 'other news' };
  expect(await tradingStates.restrict(other)).toEqual({ changed: false, inForce: halt('USD/JPY') });
  expect((await tradingStates.restrict(halt('*'))).changed).toBe(true);
  expect(await tradingStates.list()).toEqual([halt('*'), halt('USD/JPY')]);
  expect(await tradingStates.resume(halt('*'))).toBe(true);
  expect(await tradingStates.resume(halt('*'))).toBe(false);
  expect(await tradingStates.list()).toEqual([halt('USD/JPY')]);
  expect(await tradingStates.resume(halt('USD/JPY'))).toBe(true);
  await expect(tradingStates.restrict(halt('{x}'))).rejects.toThrow(TypeError);
  await expect(tradingStates.restrict({ ...halt('{x}'), scope: 'client' })).rejects.toThrow(TypeError);
});

test('a client and the house have a state as a pair has, and another state replaces it', async () => {
  const { tradingStates } = running.store;
  for (const subject of [acme, HOUSE, { scope: 'pair', name: 'EUR/USD' } as const]) {
    const [halted, reducing] = (['HALTED', 'REDUCING'] as const).map((state) => ({ ...subject, state, ...BY }));
    expect(await tradingStates.read(subject)).toBeUndefined();
    for (const one of [reducing!, halted!, reducing!]) {
      expect(await tradingStates.restrict(one)).toEqual({ changed: true, inForce: one });
      expect(await tradingStates.restrict({ ...one, by: 'another' })).toEqual({ changed: false, inForce: one });
    }
    // A reason is a text, whatever it says.
    const sly = { ...halted!, reason: '"state":"REDUCING"' };
    expect(await tradingStates.restrict(sly)).toEqual({ changed: true, inForce: sly });
    expect(await tradingStates.restrict(halted!)).toEqual({ changed: false, inForce: sly });
    expect(await tradingStates.read(subject)).toEqual(sly);
  }
  expect((await tradingStates.list()).map(({ scope }) => scope)).toEqual(['house', 'client', 'pair']);
});

test('the process that makes a change has taken it over when the change is answered', async () => {
  const { tradingStates } = running.store;
  const states = new TradingStates();
  const stop = tradingStates.onChange((all) => states.replace(all));
  for (let round = 0; round < 20; round++) {
    await tradingStates.restrict({ ...acme, state: 'HALTED', ...BY });
    expect(states.isHalted('acme')).toBe(true);
    await tradingStates.resume(acme);
    expect(states.isHalted('acme')).toBe(false);
  }
  stop();
});

test('another process learns of a change, also when its message was lost', async () => {
  const other = await running.another();
  let newest: readonly TradingRestriction[] = [halt('*')];
  const stop = other.tradingStates.onChange((halts) => {
    newest = halts;
  });
  await vi.waitFor(() => expect(newest).toEqual([]), 120_000);
  await running.store.tradingStates.restrict(halt('EUR/USD'));
  await vi.waitFor(() => expect(newest).toEqual([halt('EUR/USD')]), 120_000);

  // Does what `resume` does, without its message.
  const redis = redisAt(running.redisUrl);
  await redis.hdel('{trading-states}:pairs', 'EUR/USD');
  await redis.incr('{trading-states}:version');
  redis.disconnect();
  await vi.waitFor(() => expect(newest).toEqual([]), 120_000);
  stop();
});

test('unreadable states leave the last readable ones in effect, and are logged once, not at each read', async () => {
  let newest: readonly TradingRestriction[] = [];
  const stop = running.store.tradingStates.onChange((halts) => {
    newest = halts;
  });
  await running.store.tradingStates.restrict(halt('USD/JPY'));
  await vi.waitFor(() => expect(newest).toEqual([halt('USD/JPY')]), 120_000);
  warned.length = 0;

  const redis = redisAt(running.redisUrl);
  await redis.hset('{trading-states}:pairs', 'EUR/USD', 'an unreadable halt');
  await redis.incr('{trading-states}:version');
  await vi.waitFor(
    () => expect(warned).toEqual([expect.stringMatching(/^The trading states .*SyntaxError.*release/)]),
    120_000,
  );
  const reads = async () => Number(/^cmdstat_hgetall:calls=(\d+)/m.exec(await redis.info('commandstats'))?.[1]);
  const before = await reads();
  // Each reading of the states reads the hashes of pairs, clients and house.
  await vi.waitFor(async () => expect(await reads()).toBeGreaterThan(before + 6), SOON);
  expect(warned).toHaveLength(1);
  expect(warned[0]).not.toContain('what unknown');
  expect(newest).toEqual([halt('USD/JPY')]);

  await redis.hdel('{trading-states}:pairs', 'EUR/USD');
  redis.disconnect();
  await running.store.tradingStates.resume(halt('USD/JPY'));
  await vi.waitFor(() => expect(newest).toEqual([]), 120_000);
  stop();
});
