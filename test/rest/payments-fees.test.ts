/** What leaves the account, what is delivered and what the house keeps: fees of both payers, and deductions. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { minorOf } from './exact-conversion.js';
import type { Fields } from './money-door.js';
import { CREATE_PAYOUT, payout } from './payment-bodies.js';
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

describe('a fee of 1.50 and 0.25 %', () => {
  test.each<[payer: string, amount: string, deduct: string | undefined]>([
    ['OUR', '100', undefined],
    ['OUR', '100.01', undefined],
    ['OUR', '100', '0'],
    ['OUR', '100', '10.25'],
    ['OUR', '0.02', '0.01'],
    ['BEN', '100', undefined],
    ['BEN', '100.01', undefined],
    ['BEN', '100', '10.25'],
    ['BEN', '1.52', undefined],
  ])('%s of %s, deducting %s', async (feePayer, amount, deduct) => {
    const { client, of } = await door.payer({ EUR: 1_000_00n }, FEE);
    const [a, x] = [minorOf(amount, 'EUR'), minorOf(deduct ?? '0', 'EUR')];
    const f = charged(a);
    let read: Fields = {};
    const moved = await door.moved(client, async () => {
      const created = await door.payOut(client, 'EUR', of.EUR!, {
        ...{ fee_payer: feePayer, destination_amount: Number(amount) },
        ...(deduct !== undefined && { payout_options: { deduct_amount: Number(deduct) } }),
      });
      read = await door.read(client, created);
    });
    const delivered = feePayer === 'OUR' ? a - x : a - f - x;
    expect(moved).toEqual({ [`EUR/${of.EUR}`]: -delivered - f - x, 'EUR/transit': delivered, 'EUR/house:fees': f + x });
    expect(read.additional_info).toEqual({ currency: 'EUR', amount: Number(amount).toFixed(2) });
  });

  test('version 1: it is on top, and deduct_amount comes out of what is delivered', async () => {
    const { client, of } = await door.payer({ EUR: 1_000_00n }, FEE);
    const moved = await door.moved(client, () =>
      door.pay(client, 'EUR', { destination_amount: 200, deduct_amount: 5 }),
    );
    const fee = charged(200_00n);
    expect(moved).toEqual({ [`EUR/${of.EUR}`]: -200_00n - fee, 'EUR/transit': 195_00n, 'EUR/house:fees': fee + 5_00n });
  });

  test('an account that has the amount and not the fee is short', async () => {
    const { client, of } = await door.payer({ EUR: 101_74n }, FEE);
    const { status } = await door.payOut(client, 'EUR', of.EUR!, { destination_amount: 100 });
    expect(status).toBe('AWAITING_FUNDS');
    const exact = await door.payer({ EUR: 101_75n }, FEE);
    expect((await door.payOut(exact.client, 'EUR', exact.of.EUR!, { destination_amount: 100 })).status).toBe(
      'IN_PROCESS',
    );
  });

  test.each<[string, Fields]>([
    ['BEN, an amount that is the fee', { fee_payer: 'BEN', destination_amount: 1.51 }],
    ['BEN, an amount below the fee', { fee_payer: 'BEN', destination_amount: 1 }],
    [
      'BEN, fee and deduction take all',
      { fee_payer: 'BEN', destination_amount: 10, payout_options: { deduct_amount: 8.47 } },
    ],
    ['OUR, a source amount that is the fee', { source_amount: 1.5 }],
    ['BEN, a source amount below the fee', { fee_payer: 'BEN', source_amount: 1 }],
    [
      'OUR, the deduction takes all of a source amount',
      { source_amount: 11.53, payout_options: { deduct_amount: 10 } },
    ],
  ])('%s: nothing is left to deliver', async (_what, more) => {
    const { client, of } = await door.payer({ EUR: 1_000_00n }, FEE);
    const before = await door.keyspace.read();
    const { status, body } = await client.post(CREATE_PAYOUT, payout('EUR', of.EUR!, more));
    expect([status, body.code, body.errors]).toEqual([400, 'BAD_AMOUNT', []]);
    expect(body.detail).toBe('Fee and deduction leave nothing to deliver: send more');
    expect(await door.keyspace.read()).toEqual(before);
  });
});

describe('fees by corridor and method', () => {
  test('the nearest rule is the one, and a fixed part below a yen is a yen', async () => {
    const { client, of } = await door.payer({ JPY: 100_000n, EUR: 1_000_00n }, { fixed: '9' });
    for (const rule of [
      { corridor: 'JP', method: 'BANK', fixed: '0.5', percent: '0' },
      { corridor: '*-EUR', method: '*', fixed: '0', percent: '1' },
    ])
      await door.operator('setFee', { clientId: client.id, ...rule });
    const yen = await door.moved(client, () => door.payOut(client, 'JPY', of.JPY!, { destination_amount: 1_000 }));
    expect(yen).toEqual({ [`JPY/${of.JPY}`]: -1_001n, 'JPY/transit': 1_000n, 'JPY/house:fees': 1n });
    const euro = await door.moved(client, () => door.pay(client, 'EUR', { destination_amount: 0.99 }));
    expect(euro).toEqual({ [`EUR/${of.EUR}`]: -1_00n, 'EUR/transit': 99n, 'EUR/house:fees': 1n });
  });

  test('a payment keeps the fee that it was created with', async () => {
    const { client, of } = await door.payer({ EUR: 10_00n }, FEE);
    const created = await door.payOut(client, 'EUR', of.EUR!, { destination_amount: 100 });
    await door.operator('setFee', { clientId: client.id, corridor: '*', method: '*', fixed: '50' });
    expect(created.status).toBe('AWAITING_FUNDS');
    const { payment: kept } = await door.operator('showPayment', { paymentId: String(created.payment_id) });
    expect(kept).toMatchObject({ feeFixed: '150', feePpm: 2_500, feePayer: 'OUR' });
  });

  test('what the corridor has no unit for stays with the house', async () => {
    const { client, of } = await door.payer({ IDR: 10_000_000_00n }, { percent: '0.0333' });
    const a = 100_001_00n;
    const f = feeOf(a, 0n, 333n);
    const moved = await door.moved(client, () =>
      door.payOut(client, 'IDR', of.IDR!, { fee_payer: 'BEN', destination_amount: 100_001 }),
    );
    const delivered = a - f - ((a - f) % 100n);
    expect(moved).toEqual({ [`IDR/${of.IDR}`]: -a, 'IDR/transit': delivered, 'IDR/house:fees': a - delivered });
    expect(f % 100n).not.toBe(0n);
  });
});
