/** The stores of tests share servers: each finds its server as a new one is, whatever the test before has done to it. */
import { expect, test } from 'vitest';
import { redisAt } from '../../support/redis-client.js';
import { notOnCluster, startTestStore } from '../../support/store.js';

/** Settings that say which server it is. */
const OWN = ['port', 'dir', 'requirepass'];

async function settings(redisUrl: string): Promise<Map<string, string>> {
  const redis = redisAt(redisUrl);
  const all = (await redis.call('CONFIG', 'GET', '*')) as string[];
  redis.disconnect();
  const found = new Map<string, string>();
  for (let i = 0; i < all.length; i += 2) if (!OWN.includes(all[i]!)) found.set(all[i]!, all[i + 1]!);
  return found;
}

test.skipIf(notOnCluster('test/store/managed-redis/shared-server.test.ts', 'each store has a cluster'))(
  'a server that a test has limited, watched and filled is as new for the next one',
  async () => {
    const first = await startTestStore();
    const asNew = await settings(first.redisUrl);
    const redis = redisAt(first.redisUrl);
    await redis.config('SET', 'maxmemory', '50000000');
    await redis.config('SET', 'notify-keyspace-events', 'KA');
    await redis.set('left', 'here');
    redis.disconnect();
    await first.stop();
    const next = await startTestStore();
    expect(next.redisUrl).toBe(first.redisUrl);
    expect(await settings(next.redisUrl)).toEqual(asNew);
    const there = redisAt(next.redisUrl);
    expect(await there.get('left')).toBe(null);
    there.disconnect();
    await next.stop();
  },
);
