/** An eye on all keys of a store. */
import { Redis } from 'ioredis';

/** Every key whose value changed or went: notified by the store itself. */
export async function watch(redisUrl: string) {
  const redis = new Redis(redisUrl);
  const ears = new Redis(redisUrl);
  // Some tests stop the server.
  for (const one of [redis, ears]) one.on('error', () => {});
  await redis.config('SET', 'notify-keyspace-events', 'KA');
  const heard = new Set<string>();
  const prefix = '__keyspace@0__:';
  ears.on('pmessage', (_pattern, channel: string) => heard.add(channel.slice(prefix.length)));
  await ears.psubscribe(`${prefix}*`);
  const there = new Set(await redis.keys('*'));
  return {
    redis,
    /** Since the last call: notifications of earlier writes arrive before the answer to this ping. */
    async written() {
      await ears.ping();
      const keys = [...heard];
      heard.clear();
      const exist = await Promise.all(keys.map((key) => redis.exists(key)));
      return keys.filter((key, i) => {
        // One that came and went has changed nothing.
        const wasThere = there.has(key);
        if (exist[i] === 1) there.add(key);
        else there.delete(key);
        return wasThere || exist[i] === 1;
      });
    },
    /** Its server is used by other tests after it: they are notified of nothing. */
    async stop() {
      await redis.config('SET', 'notify-keyspace-events', '').catch(() => {});
      redis.disconnect();
      ears.disconnect();
    },
  };
}
