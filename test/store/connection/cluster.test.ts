/** The store on a Redis Cluster of three masters: all operations work, and continue while a slot migrates or a master is down. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { ledgerKeys, shardTag, slotOf } from '../../../engine/store/keys/redis-keys.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';
import { NO_REDIS_SERVER, type RedisCluster, redisServer, startRedisCluster } from '../../support/redis-cluster.js';
import type { RedisProcess } from '../../support/redis-process.js';
import { SOON } from '../../support/until.js';
import { book, booking, clientOf } from './cluster-load.js';
import { askAll, TO_BE_ASKED } from './cluster-operations.js';

const isThere = redisServer() !== undefined;
if (!isThere) console.log(`test/store/connection/cluster.test.ts ${NO_REDIS_SERVER}`);

describe.skipIf(!isThere)('a cluster of three masters', () => {
  let cluster: RedisCluster;
  let on: PaymentRig;
  beforeAll(async () => {
    cluster = await startRedisCluster();
    on = await startPayments({ redisUrl: cluster.redisUrl });
  });
  afterAll(async () => {
    await on?.stop();
    await cluster?.stop();
  });

  const clientOn = (node: RedisProcess) => clientOf(on, cluster, node);
  const booked = async (client: Client) => (await on.journal(client.id)).filter(([step]) => step === 'book-fx').length;

  test.each(['client:alice', '{s00}:due', 'a{b}c', '{}x', 'x{}y', '{a{b}}', 'relay:{lease:feed}:snapshot', ''])(
    '%j is in the slot that Redis computes',
    async (key) => {
      expect(slotOf(key)).toBe(await cluster.nodes[0]!.redis.cluster('KEYSLOT', key));
    },
  );

  test('every operation works for a client of each master as on one server', async () => {
    for (const node of cluster.nodes) expect(await askAll(on, await clientOn(node))).toEqual(TO_BE_ASKED);
    expect(await on.differences()).toEqual([]);
  });

  test('a published message is delivered, whichever node it is published at', async () => {
    const other = await on.testStore.another();
    const revoked: string[] = [];
    other.tokens.onRevoked((hash) => revoked.push(hash));
    for (let i = 0; i < 3; i++) {
      const { token } = await on.services.store.tokens.issue(`client${i}`, 'CK_X', ['read']);
      await on.services.store.tokens.revoke(token);
    }
    await vi.waitFor(() => expect(revoked).toHaveLength(3), SOON);
  });

  test('a slot migrates during bookings: none is lost, none is booked twice', async () => {
    const [first, , last] = cluster.nodes;
    const client = await clientOn(first!);
    const slot = slotOf(shardTag(client.shard));
    const load = booking(on, client, 8);
    for (const to of [last!, first!, last!]) {
      await load.answered(20);
      await cluster.moveSlot(slot, to);
    }
    await load.answered(20);
    await load.stop();

    expect(await cluster.ownerOf(slot)).toBe(last);
    const refused = [...load.answers].filter(([, answer]) => answer !== 'booked');
    for (const [requestId, answer] of refused) {
      expect(answer).toBe('STORE_UNAVAILABLE');
      expect(await book(on, client, requestId)).toBe('booked');
    }
    // Repeated requests get their own first answers.
    for (const requestId of [...load.answers.keys()].slice(0, 50))
      expect(await book(on, client, requestId)).toBe('booked');
    expect(load.answers.size).toBeGreaterThan(50);
    expect(await booked(client)).toBe(load.answers.size);
    expect(await on.differences()).toEqual([]);
    await cluster.moveSlot(slot, first!);
  });

  test('a read waits while two masters each name the other as the owner of its slot', async () => {
    const [first, second] = cluster.nodes;
    const id = Array.from({ length: 100 }, (_, i) => `absent${i}`);
    const owners = await Promise.all(id.map((one) => cluster.ownerOf(slotOf(`client:${one}`))));
    // A master gives no slot away that has keys, and other keys have slots by chance.
    const keysIn = (one: string) => first!.redis.cluster('COUNTKEYSINSLOT', slotOf(`client:${one}`));
    const keys = await Promise.all(id.map((one, i) => (owners[i] === first ? keysIn(one) : undefined)));
    const absent = id[keys.indexOf(0)]!;
    const slot = slotOf(`client:${absent}`);
    const myId = String(await second!.redis.cluster('MYID'));
    await first!.redis.cluster('SETSLOT', slot, 'NODE', myId);
    let isAnswered = false;
    const read = on.services.store.clients.get(absent).finally(() => {
      isAnswered = true;
    });
    // Five redirections take a few milliseconds.
    await pause(300);
    expect(isAnswered).toBe(false);
    await second!.redis.cluster('SETSLOT', slot, 'NODE', myId);
    expect(await read).toBe(undefined);
    await cluster.moveSlot(slot, first!);
  });

  test('a step whose slot has partly migrated is rejected whole, and is executed after the migration', async () => {
    const [first, second] = cluster.nodes;
    const client = await clientOn(first!);
    const keys = ledgerKeys(client);
    const { redis } = first!;
    const [account] = await on.services.store.accounts.list(client);
    const created = await on.as(client, 'createFunding', {
      accountNumber: Number(account!.number),
      amount: 10,
      depositAccount: `Bank-0012345678-${account!.currency}`,
      reference: 'MANUAL',
      requestId: 'half-moved',
    });
    if (isRefusal(created)) throw new Error(created.text);
    // All keys of the step's moves are there; a key that it reads after its moves has migrated.
    await redis.zadd(keys.overdue, 0, 'unknown|nothing');
    await redis.zadd(keys.due, Date.UTC(2100, 0), 'nothing:of:ours');
    await redis.zadd(keys.waiting, 1, 'PAY|');
    const before = await redis.hgetall(keys.balances);
    const move = await cluster.beginMove(slotOf(keys.waiting), second!);
    await move.keys(keys.waiting);
    const decided = { to: 'COMPLETED', actor: 'test', reason: '' } as const;
    const complete = () => on.services.store.fundings.move(client, created.funding, decided);
    await expect(complete()).rejects.toMatchObject({ name: 'StoreUnavailable', outcome: 'none' });
    expect(await redis.hgetall(keys.balances)).toEqual(before);

    await move.end();
    expect(await complete()).toMatchObject({ kind: 'moved' });
    const { redis: there } = second!;
    expect(await there.hgetall(keys.balances)).not.toEqual(before);
    await there.zrem(keys.overdue, 'unknown|nothing');
    await there.zrem(keys.waiting, 'PAY|');
    await there.zrem(keys.due, 'nothing:of:ours');
    expect(await on.differences()).toEqual([]);
    await cluster.moveSlot(slotOf(keys.waiting), first!);
  });

  test('a master is killed: clients of the others continue, its own wait, and acknowledged bookings are kept', async () => {
    const clients = await Promise.all(cluster.nodes.map(clientOn));
    const [ours, ...others] = clients;
    const [killed] = cluster.nodes;
    const received: string[] = [];
    (await on.testStore.another()).tokens.onRevoked((hash) => received.push(hash));
    const loads = clients.map((client) => booking(on, client, 4));
    for (const load of loads) await load.answered(20);
    await killed!.kill();
    await vi.waitFor(() => expect([...loads[0]!.answers.values()]).toContain('STORE_UNAVAILABLE'), SOON);
    expect(on.services.store.isUp()).toBe(true);
    expect(on.services.store.servers().filter(({ isUp }) => !isUp)).toHaveLength(1);
    const withoutIt = others.map(async (client, i) => {
      for (let n = 0; n < 20; n++) expect(await book(on, client, `without-${i}-${n}`)).toBe('booked');
    });
    await Promise.all(withoutIt);
    expect(await book(on, ours!, 'while-away')).toBe('STORE_UNAVAILABLE');
    // Due entries of the other masters are found.
    expect(await on.services.store.dueQueue.due(10)).toEqual([]);

    await killed!.restart();
    await cluster.whole();
    await vi.waitFor(() => expect(on.services.store.servers().every(({ isUp }) => isUp)).toBe(true), SOON);
    await vi.waitFor(async () => expect(await book(on, ours!, 'while-away')).toBe('booked'), SOON);
    for (const load of loads) await load.stop();
    for (const [i, client] of clients.entries()) {
      const { answers } = loads[i]!;
      const refused = [...answers].filter(([, answer]) => answer !== 'booked');
      // No command for a client of the other masters was rejected.
      if (i > 0) expect(refused).toEqual([]);
      for (const [requestId] of refused) expect(await book(on, client, requestId)).toBe('booked');
      expect(await booked(client)).toBe(answers.size + (i === 0 ? 1 : 20));
    }
    expect(await on.differences()).toEqual([]);
    const { token } = await on.services.store.tokens.issue('anyone', 'CK_X', ['read']);
    await on.services.store.tokens.revoke(token);
    await vi.waitFor(() => expect(received).toHaveLength(1), SOON);
  });
});
