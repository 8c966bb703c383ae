/** A first look at Redis, before anything depends on it: does it answer, and does it keep what it is told. */
import { Redis } from 'ioredis';
import { connectionOptions, type RedisOptions, type StoreLog } from './connection.js';
import { StoreStartError } from './errors.js';

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

/**
 * Redis at REDIS_URL: reachable, 7 or later, and safe: append-only file on and synced, nothing evicted. Throws StoreStartError
 * that names the setting to change; warns when Redis does not let us look.
 */
export async function checkRedis(address: RedisOptions, fsync: 'always' | 'everysec', log: StoreLog): Promise<void> {
  const where = address.sentinels ? `Redis '${address.name}'` : `Redis at ${address.host}:${address.port}`;
  const redis = quietly(address);
  let cause = '';
  redis.on('error', (error: Error & { code?: string }) => {
    cause = error.code ?? error.message;
  });
  try {
    await redis.connect().catch((error: Error) => {
      throw new StoreStartError(unreachable(where, `${cause} ${error.message}`));
    });
    // ioredis goes on in database 0 when there is no such database, and would mix two stores.
    await redis.select(address.db ?? 0).catch(() => {
      throw new StoreStartError(`${where} has no database ${address.db}: correct the number in REDIS_URL`);
    });
    const info = await redis.info();
    const value = (name: string): string => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1] ?? '';
    if (Number.parseInt(value('redis_version'), 10) < 7) {
      throw new StoreStartError(`${where} is version ${value('redis_version')}: use Redis or Valkey 7 or later`);
    }
    if (value('cluster_enabled') === '1') {
      throw new StoreStartError(`${where} is a cluster node: set REDIS_URL to a single server or to its Sentinels`);
    }
    const settings = await readSettings(redis);
    if (!settings) {
      log.warn(
        `${where} does not allow CONFIG GET: make sure that appendonly is yes, appendfsync is ${fsync}, and maxmemory-policy is noeviction.`,
      );
      return;
    }
    const wrong = unsafe(settings, fsync);
    if (wrong) throw new StoreStartError(`${where} ${wrong}`);
  } catch (error) {
    if (error instanceof StoreStartError) throw error;
    throw new StoreStartError(unreachable(where, error instanceof Error ? error.message : String(error)));
  } finally {
    redis.disconnect();
  }
}

function quietly(address: RedisOptions): Redis {
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

function unreachable(where: string, why: string): string {
  if (/WRONGPASS|NOAUTH|invalid (username|password)|without any password/i.test(why)) {
    return `${where} refuses the user or the password: correct REDIS_URL (redis://user:password@host:port)`;
  }
  if (/NOPERM/.test(why))
    return `${where} does not give this user the rights it needs: allow it all commands on all keys`;
  if (/All sentinels are unreachable/i.test(why)) {
    return `${where} is not known to the Sentinels, or none of them answers: start them, or correct REDIS_URL`;
  }
  if (/ECONNREFUSED/.test(why)) return `${where} refuses the connection: start Redis there, or correct REDIS_URL`;
  if (/ENOTFOUND|EAI_AGAIN/.test(why)) return `${where}: there is no such host; correct REDIS_URL`;
  if (/LOADING/.test(why)) return `${where} is still loading its data: wait until it has and start again`;
  return `${where} does not answer: check that it runs and can be reached, or correct REDIS_URL`;
}

async function readSettings(redis: Redis): Promise<Map<string, string> | undefined> {
  try {
    const settings = new Map<string, string>();
    for (const name of ['appendonly', 'appendfsync', 'maxmemory-policy']) {
      const [, value] = (await redis.config('GET', name)) as string[];
      settings.set(name, value);
    }
    return settings;
  } catch {
    return undefined;
  }
}

function unsafe(settings: ReadonlyMap<string, string>, fsync: 'always' | 'everysec'): string | undefined {
  const change = (name: string, to: string, why: string): string =>
    `has ${name} ${settings.get(name)}, so ${why}: set \`${name} ${to}\` in its configuration`;
  if (settings.get('appendonly') !== 'yes') return change('appendonly', 'yes', 'it would forget what it acknowledged');
  const sync = settings.get('appendfsync');
  if (sync !== 'always' && !(sync === 'everysec' && fsync === 'everysec')) {
    return `${change('appendfsync', 'always', 'it could lose what it acknowledged')} (or set STORE_FSYNC=everysec to accept a second's loss)`;
  }
  if (settings.get('maxmemory-policy') !== 'noeviction') {
    return change('maxmemory-policy', 'noeviction', 'it may throw balances away when memory is short');
  }
  return undefined;
}
