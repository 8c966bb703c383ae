/** A Redis Cluster whose masters each have a replica: the replica of a lost master takes over, and all operations continue there. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Client } from '../../../engine/store/access/clients.js';
import { COMMAND_TIMEOUT_MS } from '../../../engine/store/connection/redis-client.js';
import type { Store } from '../../../engine/store/store.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';
import { NO_REDIS_SERVER, type RedisCluster, redisServer, startRedisCluster } from '../../support/redis-cluster.js';
import type { RedisProcess } from '../../support/redis-process.js';
import { IMPATIENT } from '../../support/store.js';
import { SOON } from '../../support/until.js';
import { book, booking, clientOf } from './cluster-load.js';

const isThere = redisServer() !== undefined;
if (!isThere) console.log(`test/store/connection/cluster-failover.test.ts ${NO_REDIS_SERVER}`);

/** The cluster nodes detect a missing master after a second; our own delays are added to it. */

describe.skipIf(!isThere)('a cluster of three masters with a replica each', () => {
  let cluster: RedisCluster;
  let waits: PaymentRig;
  let waitsNot: PaymentRig;
  beforeAll(async () => {
    cluster = await startRedisCluster({ withReplicas: true });
    waits = await startPayments({ redisUrl: cluster.redisUrl, replicas: 1, ...IMPATIENT });
    waitsNot = await startPayments({ redisUrl: cluster.redisUrl, dataDir: waits.testStore.dataDir, ...IMPATIENT });
  });
  afterAll(async () => {
    await waitsNot?.stop();
    await waits?.stop();
    await cluster?.stop();
  });

  const nameOf = ({ port }: RedisProcess): string => `127.0.0.1:${port}`;
  const upOf = (store: Store) =>
    store
      .servers()
      .filter(({ isUp }) => isUp)
      .map(({ name }) => name);
  const booked = async (on: PaymentRig, client: Client) =>
    (await on.journal(client.id)).filter(([step]) => step === 'book-fx').length;
  async function again(on: PaymentRig, client: Client, asked: readonly (readonly [string, unknown])[]): Promise<void> {
    for (let from = 0; from < asked.length; from += 32) {
      const some = asked.slice(from, from + 32);
      // An answer is repeated only when the replica has it, which may be late on a busy machine.
      const answers = () => Promise.all(some.map(([requestId]) => book(on, client, requestId)));
      await vi.waitFor(async () => expect(new Set(await answers())).toEqual(new Set(['booked'])), SOON);
    }
  }
  const all = () => [...cluster.nodes, ...cluster.replicas];
  /** Another process that has opened the store, and the server that it subscribes at. */
  async function listening(): Promise<{ fresh: Store; master: RedisProcess }> {
    const ears = async ({ redis }: RedisProcess) =>
      String(await redis.client('LIST')).match(/name=ratewire-subscriber/g)?.length ?? 0;
    const before = await Promise.all(all().map(ears));
    const fresh = await waitsNot.testStore.another();
    const after = await Promise.all(all().map(ears));
    return { fresh, master: all().find((_, i) => after[i]! > before[i]!)! };
  }
  const replicasOf = async (master: RedisProcess): Promise<readonly RedisProcess[]> => {
    const info = await master.redis.info('replication');
    return all().filter(({ port }) => info.includes(`port=${port},`));
  };
  /** A message published during a connect is lost: it is published until it is received. */
  async function receives(revoked: readonly string[]): Promise<void> {
    const before = revoked.length;
    const say = async (): Promise<void> => {
      const { store } = waitsNot.services;
      const { token } = await store.tokens.issue('anyone', 'CK_X', ['read']);
      await store.tokens.revoke(token);
      expect(revoked.length).toBeGreaterThan(before);
    };
    await vi.waitFor(say, { timeout: 120_000, interval: 100 });
  }

  test('a planned failover rejects no booking, and no process stays subscribed through the old master', async () => {
    const { fresh, master: first } = await listening();
    const revoked: string[] = [];
    fresh.tokens.onRevoked((hash) => revoked.push(hash));
    await receives(revoked);
    // No other failover happens in between.
    const [, nodeTimeout] = (await first.redis.config('GET', 'cluster-node-timeout')) as [string, string];
    for (const { redis } of all()) await redis.config('SET', 'cluster-node-timeout', '60000');
    // A failover that takes longer than the command timeout may reject commands: on a busy machine it is repeated until one was quick.
    for (let master = first, changes = 1, isQuick = false; !isQuick; changes++) {
      const [replica] = await replicasOf(master);
      const client = await clientOf(waitsNot, cluster, master);
      const load = booking(waitsNot, client, 8);
      await vi.waitFor(() => expect(load.answers.size).toBeGreaterThan(50), SOON);
      // Connections to the new master are delayed, as on a busy machine.
      await replica!.redis.config('SET', 'maxclients', '1');
      const beganMs = performance.now();
      await replica!.redis.call('CLUSTER', 'FAILOVER');
      const role = async () => (await replica!.redis.info('replication')).match(/role:(\w+)/)?.[1];
      await vi.waitFor(async () => expect(await role()).toBe('master'), { ...SOON, interval: 10 });
      const named = () => waitsNot.services.store.servers().map(({ name }) => name);
      await vi.waitFor(() => expect(named()).toContain(nameOf(replica!)), { ...SOON, interval: 5 });
      await replica!.redis.config('SET', 'maxclients', '10000');
      isQuick = performance.now() - beganMs < COMMAND_TIMEOUT_MS / 2 || changes === 10;
      const known = () => [waitsNot.services.store, fresh].flatMap(upOf);
      await vi.waitFor(() => expect(known()).not.toContain(nameOf(master)), SOON);
      await load.stop();
      expect(upOf(waitsNot.services.store)).toContain(nameOf(replica!));
      if (isQuick) expect(new Set(load.answers.values())).toEqual(new Set(['booked']));
      await again(waitsNot, client, [...load.answers]);
      expect(await booked(waitsNot, client)).toBe(load.answers.size);
      if (master === first) {
        first.sleep();
        await receives(revoked).finally(() => first.wake());
      }
      await cluster.whole();
      master = replica!;
    }
    expect(await waitsNot.differences()).toEqual([]);
    for (const { redis } of all()) await redis.config('SET', 'cluster-node-timeout', nodeTimeout!);
  });

  test('STORE_REPLICAS=1: a master is killed under load, and its replica has all acknowledged bookings', async () => {
    const killed = await cluster.ownerOf(0);
    const [replica] = await replicasOf(killed);
    const other = await cluster.ownerOf(16_383);
    const clients = [await clientOf(waitsNot, cluster, killed), await clientOf(waitsNot, cluster, other)];
    const loads = clients.map((client) => booking(waits, client, 8));
    await vi.waitFor(() => expect(loads[0]!.answers.size).toBeGreaterThan(100), SOON);
    await killed.kill();
    // Reads work; nothing is written before the new master has a replica itself.
    await vi.waitFor(async () => expect(await booked(waits, clients[0]!)).toBeGreaterThan(100), SOON);
    expect(upOf(waits.services.store)).toContain(nameOf(replica!));
    expect(await book(waits, clients[0]!, 'alone')).toBe('STORE_UNAVAILABLE');
    // After a restart it is a replica of the new master.
    await killed.restart();
    await vi.waitFor(async () => expect(await book(waits, clients[0]!, 'alone')).toBe('booked'), SOON);
    for (const load of loads) await load.stop();

    for (const [i, client] of clients.entries()) {
      const answers = [...loads[i]!.answers];
      const acknowledged = answers.filter(([, answer]) => answer === 'booked');
      // The clients of the other masters continue. On a busy machine a replica there may be late by more than the second that a step waits.
      if (i > 0) expect(acknowledged.length).toBeGreaterThan(0.9 * answers.length);
      const before = await booked(waits, client);
      await again(waits, client, acknowledged);
      // Each request already had its own answer.
      expect(await booked(waits, client)).toBe(before);
      await again(waits, client, answers);
      expect(await booked(waits, client)).toBe(answers.length + (i === 0 ? 1 : 0));
    }
    expect(await waits.differences()).toEqual([]);
  });

  test('STORE_REPLICAS=0: a hanging master is replaced, its clients continue there, and it changes nothing after it resumes', async () => {
    const hung = await cluster.ownerOf(0, cluster.nodes[1]);
    const client = await clientOf(waitsNot, cluster, hung);
    expect(await book(waitsNot, client, 'before')).toBe('booked');
    hung.sleep();
    const goesOn = async () => expect(await book(waitsNot, client, 'after')).toBe('booked');
    await vi.waitFor(goesOn, SOON).finally(() => hung.wake());
    await cluster.whole();
    expect(await book(waitsNot, client, 'woken')).toBe('booked');
    expect(await booked(waitsNot, client)).toBe(3);
    expect(await waitsNot.differences()).toEqual([]);
  });
});
