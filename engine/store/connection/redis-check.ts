/**
 * Checks Redis at REDIS_URL before the store uses it: reachable, version 7 or later, append-only file on and synced, no eviction. Of a
 * cluster each master is checked, and that every slot has one.
 */

import type { Redis } from 'ioredis';
import type { Log } from '../../domain/core/log.js';
import { StoreStartError } from './errors.js';
import { connectOnce, type RedisOptions } from './redis-client.js';
import { deniedRight, missingRights } from './redis-rights.js';
import { nameOf, type Owners, ownersOf, SLOTS } from './slot-map.js';

interface Wanted {
  readonly fsync: 'always' | 'everysec';
  /** This many replicas are online. */
  readonly replicas: number;
}

/** Throws StoreStartError naming the setting to change and the server; warns when the settings are not readable. */
export async function checkRedis(
  addresses: readonly RedisOptions[],
  wanted: Wanted,
  log: Log,
): Promise<'server' | 'cluster'> {
  const address = await firstThatAnswers(addresses);
  const where = whereOf(address);
  const owners = await look(address, async (redis) => {
    const info = await redis.info('cluster');
    if (fieldOf(info, 'cluster_enabled') !== '1') return undefined;
    const full = await setting(redis, 'cluster-require-full-coverage');
    if (full === 'yes') {
      log.warn(
        {},
        `${where} has cluster-require-full-coverage yes: one master that is away stops all of them; set it to no, so that it stops only what lives there.`,
      );
    }
    return ownersOf(await redis.cluster('SLOTS'), address);
  });
  if (owners === undefined) {
    if (addresses.length > 1) {
      throw new StoreStartError(`${where} is no cluster: name one server in REDIS_URL, or use its Sentinels`);
    }
    await checkServer(address, 'server', wanted, log);
    return 'server';
  }
  if ((address.db ?? 0) > 0) {
    throw new StoreStartError(`${where} is a cluster, which has one database only: take /${address.db} off REDIS_URL`);
  }
  for (const master of mastersOf(owners, where)) await checkServer(master, 'cluster', wanted, log);
  return 'cluster';
}

async function firstThatAnswers(addresses: readonly RedisOptions[]): Promise<RedisOptions> {
  let fault: unknown;
  for (const address of addresses) {
    try {
      await look(address, (redis) => redis.ping());
      return address;
    } catch (error) {
      fault ??= error;
    }
  }
  throw fault;
}

function mastersOf(owners: Owners, where: string): RedisOptions[] {
  const masters = new Map(owners.map(([, , owner]) => [nameOf(owner), owner]));
  const covered = owners.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  if (covered < SLOTS) {
    throw new StoreStartError(
      `${where} is a cluster in which no master has ${SLOTS - covered} of the ${SLOTS} slots: start the masters that are missing, or give their slots to others`,
    );
  }
  return [...masters.values()];
}

async function checkServer(address: RedisOptions, kind: 'server' | 'cluster', wanted: Wanted, log: Log): Promise<void> {
  const where = whereOf(address);
  await look(address, async (redis) => {
    // ioredis would silently use database 0 when there is no such database, and mix two stores.
    await redis.select(address.db ?? 0).catch((error: Error) => {
      if (deniedRight(error.message)) throw error;
      throw new StoreStartError(`${where} has no database ${address.db}: correct the number in REDIS_URL`);
    });
    const info = await redis.info();
    const version = fieldOf(info, 'redis_version');
    if (Number.parseInt(version, 10) < 7) {
      throw new StoreStartError(`${where} is version ${version}: use Redis or Valkey 7 or later`);
    }
    if (fieldOf(info, 'role') === 'slave') {
      throw new StoreStartError(`${where} is a replica: set REDIS_URL to its master`);
    }
    const missing = await missingRights(redis, { cluster: kind === 'cluster', replicas: wanted.replicas });
    if (missing.length > 0) throw new StoreStartError(lacks(where, address, missing.join(' ')));
    const settings = await readSettings(redis);
    if (!settings) {
      log.warn(
        {},
        `${where} does not allow CONFIG GET: make sure that appendonly is yes, appendfsync is ${wanted.fsync}, and maxmemory-policy is noeviction.`,
      );
    }
    const wrong = settings && unsafe(settings, wanted.fsync);
    if (wrong) throw new StoreStartError(`${where} ${wrong}`);
    if (wanted.replicas > 0) checkReplicas(where, info, settings, wanted.replicas, log);
  });
}

/** Includes channels: a user without channel rules is denied every channel and would receive nothing. */
const lacks = (where: string, { username = 'default' }: RedisOptions, rules: string): string =>
  `${where} does not give the user '${username}' every right that it needs: allow it ${rules} (ACL SETUSER; docs/redis.md has the whole list)`;

function checkReplicas(
  where: string,
  info: string,
  settings: ReadonlyMap<string, string> | undefined,
  replicas: number,
  log: Log,
): void {
  const online = info.match(/^slave\d+:.*state=online/gm)?.length ?? 0;
  if (online < replicas) {
    throw new StoreStartError(
      `${where} has ${online} replicas online, and STORE_REPLICAS is ${replicas}: start the others, or set STORE_REPLICAS`,
    );
  }
  const refusesWithout = settings?.get('min-replicas-to-write') ?? '';
  if (Number(refusesWithout) < replicas) {
    log.warn(
      {},
      `${where} has min-replicas-to-write ${refusesWithout || 'unknown'}: set it to ${replicas}, so that nothing is written there while too few replicas listen.`,
    );
  }
}

const whereOf = (address: RedisOptions): string =>
  address.sentinels ? `Redis '${address.name}'` : `Redis at ${nameOf(address)}`;

const fieldOf = (info: string, name: string): string => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1] ?? '';

/** On a connection of its own; every error becomes a StoreStartError. */
async function look<T>(address: RedisOptions, question: (redis: Redis) => Promise<T>): Promise<T> {
  const where = whereOf(address);
  const redis = connectOnce(address);
  let cause = '';
  redis.on('error', (error: Error & { code?: string }) => {
    cause = error.code ?? error.message;
  });
  try {
    await redis.connect().catch((error: Error) => {
      throw new StoreStartError(unreachable(where, `${cause} ${error.message}`, address));
    });
    return await question(redis);
  } catch (error) {
    if (error instanceof StoreStartError) throw error;
    throw new StoreStartError(unreachable(where, error instanceof Error ? error.message : String(error), address));
  } finally {
    redis.disconnect();
  }
}

function unreachable(where: string, why: string, address: RedisOptions): string {
  if (/All sentinels .*(WRONGPASS|NOAUTH|NOPERM)/is.test(why)) {
    return `${where}: its Sentinels refuse the user or the password: add theirs to REDIS_URL (sentinel://user:password@host:port/name?sentinel=user:password)`;
  }
  if (/WRONGPASS|NOAUTH|invalid (username|password)|without any password/i.test(why)) {
    return `${where} refuses the user or the password: correct REDIS_URL (redis://user:password@host:port)`;
  }
  const denied = deniedRight(why);
  if (denied) return lacks(where, address, denied);
  if (/All sentinels are unreachable/i.test(why)) {
    return `${where} is not known to the Sentinels, or none of them answers: start them, or correct REDIS_URL`;
  }
  if (/ECONNREFUSED/.test(why)) return `${where} refuses the connection: start Redis there, or correct REDIS_URL`;
  if (/ENOTFOUND|EAI_AGAIN/.test(why)) return `${where}: there is no such host; correct REDIS_URL`;
  if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(why)) {
    return `${where} shows a certificate that is not trusted, or is for another name: set NODE_EXTRA_CA_CERTS to the file of its authority, and have it name that host`;
  }
  if (/LOADING/.test(why)) return `${where} is still loading its data: wait until it has and start again`;
  return `${where} does not answer: check that it runs and can be reached, or correct REDIS_URL`;
}

async function readSettings(redis: Redis): Promise<Map<string, string> | undefined> {
  const settings = new Map<string, string>();
  for (const name of ['appendonly', 'appendfsync', 'maxmemory-policy', 'min-replicas-to-write']) {
    const value = await setting(redis, name);
    if (value === undefined) return undefined;
    settings.set(name, value);
  }
  return settings;
}

/** Undefined: reading the setting is not allowed. */
async function setting(redis: Redis, name: string): Promise<string | undefined> {
  const found = (await redis.config('GET', name).catch(() => undefined)) as string[] | undefined;
  return found && (found[1] ?? '');
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
