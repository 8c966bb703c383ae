/** A waiting payment whose held rate ends blocks no other from then on, with or without new money. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fundingExpired } from '../../../engine/service/payments/index.js';
import type { Client } from '../../../engine/store/access/clients.js';
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

test('by an operator, who revokes it', async () => {
  const client = await withFee({ USD: '10.00', EUR: '60.00' });
  const held = await waitsAtHold(client, 'USD');
  const behind = await on.pay(client, 'Erika');
  await on.work();
  const { store } = on.services;
  expect(await store.holds.revoke(client, held.holdId, 'DESK', 'TRADING_HALTED')).toBe(true);
  await on.work();
  expect(await standingOf(client, held, behind)).toEqual(['AWAITING_FUNDS', 'PAID']);
});

const statusOf = async (client: Client, holdId: string) => (await on.services.store.holds.read(client, holdId))!.status;
let booked = 0;
const bookAt = (client: Client, holdId: string) =>
  on.as(client, 'bookFxByCurrency', {
    requestId: `book-at-hold-${++booked}`,
    sellCurrency: 'USD',
    buyCurrency: 'EUR',
    buyAmount: 50,
    description: 'x',
    holdId,
  });

describe('a payment that waits with a held rate reserves it', () => {
  test('against a conversion, another payment, and a release', async () => {
    const client = await on.client('acme', { USD: '10.00' });
    const { id, holdId } = await waitsAtHold(client, 'USD');
    expect(await statusOf(client, holdId)).toBe('reserved');
    expect(await bookAt(client, holdId)).toMatchObject({ refusal: 'HOLD_USED' });
    const second = { sourceAccount: await numberOf(client, 'USD'), holdId };
    expect(await on.tryToPay(client, 'Erika', second)).toMatchObject({ refusal: 'HOLD_USED' });
    expect(await on.as(client, 'releaseHold', { holdId })).toMatchObject({ refusal: 'HOLD_USED' });
    expect(await statusOf(client, holdId)).toBe('reserved');
    await on.ask('creditAccount', { accountNumber: await numberOf(client, 'USD'), amount: '100.00' });
    await on.work();
    const paid = await on.read(client, id);
    expect(paid).toMatchObject({ status: 'PAID', holdId });
    expect(paid.bookingIds).toHaveLength(1);
    expect(await statusOf(client, holdId)).toBe('used');
  });

  test.each([
    ['its client cancels it', (client: Client, paymentId: string) => on.as(client, 'cancelPayment', { paymentId })],
    [
      'the operator cancels it',
      (_: Client, paymentId: string) => on.ask('cancelPaymentByOperator', { paymentId, text: 'x' }),
    ],
    [
      'its funds do not come',
      async (client: Client, paymentId: string) => {
        const payment = await on.read(client, paymentId);
        return on.services.store.payments.move(client, paymentId, await fundingExpired(on.services, client, payment));
      },
    ],
  ])('until %s', async (_what, end) => {
    const client = await on.client('acme', { USD: '10.00' });
    const { events } = on.services.store;
    await events.enable(client);
    const { id, holdId } = await waitsAtHold(client, 'USD');
    expect(await end(client, id)).not.toHaveProperty('refusal');
    expect(await statusOf(client, holdId)).toBe('open');
    await on.ask('creditAccount', { accountNumber: await numberOf(client, 'USD'), amount: '100.00' });
    await on.work();
    expect(await bookAt(client, holdId)).toHaveProperty('booking.holdId', holdId);
    const all = await events.read(client, { afterSequence: 0, limit: 100 });
    expect(all.filter(({ resource }) => resource === holdId).map(({ type, more }) => [type, more])).toEqual([
      ['hold.locked', 'open'],
      ['hold.reserved', 'reserved|open'],
      ['hold.freed', 'open|reserved'],
      ['hold.used', 'used|open'],
    ]);
  });

  test('until its time has passed, when it is expired for every use', async () => {
    const client = await on.client('acme', { USD: '10.00' });
    const { id, holdId } = await waitsAtHold(client, 'USD');
    await on.later(PERIOD_MS + 1);
    expect(await bookAt(client, holdId)).toMatchObject({ refusal: 'HOLD_EXPIRED' });
    expect(await on.as(client, 'releaseHold', { holdId })).toMatchObject({ refusal: 'HOLD_EXPIRED' });
    expect(await on.read(client, id)).toMatchObject({ status: 'AWAITING_FUNDS', subStatus: 'HOLD_EXPIRED' });
    expect(await on.as(client, 'cancelPayment', { paymentId: id })).not.toHaveProperty('refusal');
    expect(await bookAt(client, holdId)).toMatchObject({ refusal: 'HOLD_EXPIRED' });
  });

  test('and a reservation that was altered differs', async () => {
    const client = await on.client('acme', { USD: '10.00' });
    const { id, holdId } = await waitsAtHold(client, 'USD');
    const { hold } = ledgerKeys(client);
    const { redis } = on.keyspace;
    await redis.hset(hold(holdId), 'status', 'open');
    expect(await on.differences()).toMatchObject([
      { what: `hold ${holdId}: reserved for`, expected: id, found: 'open' },
    ]);
    await redis.hset(hold(holdId), 'status', 'reserved', 'payment', 'PAY0');
    expect(await on.differences()).toMatchObject([
      { what: `hold ${holdId}: reserved for`, expected: id, found: 'PAY0' },
    ]);
    await redis.hset(hold(holdId), 'payment', id);
    const free = await holdFor('USD');
    await redis.hset(hold(free.id), 'status', 'reserved', 'payment', 'PAY0');
    expect(await on.differences()).toMatchObject([
      { what: `hold ${free.id}: reserved for`, expected: 'no payment', found: 'PAY0' },
    ]);
    await redis.hset(hold(free.id), 'status', 'open');
  });
});
