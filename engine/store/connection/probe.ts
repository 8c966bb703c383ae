/** A look at one Redis server that nothing depends on yet. */
import { Redis } from 'ioredis';
import { connectionOptions, type RedisOptions } from './redis-client.js';

/** It answers to this password. */
export async function answers(address: RedisOptions): Promise<boolean> {
  return (await ask(address, async (redis) => redis.ping())) === 'PONG';
}

/** Ends a server that nobody owns any more; what it has acknowledged stays. */
export async function shutDown(address: RedisOptions): Promise<void> {
  await ask(address, (redis) => redis.call('SHUTDOWN', 'NOSAVE'));
}

async function ask<T>(address: RedisOptions, question: (redis: Redis) => Promise<T>): Promise<T | undefined> {
  if (!address.port && !address.sentinels) return undefined;
  const redis = quietly(address);
  try {
    await redis.connect();
    return await question(redis);
  } catch {
    return undefined;
  } finally {
    redis.disconnect();
  }
}

/** A connection that tries once. */
export function quietly(address: RedisOptions): Redis {
  const redis = new Redis(
    connectionOptions(address, {
      retryStrategy: () => null,
      sentinelRetryStrategy: () => null,
      maxLoadingRetryTime: 1_000,
    }),
  );
  redis.on('error', () => {});
  return redis;
}
