import { keysOf, redisAt } from '../support/redis-client.js';

/** Every key and every value of a Redis, as one text. */
export async function allText(redisUrl: string): Promise<string> {
  const redis = redisAt(redisUrl);
  const found: unknown[] = [];
  try {
    for (const key of await keysOf(redis)) {
      const type = await redis.type(key);
      const read = {
        string: () => redis.get(key),
        hash: () => redis.hgetall(key),
        zset: () => redis.zrange(key, '0', '-1'),
        set: () => redis.smembers(key),
      }[type];
      if (!read) throw new Error(`a key of an unexpected type, ${type}: ${key}`);
      found.push(key, await read());
    }
  } finally {
    redis.disconnect();
  }
  return JSON.stringify(found);
}
