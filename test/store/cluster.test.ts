/** The store on a Redis Cluster of three masters. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_REDIS_SERVER, type RedisCluster, redisServer, startRedisCluster } from '../support/redis-cluster.js';

const isThere = redisServer() !== undefined;
if (!isThere) console.log(`test/store/cluster.test.ts ${NO_REDIS_SERVER}`);

describe.skipIf(!isThere)('a cluster of three masters', () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster?.stop());

  test('a slot moves with what is in it', async () => {
    const [first, , last] = cluster.nodes;
    const slot = Number(await first!.redis.cluster('KEYSLOT', '{s00}'));
    const owner = await cluster.ownerOf(slot);
    await owner.redis.set('{s00}:moved', 'kept');
    const to = owner === last ? first! : last!;
    await cluster.moveSlot(slot, to);
    expect(await to.redis.get('{s00}:moved')).toBe('kept');
    expect(await cluster.ownerOf(slot)).toBe(to);
    await cluster.moveSlot(slot, owner);
    expect(await owner.redis.get('{s00}:moved')).toBe('kept');
  });
});
