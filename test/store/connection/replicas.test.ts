/** A Redis with a replica, and what STORE_REPLICAS guarantees. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isRefusal, type RefusalCode } from '../../../engine/domain/core/refusal.js';
import { HOUSE } from '../../../engine/domain/risk/trading-state.js';
import { perform } from '../../../engine/service/perform.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { StoreStartError } from '../../../engine/store/connection/errors.js';
import { type OpenStoreOptions, openStore } from '../../../engine/store/store.js';
import { storeReasons } from '../../../engine/wiring/store-reasons.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';
import { NO_REDIS_SERVER, type RedisProcess, redisServer, startRedis } from '../../support/redis-process.js';
import { SILENT } from '../../support/store.js';
import { turnedClock } from '../../support/turned-clock.js';
import { SOON, until } from '../../support/until.js';

const isThere = redisServer() !== undefined;
if (!isThere) console.log(`test/store/connection/replicas.test.ts ${NO_REDIS_SERVER}`);

describe.skipIf(!isThere)('a master and its replica', () => {
  const cleanUps: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  async function started(replicaOf?: RedisProcess): Promise<RedisProcess> {
    const server = await startRedis({ ...(replicaOf && { replicaOf }) });
    cleanUps.push(server.stop);
    if (replicaOf) {
      await vi.waitFor(async () => expect(await online(replicaOf)).toBe(1), SOON);
      const linked = async () => expect(await server.redis.info('replication')).toContain('master_link_status:up');
      await vi.waitFor(linked, SOON);
    }
    // Its own file is rewritten after the copy.
    const rewritten = /aof_rewrite_in_progress:0\r\naof_rewrite_scheduled:0/;
    await vi.waitFor(async () => expect(await server.redis.info('persistence')).toMatch(rewritten), SOON);
    return server;
  }
  const online = async ({ redis }: RedisProcess): Promise<number> =>
    (await redis.info('replication')).match(/state=online/g)?.length ?? 0;
  /** Resolves when its replica has all that was written. WAIT is about what was written before the last command of its connection. */
  async function hasAll({ redis }: RedisProcess): Promise<void> {
    await redis.ping();
    expect(await redis.wait(1, 60_000)).toBe(1);
  }
  async function opened(server: RedisProcess, options: Partial<OpenStoreOptions>): Promise<PaymentRig> {
    const on = await startPayments({ redisUrl: server.redisUrl, ...options });
    cleanUps.push(on.stop);
    return on;
  }
  async function book(on: PaymentRig, client: Client, requestId: string): Promise<RefusalCode | 'booked'> {
    const command = { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 1, description: 'a test', requestId };
    const answer = await perform(on.services, 'bookFxByCurrency', on.caller(client.id), command);
    return isRefusal(answer) ? answer.refusal : 'booked';
  }

  /** Books while the replica stops and then the master dies; returns how many were acknowledged, and which of them the replica lacks. */
  async function acknowledgedAndLost(replicas: number) {
    const master = await started();
    const replica = await started(master);
    const on = await opened(master, { replicas });
    const client = await on.client('acme', { EUR: '1000000.00', USD: '1.00' });
    await hasAll(master);
    const acknowledged: string[] = [];
    const callers = Array.from({ length: 16 }, () => ({ answers: 0 }));
    let isOver = false;
    const call = async (caller: { answers: number }, number: number): Promise<void> => {
      for (let i = 0; !isOver; i++) {
        const requestId = `request-${number}-${i}`;
        const answer = await book(on, client, requestId);
        caller.answers++;
        if (answer === 'booked') acknowledged.push(requestId);
        else await pause(20);
      }
    };
    const calls = callers.map(call);
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(200), SOON);
    replica.sleep();
    // To what each has asked behind that: booked, or refused when the replica has not answered in time.
    const before = callers.map(({ answers }) => answers);
    await until(() => callers.every(({ answers }, i) => answers >= before[i]! + 5));
    await master.kill();
    isOver = true;
    await Promise.all(calls);

    // The content of its sockets is lost with it: it keeps what it had acknowledged.
    await replica.kill();
    await replica.restart();
    await vi.waitFor(() => replica.redis.replicaof('NO', 'ONE'), SOON);
    const promoted = await opened(replica, { dataDir: on.testStore.dataDir });
    const receipts = await Promise.all(
      acknowledged.map((requestId) => promoted.services.store.bookings.receipt(client, requestId)),
    );
    const lost = acknowledged.filter((_, i) => receipts[i]?.kind !== 'booked');
    return { acknowledged, lost, differences: await promoted.differences() };
  }

  test('STORE_REPLICAS=1: acknowledged bookings are on the replica that replaces the master', async () => {
    const { acknowledged, lost, differences } = await acknowledgedAndLost(1);
    expect(acknowledged.length).toBeGreaterThan(200);
    expect(lost).toEqual([]);
    expect(differences).toEqual([]);
  });

  test('STORE_REPLICAS=0 does not guarantee that', async () => {
    const { lost } = await acknowledgedAndLost(0);
    expect(lost.length).toBeGreaterThan(0);
  });

  test('without its replica a booking is rejected, and a repeated request is answered when the replica is back', async () => {
    const master = await started();
    const replica = await started(master);
    const on = await opened(master, { replicas: 1 });
    const { store } = on.services;
    const client = await on.client('acme', { EUR: '1000.00', USD: '1.00' });
    expect(await book(on, client, 'before')).toBe('booked');

    replica.sleep();
    const refused = ['one', 'two'].map((requestId) => book(on, client, requestId));
    expect(await Promise.all(refused)).toEqual(['STORE_UNAVAILABLE', 'STORE_UNAVAILABLE']);
    // The step was executed: no answer may deny it.
    expect((await on.journal('acme')).filter(([step]) => step === 'book-fx')).toHaveLength(3);
    expect(store.servers()[0]).toMatchObject({ isUp: true, isReplicaLagging: true });
    // Nothing more is written meanwhile; reads, rates and leases continue.
    await expect(store.clients.setDisabled('acme', true)).rejects.toMatchObject({ outcome: 'none' });
    expect(await store.clients.get('acme')).toMatchObject({ disabled: false });
    const holding = await store.lease('feed').acquire();
    expect(await store.relay.publish(holding!, Buffer.from('x'))).toBe(0);
    expect(await book(on, client, 'one')).toBe('STORE_UNAVAILABLE');

    replica.wake();
    await vi.waitFor(() => expect(store.servers()[0]).toMatchObject({ isReplicaLagging: false }), SOON);
    for (const requestId of ['one', 'two', 'three']) expect(await book(on, client, requestId)).toBe('booked');
    expect((await on.journal('acme')).filter(([step]) => step === 'book-fx')).toHaveLength(4);
    expect(await on.differences()).toEqual([]);
  });

  test('a promoted replica behind the same address takes over from connections that stay open', async () => {
    const master = await started();
    const replica = await started(master);
    const relay = await turnedClock(master.redisUrl);
    cleanUps.push(async () => relay.stop());
    const on = await opened(master, { redisUrl: relay.redisUrl });
    const client = await on.client('acme', { EUR: '1000.00', USD: '1.00' });
    expect(await book(on, client, 'before')).toBe('booked');
    const { store } = on.services;
    expect(storeReasons(store)).toEqual([]);
    await hasAll(master);
    // As an address does that moves: what is open stays with the old master, which becomes a replica.
    await replica.redis.replicaof('NO', 'ONE');
    await master.redis.replicaof('127.0.0.1', replica.port);
    // It is found without any command of a client.
    const replicaReason = [expect.stringContaining('it is a replica')];
    await vi.waitFor(() => expect(storeReasons(store)).toEqual(replicaReason), SOON);
    expect(await book(on, client, 'meanwhile')).toBe('STORE_UNAVAILABLE');
    relay.to(replica.port);
    await vi.waitFor(() => expect(storeReasons(store)).toEqual([]), SOON);
    expect(await book(on, client, 'again')).toBe('booked');
    expect(await on.differences()).toEqual([]);
  });

  test('what an emptied replica does not have stays in force: halts and limits', async () => {
    const server = await started();
    const empty = await started();
    const { store } = (await opened(server, {})).services;
    const halted = { ...HOUSE, by: 'anna (ops@desk1)', reason: 'x', sinceMs: 1 } as const;
    await store.tradingStates.restrict({ ...halted, state: 'HALTED' });
    const seen: unknown[] = [];
    store.tradingStates.onChange((all) => seen.push(all.map(({ name }) => name)));
    await vi.waitFor(() => expect(seen).toEqual([['house']]), SOON);
    await server.redis.config('SET', 'masterauth', empty.password);
    await server.redis.replicaof('127.0.0.1', empty.port);
    await vi.waitFor(async () => expect(await server.redis.dbsize()).toBe(0), SOON);
    // It is read before any command was refused.
    await empty.redis.publish('trading-states:changed', '');
    await vi.waitFor(() => expect(store.servers()[0]).toMatchObject({ refusal: 'READONLY' }), SOON);
    expect(seen).toEqual([['house']]);
    // A master that has lost the last change is another matter: what it has applies.
    await server.redis.replicaof('NO', 'ONE');
    await vi.waitFor(() => expect(seen).toEqual([['house'], []]), SOON);
  });

  test('the programs are not ready while a replica lacks', async () => {
    const master = await started();
    const replica = await started(master);
    const on = await opened(master, { replicas: 1 });
    const { store } = on.services;
    expect(storeReasons(store)).toEqual([]);
    await replica.kill();
    const lacking = [expect.stringContaining('STORE_REPLICAS')];
    await vi.waitFor(() => expect(storeReasons(store)).toEqual(lacking), SOON);
    await replica.restart();
    await vi.waitFor(() => expect(storeReasons(store)).toEqual([]), SOON);
    // A master that refuses writes itself.
    await master.redis.config('SET', 'min-replicas-to-write', '2');
    await vi.waitFor(() => expect(storeReasons(store)).toEqual([expect.stringContaining('min-replicas')]), SOON);
    await master.redis.config('SET', 'min-replicas-to-write', '0');
    await vi.waitFor(() => expect(storeReasons(store)).toEqual([]), SOON);
  });

  test('another process answers a repeated request only with what the replica has', async () => {
    const master = await started();
    const replica = await started(master);
    const on = await opened(master, { replicas: 1 });
    const client = await on.client('acme', { EUR: '1000.00', USD: '1.00' });
    const another = await opened(master, { replicas: 1, dataDir: on.testStore.dataDir });
    expect(await book(another, client, 'first')).toBe('booked');

    replica.sleep();
    expect(await book(on, client, 'one')).toBe('STORE_UNAVAILABLE');
    expect(await book(another, client, 'one')).toBe('STORE_UNAVAILABLE');
    replica.wake();
    await vi.waitFor(async () => expect(await book(another, client, 'one')).toBe('booked'), SOON);
  });

  test('concurrent commands share one wait for the replica', async () => {
    const master = await started();
    await started(master);
    const on = await opened(master, { replicas: 1 });
    const client = await on.client('acme', { EUR: '100000.00', USD: '1.00' });
    const waits = async () => Number(/cmdstat_wait:calls=(\d+)/.exec(await master.redis.info('commandstats'))?.[1]);
    // On a busy machine the replica may be late by more than the second of a wait.
    let n = 0;
    await vi.waitFor(async () => {
      const before = await waits();
      const booked = await Promise.all(Array.from({ length: 200 }, () => book(on, client, `together-${n++}`)));
      expect(new Set(booked)).toEqual(new Set(['booked']));
      expect((await waits()) - before).toBeLessThan(100);
    }, SOON);
  });

  test('the start rejects a server without enough replicas, and warns of one that would write without them', async () => {
    const master = await started();
    const at = `Redis at 127.0.0.1:${master.port}`;
    const tooFew = await opened(master, { replicas: 1 }).catch((error: unknown) => error);
    expect(tooFew).toBeInstanceOf(StoreStartError);
    expect(String(tooFew)).toContain(`${at} has 0 replicas online, and STORE_REPLICAS is 1`);

    const replica = await started(master);
    const warned: string[] = [];
    const log = { info() {}, warn: (_fields: object, line: string) => void warned.push(line), error() {} };
    const { dataDir } = (await opened(master, { replicas: 1, log })).testStore;
    expect(warned).toEqual([expect.stringContaining(`${at} has min-replicas-to-write 0: set it to 1`)]);
    await master.redis.config('SET', 'min-replicas-to-write', '1');
    warned.length = 0;
    await opened(master, { replicas: 1, log, dataDir });
    expect(warned).toEqual([]);

    const ofReplica = await opened(replica, {}).catch((error: unknown) => error);
    expect(String(ofReplica)).toContain(`Redis at 127.0.0.1:${replica.port} is a replica: set REDIS_URL to its master`);
  });
});

test('a managed store has no replicas', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ratewire-test-'));
  const started = await openStore({ dataDir, log: SILENT, own: 'must-start', replicas: 1 }).catch((error) => error);
  rmSync(dataDir, { recursive: true });
  expect(String(started)).toContain('STORE_REPLICAS needs a Redis with replicas: set REDIS_URL to it');
});
