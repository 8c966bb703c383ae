/**
 * A payment may wait for what an operator changes about an account: the change triggers a new attempt, without new
 * money.
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

const numberOf = async (client: Client, currency: string) =>
  (await on.services.store.accounts.balances(client)).find((account) => account.currency === currency)!.number;
const change = (accountNumber: string, to: object) => on.ask('changeAccount', { accountNumber, ...to });
const statusOf = async (client: Client, { id }: { readonly id: string }) => (await on.read(client, id)).status;

test('an account that joins the agreement pays waiting payments at once', async () => {
  const client = await on.client('acme', { EUR: '10.00', USD: '1000.00' });
  const waits = await on.pay(client, 'Erika');
  await on.work();
  expect(await statusOf(client, waits)).toBe('AWAITING_FUNDS');
  await change(await numberOf(client, 'USD'), { autoBookFxSequence: 1 });
  await on.work();
  expect(await statusOf(client, waits)).toBe('PAID');
});

test('an account that leaves the agreement is no longer reserved', async () => {
  const client = await on.client('acme', { EUR: '10.00', USD: '20.00' });
  const usd = await numberOf(client, 'USD');
  await change(usd, { autoBookFxSequence: 1 });
  const large = await on.pay(client, 'Erika', { amount: euros(50_000n) });
  const dollars = await on.pay(client, 'Erika', { currency: 'USD', country: 'US', amount: euros(1_500n) });
  await on.work();
  expect(await statusOf(client, dollars)).toBe('AWAITING_FUNDS');
  await change(usd, { autoBookFxSequence: 0 });
  await on.work();
  expect(await statusOf(client, large)).toBe('AWAITING_FUNDS');
  expect(await statusOf(client, dollars)).toBe('PAID');
});

test('reactivating an account of the agreement pays waiting payments', async () => {
  const client = await on.client('acme', { EUR: '10.00', USD: '1000.00' });
  const usd = await numberOf(client, 'USD');
  await change(usd, { autoBookFxSequence: 1, active: false });
  const waits = await on.pay(client, 'Erika');
  await on.work();
  expect(await statusOf(client, waits)).toBe('AWAITING_FUNDS');
  await change(usd, { active: true });
  await on.work();
  expect(await statusOf(client, waits)).toBe('PAID');
});

test('a new default account with money pays a payment that named none', async () => {
  const client = await on.client('acme', { EUR: '10.00' });
  const waits = await on.pay(client, 'Erika');
  const second = await on.ask('openAccount', { clientId: client.id, currency: 'EUR' });
  if ('refusal' in second) throw new Error(second.text);
  await on.ask('creditAccount', { accountNumber: second.number, amount: '1000.00' });
  await on.work();
  expect(await statusOf(client, waits)).toBe('AWAITING_FUNDS');
  await change(second.number, { makeDefault: true });
  await on.work();
  expect(await statusOf(client, waits)).toBe('PAID');
});
