/** All data of a Redis except the offset of its clock, for a comparison of before and after. */
import type { Redis } from 'ioredis';
import { keysOf, redisAt } from './redis-client.js';

/** An operator's command is audited, even when it is refused: the log and the head of its chain. */
export const AUDIT = /^(audit|\{audit\}:head)$/;

/** Set by a test itself. */
const CLOCK = /^\{s\d\d\}:clock$/;

export type Keyspace = Readonly<Record<string, unknown>>;

export interface KeyspaceReader {
  /** Every key with its value; keys that a pattern matches are left out. */
  read(without?: RegExp): Promise<Keyspace>;
  redis: Redis;
  close(): void;
}

export function keyspaceReader(redisUrl: string): KeyspaceReader {
  const redis = redisAt(redisUrl);
  const value = async (key: string): Promise<unknown> => {
    const type = await redis.type(key);
    if (type === 'hash') return redis.hgetall(key);
    if (type === 'zset') return redis.zrange(key, '0', '-1', 'WITHSCORES');
    if (type === 'set') return (await redis.smembers(key)).sort();
    if (type === 'stream') return redis.xrange(key, '-', '+');
    if (type === 'string') return redis.get(key);
    throw new Error(`a key of an unexpected type, ${type}: ${key}`);
  };
  return {
    redis,
    async read(without) {
      const keys = (await keysOf(redis)).filter((key) => !CLOCK.test(key) && !without?.test(key));
      const values = await Promise.all(keys.map(value));
      return Object.fromEntries(keys.map((key, i) => [key, values[i]]));
    },
    close: () => redis.disconnect(),
  };
}
