/** Single connections to a Redis server before the store uses it. */
import { Redis } from 'ioredis';
import { connectionOptions, type RedisOptions } from './redis-client.js';

/** Whether it accepts this password. */
export async function answers(address: RedisOptions): Promise<boolean> {
  return (await ask(address, async (redis) => redis.ping())) === 'PONG';
}

/** Stops a server without an owner; what it has acknowledged is kept. */
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

/** A connection that connects once, without retries. */
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
