/**
 * A real store for a test: a server of its own in a directory of its own, on a free loopback port; or, where it is asked for, a cluster of
 * three masters.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreLog } from '../../engine/store/connection.js';
import { type OpenStoreOptions, openStore, type Store } from '../../engine/store/store.js';
import { readStoreFile } from '../../engine/store/store-file.js';
import { type RedisCluster, startRedisCluster } from './redis-cluster.js';

export interface TestStore {
  readonly store: Store;
  readonly dataDir: string;
  /** For programs started apart; holds the password. */
  readonly redisUrl: string;
  /** Only of a store that is one. */
  readonly cluster?: RedisCluster | undefined;
  /** As another process has it: same Redis, same master key, its own memory. Closed with the first. */
  another(): Promise<Store>;
  stop(): Promise<void>;
}

export const SILENT: StoreLog = { info() {}, warn() {}, error() {} };

/** With RATEWIRE_TEST_STORE=redis-cluster: what is about a server of our own, or about one server, does not apply. */
export const ON_CLUSTER = process.env.RATEWIRE_TEST_STORE === 'redis-cluster';

/** True on a cluster, where it prints why the tests of a file are skipped. */
export function notOnCluster(file: string, why: string): boolean {
  if (ON_CLUSTER) console.log(`${file} skipped on a cluster: ${why}`);
  return ON_CLUSTER;
}

/**
 * Which server: the embedded one; with RATEWIRE_TEST_STORE=redis-server the one at REDIS_SERVER_BIN or on the PATH. Never what
 * a machine happens to have.
 */
export const KIND: Pick<OpenStoreOptions, 'prefer' | 'redisServer'> =
  process.env.RATEWIRE_TEST_STORE === 'redis-server'
    ? { prefer: 'redis-server', redisServer: process.env.REDIS_SERVER_BIN }
    : { prefer: 'embedded' };

/** Clusters whose store was stopped, empty again: one takes two seconds to form. */
const idle: RedisCluster[] = [];

export async function startTestStore(options: Partial<OpenStoreOptions> = {}): Promise<TestStore> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'ratewire-test-'));
  const cluster =
    ON_CLUSTER && options.redisUrl === undefined ? (idle.pop() ?? (await startRedisCluster())) : undefined;
  const where = cluster ? { redisUrl: cluster.redisUrl } : KIND;
  const store = await openStore({ dataDir, log: SILENT, own: 'must-start', ...where, ...options });
  const redisUrl = cluster?.redisUrl ?? options.redisUrl ?? redisUrlOf(dataDir);
  const others: Store[] = [];
  return {
    store,
    dataDir,
    redisUrl,
    cluster,
    async another() {
      const { now } = options;
      const other = await openStore({ redisUrl, dataDir, log: SILENT, own: 'start-if-absent', now });
      others.push(other);
      return other;
    },
    async stop() {
      for (const other of others) await other.close();
      await store.close();
      if (cluster) idle.push(await emptied(cluster));
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** REDIS_URL of the server that the data directory's store.json tells of. */
export function redisUrlOf(dataDir: string): string {
  const file = readStoreFile(dataDir);
  if (!file) throw new Error(`no store.json in ${dataDir}`);
  return `redis://:${file.password}@${file.host}:${file.port}`;
}

async function emptied(cluster: RedisCluster): Promise<RedisCluster> {
  for (const { redis } of cluster.nodes) await redis.flushall();
  return cluster;
}
