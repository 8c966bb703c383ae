/** Which account pays a payment, what is converted for it, what it costs and what is returned. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Booking } from '../../../engine/domain/conversions/booking.js';
import type { PaymentOrder } from '../../../engine/service/payments/pay.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { euros, type PaymentRig, startPayments } from './payment-rig.js';

let on: PaymentRig;
beforeEach(async () => {
  on = await startPayments();
});
afterEach(async () => {
  // Whatever the outcome, the books balance.
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
const fee = (client: Client, fixed: string, percent = '0') =>
  on.ask('setFee', { clientId: client.id, corridor: '*', method: '*', fixed, percent });
const numberOf = async (client: Client, currency: string) =>
  (await on.services.store.accounts.balances(client)).find((account) => account.currency === currency)!.number;
const credit = async (client: Client, currency: string, amount: string) =>
  on.ask('creditAccount', { accountNumber: await numberOf(client, currency), amount });
const bookingsOf = (client: Client, ids: readonly string[]): Promise<readonly Booking[]> =>
  Promise.all(ids.map(async (id) => (await on.services.store.bookings.read(client, id))!));
const statuses = async (client: Client, ...payments: readonly { readonly id: string }[]) =>
  Promise.all(payments.map(async ({ id }) => (await on.read(client, id)).status));

describe('Auto Book FX', () => {
  test('tops an account up from the others in their order, from as many as necessary', async () => {
    const client = await on.client('acme', { EUR: '10.00' });
    const usd = await agreed(client, 'USD', 2, '500.00');
    const jpy = await agreed(client, 'JPY', 1, '3000');
    await fee(client, '1.00', '0.5');
    const { bookingIds, status } = await on.pay(client, 'Erika');
    expect(status).toBe('IN_PROCESS');
    // 51.25 EUR are needed, and 10.00 are there. 3,000 JPY at 163.998... buy 18.29; the rest costs 24.90 USD at
    // 1.08435.
    expect(
      (await bookingsOf(client, bookingIds)).map(({ sellAccount, sell, buy, margin, status }) => [
        sellAccount,
        sell,
        buy,
        margin,
        status,
      ]),
    ).toEqual([
      [jpy, '3000', '1829', '4', 'SETTLED'],
      [usd, '2490', '2296', '6', 'SETTLED'],
    ]);
    expect(await on.money(client)).toEqual({
      USD: '47510',
      'JPY/house:fx': '3000',
      'EUR/house:fx': '-4129',
      'EUR/house:margin': '4',
      'USD/house:fx': '2484',
      'USD/house:margin': '6',
      'EUR/transit': '5000',
      'EUR/house:fees': '125',
    });
    await on.work();
    expect(await on.money(client)).not.toHaveProperty('EUR/transit');
  });

  test('sells the named account first, then the others, and never one outside the agreement', async () => {
    const client = await on.client('acme', { CHF: '1000.00', USD: '20.00' });
    const usd = await numberOf(client, 'USD');
    await agreed(client, 'JPY', 3, '100000');
    const { bookingIds, account } = await on.pay(client, 'Erika', { sourceAccount: usd });
    const made = await bookingsOf(client, bookingIds);
    expect(made.map(({ sellCurrency }) => sellCurrency)).toEqual(['USD', 'JPY']);
    // The client had no euro account: it has one now, with nothing left in it.
    expect(await on.services.store.accounts.currencyOf(client, account)).toBe('EUR');
    expect(await on.money(client)).not.toHaveProperty('EUR');
    expect((await on.money(client)).CHF).toBe('100000');
  });

  test('without an agreement rejects an account in another currency, and waits when the balance is insufficient', async () => {
    const client = await on.client('acme', { EUR: '10.00', USD: '500.00' });
    const before = await on.keyspace.read();
    expect(await on.tryToPay(client, 'Erika', { sourceAccount: await numberOf(client, 'USD') })).toMatchObject({
      refusal: 'ACCOUNT_CURRENCY',
    });
    expect(await on.keyspace.read()).toEqual(before);
    expect(await on.pay(client, 'Erika')).toMatchObject({ status: 'AWAITING_FUNDS', bookingIds: [], amount: '' });
    expect(await on.money(client)).toEqual({ EUR: '1000', USD: '50000' });
  });
});

describe('amounts', () => {
  test.each<[what: string, more: Partial<PaymentOrder>, eur: string | undefined, transit: string, fees: string]>([
    ['OUR: the fee is on top', {}, '4875', '5000', '125'],
    ['BEN: it comes out of what is delivered', { feePayer: 'BEN' }, '5000', '4875', '125'],
    ['OUR, with a deduction', { deduct: 300n }, '4875', '4700', '425'],
    ['BEN, with a deduction', { feePayer: 'BEN', deduct: 300n }, '5000', '4575', '425'],
    // 50.00 leave; 48.75 and a fee of 1.00 + 0.25 (0.24375, rounded up).
    ['source, OUR', { amount: { kind: 'source', minor: 5_000n } }, '5000', '4875', '125'],
    ['source, BEN', { amount: { kind: 'source', minor: 5_000n }, feePayer: 'BEN' }, '5000', '4875', '125'],
    ['all there is', { amount: { kind: 'source', minor: 10_000n } }, undefined, '9850', '150'],
  ])('%s', async (_what, more, eur, transit, fees) => {
    const client = await on.client('acme', { EUR: '100.00' });
    await fee(client, '1.00', '0.5');
    const payment = await on.pay(client, 'TIMED OUT', { sourceAccount: await numberOf(client, 'EUR'), ...more });
    expect(payment).toMatchObject({ toTransit: transit, toFees: fees });
    const onItsWay = { ...(eur && { EUR: eur }), 'EUR/transit': transit, 'EUR/house:fees': fees };
    expect(await on.money(client)).toEqual(onItsWay);
    await on.work();
    expect(await on.money(client)).toEqual(onItsWay);
    await on.ask('returnPayment', { paymentId: payment.id, text: 'closed' });
    // The delivered amount is returned, and the fee is kept.
    expect(await on.money(client)).toEqual({ EUR: String(10_000 - Number(fees)), 'EUR/house:fees': fees });
  });

  test('rejects a payment with nothing left to deliver', async () => {
    const client = await on.client('acme', { EUR: '100.00' });
    await fee(client, '1.00');
    const before = await on.keyspace.read();
    for (const more of [
      { amount: euros(100n), feePayer: 'BEN' },
      { amount: euros(500n), deduct: 500n },
    ] as const)
      expect(await on.tryToPay(client, 'Erika', more)).toMatchObject({ refusal: 'BAD_AMOUNT' });
    expect(await on.keyspace.read()).toEqual(before);
  });

  test('sells a source amount in another currency whole, and pays all that it buys', async () => {
    const client = await on.client('acme', { EUR: '1.00' });
    const usd = await agreed(client, 'USD', 1, '100.00');
    await fee(client, '1.00');
    const amount = { kind: 'source', minor: 5_421n } as const;
    const payment = await on.pay(client, 'Erika', { sourceAccount: usd, amount });
    // 54.21 USD at 1.0843509 are 49.99 EUR.
    expect(payment).toMatchObject({ amount: '4899', toTransit: '4899', toFees: '100' });
    expect(await on.money(client)).toMatchObject({ USD: '4579', EUR: '100', 'EUR/transit': '4899' });
    // No other account is drawn on.
    const short = await on.pay(client, 'Erika', { sourceAccount: usd, amount });
    expect(short).toMatchObject({ status: 'AWAITING_FUNDS', amount: '' });
    await credit(client, 'USD', '8.42');
    await on.work();
    expect(await on.read(client, short.id)).toMatchObject({ status: 'PAID', amount: '4899' });
  });
});

describe('refunds, to the minor unit', () => {
  test('a payment that ends before it is sent refunds everything into the account in its currency; the conversion stays', async () => {
    const client = await on.client('acme', { EUR: '0.01' });
    await agreed(client, 'USD', 1, '100.00');
    await fee(client, '0.99', '0.77');
    const payment = await on.pay(client, 'COMPLIANCE REJECTED', { deduct: 7n });
    const taken = Number(payment.toTransit) + Number(payment.toFees);
    const [made] = await bookingsOf(client, payment.bookingIds);
    expect(taken).toBe(1 + Number(made!.buy));
    await on.work();
    const after = await on.money(client);
    expect(after.EUR).toBe(String(taken));
    expect(after.USD).toBe(String(10_000 - Number(made!.sell)));
    expect(after).not.toHaveProperty('EUR/transit');
    expect(after).not.toHaveProperty('EUR/house:fees');
    expect((await bookingsOf(client, payment.bookingIds))[0]!.status).toBe('SETTLED');
  });
});

describe('a hold', () => {
  const holdFor = (amount: object) => on.hold('acme', { sellCurrency: 'USD', buyCurrency: 'EUR', ...amount });

  test('is sold at its own rate, whatever the market does, and once', async () => {
    const client = await on.client('acme', { USD: '200.00' });
    const usd = await numberOf(client, 'USD');
    const { id } = await holdFor({ buyAmount: 50 });
    on.tick('EUR/USD', '1.20001', '1.20011');
    const more = { sourceAccount: usd, holdId: id };
    const payment = await on.pay(client, 'Erika', more);
    const [made] = await bookingsOf(client, payment.bookingIds);
    // 50.00 EUR at 1.0843509, not at 1.2031...
    expect(made).toMatchObject({ sell: '5422', buy: '5000', holdId: id, paymentId: payment.id });
    expect(await on.tryToPay(client, 'Erika', more)).toMatchObject({ refusal: 'HOLD_USED' });
    expect(
      await on.as(client, 'bookFxByCurrency', {
        requestId: 'x',
        description: 'x',
        sellCurrency: 'USD',
        buyCurrency: 'EUR',
        buyAmount: 50,
        holdId: id,
      }),
    ).toMatchObject({ refusal: 'HOLD_USED' });
  });

  test.each<[string, object, Partial<PaymentOrder>, string]>([
    ['for another amount', { buyAmount: 51 }, {}, 'HOLD_MISMATCH'],
    ['for a sold amount', { sellAmount: 50 }, {}, 'HOLD_MISMATCH'],
    ['in the currency of the account', { buyAmount: 50 }, { sourceAccount: 'EUR' }, 'HOLD_MISMATCH'],
    ['of another pair', { buyAmount: 50 }, { sourceAccount: 'JPY' }, 'HOLD_MISMATCH'],
  ])('%s: %s', async (_what, amount, more, code) => {
    const client = await on.client('acme', { USD: '200.00', EUR: '200.00', JPY: '90000' });
    const { id } = await holdFor(amount);
    const sourceAccount = await numberOf(client, more.sourceAccount ?? 'USD');
    const before = await on.keyspace.read();
    expect(await on.tryToPay(client, 'Erika', { ...more, sourceAccount, holdId: id })).toMatchObject({ refusal: code });
    expect(await on.keyspace.read()).toEqual(before);
  });

  test('that expires while the payment waits: the payment keeps waiting, at no other rate, and blocks no other', async () => {
    const client = await on.client('acme', { USD: '10.00', EUR: '60.00' });
    const { id } = await holdFor({ buyAmount: 50 });
    const usd = await numberOf(client, 'USD');
    const held = await on.pay(client, 'Erika', { sourceAccount: usd, holdId: id });
    const dollars = { sourceAccount: usd, currency: 'USD', country: 'US', amount: euros(500n) };
    const behind = await on.pay(client, 'Erika', dollars);
    expect(await statuses(client, held, behind)).toEqual(['AWAITING_FUNDS', 'AWAITING_FUNDS']);
    expect(await on.as(client, 'readPayment', { paymentId: held.id })).toMatchObject({ payment: { subStatus: '' } });
    on.clock.now = held.holdExpiryMs + 1;
    // Also before a scheduler round has expired the hold.
    expect(await on.as(client, 'readPayment', { paymentId: held.id })).toMatchObject({
      payment: { subStatus: 'HOLD_EXPIRED' },
    });
    await credit(client, 'USD', '500.00');
    await on.work();
    expect(await statuses(client, held, behind)).toEqual(['AWAITING_FUNDS', 'PAID']);
    expect(await on.read(client, held.id)).toMatchObject({ subStatus: 'HOLD_EXPIRED', bookingIds: [] });
    expect(await on.money(client)).toMatchObject({ USD: '50500' });
    expect(await on.as(client, 'cancelPayment', { paymentId: held.id })).toMatchObject({
      payment: { status: 'USER_REJECTED' },
    });
  });

  test('that is still open when the money arrives is used', async () => {
    const client = await on.client('acme', { USD: '10.00' });
    const { id } = await holdFor({ buyAmount: 50 });
    const payment = await on.pay(client, 'Erika', { sourceAccount: await numberOf(client, 'USD'), holdId: id });
    expect(payment.status).toBe('AWAITING_FUNDS');
    await credit(client, 'USD', '44.22');
    await on.work();
    expect((await on.read(client, payment.id)).status).toBe('PAID');
    expect(await on.money(client)).not.toHaveProperty('USD');
  });
});
