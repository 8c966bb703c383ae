/** Payment jobs: claimed once, kept until done, reassigned when abandoned, rescheduled once. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Payment } from '../../../engine/domain/payments/payment.js';
import type { WorkEntry } from '../../../engine/store/coordination/work.js';
import { along, created, move } from '../../payments/store/payment-steps.js';
import { about } from '../../support/store.js';
import { until } from '../../support/until.js';
import { type ClientSteps, type LedgerSteps, NOW, startLedgerSteps } from '../ledger/ledger-steps.js';

let on: LedgerSteps;
let client: ClientSteps;
let shard: number;
beforeEach(async () => {
  on = await startLedgerSteps();
  client = await on.client('acme');
  shard = client.of.shard;
  await client.open('EUR', 1_000_000n);
});
afterEach(() => on.stop());

const take = (worker: string, limit = 100) => on.store.work.take(shard, worker, limit);
const entries = () => on.keyspace.redis.xrange(client.keys.work, '-', '+');
const pending = async () => ((await on.keyspace.redis.xpending(client.keys.work, 'workers')) as [number])[0];
const forPayment = ({ id, step }: Payment): Partial<WorkEntry> => ({ shard, clientId: 'acme', paymentId: id, step });
/** What is due by that time. */
const dueOf = async (ms: number) => {
  on.now = ms;
  return (await on.store.dueQueue.due(100)).map(({ names }) => names);
};

test('an entry is claimed once, and stays until its step is recorded', async () => {
  const payment = await created(on.store, client);
  expect(await on.store.work.busyShards()).toEqual([{ shard, entries: 1, oldestMs: expect.any(Number) }]);
  const [entry] = await take('one');
  expect(entry).toMatchObject(forPayment(payment));
  expect(await take('two')).toEqual([]);
  expect(await on.store.work.busyShards()).toMatchObject([{ shard, entries: 1 }]);

  const moved = await move(on.store, client, payment, 'COMPLIANCE_APPROVED', { entry: entry!.entry, next: 'now' });
  expect(moved).toMatchObject({ kind: 'moved', step: 2 });
  expect(await pending()).toBe(0);
  const next = await take('two');
  expect(next).toMatchObject([{ paymentId: payment.id, step: 2 }]);
  expect(await entries()).toHaveLength(1);
});

test('a repeated entry is done by the step that it requests, and by another that came first', async () => {
  const payment = await created(on.store, client);
  const [entry] = await take('one');
  await along(on.store, client, payment, 'USER_REJECTED');
  const before = await on.keyspace.read(/:work$/);
  expect(await move(on.store, client, payment, 'COMPLIANCE_APPROVED', { entry: entry!.entry })).toEqual({
    kind: 'done',
  });
  expect(await on.keyspace.read(/:work$/)).toEqual(before);
  expect([await pending(), (await entries()).length]).toEqual([0, 0]);

  const other = await created(on.store, client);
  const [of] = await take('one');
  const refused = await move(on.store, client, other, 'PAID', { entry: of!.entry, from: ['PG_PROCESSING'] });
  expect(refused).toEqual({ kind: 'status', status: 'IN_PROCESS' });
  expect([await pending(), (await entries()).length]).toEqual([0, 0]);
});

test('a job that fails for want of room stays with its worker', async () => {
  const payment = await created(on.store, client);
  const [entry] = await take('one');
  await on.keyspace.redis.hset(client.keys.balances, `EUR/${payment.account}`, '999999999999999');
  expect(await move(on.store, client, payment, 'CANCELLED', { entry: entry!.entry })).toEqual({ kind: 'limit' });
  expect([await pending(), (await entries()).length]).toEqual([1, 1]);
});

test('a worker claims the abandoned entry of another and then owns it', async () => {
  const payment = await created(on.store, client);
  await take('dead');
  expect(await on.store.work.takeOver(shard, 'alive', 60_000, 100)).toEqual([]);
  expect(await on.store.work.takeOver(shard, 'alive', 0, 100)).toMatchObject([forPayment(payment)]);
  expect(await on.store.work.takeOver(shard, 'another', 60_000, 100)).toEqual([]);
});

test('a rescheduled job returns once, at its time', async () => {
  const payment = await created(on.store, client);
  const [entry] = await take('one');
  await on.store.work.reschedule(client.of, entry!, 60_000);
  expect([await pending(), (await entries()).length]).toEqual([0, 0]);
  const name = `work:acme:${payment.id}.1`;
  expect(Number(await client.due(name))).toEqual(about(NOW + 60_000));
  expect(await dueOf(NOW + 30_000)).toEqual([]);
  expect(await dueOf(NOW + 90_000)).toEqual([{ kind: 'work', clientId: 'acme', id: payment.id, step: 1 }]);
  const { moveDue } = on.store.work;
  const other = await on.testStore.another();
  const both = await Promise.all([
    moveDue(client.of, name, { paymentId: payment.id, step: 1 }),
    other.work.moveDue(client.of, name, { paymentId: payment.id, step: 1 }),
  ]);
  expect(both.sort()).toEqual([false, true]);
  expect(await take('two')).toMatchObject([forPayment(payment)]);
  expect(await dueOf(NOW + 90_000)).toEqual([]);
});

test('a step with a time for the next adds it to the due list, and the next step removes it', async () => {
  const payment = await created(on.store, client);
  const approved = await along(on.store, client, payment, 'COMPLIANCE_APPROVED');
  await move(on.store, client, approved, 'PG_PROCESSING', { next: 9_000, isAttempt: true });
  const sent = (await on.store.payments.read(client.of, payment.id))!;
  expect(sent).toMatchObject({ attempts: 1, step: 3 });
  const name = `work:acme:${payment.id}.3`;
  expect(Number(await client.due(name))).toEqual(about(NOW + 9_000));
  await along(on.store, client, sent, 'ERROR');
  expect(await client.due(name)).toBeNull();
});

test('waiting payments are retried at the earliest requested time', async () => {
  await on.store.work.wakeAfter(client.of, 60_000);
  await on.store.work.wakeAfter(client.of, 5_000);
  await on.store.work.wakeAfter(client.of, 30_000);
  expect(Number(await client.due('wake:acme:later'))).toEqual(about(NOW + 5_000));
  expect(await dueOf(NOW + 30_000)).toEqual([{ kind: 'wake', clientId: 'acme', id: 'later' }]);
  expect(await on.store.work.moveDue(client.of, 'wake:acme:later', {})).toBe(true);
  const [entry] = await take('one');
  expect(entry).toMatchObject({ clientId: 'acme', paymentId: undefined });
  await on.store.work.reschedule(client.of, entry!, 1);
  expect(Number(await client.due('wake:acme:later'))).toEqual(about(NOW + 30_001));
});

test('an entry without a request is done', async () => {
  await created(on.store, client);
  const [entry] = await take('one');
  await on.store.work.done(entry!);
  expect([await pending(), (await entries()).length]).toEqual([0, 0]);
  await on.keyspace.redis.xadd(client.keys.work, '*', 'client', '../etc', 'payment', 'x');
  expect(await take('one')).toMatchObject([{ clientId: '', paymentId: undefined }]);
});

test('new work notifies its shard', async () => {
  const received: number[] = [];
  const other = await on.testStore.another();
  const stop = other.work.onWork((of) => received.push(of));
  await until(() => {
    void on.keyspace.redis.publish('work', String(shard).padStart(2, '0'));
    return received.length > 0;
  });
  received.length = 0;
  await created(on.store, client);
  await until(() => received.includes(shard));
  stop();
  expect(received.every((of) => of === shard)).toBe(true);
});

test('removes absent workers without entries, and never one with an entry', async () => {
  await created(on.store, client);
  await take('holds');
  // Not every Redis version creates a consumer that reads nothing.
  await on.keyspace.redis.xgroup('CREATECONSUMER', client.keys.work, 'workers', 'idle');
  const names = async () =>
    ((await on.keyspace.redis.xinfo('CONSUMERS', client.keys.work, 'workers')) as unknown[][]).map(([, name]) => name);
  expect(await names()).toEqual(['holds', 'idle']);
  expect(await on.store.work.forgetWorkers(shard, 3_600_000)).toBe(0);
  expect(await on.store.work.forgetWorkers(shard, 0)).toBe(1);
  expect(await names()).toEqual(['holds']);
  expect(await on.store.work.forgetWorkers((shard + 1) % 64, 0)).toBe(0);
});
