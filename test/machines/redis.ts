/** The Redis of several machines: one server, or a cluster of three masters; and a way to inspect either. */
import { Cluster, Redis } from 'ioredis';
import { startRedisCluster } from '../support/redis-cluster.js';
import { startRedis } from '../support/redis-process.js';

export interface SharedRedis {
  readonly redisUrl: string;
  look<T>(ask: (redis: Redis) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

const LOOK_MS = 20_000;

export async function oneRedis(): Promise<SharedRedis> {
  const { redisUrl, stop } = await startRedis();
  return {
    redisUrl,
    stop,
    look: (ask) => lookBy(new Redis(redisUrl, { lazyConnect: true, commandTimeout: LOOK_MS }), ask),
  };
}

export async function threeMasters(): Promise<SharedRedis> {
  const { redisUrl, nodes, stop } = await startRedisCluster();
  const addresses = nodes.map(({ port }) => ({ host: '127.0.0.1', port }));
  const redisOptions = { password: nodes[0]!.password, commandTimeout: LOOK_MS };
  return {
    redisUrl,
    stop,
    // Each command of one key goes to its node, as the audit requires.
    look: (ask) => lookBy(new Cluster(addresses, { lazyConnect: true, redisOptions }) as unknown as Redis, ask),
  };
}

async function lookBy<T>(redis: Redis, ask: (redis: Redis) => Promise<T>): Promise<T> {
  redis.on('error', () => {});
  try {
    await redis.connect();
    return await ask(redis);
  } finally {
    redis.disconnect();
  }
}
