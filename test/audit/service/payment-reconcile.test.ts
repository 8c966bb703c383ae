/** Payments, their journal entries, conversions, queue and receipts compared: every alteration is named. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Payment } from '../../../engine/domain/payments/payment.js';
import { LedgerWatch } from '../../../engine/service/audit/ledger-watch.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { type LedgerKeys, ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';
import { alterPayment, entryFields, readStoredPayment } from '../../support/stored.js';

const DAY_MS = 24 * 3_600_000;
const AT_ONCE = { page: 3, pause: async () => {} };

let on: PaymentRig;
let acme: Client;
let keys: LedgerKeys;
let converted: Payment;
let timedOut: Payment;
let paid: Payment;
let returned: Payment;
let waits: Payment;
let watch: LedgerWatch;

beforeEach(async () => {
  on = await startPayments();
  acme = await on.client('acme', { EUR: '300.00' });
  keys = ledgerKeys(acme);
  await on.client('beta', { EUR: '100.00' });
  const opened = await on.ask('openAccount', { clientId: 'acme', currency: 'USD', autoBookFxSequence: 1 });
  if ('refusal' in opened) throw new Error(opened.text);
  await on.ask('creditAccount', { accountNumber: opened.number, amount: '200.00' });
  await on.ask('setFee', { clientId: 'acme', corridor: 'DE', method: 'BANK', fixed: '1.00', percent: '0.5' });
  timedOut = await on.pay(acme, 'TIMED OUT');
  paid = await on.pay(acme, 'Erika');
  returned = await on.pay(acme, 'RETURNED');
  const cancelled = await on.pay(acme, 'Erika');
  await on.as(acme, 'cancelPayment', { paymentId: cancelled.id });
  await on.pay(acme, 'COMPLIANCE REJECTED');
  await on.pay(acme, 'RETURNED LATE');
  converted = await on.pay(acme, 'INFO REQUESTED', { amount: { kind: 'destination', minor: 10_000n } });
  waits = await on.pay(acme, 'Erika', { amount: { kind: 'destination', minor: 90_000n } });
  expect([converted.bookingIds.length, waits.status]).toEqual([1, 'AWAITING_FUNDS']);
  await on.work();
  await on.later(3_000);
  watch = new LedgerWatch(on.services);
  await watch.round(AT_ONCE);
  expect(watch.seen?.differences).toBe(0);
  expect(await on.differences()).toEqual([]);
});
afterEach(() => on.stop());

/**
 * As the command reports it, and as many differences as an engine counts that has already played the journal, within a
 * day.
 */
async function reported(): Promise<string[]> {
  const found = (await on.differences()) as { client: string; what: string; expected: string; found: string }[];
  for (const { client } of found) expect(client).toBe('acme');
  on.clock.now += DAY_MS;
  await watch.round(AT_ONCE);
  expect(watch.seen?.differences).toBe(found.length);
  return found.map(({ what, expected, found }) => `${what}: ${expected} | ${found}`).sort();
}
const redis = () => on.keyspace.redis;
const entriesOf = (payment: Payment) => on.services.store.payments.history(acme, payment.id);

test('reports no difference for steps taken between two rounds', async () => {
  await on.as(acme, 'answerInformation', { paymentId: converted.id, information: 'x' });
  await on.as(acme, 'cancelPayment', { paymentId: waits.id });
  await on.ask('returnPayment', { paymentId: paid.id, text: 'recalled' });
  await on.work();
  await on.pay(acme, 'SLOW');
  expect(await reported()).toEqual([]);
});

test('reports no difference for an expired hold of a waiting payment', async () => {
  await alterPayment(redis(), keys.payment(waits.id), { subStatus: 'HOLD_EXPIRED' });
  expect(await reported()).toEqual([]);
});

describe('names what was altered', () => {
  const record = (payment: Payment) => keys.payment(payment.id);
  const last = async (payment: Payment) => (await entriesOf(payment)).at(-1)!.entry;

  test('status, sub status and number of steps', async () => {
    await alterPayment(redis(), record(timedOut), { status: 'PAID' });
    await alterPayment(redis(), record(paid), { subStatus: '', step: '5' });
    expect(await reported()).toEqual(
      [
        `payment ${paid.id}: steps: 4 | 5`,
        `payment ${paid.id}: sub status: SENT_TO_BENEFICIARY_BANK_ACCOUNT | none`,
        `payment ${timedOut.id}: status: PG_PROCESSING | PAID`,
      ].sort(),
    );
  });

  test('money: each entry that moved it, the money in transit, the agreed amounts', async () => {
    await alterPayment(redis(), record(timedOut), { toTransit: '4999' });
    const [first] = await entriesOf(timedOut);
    expect(await reported()).toEqual([
      `journal ${first!.entry} (payment ${timedOut.id}): moves: EUR ${timedOut.account} transit 4999;EUR ${timedOut.account} house:fees 125 | EUR ${timedOut.account} transit 5000;EUR ${timedOut.account} house:fees 125`,
      `payment ${timedOut.id}: amount, delivered, fees, minor units: 5000 5000 125 | 5000 4999 125`,
      'payments on their way in EUR, minor units: 14999 | 15000',
    ]);
  });

  test('money paid out twice', async () => {
    const moves = 'EUR transit nostro 5000';
    const twice = { step: 'payment', id: paid.id, moves, from: 'PG_PROCESSING', to: 'PAID' };
    const entry = (await redis().xadd(keys.journal, '*', ...entryFields(twice)))!;
    await redis().hincrby(keys.balances, 'EUR/transit', -5_000);
    await redis().hincrby(keys.balances, 'EUR/nostro', 5_000);
    expect(await reported()).toEqual([
      `journal ${entry} (payment ${paid.id}): from: PAID | PG_PROCESSING`,
      `payment ${paid.id}: journal entries: ${entry} | none`,
      'payments on their way in EUR, minor units: 15000 | 10000',
    ]);
  });

  test('an unknown step', async () => {
    const unknown = { step: 'payment', id: returned.id, from: 'RETURNED', to: 'PAID' };
    const entry = await redis().xadd(keys.journal, '*', ...entryFields(unknown));
    expect(await reported()).toContain(
      `journal ${entry} (payment ${returned.id}): step: one that there is | RETURNED to PAID`,
    );
  });

  test('a removed entry, and an invented one', async () => {
    const gone = await last(returned);
    await redis().xdel(keys.journal, gone);
    const never = `${Number.parseInt(await last(timedOut), 10)}-99`;
    const { entries } = await readStoredPayment(redis(), record(timedOut));
    await alterPayment(redis(), record(timedOut), { entries: `${entries} ${never}` });
    const found = await reported();
    expect(found).toContain(`payment ${returned.id}: journal entry: ${gone} | none`);
    expect(found).toContain(`payment ${timedOut.id}: journal entry: ${never} | none`);
    expect(found).toContain('payments on their way in EUR, minor units: 20000 | 15000');
  });

  test('a removed or unreadable payment', async () => {
    await redis().del(record(paid));
    await redis().hset(record(converted), 'f', '{');
    const found = await reported();
    const [first] = await entriesOf(converted);
    expect(found).toContain(`payment ${converted.id}: as in journal ${first!.entry} (payment ${converted.id}) | none`);
    expect(found.filter((line) => line.startsWith(`payment ${paid.id}: as in`))).toHaveLength(4);
    expect(found).toContain(`receipt ${paid.requestId}: a payment | ${paid.id}, which there is not`);
    expect(found).toContain(`payment ${converted.id}: conversion ${converted.bookingIds[0]}: there | none`);
  });

  test('a conversion that the payment does not name', async () => {
    await alterPayment(redis(), record(converted), { bookings: '' });
    expect(await reported()).toEqual([`payment ${converted.id}: conversion ${converted.bookingIds[0]}: there | none`]);
  });

  test('references to it: list, transaction number, id and receipt', async () => {
    await redis().zrem(keys.index('payments'), `${paid.createdAtMs}|${paid.id}`);
    await redis().set(keys.transaction(returned.transactionNumber), paid.id);
    await redis().set(`payment:${timedOut.id}`, 'beta');
    await redis().del(keys.receipt(converted.requestId));
    await redis().set(keys.receipt(timedOut.requestId), `1|payment|${paid.id}`, 'KEEPTTL');
    expect(await reported()).toEqual(
      [
        `client of payment ${timedOut.id}: acme | beta`,
        `list of payments: ${paid.id}: there | none`,
        `receipt ${converted.requestId}: ${converted.id} | none`,
        `receipt ${timedOut.requestId}: ${paid.id} under ${paid.requestId} | ${paid.id}`,
        `receipt ${timedOut.requestId}: ${timedOut.id} | ${paid.id}`,
        `transaction ${returned.transactionNumber}: ${returned.id} | ${paid.id}`,
      ].sort(),
    );
  });

  test('the queue of waiting payments', async () => {
    await redis().zadd(keys.waiting, 9, `${paid.id}|EUR`);
    await redis().zremrangebyscore(keys.waiting, '-inf', 1);
    expect(await reported()).toEqual(
      [`queue of payments: ${paid.id}: none | there`, `queue of payments: ${waits.id}: there | none`].sort(),
    );
  });

  test('facts that are no amounts', async () => {
    const facts = JSON.parse((await readStoredPayment(redis(), record(paid))).facts!);
    const altered = { ...facts, given: { kind: 'destination', minor: 'much' } };
    await alterPayment(redis(), record(paid), { facts: JSON.stringify(altered) });
    expect(await reported()).toEqual([
      `payment ${paid.id}: amount, delivered, fees, minor units: amounts that can be paid | 5000 5000 125`,
      expect.stringContaining(`payment ${paid.id}: hash of its facts: `),
    ]);
  });
});
