/** Several payment workers execute each step of each payment once, also when one starts, stops, dies or loses the store. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PaymentStatus } from '../../../engine/domain/payments/payment-status.js';
import { type LedgerScheduler, startLedgerScheduler } from '../../../engine/roles/conversions/ledger-scheduler.js';
import { type PaymentWorker, startPaymentWorker } from '../../../engine/roles/payments/payment-worker.js';
import type { Services } from '../../../engine/service/core/services.js';
import type { PaymentPorts } from '../../../engine/service/payments/payment-ports.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { killStore } from '../../support/store-outage.js';
import { until } from '../../support/until.js';
import { type PaymentRig, SANDBOX, startPayments } from '../service/payment-rig.js';

let on: PaymentRig;
const running: (PaymentWorker | LedgerScheduler)[] = [];
beforeEach(async () => {
  on = await startPayments();
});
afterEach(async () => {
  for (const rounds of running.splice(0)) await rounds.stop();
  await on.stop();
});

function start(services: Services = on.services, ports: PaymentPorts = SANDBOX, leftAfterMs?: number): PaymentWorker {
  const rounds = startPaymentWorker(services, { ports, ...(leftAfterMs !== undefined && { leftAfterMs }) });
  running.push(rounds);
  return rounds;
}
const another = async (): Promise<Services> => ({ ...on.services, store: await on.testStore.another() });

/** Waits for a state of the store. */
async function eventually(reached: () => Promise<boolean>): Promise<void> {
  let is = false;
  let asking = false;
  await until(() => {
    if (!asking) {
      asking = true;
      void reached()
        .then((answer) => {
          is = answer;
        })
        .catch(() => {})
        .finally(() => {
          asking = false;
        });
    }
    return is;
  });
}
const all = (client: Client, ids: readonly string[], status: PaymentStatus) =>
  eventually(async () => {
    const found = await Promise.all(ids.map((id) => on.read(client, id)));
    return found.every((payment) => payment.status === status);
  });
const WAY = ['IN_PROCESS', 'COMPLIANCE_APPROVED', 'PG_PROCESSING', 'PAID/SENT_TO_BENEFICIARY_BANK_ACCOUNT'];

test('three workers on one stream take each payment once', async () => {
  const workers = [start(await another()), start(await another()), start(await another())];
  const client = await on.client('acme', { EUR: '10000.00' });
  const paid = await Promise.all(Array.from({ length: 120 }, () => on.pay(client, 'Erika')));
  const ids = paid.map(({ id }) => id);
  await all(client, ids, 'PAID');
  for (const id of ids) expect(await on.way(client, id)).toEqual(WAY);
  expect(await on.money(client)).toEqual({ EUR: String(1_000_000 - 120 * 5_000) });
  await eventually(async () => (await on.services.store.work.busyShards()).length === 0);
  const moved = workers.map(({ outcomes }) => outcomes.moved);
  expect(moved.reduce((sum, count) => sum + count, 0)).toBe(120);
  // Not one of them did it all.
  expect(Math.max(...moved)).toBeLessThan(120);
});

test('takes the payments that its own process creates without the stream', async () => {
  const worker = start();
  const client = await on.client('acme', { EUR: '10000.00' });
  const taken = on.services.store.work.onWork(() => expect.fail('the stream got an entry'));
  const paid = await Promise.all(Array.from({ length: 60 }, () => on.pay(client, 'Erika')));
  const ids = paid.map(({ id }) => id);
  await all(client, ids, 'PAID');
  taken();
  for (const id of ids) expect(await on.way(client, id)).toEqual(WAY);
  await until(() => worker.outcomes.moved === 60);
  expect(await on.keyspace.redis.exists(ledgerKeys(client).due)).toBe(0);
});

test('a payment whose own worker dies at once continues when its lease ends, and is not lost before', async () => {
  running.push(startLedgerScheduler(on.services));
  const client = await on.client('acme', { EUR: '100.00' });
  on.services.store.work.setOwnWorker({ leasedMs: 12_000, hasRoom: () => true, begin: () => {} });
  const { id } = await on.pay(client, 'Erika');
  expect(await on.services.store.workAudit.lost(client, [id])).toEqual([]);
  expect(await on.differences()).toEqual([]);
  start(await another());
  expect((await on.read(client, id)).status).toBe('IN_PROCESS');
  on.clock.now += 12_000;
  await all(client, [id], 'PAID');
  expect(await on.way(client, id)).toEqual(WAY);
});

test('another worker finishes the work of a dead one, found by a sweep without a notification', async () => {
  const client = await on.client('acme', { EUR: '100.00' });
  const { id } = await on.pay(client, 'Erika');
  expect(await on.services.store.work.take(client.shard, 'dead', 10)).toHaveLength(1);
  const alive = start(on.services, SANDBOX, 50);
  await all(client, [id], 'PAID');
  expect(alive.outcomes.moved).toBe(1);
  await eventually(async () => alive.backlog.entries === 0);
});

test('resumes a rescheduled payment, and funds payments that wait', async () => {
  running.push(startLedgerScheduler(on.services));
  start();
  const client = await on.client('acme', { EUR: '60.00' });
  const [slow, short] = [await on.pay(client, 'SLOW'), await on.pay(client, 'Erika')];
  expect(short.status).toBe('AWAITING_FUNDS');
  await on.ask('creditAccount', { accountNumber: short.account, amount: '40.00' });
  await all(client, [short.id], 'PAID');
  await eventually(async () => (await on.read(client, slow.id)).subStatus === 'SENT_TO_BENEFICIARY_BANK');
  on.clock.now += 1_500;
  await eventually(async () => (await on.read(client, slow.id)).subStatus === 'PROCESSED_BY_CLEARING');
  on.clock.now += 1_500;
  await all(client, [slow.id], 'PAID');
});

test('takes no work during a store outage, and resumes by itself', async () => {
  const errors: string[] = [];
  const log = { info() {}, warn() {}, error: (_fields: object, message: string) => void errors.push(message) };
  const client = await on.client('acme', { EUR: '1000.00' });
  const paid = await Promise.all(Array.from({ length: 10 }, () => on.pay(client, 'Erika')));
  on.keyspace.redis.on('error', () => {});
  start({ ...on.services, log }, SANDBOX, 50);
  const outage = killStore(on.testStore.dataDir);
  await until(() => !on.services.store.isUp());
  outage.end();
  await until(() => on.services.store.isUp());
  await all(
    client,
    paid.map(({ id }) => id),
    'PAID',
  );
  for (const { id } of paid) expect(await on.way(client, id)).toEqual(WAY);
  expect(errors).toEqual([]);
});

test('a stop waits for the step in progress, and takes no other', async () => {
  const client = await on.client('acme', { EUR: '100.00' });
  let answer = () => {};
  let asked = 0;
  const rounds = start(on.services, {
    ...SANDBOX,
    compliance: {
      screen: () =>
        new Promise((resolve) => {
          asked++;
          answer = () => resolve({ kind: 'approve' });
        }),
    },
  });
  const { id } = await on.pay(client, 'Erika');
  await until(() => asked === 1);
  const stopped = rounds.stop();
  answer();
  await stopped;
  expect((await on.read(client, id)).status).toBe('COMPLIANCE_APPROVED');
  expect(await on.way(client, id)).toEqual(WAY.slice(0, 2));
  const other = await another();
  const second = await on.pay(client, 'Erika');
  // Started behind its notification: it finds the payment by its first sweep, which comes behind the one that the stopped would have.
  start(other);
  await all(client, [second.id], 'PAID');
  expect([asked, rounds.outcomes.moved]).toEqual([1, 1]);
});

test('another worker takes over the unfinished work of a stopped worker at once', async () => {
  const client = await on.client('acme', { EUR: '100.00' });
  let asked = 0;
  // What is not handed back looks left after a day only, for which no test waits.
  const leftAfterMs = 86_400_000;
  const stuck = start(
    on.services,
    {
      ...SANDBOX,
      compliance: {
        screen: () => {
          asked++;
          return new Promise(() => {});
        },
      },
    },
    leftAfterMs,
  );
  const { id } = await on.pay(client, 'Erika');
  await until(() => asked === 1);
  start(await another(), SANDBOX, leftAfterMs);
  await stuck.stop();
  await all(client, [id], 'PAID');
});
