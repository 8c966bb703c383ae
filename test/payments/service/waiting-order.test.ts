/**
 * The accounts that a payment draws on may change while it waits: from then on no younger payment draws on those
 * either.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Client } from '../../../engine/store/access/clients.js';
import { euros, type PaymentRig, startPayments } from './payment-rig.js';

let on: PaymentRig;
beforeEach(async () => {
  on = await startPayments();
});
afterEach(async () => {
  expect(await on.differences()).toEqual([]);
  await on.stop();
});

/** An account of the Auto Book FX agreement. */
async function agreed(client: Client, currency: string, autoBookFxSequence: number, amount: string): Promise<string> {
  const opened = await on.ask('openAccount', { clientId: client.id, currency, autoBookFxSequence });
  if ('refusal' in opened) throw new Error(opened.text);
  await on.ask('creditAccount', { accountNumber: opened.number, amount });
  return opened.number;
}
const numberOf = async (client: Client, currency: string) =>
  (await on.services.store.accounts.balances(client)).find((account) => account.currency === currency)!.number;
const source = (sourceAccount: string, minor: bigint) =>
  ({ amount: { kind: 'source', minor }, sourceAccount }) as const;
const standingOf = async (client: Client, ...payments: readonly { readonly id: string }[]) =>
  Promise.all(payments.map(async ({ id }) => (await on.read(client, id)).status));

test('a payment that waited only behind another, and is short in its turn, reserves its agreement’s currencies', async () => {
  const client = await on.client('acme', { EUR: '60.00' });
  await agreed(client, 'USD', 1, '10.00');
  const eur = await numberOf(client, 'EUR');
  const first = await on.pay(client, 'Erika', source(eur, 10_000n));
  const second = await on.pay(client, 'Erika', { amount: euros(5_000n) });
  expect(await standingOf(client, first, second)).toEqual(['AWAITING_FUNDS', 'AWAITING_FUNDS']);
  await on.ask('creditAccount', { accountNumber: eur, amount: '45.00' });
  await on.work();
  expect(await standingOf(client, first, second)).toEqual(['PAID', 'AWAITING_FUNDS']);

  const dollars = { currency: 'USD', country: 'US', amount: euros(800n) };
  const third = await on.pay(client, 'Erika', dollars);
  expect(await standingOf(client, second, third)).toEqual(['AWAITING_FUNDS', 'AWAITING_FUNDS']);
  await on.ask('creditAccount', { accountNumber: eur, amount: '45.00' });
  await on.work();
  expect(await standingOf(client, second, third)).toEqual(['PAID', 'PAID']);
});

test('a payment behind another for a second currency reserves a third against those behind it', async () => {
  const client = await on.client('acme', { EUR: '60.00' });
  const usd = await agreed(client, 'USD', 1, '20.00');
  const jpy = await agreed(client, 'JPY', 2, '9000');
  const eur = await numberOf(client, 'EUR');
  const euro = await on.pay(client, 'Erika', source(eur, 10_000n));
  const dollar = await on.pay(client, 'Erika', { ...source(usd, 20_000n), currency: 'USD', country: 'US' });
  const both = await on.pay(client, 'Erika', { amount: euros(5_000n) });
  await on.ask('creditAccount', { accountNumber: eur, amount: '45.00' });
  await on.work();
  // It has 5.00 EUR now, and the rest is available: in dollars, which an older payment reserves, and in yen.
  expect(await standingOf(client, euro, dollar, both)).toEqual(['PAID', 'AWAITING_FUNDS', 'AWAITING_FUNDS']);
  const yen = await on.pay(client, 'Erika', { ...source(jpy, 3_000n), currency: 'JPY', country: 'JP' });
  expect(await standingOf(client, both, yen)).toEqual(['AWAITING_FUNDS', 'AWAITING_FUNDS']);
  await on.ask('creditAccount', { accountNumber: usd, amount: '200.00' });
  await on.work();
  expect(await standingOf(client, dollar, both, yen)).toEqual(['PAID', 'PAID', 'PAID']);
});

test("pays what needs none of an older payment's currencies", async () => {
  const client = await on.client('acme', { EUR: '60.00' });
  await agreed(client, 'USD', 1, '10.00');
  const jpy = await agreed(client, 'JPY', 2, '9000');
  const first = await on.pay(client, 'Erika', { ...source(jpy, 20_000n), currency: 'JPY', country: 'JP' });
  // 60.00 EUR and some dollars; yen would come after them.
  const second = await on.pay(client, 'Erika', { amount: euros(6_500n) });
  expect(second.bookingIds).toHaveLength(1);
  const third = await on.pay(client, 'Erika', { amount: euros(1_000n) });
  await on.work();
  expect(await standingOf(client, first, second, third)).toEqual(['AWAITING_FUNDS', 'PAID', 'AWAITING_FUNDS']);
});
