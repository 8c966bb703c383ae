/** A Redis Cluster at REDIS_URL: what the start rejects, and what is reported about its nodes. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { StoreStartError } from '../../../engine/store/connection/errors.js';
import { slotOf } from '../../../engine/store/keys/redis-keys.js';
import type { OpenStoreOptions } from '../../../engine/store/store.js';
import { Metrics } from '../../../engine/wiring/metrics/metrics.js';
import { storeMetrics } from '../../../engine/wiring/metrics/store-metrics.js';
import { NO_REDIS_SERVER, type RedisCluster, redisServer, startRedisCluster } from '../../support/redis-cluster.js';
import { type RedisProcess, startRedis } from '../../support/redis-process.js';
import { SILENT, startTestStore, type TestStore } from '../../support/store.js';
import { SOON } from '../../support/until.js';

const isThere = redisServer() !== undefined;
if (!isThere) console.log(`test/store/connection/cluster-start.test.ts ${NO_REDIS_SERVER}`);

describe.skipIf(!isThere)('REDIS_URL of a cluster', () => {
  let cluster: RedisCluster;
  let alone: RedisProcess;
  let first: RedisProcess;
  let second: RedisProcess;
  let opened: TestStore;
  const warned: string[] = [];
  const log = { ...SILENT, warn: (_fields: object, line: string) => void warned.push(line) };
  beforeAll(async () => {
    cluster = await startRedisCluster();
    [first, second] = cluster.nodes as [RedisProcess, RedisProcess];
    alone = await startRedis();
    opened = await startTestStore({ redisUrl: cluster.redisUrl, log });
  });
  afterEach(() => {
    warned.length = 0;
  });
  afterAll(async () => {
    await opened?.stop();
    await alone?.stop();
    await cluster?.stop();
  });

  const nameOf = ({ port }: RedisProcess): string => `127.0.0.1:${port}`;
  async function open(redisUrl: string, options: Partial<OpenStoreOptions> = {}): Promise<void> {
    const store = await startTestStore({ redisUrl, dataDir: opened.dataDir, log, ...options });
    await store.store.close();
  }
  async function refusal(redisUrl: string, options: Partial<OpenStoreOptions> = {}): Promise<string> {
    const error = await open(redisUrl, options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreStartError);
    return (error as StoreStartError).message;
  }

  test('any node leads to all of them; a named node that is down does no harm', async () => {
    await open(second.redisUrl);
    const gone = await startRedis();
    await gone.stop();
    await open(`redis://:${first.password}@${nameOf(gone)},${nameOf(second)}`);
    expect(warned).toEqual([]);
  });

  test.each([
    ['appendonly', 'no', 'yes', 'has appendonly no, so it would forget what it acknowledged'],
    ['appendfsync', 'everysec', 'always', 'has appendfsync everysec, so it could lose what it acknowledged'],
    ['maxmemory-policy', 'allkeys-lru', 'noeviction', 'has maxmemory-policy allkeys-lru, so it may throw balances'],
  ])('rejects %s %s on one of the masters, and names the master', async (name, unsafe, safe, why) => {
    await second.redis.config('SET', name, unsafe);
    expect(await refusal(first.redisUrl)).toContain(`Redis at ${nameOf(second)} ${why}`);
    await second.redis.config('SET', name, safe);
    await vi.waitFor(() => open(first.redisUrl), SOON);
  });

  test('rejects several servers that are no cluster', async () => {
    const redisUrl = `redis://:${alone.password}@${nameOf(alone)},${nameOf(alone)}`;
    expect(await refusal(redisUrl)).toBe(
      `Redis at ${nameOf(alone)} is no cluster: name one server in REDIS_URL, or use its Sentinels`,
    );
  });

  test('rejects another database than the first', async () => {
    expect(await refusal(`${first.redisUrl}/1`)).toBe(
      `Redis at ${nameOf(first)} is a cluster, which has one database only: take /1 off REDIS_URL`,
    );
  });

  test('rejects slots without a master', async () => {
    const slot = await first.redis.call('CLUSTER', 'KEYSLOT', 'nothing');
    for (const { redis } of cluster.nodes) await redis.call('CLUSTER', 'DELSLOTS', String(slot));
    expect(await refusal(first.redisUrl)).toBe(
      `Redis at ${nameOf(first)} is a cluster in which no master has 1 of the 16384 slots: start the masters that are missing, or give their slots to others`,
    );
    await first.redis.call('CLUSTER', 'ADDSLOTS', String(slot));
    await cluster.whole();
  });

  test('warns of a cluster that stops as a whole with one master', async () => {
    await first.redis.config('SET', 'cluster-require-full-coverage', 'yes');
    await open(first.redisUrl);
    expect(warned).toEqual([expect.stringContaining('has cluster-require-full-coverage yes: one master that is away')]);
    await first.redis.config('SET', 'cluster-require-full-coverage', 'no');
  });

  test('rejects masters without the required replicas', async () => {
    expect(await refusal(first.redisUrl, { replicas: 1 })).toMatch(
      /^Redis at 127\.0\.0\.1:\d+ has 0 replicas online, and STORE_REPLICAS is 1/,
    );
  });

  test('reports the fullest node by name', async () => {
    const { store } = opened;
    let ballast = 'ballast';
    while ((await cluster.ownerOf(slotOf(ballast))) !== second) ballast += 'x';
    await second.redis.setrange(ballast, 20_000_000, 'x');
    const used = Number(/used_memory:(\d+)/.exec(await second.redis.info('memory'))![1]);
    await second.redis.config('SET', 'maxmemory', String(Math.round(used / 0.97)));
    await vi.waitFor(() => expect(store.isFull()).toBe(true), SOON);
    expect(warned).toEqual([expect.stringContaining(`The store's server ${nameOf(second)} has used`)]);
    const text = await metricsOf();
    expect(text).toMatch(new RegExp(`ratewire_redis_memory_ratio\\{[^}]*server="${nameOf(second)}"[^}]*\\} 0\\.9`));
    await second.redis.config('SET', 'maxmemory', '0');
    await vi.waitFor(() => expect(store.isFull()).toBe(false), SOON);
  });

  test('reports figures of each node', async () => {
    await second.kill();
    const up = (node: RedisProcess, value: number) =>
      new RegExp(`ratewire_redis_up\\{[^}]*server="${nameOf(node)}"[^}]*\\} ${value}$`, 'm');
    await vi.waitFor(async () => expect(await metricsOf()).toMatch(up(second, 0)), SOON);
    expect(await metricsOf()).toMatch(up(first, 1));
    expect(opened.store.isUp()).toBe(true);
    expect(warned).toContainEqual(expect.stringContaining(`The store's server ${nameOf(second)} is away`));
    expect(await refusal(first.redisUrl)).toContain(`Redis at ${nameOf(second)} refuses the connection`);
    await second.restart();
    await cluster.whole();
    await vi.waitFor(async () => expect(await metricsOf()).toMatch(up(second, 1)), SOON);
  });

  async function metricsOf(): Promise<string> {
    const metrics = new Metrics('engine');
    storeMetrics(metrics, opened.store);
    return metrics.text();
  }
});
