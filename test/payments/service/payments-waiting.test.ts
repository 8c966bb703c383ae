/** Payments awaiting funds resume in order of creation when any money arrives, and fail after 30 days. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import type { PaymentOrder } from '../../../engine/service/payments/pay.js';
import { processJob } from '../../../engine/service/payments/work-payment.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { euros, type PaymentRig, SANDBOX, startPayments } from './payment-rig.js';

let on: PaymentRig;
beforeEach(async () => {
  on = await startPayments();
});
afterEach(async () => {
  expect(await on.differences()).toEqual([]);
  await on.stop();
});

const DAY_MS = 24 * 3_600_000;
const dollars = (minor: bigint): Partial<PaymentOrder> => ({
  currency: 'USD',
  country: 'US',
  amount: { kind: 'destination', minor },
});

/** An account of the Auto Book FX agreement. */
async function agreed(client: Client, currency: string, autoBookFxSequence: number, amount: string): Promise<void> {
  const opened = await on.ask('openAccount', { clientId: client.id, currency, autoBookFxSequence });
  if ('refusal' in opened) throw new Error(opened.text);
  await on.ask('creditAccount', { accountNumber: opened.number, amount });
}
const numberOf = async (client: Client, currency: string) =>
  (await on.services.store.accounts.balances(client)).find((account) => account.currency === currency)!.number;
const credit = async (client: Client, currency: string, amount: string) =>
  on.ask('creditAccount', { accountNumber: await numberOf(client, currency), amount });
const statuses = async (client: Client, ...payments: readonly { readonly id: string }[]) =>
  Promise.all(payments.map(async ({ id }) => (await on.read(client, id)).status));

test('a small payment never overtakes a large one, and all resume in order of creation', async () => {
  const client = await on.client('acme', { EUR: '60.00', USD: '1000.00' });
  const large = await on.pay(client, 'large', { amount: euros(20_000n) });
  const small = await on.pay(client, 'small', { amount: euros(1_000n) });
  const other = await on.pay(client, 'other', dollars(5_000n));
  await on.work();
  expect(await statuses(client, large, small, other)).toEqual(['AWAITING_FUNDS', 'AWAITING_FUNDS', 'PAID']);
  await credit(client, 'EUR', '100.00');
  await on.work();
  expect(await statuses(client, large, small)).toEqual(['AWAITING_FUNDS', 'AWAITING_FUNDS']);
  await credit(client, 'EUR', '40.00');
  await on.work();
  expect(await statuses(client, large, small)).toEqual(['PAID', 'AWAITING_FUNDS']);
  await credit(client, 'EUR', '10.00');
  await on.work();
  expect(await statuses(client, large, small)).toEqual(['PAID', 'PAID']);
  expect(await on.money(client)).not.toHaveProperty('EUR');
});

test('when the first is cancelled, those behind it resume', async () => {
  const client = await on.client('acme', { EUR: '60.00' });
  const large = await on.pay(client, 'large', { amount: euros(20_000n) });
  const small = await on.pay(client, 'small', { amount: euros(6_000n) });
  await on.work();
  expect(await statuses(client, large, small)).toEqual(['AWAITING_FUNDS', 'AWAITING_FUNDS']);
  await on.as(client, 'cancelPayment', { paymentId: large.id });
  await on.work();
  expect(await statuses(client, large, small)).toEqual(['USER_REJECTED', 'PAID']);
});

test('one that may be paid from two currencies reserves both, also what an agreement would sell', async () => {
  const client = await on.client('acme', { EUR: '10.00' });
  await agreed(client, 'USD', 1, '20.00');
  const large = await on.pay(client, 'large');
  const inDollars = await on.pay(client, 'small', dollars(1_000n));
  expect(await statuses(client, large, inDollars)).toEqual(['AWAITING_FUNDS', 'AWAITING_FUNDS']);
  await credit(client, 'USD', '30.00');
  await on.work();
  // 40.00 EUR for 43.38 USD; the remaining 6.62 USD are insufficient.
  expect(await statuses(client, large, inDollars)).toEqual(['PAID', 'AWAITING_FUNDS']);
  await credit(client, 'USD', '3.38');
  await on.work();
  expect(await statuses(client, large, inDollars)).toEqual(['PAID', 'PAID']);
  expect(await on.money(client)).not.toHaveProperty('USD');
});

test('a funding resumes it', async () => {
  const client = await on.client('acme', { EUR: '10.00' });
  const payment = await on.pay(client, 'Erika');
  const funded = await on.as(client, 'createFunding', {
    accountNumber: Number(await numberOf(client, 'EUR')),
    amount: 40,
    depositAccount: 'DBS Bank-0012345678-EUR',
    reference: 'Invoice 417',
  });
  if ('refusal' in funded) throw new Error(funded.text);
  await on.work();
  expect(await statuses(client, payment)).toEqual(['AWAITING_FUNDS']);
  await on.ask('completeFunding', { fundingId: funded.funding.id });
  await on.work();
  expect(await statuses(client, payment)).toEqual(['PAID']);
});

test('a settled conversion and a booked one resume it', async () => {
  const client = await on.client('acme', { EUR: '10.00', USD: '500.00' });
  await on.ask('setScheduledLimit', { clientId: 'acme', limit: '1000' });
  const [first, second] = [await on.pay(client, 'first'), await on.pay(client, 'second')];
  const booking = { requestId: 'later', description: 'x', sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 40 };
  await on.book('acme', { ...booking, type: 'SCHEDULED1' });
  await on.work();
  expect(await statuses(client, first)).toEqual(['AWAITING_FUNDS']);
  await on.later(3 * DAY_MS);
  expect(await statuses(client, first, second)).toEqual(['PAID', 'AWAITING_FUNDS']);
  await on.book('acme', { ...booking, requestId: 'now', buyAmount: 50 });
  await on.work();
  expect(await statuses(client, second)).toEqual(['PAID']);
});

test('a returned payment resumes it', async () => {
  const client = await on.client('acme', { EUR: '50.00' });
  const sent = await on.pay(client, 'TIMED OUT');
  const payment = await on.pay(client, 'Erika');
  await on.work();
  expect(await statuses(client, payment)).toEqual(['AWAITING_FUNDS']);
  await on.ask('returnPayment', { paymentId: sent.id, text: 'closed' });
  await on.work();
  expect(await statuses(client, sent, payment)).toEqual(['RETURNED', 'PAID']);
});

test('retries a temporarily missing rate without new money', async () => {
  const client = await on.client('acme', { EUR: '10.00', GBP: '1.00' });
  await agreed(client, 'USD', 1, '20.00');
  const payment = await on.pay(client, 'Erika');
  const closed = { ...on.services, settings: { ...on.services.settings, marketHours: { isOpen: () => false } } };
  await credit(client, 'USD', '100.00');
  for (const entry of await on.services.store.work.take(client.shard, 'x', 10))
    await processJob(closed, SANDBOX, entry);
  expect(await statuses(client, payment)).toEqual(['AWAITING_FUNDS']);
  await on.later(30_000);
  expect(await statuses(client, payment)).toEqual(['AWAITING_FUNDS']);
  await on.later(30_000);
  expect(await statuses(client, payment)).toEqual(['PAID']);
});

test('fails after 30 days, not before, and those behind it resume', async () => {
  const client = await on.client('acme', { EUR: '49.99' });
  const payment = await on.pay(client, 'Erika');
  await on.later(120_000);
  const behind = await on.pay(client, 'Erika', { amount: euros(4_999n) });
  on.clock.now = payment.createdAtMs + 30 * DAY_MS - 30_000;
  await on.work();
  expect(await statuses(client, payment, behind)).toEqual(['AWAITING_FUNDS', 'AWAITING_FUNDS']);
  await on.later(30_001);
  expect(await on.read(client, payment.id)).toMatchObject({ status: 'CANCELLED', subStatus: 'FUNDING_EXPIRED' });
  expect(await statuses(client, behind)).toEqual(['PAID']);
  expect(await settleDue(on.services, 10)).toMatchObject({ due: 0 });
});

test('rejects one more than may wait, with the reason', async () => {
  const client = await on.client('acme', { EUR: '60.00' });
  const { waiting } = ledgerKeys(client);
  const many = Array.from({ length: 1_000 }, (_, i) => [i, `PAY${i}|`] as const);
  await on.keyspace.redis.zadd(waiting, ...many.flat());
  const refused = await on.tryToPay(client, 'one more', { amount: euros(20_000n) });
  await on.keyspace.redis.del(waiting);
  expect(refused).toMatchObject({ refusal: 'INSUFFICIENT_BALANCE', text: expect.stringContaining('1000 payments') });
});

test('payments of a disabled client wait until it is enabled, whatever money arrives', async () => {
  const client = await on.client('acme', { EUR: '10.00' });
  const payment = await on.pay(client, 'Erika');
  const under = await on.pay(client, 'Erika TIMED OUT', { amount: euros(1_000n) });
  await on.work();
  await on.ask('disableClient', { id: 'acme', disabled: true });
  await credit(client, 'EUR', '100.00');
  await on.work();
  await on.later(3_600_000);
  expect(await statuses(client, payment, under)).toEqual(['AWAITING_FUNDS', 'AWAITING_FUNDS']);
  await on.ask('disableClient', { id: 'acme', disabled: false });
  await on.work();
  expect(await statuses(client, payment, under)).toEqual(['PAID', 'PG_PROCESSING']);
});

test('a debited payment of a disabled client continues, and one that waits too long fails', async () => {
  const client = await on.client('acme', { EUR: '60.00' });
  const paid = await on.pay(client, 'Erika');
  const waits = await on.pay(client, 'Erika');
  await on.ask('disableClient', { id: 'acme', disabled: true });
  await on.work();
  expect(await statuses(client, paid, waits)).toEqual(['PAID', 'AWAITING_FUNDS']);
  await on.later(30 * DAY_MS + 1);
  expect(await statuses(client, waits)).toEqual(['CANCELLED']);
});
