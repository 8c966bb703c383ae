/** Any Redis user with PUBLISH can send to a channel: every subscriber ignores messages that it cannot parse. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RelayFeed } from '../../../engine/rates/feeds/relay-feed.js';
import { RateBook } from '../../../engine/rates/rate-book.js';
import { FEED_LEASE } from '../../../engine/store/coordination/lease.js';
import { redisAt } from '../../support/redis-client.js';
import { notOnCluster, startTestStore, type TestStore } from '../../support/store.js';
import { until } from '../../support/until.js';

let running: TestStore;
beforeAll(async () => {
  running = await startTestStore();
});
afterAll(() => running.stop());

/** All channels; a new one must be added here too. */
const CHANNELS = [
  ...[
    'clock:changed',
    'cover:changed',
    'engines:answers:',
    'engines:asked',
    'fix:outbox',
    'trading-states:changed',
    'journal',
    'lease:feed',
    'limits:changed',
    'margins:changed',
  ],
  ...['pricing:changed', 'relay:rates', 'room', 'tokens:revoked', 'work'],
];

test.skipIf(notOnCluster('test/store/connection/channels.test.ts', 'one server knows all its channels'))(
  'ignores unreadable messages on every channel and keeps running',
  async () => {
    const { store } = running;
    const received: Record<string, unknown[]> = { outbox: [], grown: [], revoked: [], work: [] };
    store.engines.answer({
      status: () => ({
        ...{ engineId: '0123456789abcdef', where: 'x', startedAtMs: 1, feed: 'runs', draining: false, desks: 0 },
        ...{ providers: [], sessions: [], tickToWire: { count: 0, p50: 0, p90: 0, p99: 0, max: 0 } },
      }),
      takes: () => undefined,
      logOut: () => false,
      pairs: () => ({ feed: 'runs', pairs: [] }),
    });
    store.fixSessions.onOutbox((compId) => received.outbox!.push(compId));
    store.journal.onGrown((clientId) => received.grown!.push(clientId));
    store.tokens.onRevoked((hash) => received.revoked!.push(hash));
    store.work.onWork((shard) => received.work!.push(shard));
    store.lease(FEED_LEASE).onRelease(() => {});
    let rules = 0;
    store.margins.onChange((all) => {
      rules = all.length;
    });
    store.limits.onChange(() => {});
    store.rooms.onWant(() => {});
    store.pricingRules.onChange(() => {});
    store.tradingStates.onChange(() => {});
    store.cover.rules.onChange(() => {});
    const channel = { subscribe: store.relay.subscribe, publish: async () => undefined };
    const log = { info() {}, warn() {}, error() {} };
    const feed = new RelayFeed({ book: new RateBook(), log, relay: channel });
    await feed.start();
    await store.engines.status(100);

    const redis = redisAt(running.redisUrl);
    const names = (await redis.pubsub('CHANNELS')) as string[];
    expect(names.map((name) => name.replace(/(answers:).*/, '$1')).sort()).toEqual([...CHANNELS].sort());
    const said = ['', '\0', '{', 'null', '[]', '{"ask":"logOut","id":"x","from":"x"}', '{"id":"x"}', '['.repeat(9_000)];
    said.push('__proto__', 'UNKNOWN X\n../..', '64', '-1', 'NaN', 'x'.repeat(2 * 1_024 * 1_024));
    for (const name of names) {
      for (const one of said) await redis.publish(name, one);
      // A relay message begins with eight bytes of time, which may be invalid.
      const header = Buffer.concat([Buffer.alloc(8, 0xff), Buffer.from('RW'), Buffer.from([2, 255, 1, 0])]);
      await redis.publish(name, Buffer.concat([header, Buffer.alloc(74, 0xff)]));
      for (let i = 0; i < 100; i++) await redis.publish(name, randomBytes(i));
    }
    redis.disconnect();

    await store.margins.set({ clientId: '*', pair: '*', type: '*', marginPpm: 1 });
    await until(() => rules === 1);
    expect(await store.engines.status(2_000)).toHaveLength(1);
    expect(received.revoked).toEqual([]);
    await feed.stop();
  },
);

test('a shard that never had a payment has no work, even when a notification names it', async () => {
  const { work } = running.store;
  expect(await work.take(0, 'one', 10)).toEqual([]);
  expect(await work.takeOver(0, 'one', 0, 10)).toEqual([]);
});

test('a missing consumer group of the work stream is an error, not an empty result', async () => {
  const { store, redisUrl } = running;
  const redis = redisAt(redisUrl);
  await redis.xadd('{s01}:work', '*', 'client', 'acme');
  await expect(store.work.take(1, 'one', 10)).rejects.toThrow('NOGROUP');
  await redis.del('{s01}:work');
  redis.disconnect();
});
