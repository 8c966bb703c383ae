/** A waiting payment whose held rate ends blocks no other from then on, with or without new money. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Client } from '../../../engine/store/access/clients.js';
import { type PaymentRig, startPayments } from './payment-rig.js';

let on: PaymentRig;
beforeEach(async () => {
  on = await startPayments();
});
afterEach(async () => {
  expect(await on.differences()).toEqual([]);
  await on.stop();
});

const PERIOD_MS = 15 * 60_000;

const holdFor = (sellCurrency: string) => on.hold('acme', { sellCurrency, buyCurrency: 'EUR', buyAmount: 50 });
const standingOf = async (client: Client, ...payments: readonly { readonly id: string }[]) =>
  Promise.all(payments.map(async ({ id }) => (await on.read(client, id)).status));
const numberOf = async (client: Client, currency: string) =>
  (await on.services.store.accounts.balances(client)).find((account) => account.currency === currency)!.number;

/** A fee that the hold does not cover: the payment also draws on the account in its own currency. */
async function withFee(money: Readonly<Record<string, string>>): Promise<Client> {
  const client = await on.client('acme', money);
  await on.ask('setFee', { clientId: 'acme', corridor: '*', method: '*', fixed: '1.00', percent: '0' });
  return client;
}

async function waitsAtHold(client: Client, currency: string) {
  const { id: holdId } = await holdFor(currency);
  return on.pay(client, 'Erika', { sourceAccount: await numberOf(client, currency), holdId });
}

test('by expiry', async () => {
  const client = await withFee({ USD: '10.00', EUR: '60.00' });
  const held = await waitsAtHold(client, 'USD');
  const behind = await on.pay(client, 'Erika');
  await on.work();
  expect(await standingOf(client, held, behind)).toEqual(['AWAITING_FUNDS', 'AWAITING_FUNDS']);
  await on.later(PERIOD_MS + 1);
  expect(await standingOf(client, held, behind)).toEqual(['AWAITING_FUNDS', 'PAID']);
  expect(await on.read(client, held.id)).toMatchObject({ subStatus: 'HOLD_EXPIRED', bookingIds: [] });
});

test('by expiry, also while it waits behind another itself', async () => {
  const client = await withFee({ USD: '10.00', JPY: '10', EUR: '60.00' });
  const usd = await numberOf(client, 'USD');
  const first = await on.pay(client, 'Erika', { sourceAccount: usd, currency: 'USD', country: 'US' });
  const held = await waitsAtHold(client, 'USD');
  const behind = await on.pay(client, 'Erika');
  await on.work();
  expect(await standingOf(client, first, held, behind)).toEqual(Array(3).fill('AWAITING_FUNDS'));
  await on.later(PERIOD_MS + 1);
  expect(await standingOf(client, first, held, behind)).toEqual(['AWAITING_FUNDS', 'AWAITING_FUNDS', 'PAID']);
});

test('each by its own expiry', async () => {
  const client = await withFee({ USD: '10.00', JPY: '10', EUR: '60.00' });
  const held = await waitsAtHold(client, 'USD');
  await on.later(60_000);
  const heldToo = await waitsAtHold(client, 'JPY');
  const behind = await on.pay(client, 'Erika');
  await on.later(PERIOD_MS - 60_000 + 1);
  expect(await standingOf(client, held, heldToo, behind)).toEqual(Array(3).fill('AWAITING_FUNDS'));
  expect(await on.read(client, held.id)).toMatchObject({ subStatus: 'HOLD_EXPIRED' });
  expect(await on.read(client, heldToo.id)).toMatchObject({ subStatus: '' });
  await on.later(60_000);
  expect(await standingOf(client, held, heldToo, behind)).toEqual(['AWAITING_FUNDS', 'AWAITING_FUNDS', 'PAID']);
});

test('by its client, who releases it', async () => {
  const client = await withFee({ USD: '10.00', EUR: '60.00' });
  const held = await waitsAtHold(client, 'USD');
  const behind = await on.pay(client, 'Erika');
  await on.work();
  expect(await on.as(client, 'releaseHold', { holdId: held.holdId })).toHaveProperty('hold');
  await on.work();
  expect(await standingOf(client, held, behind)).toEqual(['AWAITING_FUNDS', 'PAID']);
});

test('by an operator, who revokes it', async () => {
  const client = await withFee({ USD: '10.00', EUR: '60.00' });
  const held = await waitsAtHold(client, 'USD');
  const behind = await on.pay(client, 'Erika');
  await on.work();
  const { store } = on.services;
  expect(await store.holds.revoke(client, held.holdId, 'DESK')).toBe(true);
  await on.work();
  expect(await standingOf(client, held, behind)).toEqual(['AWAITING_FUNDS', 'PAID']);
});
