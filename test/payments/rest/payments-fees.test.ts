/** What leaves the account, what is delivered and what the house keeps: fees of both payers, and deductions. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { minorOf } from '../../conversions/rest/exact-conversion.js';
import type { Fields } from '../../rest/money-door.js';
import { CREATE_PAYMENT, CREATE_PAYOUT, payment, payout } from './payment-bodies.js';
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
    expect([status, body.code, body.errors]).toEqual([
      400,
      'BAD_AMOUNT',
      [expect.objectContaining({ code: 'incorrect_value' })],
    ]);
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
});

describe('unit of delivery, by corridor and method', () => {
  const FEE_OF = { KES: 4_01n, IDR: 4_01n };
  const WALLET = {
    KES: { wallet_id: '+254712345678' },
    IDR: { wallet_id: '+6281234567890', contact_number: '+6281234567890' },
  };
  type Currency = keyof typeof WALLET;
  const byWallet = (currency: Currency, version: 1 | 2): Fields => {
    const { account_number: _, ...beneficiary } = { account_number: undefined, ...WALLET[currency] };
    const flat = Object.fromEntries(Object.entries(beneficiary).map(([name, value]) => [`beneficiary_${name}`, value]));
    return { deposit_method: 'WALLET', ...(version === 1 ? flat : { beneficiary }) };
  };
  const units = (amount: number): bigint => BigInt(Math.round(amount * 100));

  test.each<
    [
      what: string,
      currency: Currency,
      method: 'BANK' | 'WALLET',
      version: 1 | 2,
      more: Fields,
      paid: number,
      unit: bigint,
    ]
  >([
    ['version 1', 'KES', 'WALLET', 1, { destination_amount: 1_000 }, 1_004.01, 100n],
    ['version 1, deduction', 'KES', 'WALLET', 1, { destination_amount: 1_000, deduct_amount: 4.01 }, 1_004.01, 100n],
    [
      'version 1, equivalent',
      'KES',
      'WALLET',
      1,
      { destination_amount: 0, equivalent_amount: 1_000.5, equivalent_currency: 'KES' },
      1_004.01,
      100n,
    ],
    ['OUR', 'KES', 'WALLET', 2, { destination_amount: 1_000 }, 1_004.01, 100n],
    [
      'OUR, deduction',
      'KES',
      'WALLET',
      2,
      { destination_amount: 1_000, payout_options: { deduct_amount: 0.01 } },
      1_004.01,
      100n,
    ],
    ['OUR, source amount', 'KES', 'WALLET', 2, { source_amount: 1_000 }, 1_000, 100n],
    ['BEN', 'KES', 'WALLET', 2, { fee_payer: 'BEN', destination_amount: 1_000 }, 1_000, 100n],
    ['BEN, off the unit', 'KES', 'WALLET', 2, { fee_payer: 'BEN', destination_amount: 1_000.5 }, 1_000.5, 100n],
    ['BEN, source amount', 'KES', 'WALLET', 2, { fee_payer: 'BEN', source_amount: 1_000.5 }, 1_000.5, 100n],
    [
      'BEN, deduction',
      'KES',
      'WALLET',
      2,
      { fee_payer: 'BEN', destination_amount: 1_000, payout_options: { deduct_amount: 0.5 } },
      1_000,
      100n,
    ],
    ['BEN by another method', 'KES', 'BANK', 2, { fee_payer: 'BEN', destination_amount: 1_000.5 }, 1_000.5, 1n],
    ['BEN', 'IDR', 'BANK', 2, { fee_payer: 'BEN', destination_amount: 20_000 }, 20_000, 100n],
    ['BEN', 'IDR', 'WALLET', 2, { fee_payer: 'BEN', destination_amount: 20_000 }, 20_000, 100n],
    ['OUR, source amount', 'IDR', 'WALLET', 2, { source_amount: 20_000.99 }, 20_000.99, 100n],
    ['version 1, deduction', 'IDR', 'BANK', 1, { destination_amount: 20_000, deduct_amount: 1.01 }, 20_004.01, 100n],
  ])('%s of %s by %s: delivered is rounded down, the rest is fee', async (...row) => {
    const [, currency, method, version, more, paid, unit] = row;
    const { client, of } = await door.payer({ [currency]: 1_000_000_00n }, { fixed: '4.01' });
    const account = of[currency]!;
    const how = method === 'BANK' ? {} : byWallet(currency, version);
    const deducted = (more.deduct_amount ?? (more.payout_options as Fields | undefined)?.deduct_amount ?? 0) as number;
    const moved = await door.moved(client, () =>
      version === 1
        ? door.pay(client, currency, { ...how, ...more })
        : door.payOut(client, currency, account, { ...how, ...more }),
    );
    const left = units(paid) - FEE_OF[currency] - units(deducted);
    const delivered = left - (left % unit);
    expect(moved).toEqual({
      [`${currency}/${account}`]: -units(paid),
      [`${currency}/transit`]: delivered,
      [`${currency}/house:fees`]: units(paid) - delivered,
    });
  });

  test.each<[currency: Currency, method: 'BANK' | 'WALLET', version: 1 | 2]>([
    ['KES', 'WALLET', 1],
    ['KES', 'WALLET', 2],
    ['IDR', 'BANK', 2],
    ['IDR', 'WALLET', 1],
  ])('%s by %s, version %i: an amount off the unit that is to arrive whole is BAD_AMOUNT', async (...row) => {
    const [currency, method, version] = row;
    const { client, of } = await door.payer({ [currency]: 1_000_000_00n });
    const before = await door.keyspace.read();
    const how = method === 'BANK' ? {} : byWallet(currency, version);
    const more = { ...how, destination_amount: 20_000.5 };
    const [path, dryRun, body] =
      version === 1
        ? [CREATE_PAYMENT, '/api/v1/payments/validate', payment(currency, more)]
        : [CREATE_PAYOUT, '/api/v2/payouts/validate', payout(currency, of[currency]!, more)];
    for (const to of [path, dryRun]) {
      const { status, body: answer } = await client.post(to, body);
      expect([status, answer.code]).toEqual([400, 'BAD_AMOUNT']);
      expect(answer.errors).toMatchObject([{ field: 'destination_amount', code: 'incorrect_format' }]);
      expect(answer.detail).toMatch(new RegExp(`by ${method} take whole ${currency}`));
      const wrong = await client.post(to, { ...body, statement_narrative: '' });
      expect([wrong.body.code, (wrong.body.errors as Fields[]).map(({ field }) => field).sort()]).toEqual([
        'VALIDATION_FAILED',
        ['destination_amount', 'statement_narrative'],
      ]);
    }
    expect(await door.keyspace.read()).toEqual(before);
  });

  test.each<[what: string, version: 1 | 2, currency: Currency, more: Fields, code: string]>([
    ['version 1, deduction', 1, 'IDR', { destination_amount: 10_000, deduct_amount: 9_999 }, 'AMOUNT_BELOW_MIN'],
    ['version 1, equivalent', 1, 'IDR', { ...equal(10_000, 'IDR'), deduct_amount: 1 }, 'AMOUNT_BELOW_MIN'],
    [
      'OUR, deduction',
      2,
      'IDR',
      { destination_amount: 10_000, payout_options: { deduct_amount: 1 } },
      'AMOUNT_BELOW_MIN',
    ],
    ['OUR, source amount', 2, 'IDR', { source_amount: 10_004 }, 'AMOUNT_BELOW_MIN'],
    ['BEN', 2, 'IDR', { fee_payer: 'BEN', destination_amount: 10_004 }, 'AMOUNT_BELOW_MIN'],
    ['BEN, source amount', 2, 'IDR', { fee_payer: 'BEN', source_amount: 10_004 }, 'AMOUNT_BELOW_MIN'],
    ['BEN', 2, 'KES', { fee_payer: 'BEN', destination_amount: 1_000_004 }, 'AMOUNT_ABOVE_LIMIT'],
    ['OUR, source amount', 2, 'KES', { source_amount: 1_000_004 }, 'AMOUNT_ABOVE_LIMIT'],
    ['version 1, equivalent', 1, 'KES', { ...equal(1_000_000, 'KES'), deduct_amount: 0.99 }, 'AMOUNT_ABOVE_LIMIT'],
    [
      'BEN, fee and deduction take all',
      2,
      'KES',
      { fee_payer: 'BEN', destination_amount: 100, payout_options: { deduct_amount: 95.99 } },
      'BAD_AMOUNT',
    ],
  ])('%s (%i) of %s: minimum and maximum are of what is delivered, in the dry run too', async (...row) => {
    const [, version, currency, more, code] = row;
    const { client, of } = await door.payer({ [currency]: 2_000_000_00n }, { fixed: '4.01' });
    const before = await door.keyspace.read();
    const [path, dryRun, body] =
      version === 1
        ? [CREATE_PAYMENT, '/api/v1/payments/validate', payment(currency, more)]
        : [CREATE_PAYOUT, '/api/v2/payouts/validate', payout(currency, of[currency]!, more)];
    const created = await client.post(path, body);
    expect([created.status, created.body.code]).toEqual([400, code]);
    expect(created.body.errors).toMatchObject([
      { code: 'incorrect_value', message: expect.stringMatching(/ was sent$/) },
    ]);
    const tried = await client.post(dryRun, body);
    expect([tried.status, tried.body.code, tried.body.detail]).toEqual([400, code, created.body.detail]);
    expect(await door.keyspace.read()).toEqual(before);
  });

  test.each<[what: string, version: 1 | 2, more: Fields, delivered: bigint]>([
    ['BEN', 2, { fee_payer: 'BEN', destination_amount: 999_999 + 4.01 }, 999_999_00n],
    ['OUR, deduction', 2, { destination_amount: 1_000_000, payout_options: { deduct_amount: 1 } }, 999_999_00n],
    ['version 1, deduction', 1, { destination_amount: 1_000_000, deduct_amount: 1 }, 999_999_00n],
    ['BEN at the minimum', 2, { fee_payer: 'BEN', destination_amount: 104.01 }, 100_00n],
  ])('%s: what is delivered is at the edge, and is paid', async (_what, version, more, delivered) => {
    const { client, of } = await door.payer({ KES: 2_000_000_00n }, { fixed: '4.01' });
    const moved = await door.moved(client, () =>
      version === 1 ? door.pay(client, 'KES', more) : door.payOut(client, 'KES', of.KES!, more),
    );
    expect(moved['KES/transit']).toBe(delivered);
  });

  test('a source amount that is converted is judged by what the conversion delivers', async () => {
    const { client, of } = await door.payer({ USD: 100_000_00n });
    await client.account('GBP', 0n, { sequence: 1 });
    const body = (more: Fields) => payout('JPY', of.USD!, { source_amount: 66_500, ...more });
    const { status, body: refused } = await client.post(CREATE_PAYOUT, body({}));
    expect([status, refused.code, refused.detail]).toEqual([
      ...[400, 'AMOUNT_ABOVE_LIMIT', 'A payment by BANK delivers at most 9999999 JPY: send less'],
    ]);
    const less = { payout_options: { deduct_amount: 100_000 } };
    const moved = await door.moved(client, () =>
      door.payOut(client, 'JPY', of.USD!, { source_amount: 66_500, ...less }),
    );
    expect(moved['JPY/transit']).toBeLessThanOrEqual(9_999_999n);
    expect(moved['JPY/house:fees']).toBe(100_000n);
  });
});

function equal(amount: number, currency: string): Fields {
  return { destination_amount: 0, equivalent_amount: amount, equivalent_currency: currency };
}
