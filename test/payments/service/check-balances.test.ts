/** Before a payout leaves, the balances of its client are recomputed from the journal: a difference stops the client's payouts. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PORTS } from '../../../engine/domain/system/port-mode.js';
import { stoppedPayouts } from '../../../engine/service/payments/index.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type PaymentRig, startPayments } from './payment-rig.js';

let on: PaymentRig;
beforeEach(async () => {
  on = await startPayments();
});
afterEach(async () => {
  expect(await on.differences()).toEqual([]);
  await on.stop();
});

const MINUTE_MS = 60_000;

test('a raised balance stops the payouts of its client alone, until it agrees again', async () => {
  const acme = await on.client('acme', { EUR: '100.00' });
  const other = await on.client('other', { EUR: '100.00' });
  const before = await on.pay(acme, 'Erika');
  await on.work();
  expect((await on.read(acme, before.id)).status).toBe('PAID');

  const { balances } = ledgerKeys(acme);
  const { number } = (await on.services.store.accounts.balances(acme))[0]!;
  await on.keyspace.redis.hincrby(balances, `EUR/${number}`, 1_000_000);
  const stolen = await on.pay(acme, 'Erika', { amount: { kind: 'destination', minor: 900_000n } });
  const honest = await on.pay(other, 'Erika');
  await on.work();
  expect((await on.read(acme, stolen.id)).status).toBe('IN_PROCESS');
  expect((await on.read(other, honest.id)).status).toBe('PAID');
  expect(stoppedPayouts(on.services.store)).toBe(1);
  await on.later(MINUTE_MS);
  expect((await on.read(acme, stolen.id)).status).toBe('IN_PROCESS');

  await on.keyspace.redis.hincrby(balances, `EUR/${number}`, -1_000_000);
  // Now its account is below 0, as its journal says.
  await on.later(MINUTE_MS);
  expect((await on.read(acme, stolen.id)).status).toBe('IN_PROCESS');
  await on.ask('creditAccount', { accountNumber: number, amount: '10000.00' });
  await on.later(MINUTE_MS);
  expect((await on.read(acme, stolen.id)).status).toBe('PAID');
  expect(stoppedPayouts(on.services.store)).toBe(0);
});

test('a changed balance of the house stops it too', async () => {
  const acme = await on.client('acme', { EUR: '100.00' });
  const first = await on.pay(acme, 'Erika');
  await on.work();
  expect((await on.read(acme, first.id)).status).toBe('PAID');
  const { balances } = ledgerKeys(acme);
  await on.keyspace.redis.hincrby(balances, 'EUR/nostro', 1);
  const second = await on.pay(acme, 'Erika', { amount: { kind: 'destination', minor: 1_000n } });
  await on.work();
  expect((await on.read(acme, second.id)).status).toBe('IN_PROCESS');
  await on.keyspace.redis.hincrby(balances, 'EUR/nostro', -1);
  await on.later(MINUTE_MS);
  expect((await on.read(acme, second.id)).status).toBe('PAID');
});

test('an archive of the journal stops nothing, and hides nothing', async () => {
  const acme = await on.client('acme', { EUR: '1000.00' });
  const paid = async () => {
    const { id } = await on.pay(acme, 'Erika');
    await on.work();
    return (await on.read(acme, id)).status;
  };
  const directory = mkdtempSync(join(tmpdir(), 'archive-'));
  const archive = () =>
    on.ask('archiveJournal', { clientId: 'acme', beforeMs: Date.now() + 1e12, directory, insist: true });
  // Before the first check, and again behind it.
  expect(await archive()).not.toHaveProperty('refusal');
  expect(await paid()).toBe('PAID');
  expect(await archive()).not.toHaveProperty('refusal');
  expect(await paid()).toBe('PAID');
  const { balances } = ledgerKeys(acme);
  await on.keyspace.redis.hincrby(balances, 'EUR/house:fees', 1);
  expect(await paid()).toBe('IN_PROCESS');
  await on.keyspace.redis.hincrby(balances, 'EUR/house:fees', -1);
});

test('an outcome that a sandbox is asked for does not pass over it', async () => {
  const acme = await on.client('acme', { EUR: '1000.00' });
  const { balances } = ledgerKeys(acme);
  const { number } = (await on.services.store.accounts.balances(acme))[0]!;
  await on.services.store.ports.join({ program: 'test', modes: {}, sandboxes: PORTS, onOther: () => {} });
  const { id: paymentId } = await on.pay(acme, 'Erika MANUAL');
  await on.work();
  const before = await on.read(acme, paymentId);
  await on.keyspace.redis.hincrby(balances, `EUR/${number}`, 1);
  for (const outcome of ['processing', 'paid', 'returned', 'error'])
    for (const answer of [
      await on.as(acme, 'sandboxPayment', { paymentId, outcome }),
      await on.ask('decidePayment', { paymentId, outcome }),
    ])
      expect(answer).toMatchObject({ refusal: 'WRONG_STATE', text: expect.stringContaining('journal') });
  expect(await on.read(acme, paymentId)).toEqual(before);
  expect(stoppedPayouts(on.services.store)).toBe(1);
  // What keeps the money here is possible, and so is what a bank has already.
  expect(await on.as(acme, 'sandboxPayment', { paymentId, outcome: 'approved' })).toHaveProperty('payment');
  expect(await on.as(acme, 'sandboxPayment', { paymentId, outcome: 'paid' })).toMatchObject({ refusal: 'WRONG_STATE' });
  await on.keyspace.redis.hincrby(balances, `EUR/${number}`, -1);
  expect(await on.as(acme, 'sandboxPayment', { paymentId, outcome: 'processing' })).toHaveProperty('payment');
  await on.keyspace.redis.hincrby(balances, `EUR/${number}`, 1);
  expect(await on.as(acme, 'sandboxPayment', { paymentId, outcome: 'paid' })).toHaveProperty('payment');
  await on.keyspace.redis.hincrby(balances, `EUR/${number}`, -1);
});
