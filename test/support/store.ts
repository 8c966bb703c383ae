/**
 * A real store for a test: a server of its own in a directory of its own, on a free loopback port; or, on request, a cluster of three
 * masters.
 */

import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { expect, onTestFinished } from 'vitest';
import type { Log } from '../../engine/domain/core/log.js';
import { COMMAND_TIMEOUT_MS } from '../../engine/store/connection/redis-client.js';
import { type ManagedRedis, managedRedis } from '../../engine/store/managed-redis/managed-redis.js';
import { readStoreFile } from '../../engine/store/managed-redis/store-file.js';
import { type OpenStoreOptions, openStore, type Store } from '../../engine/store/store.js';
import { redisAt } from './redis-client.js';
import { type RedisCluster, startRedisCluster } from './redis-cluster.js';

export interface TestStore {
  readonly store: Store;
  readonly dataDir: string;
  /** For programs started separately; contains the password. */
  readonly redisUrl: string;
  /** Only on a cluster. */
  readonly cluster?: RedisCluster | undefined;
  /** As another process has it: same Redis, same master key, its own caches. Closed with the first. */
  another(more?: Pick<OpenStoreOptions, 'auditLog'>): Promise<Store>;
  /** With `now`: sets the clock of the steps and of this process to it. Called when `now` has changed. */
  turn(): Promise<void>;
  /** The store answers nothing until the end of the test; what is sent meanwhile is carried out then. For a store that is IMPATIENT. */
  hang(): void;
  stop(): Promise<void>;
}

/** A time written by a step: the clock of the steps runs. */
export const about = (ms: number): number => expect.closeTo(ms, -5);

export const SILENT: Log = { info() {}, warn() {}, error() {} };

/** A machine that has much else to do is slow, and not wrong: no answer of a test's store is too late. */
export const PATIENT = { answerMs: 60_000 };
/** As the product has it: for a test whose store hangs or goes away. */
export const IMPATIENT = { answerMs: COMMAND_TIMEOUT_MS };

/** With RATEWIRE_TEST_STORE=redis-cluster: tests of a managed server, or of a single server, do not apply. */
export const ON_CLUSTER = process.env.RATEWIRE_TEST_STORE === 'redis-cluster';

/** True on a cluster, where it prints why the tests of a file are skipped. */
export function notOnCluster(file: string, why: string): boolean {
  if (ON_CLUSTER) console.log(`${file} skipped on a cluster: ${why}`);
  return ON_CLUSTER;
}

/**
 * Which server: the embedded one; with RATEWIRE_TEST_STORE=redis-server the one at REDIS_SERVER_BIN or on the PATH. Never whatever a
 * machine happens to have.
 */
export const KIND: Pick<OpenStoreOptions, 'prefer' | 'redisServer'> =
  process.env.RATEWIRE_TEST_STORE === 'redis-server'
    ? { prefer: 'redis-server', redisServer: process.env.REDIS_SERVER_BIN }
    : { prefer: 'embedded' };

// A process runs many test files, and each of its servers listens for the exit: more than the ten that Node expects.
process.setMaxListeners(200);

/** Clusters whose store was stopped, emptied: one takes two seconds to form. */
const idle: RedisCluster[] = [];

/** Embedded servers whose store was stopped, emptied: starting one takes longer than most tests. They end with this process. */
const idleServers: SharedServer[] = [];

/** A server that test stores of this process use one after the other; each finds it by a link to its store.json. */
interface SharedServer {
  readonly dir: string;
  readonly own: ManagedRedis;
  /** As it was started: name and value in turn. */
  readonly settings: readonly string[];
}

async function sharedServer(dataDir: string): Promise<SharedServer> {
  let server = idleServers.pop();
  if (server === undefined) {
    const dir = mkdtempSync(join(tmpdir(), 'ratewire-test-server-'));
    const order = { own: 'must-start', fsync: 'always', redisServer: undefined, log: SILENT } as const;
    const own = await managedRedis({ dataDir: dir, ...order, prefer: 'embedded' });
    server = { dir, own, settings: await withRedis(redisUrlOf(dir), settingsOf) };
  }
  symlinkSync(join(server.dir, 'store.json'), join(dataDir, 'store.json'));
  return server;
}

/** A test that sets the kind or place of its server, or reads its log, gets its own. */
const NEEDS_ITS_OWN = ['dataDir', 'redisUrl', 'prefer', 'redisServer', 'fsync', 'log', 'own'] as const;

/** How far the running clock of the steps may be ahead of a test's fixed clock: shorter than any hold. */
const AHEAD_MS = 20_000;
/** Its initial lead: what is due at the test's time is found, however inexact the estimate of that clock is. */
const LEAD_MS = 200;
/** The difference that a busy machine may leave between two readings of a running clock. */
const JITTER_MS = 50;

/** A test's clock for this process; the clock of the steps is set to it, before the next step on the same connection. */
class SteeredClock {
  readonly #now: () => number;
  #store: Store | undefined;
  #offsetMs: number | undefined;
  /** The test's and the machine's clock when the test's was last read. */
  #read = { now: 0, hostMs: 0 };
  #turned: Promise<void> = Promise.resolve();
  /** Unanswered settings of the clock: a stopped store answers none of them. */
  #unanswered = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  readonly read = (): number => {
    void this.turn();
    return this.#now();
  };

  steer(store: Store): void {
    this.#store = store;
    void this.turn();
  }

  /** Moves the steps' clock as far as a test has moved its own, and sets it anew where the test's goes back, or is too far off. */
  turn(): Promise<void> {
    const now = Math.floor(this.#now());
    const hostMs = Date.now();
    const movedMs = now - this.#read.now;
    const isTurned = movedMs - (hostMs - this.#read.hostMs) > JITTER_MS;
    this.#read = { now, hostMs };
    if (this.#store === undefined || this.#unanswered > 50) return this.#turned;
    let offsetMs = (this.#offsetMs ?? 0) + (isTurned ? movedMs : 0);
    const aheadMs = hostMs + offsetMs - now;
    if (this.#offsetMs === undefined || movedMs < 0 || aheadMs < 0 || aheadMs > AHEAD_MS)
      offsetMs = now + LEAD_MS - hostMs;
    if (offsetMs === this.#offsetMs) return this.#turned;
    this.#unanswered++;
    this.#offsetMs = offsetMs;
    this.#turned = this.#store.clock
      .setOffset(offsetMs)
      .catch(() => {
        this.#offsetMs = undefined;
      })
      .finally(() => this.#unanswered--);
    return this.#turned;
  }
}

/** Its answers may take a minute, unless `options` say otherwise. */
export async function startTestStore(options: Partial<OpenStoreOptions> = {}): Promise<TestStore> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'ratewire-test-'));
  const isShared =
    !ON_CLUSTER && KIND.prefer === 'embedded' && NEEDS_ITS_OWN.every((name) => options[name] === undefined);
  const server = isShared ? await sharedServer(dataDir) : undefined;
  const cluster =
    ON_CLUSTER && options.redisUrl === undefined ? (idle.pop() ?? (await startRedisCluster())) : undefined;
  const where = cluster ? { redisUrl: cluster.redisUrl } : KIND;
  const clock = options.now && new SteeredClock(options.now);
  const now = clock?.read;
  const { answerMs = PATIENT.answerMs } = options;
  const own = server ? 'start-if-absent' : 'must-start';
  const store = await openStore({ dataDir, log: SILENT, own, ...where, ...options, answerMs, now });
  clock?.steer(store);
  const redisUrl = cluster?.redisUrl ?? options.redisUrl ?? redisUrlOf(dataDir);
  const others: Store[] = [];
  return {
    store,
    dataDir,
    redisUrl,
    cluster,
    async another(more = {}) {
      const other = await openStore({ redisUrl, dataDir, log: SILENT, own: 'start-if-absent', answerMs, now, ...more });
      others.push(other);
      return other;
    },
    turn: async () => clock?.turn(),
    hang() {
      const pids = cluster ? cluster.nodes.map((node) => node.pid()) : [readStoreFile(dataDir)!.server.pid];
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      onTestFinished(() => {
        for (const pid of pids) process.kill(pid, 'SIGCONT');
      });
    },
    async stop() {
      for (const other of others) await other.close();
      await store.close();
      if (cluster) idle.push(await emptied(cluster));
      if (server) idleServers.push(await emptiedServer(server, redisUrl));
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** REDIS_URL of the server in the data directory's store.json. */
export function redisUrlOf(dataDir: string): string {
  const file = readStoreFile(dataDir);
  if (!file) throw new Error(`no store.json in ${dataDir}`);
  return `redis://:${file.password}@${file.host}:${file.port}`;
}

/** As a new one: without data, and with the settings of its start. */
async function emptiedServer(server: SharedServer, redisUrl: string): Promise<SharedServer> {
  await withRedis(redisUrl, async (redis) => {
    const now = await settingsOf(redis);
    for (let i = 0; i < now.length; i += 2)
      if (now[i + 1] !== server.settings[i + 1]) await redis.config('SET', now[i]!, server.settings[i + 1]!);
    await redis.flushall();
  });
  return server;
}

const settingsOf = async (redis: Redis): Promise<readonly string[]> =>
  (await redis.call('CONFIG', 'GET', '*')) as string[];

async function withRedis<T>(redisUrl: string, ask: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = redisAt(redisUrl);
  try {
    return await ask(redis);
  } finally {
    redis.disconnect();
  }
}

async function emptied(cluster: RedisCluster): Promise<RedisCluster> {
  for (const { redis } of cluster.nodes) await redis.flushall();
  return cluster;
}
