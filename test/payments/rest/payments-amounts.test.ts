/** Amounts that are given in another way than by what the beneficiary is to have: what leaves an account, and what is worth as much. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { convertedAt, expectConverted, minorOf } from '../../conversions/rest/exact-conversion.js';
import type { Client, Fields } from '../../rest/money-door.js';
import { CREATE_PAYMENT, payment } from './payment-bodies.js';
import { openPaymentDoor, type PaymentDoor } from './payment-door.js';

let door: PaymentDoor;
beforeAll(async () => {
  door = await openPaymentDoor();
});
afterAll(() => door.stop());
beforeEach(() => door.freshPrices());

/** Fixed in minor units, percent as parts of a million, rounded up. */
const feeOf = (amount: bigint, fixed: bigint, ppm: bigint) => fixed + (amount * ppm + 999_999n) / 1_000_000n;

const FEE = { fixed: '1.5', percent: '0.25' };
const charged = (amount: bigint) => feeOf(amount, 150n, 2_500n);

describe('source_amount, of an account in the payment currency', () => {
  test.each(['OUR', 'BEN'])('%s: exactly it leaves the account', async (feePayer) => {
    const { client, of } = await door.payer({ EUR: 5_000_00n }, { fixed: '1.5', percent: '0.3333' });
    const fee = (amount: bigint) => feeOf(amount, 150n, 3_333n);
    let read: Fields = {};
    const moved = await door.moved(client, async () => {
      const created = await door.payOut(client, 'EUR', of.EUR!, { fee_payer: feePayer, source_amount: 1234.56 });
      read = await door.read(client, created);
    });
    const { amount } = read.additional_info as { amount: string };
    const a = minorOf(amount, 'EUR');
    if (feePayer === 'OUR') {
      // The largest amount that leaves room for its fee.
      expect(a + fee(a)).toBeLessThanOrEqual(1_234_56n);
      expect(a + 1n + fee(a + 1n)).toBeGreaterThan(1_234_56n);
    } else expect(a).toBe(1_234_56n);
    const delivered = feePayer === 'OUR' ? a : a - fee(a);
    expect(moved).toEqual({
      ...{ [`EUR/${of.EUR}`]: -1_234_56n, 'EUR/transit': delivered, 'EUR/house:fees': 1_234_56n - delivered },
    });
  });

  test('awaits its funds where the account is short, whatever the agreement', async () => {
    const { client, of } = await door.payer({ EUR: 10_00n });
    await client.account('USD', 1_000_00n, { sequence: 1 });
    const created = await door.payOut(client, 'EUR', of.EUR!, { source_amount: 10.01 });
    expect(created.status).toBe('AWAITING_FUNDS');
    expect(await door.read(client, created)).toMatchObject({ additional_info: { currency: 'EUR', amount: '' } });
  });
});

describe('source_amount, of an account in another currency', () => {
  test.each(['OUR', 'BEN'])('%s: all of it is sold, and all that it buys is paid', async (feePayer) => {
    const { client, of } = await door.payer({ EUR: 5_000_00n }, FEE);
    // The agreement is what allows it; this account is not needed.
    const pounds = await client.account('GBP', 1_000_00n, { sequence: 1 });
    let read: Fields = {};
    const moved = await door.moved(client, async () => {
      const created = await door.payOut(client, 'USD', of.EUR!, { fee_payer: feePayer, source_amount: 1000.01 });
      read = await door.read(client, created);
    });
    const [id, ...others] = read.autobookfx_confirmation_ids as string[];
    expect(others).toEqual([]);
    const { body: booking } = await client.get(`/api/v1/bookfx/${id}`);
    expect(booking).toMatchObject({ sell_amount: 1000.01, to_account: of.EUR });
    const { bought, margin } = expectConverted(booking, 'sell');
    const { amount } = read.additional_info as { amount: string };
    const a = minorOf(amount, 'USD');
    if (feePayer === 'OUR') {
      expect(a + charged(a)).toBeLessThanOrEqual(bought);
      expect(a + 1n + charged(a + 1n)).toBeGreaterThan(bought);
    } else expect(a).toBe(bought);
    const delivered = feePayer === 'OUR' ? a : a - charged(a);
    expect(moved).toEqual({
      [`EUR/${of.EUR}`]: -1_000_01n,
      'EUR/house:fx': 1_000_01n,
      'USD/house:fx': -bought - margin,
      'USD/house:margin': margin,
      'USD/transit': delivered,
      'USD/house:fees': bought - delivered,
    });
    expect((await client.get(`/api/v1/balance/account/${pounds}`)).body).toMatchObject([{ balance: 1000 }]);
  });
});

describe('equivalent_amount', () => {
  const rateOf = async (client: Client, sell: string, buy: string): Promise<Fields> => {
    const { body } = await client.get(`/api/v1/bookfx/rate?sell_currency=${sell}&buy_currency=${buy}`);
    return body;
  };

  test.each<[given: string, of: string, into: string, unit: bigint]>([
    ['600.25', 'USD', 'EUR', 1n],
    ['600.25', 'EUR', 'USD', 1n],
    ['123.45', 'USD', 'JPY', 1n],
    ['10001', 'JPY', 'USD', 1n],
    // The ledger has two decimals, the corridor none.
    ['123.45', 'USD', 'IDR', 100n],
  ])('%s %s in %s: rounded down, and fixed when it is created', async (given, of, into, unit) => {
    const { client, of: accounts } = await door.payer({ [into]: 900_000_000_00n });
    const { bought } = convertedAt(await rateOf(client, of, into), 'sell', minorOf(given, of));
    const expected = bought - (bought % unit);
    let created: Fields = {};
    const equivalent = { destination_amount: 0, equivalent_amount: Number(given), equivalent_currency: of };
    const moved = await door.moved(client, async () => {
      created = await door.pay(client, into, equivalent);
    });
    expect(moved).toEqual({ [`${into}/${accounts[into]}`]: -expected, [`${into}/transit`]: expected });
    const { amount } = (await door.read(client, created)).additional_info as { amount: string };
    expect(minorOf(amount, into)).toBe(expected);
  });

  test('of a payment that awaits its funds stays what it was, whatever the rate is then', async () => {
    const { client, of } = await door.payer({ EUR: 0n });
    const created = await door.pay(client, 'EUR', {
      ...{ destination_amount: 0, equivalent_amount: 500, equivalent_currency: 'USD' },
    });
    const before = await door.read(client, created);
    expect(before).toMatchObject({ status: 'AWAITING_FUNDS', additional_info: { currency: 'EUR' } });
    door.price('EUR/USD', '1.08001', '1.08003');
    expect((await door.read(client, created)).additional_info).toEqual(before.additional_info);
    const { amount } = before.additional_info as { amount: string };
    await door.operator('creditAccount', { accountNumber: String(of.EUR), amount });
    const moved = await door.moved(client, () => door.work());
    expect(moved).toMatchObject({ [`EUR/${of.EUR}`]: -minorOf(amount, 'EUR') });
  });

  test('in the payment currency is the amount itself', async () => {
    const { client, of } = await door.payer({ EUR: 100_00n });
    const equivalent = { destination_amount: 0, equivalent_amount: 12.34, equivalent_currency: 'EUR' };
    const moved = await door.moved(client, () => door.pay(client, 'EUR', equivalent));
    expect(moved).toEqual({ [`EUR/${of.EUR}`]: -12_34n, 'EUR/transit': 12_34n });
  });

  test('fees and deductions are of what it comes to', async () => {
    const { client, of } = await door.payer({ EUR: 10_000_00n }, FEE);
    const { bought } = convertedAt(await rateOf(client, 'USD', 'EUR'), 'sell', 600_25n);
    const equivalent = {
      destination_amount: 0,
      equivalent_amount: 600.25,
      equivalent_currency: 'USD',
      deduct_amount: 1,
    };
    const moved = await door.moved(client, () => door.pay(client, 'EUR', equivalent));
    const fee = charged(bought);
    expect(moved).toEqual({
      ...{ [`EUR/${of.EUR}`]: -bought - fee, 'EUR/transit': bought - 1_00n, 'EUR/house:fees': fee + 1_00n },
    });
  });

  test.each<[what: string, currency: string, equivalent: number, code: string, message: string]>([
    [
      'below the least of its corridor',
      'IDR',
      0.5,
      'AMOUNT_BELOW_MIN',
      'A payment by BANK delivers at least 10000 IDR: send more',
    ],
    [
      'above the most',
      'USD',
      950_000,
      'AMOUNT_ABOVE_LIMIT',
      'A payment by BANK delivers at most 1000000 USD: send less',
    ],
  ])('that comes to something %s is refused', async (_what, currency, amount, code, message) => {
    const { client } = await door.payer({ [currency]: 1_000_000_00n });
    const before = await door.keyspace.read();
    const of = currency === 'USD' ? 'EUR' : 'USD';
    const equivalent = { destination_amount: 0, equivalent_amount: amount, equivalent_currency: of };
    const { status, body } = await client.post(CREATE_PAYMENT, payment(currency, equivalent));
    expect([status, body.code, body.message]).toEqual([400, code, message]);
    expect(await door.keyspace.read()).toEqual(before);
  });

  test.each<[what: string, more: Fields, status: number, code: string]>([
    ['so little that it buys nothing', { equivalent_amount: 1, equivalent_currency: 'IDR' }, 400, 'AMOUNT_BELOW_MIN'],
    [
      'a deduction that takes all',
      { equivalent_amount: 1, equivalent_currency: 'USD', deduct_amount: 1 },
      400,
      'BAD_AMOUNT',
    ],
    ['an unknown rate', { equivalent_amount: 1, equivalent_currency: 'CHF' }, 503, 'RATE_UNAVAILABLE'],
  ])('%s is refused', async (_what, more, status, code) => {
    const { client } = await door.payer({ EUR: 100_00n });
    const before = await door.keyspace.read();
    const answer = await client.post(CREATE_PAYMENT, payment('EUR', { destination_amount: 0, ...more }));
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await door.keyspace.read()).toEqual(before);
  });
});
