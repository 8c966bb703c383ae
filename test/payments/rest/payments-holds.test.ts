/** Payouts at a held rate: what the hold is for, when it does not fit, and that it is used once. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { convertedAt, expectConverted } from '../../conversions/rest/exact-conversion.js';
import { BY_ACCOUNT, type Fields, MONDAY } from '../../rest/money-door.js';
import { CREATE_PAYOUT, payout } from './payment-bodies.js';
import { openPaymentDoor, type Payer, type PaymentDoor } from './payment-door.js';

const EUR_TO_USD = 'source_currency=EUR&destination_currency=USD';
const FEE = { fixed: '2', percent: '0.5' };
/** Of a round amount of dollars. */
const charged = (dollars: bigint) => 2_00n + dollars / 200n;

let door: PaymentDoor;
beforeAll(async () => {
  door = await openPaymentDoor();
});
afterAll(() => {
  // A hold that a later clock has ended is none for the reconciliation, whose clock must not be behind it.
  door.services.nowMs += 3_600_000;
  return door.stop();
});
beforeEach(() => {
  door.services.nowMs = MONDAY;
  door.freshPrices();
});

const held = (fx_hold_id: string, more: Fields = {}): Fields => ({ payout_options: { fx_hold_id }, ...more });
const refused = async ({ client, of }: Payer, more: Fields, currency = 'USD', account = of.EUR!) => {
  const before = await door.keyspace.read();
  const { status, body } = await client.post(CREATE_PAYOUT, payout(currency, account, more));
  expect(await door.keyspace.read()).toEqual(before);
  expect(body.errors).toEqual([]);
  return [status, body.code];
};

describe('the named account is sold at the hold', () => {
  test('any amount: the rate is the hold’s, though the market has moved', async () => {
    const { client, of } = await door.payer({ EUR: 10_000_00n });
    const { body: offer } = await client.get(`/api/v1/lockFx/getFxRate?${EUR_TO_USD}`);
    const hold = await client.get(`/api/v1/lockFx/lockFxRate?rate_signature=${offer.rate_signature}`);
    door.price('EUR/USD', '1.08001', '1.08003');
    let created: Fields = {};
    const moved = await door.moved(client, async () => {
      created = await door.payOut(
        client,
        'USD',
        of.EUR!,
        held(String(hold.body.fx_hold_id), { destination_amount: 500 }),
      );
    });
    expect(created).toMatchObject({ status: 'IN_PROCESS' });
    expect(created.hold_fx_expires_on).toBe(String(hold.body.hold_expiry_at).replace('Z', '+00:00'));

    const read = await door.read(client, created);
    expect(read).not.toHaveProperty('hold_fx_expires_on');
    const [id, ...others] = read.autobookfx_confirmation_ids as string[];
    expect([others, read.autobookfx_confirmation_id]).toEqual([[], id]);
    const { body: booking } = await client.get(`/api/v1/bookfx/${id}`);
    expect(booking).toMatchObject({ instarem_fx_rate: hold.body.fx_rate, to_account: of.EUR, buy_amount: 500 });
    const { sold, margin } = expectConverted(booking, 'buy');
    expect(moved).toEqual({
      [`EUR/${of.EUR}`]: -sold,
      'EUR/house:fx': sold - margin,
      'EUR/house:margin': margin,
      'USD/house:fx': -500_00n,
      'USD/transit': 500_00n,
    });
  });

  test('waits for what the named account lacks, also with an agreement of Auto Book FX', async () => {
    const { client, of } = await door.payer({ EUR: 100_00n });
    await client.account('GBP', 10_000_00n, { sequence: 1 });
    const hold = await client.hold(EUR_TO_USD);
    const created = await door.payOut(client, 'USD', of.EUR!, held(hold, { destination_amount: 500 }));
    expect(created.status).toBe('AWAITING_FUNDS');
    expect(created.hold_fx_expires_on).toBe('2028-07-03T10:15:00.000+00:00');
  });

  test.each<[what: string, query: string, more: Fields]>([
    ['the amount bought', 'buy_amount=500', { destination_amount: 500 }],
    ['the amount with its fee', 'buy_amount=504.5', { destination_amount: 500 }],
    ['the amount, of which the fee is a part', 'buy_amount=500', { destination_amount: 500, fee_payer: 'BEN' }],
    ['the amount sold', 'sell_amount=500', { source_amount: 500 }],
    ['any amount, all of it sold', '', { source_amount: 500 }],
    ['the amount sold, of a two-way hold', 'sell_amount=500&two_way=true', { source_amount: 500 }],
  ])('for %s', async (_what, query, more) => {
    const { client, of } = await door.payer({ EUR: 10_000_00n, USD: 4_50n }, FEE);
    const hold = await client.hold(`${EUR_TO_USD}&${query}`);
    let created: Fields = {};
    const moved = await door.moved(client, async () => {
      created = await door.payOut(client, 'USD', of.EUR!, held(hold, more));
    });
    expect(created.status).toBe('IN_PROCESS');
    const { autobookfx_confirmation_id: id } = await door.read(client, created);
    const { body: booking } = await client.get(`/api/v1/bookfx/${id}`);
    const { sold, bought } = expectConverted(booking, 'source_amount' in more ? 'sell' : 'buy');
    expect(moved[`EUR/${of.EUR}`]).toBe(-sold);
    if (query.startsWith('buy')) expect(`buy_amount=${booking.buy_amount}`).toBe(query);
    if ('source_amount' in more) expect(sold).toBe(500_00n);
    const own = moved[`USD/${of.USD}`] ?? 0n;
    // Only a hold for the bare amount leaves the fee to the account in the payment currency.
    expect(own).toBe(query === 'buy_amount=500' && more.fee_payer !== 'BEN' ? -charged(500_00n) : 0n);
    expect(moved['USD/transit']! + moved['USD/house:fees']!).toBe(bought - own);
  });

  test.each<[what: string, query: string, more: Fields]>([
    ['the amount sold', 'buy_amount=500', { source_amount: 500 }],
    ['the amount bought', 'sell_amount=500', { destination_amount: 500 }],
    ['any amount', '', { destination_amount: 500 }],
  ])('a two-way hold of the opposite direction, for %s', async (_what, query, more) => {
    const { client, of } = await door.payer({ EUR: 10_000_00n });
    const hold = await client.hold(`source_currency=USD&destination_currency=EUR&${query}&two_way=true`);
    const { body: both } = await client.get(`/api/v1/lockFx/hold/${hold}`);
    door.price('EUR/USD', '1.08001', '1.08003');
    const created = await door.payOut(client, 'USD', of.EUR!, held(hold, more));
    const { autobookfx_confirmation_id: id } = await door.read(client, created);
    const { body: booking } = await client.get(`/api/v1/bookfx/${id}`);
    expect(booking).toMatchObject({ sell_currency: 'EUR', instarem_fx_rate: both.opposite_fx_rate });
    expect('source_amount' in more ? booking.sell_amount : booking.buy_amount).toBe(500);
    expect((await client.get(`/api/v1/lockFx/hold/${hold}`)).body.status).toBe('USED');
  });

  test('waits where the hold covers the amount and no account covers the fee', async () => {
    const { client, of } = await door.payer({ EUR: 10_000_00n, USD: 4_49n }, FEE);
    const hold = await client.hold(`${EUR_TO_USD}&buy_amount=500`);
    const created = await door.payOut(client, 'USD', of.EUR!, held(hold, { destination_amount: 500 }));
    expect(created.status).toBe('AWAITING_FUNDS');
  });

  test('a hold is used once, by whichever of twenty comes first', async () => {
    const { client, of } = await door.payer({ EUR: 100_000_00n });
    const hold = await client.hold(EUR_TO_USD);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.post(CREATE_PAYOUT, payout('USD', of.EUR!, held(hold)))),
    );
    const outcomes = answers.map(({ status, body }) => (status === 200 ? body.status : body.code));
    expect(outcomes.filter((outcome) => outcome === 'IN_PROCESS')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['IN_PROCESS', 'HOLD_USED']));
  });
});

describe('a hold that does not fit: HOLD_MISMATCH', () => {
  test.each<[what: string, query: string, more: Fields]>([
    ['of the other direction', 'source_currency=USD&destination_currency=EUR', {}],
    ['of another pair', 'source_currency=EUR&destination_currency=JPY', {}],
    ['that settles a day later', `${EUR_TO_USD}&schedule=SCHEDULED1`, {}],
    ['that settles two days later', `${EUR_TO_USD}&schedule=SCHEDULED2`, {}],
    ['for another bought amount', `${EUR_TO_USD}&buy_amount=99.99`, {}],
    ['for a sold amount, where the bought one is given', `${EUR_TO_USD}&sell_amount=100`, {}],
    ['for another sold amount', `${EUR_TO_USD}&sell_amount=100`, { source_amount: 100.01 }],
    ['for a bought amount, where the sold one is given', `${EUR_TO_USD}&buy_amount=100`, { source_amount: 100 }],
  ])('%s', async (_what, query, more) => {
    const on = await door.payer({ EUR: 10_000_00n });
    const hold = await on.client.hold(query);
    expect(await refused(on, held(hold, more))).toEqual([400, 'HOLD_MISMATCH']);
    // It is not spoiled by that.
    const { status } = await on.client.get(`/api/v1/lockFx/getFxRate?${EUR_TO_USD}`);
    expect(status).toBe(200);
    expect(await refused(on, held(hold, more))).toEqual([400, 'HOLD_MISMATCH']);
  });

  test('where the account named is in the payment currency already', async () => {
    const on = await door.payer({ EUR: 10_000_00n, USD: 10_000_00n });
    const hold = await on.client.hold(EUR_TO_USD);
    expect(await refused(on, held(hold), 'USD', on.of.USD)).toEqual([400, 'HOLD_MISMATCH']);
  });
});

describe('a hold that has ended', () => {
  test('used, by a conversion or a payout: HOLD_USED', async () => {
    const on = await door.payer({ EUR: 10_000_00n, USD: 0n });
    const hold = await on.client.hold(EUR_TO_USD);
    await door.payOut(on.client, 'USD', on.of.EUR!, held(hold));
    expect(await refused(on, held(hold))).toEqual([400, 'HOLD_USED']);

    const other = await on.client.hold(EUR_TO_USD);
    const conversion = { request_id: 'used', description: 'used', to_account: on.of.EUR, from_account: on.of.USD };
    expect((await on.client.post(BY_ACCOUNT, { ...conversion, sell_amount: 10, fx_hold_id: other })).status).toBe(200);
    expect(await refused(on, held(other))).toEqual([400, 'HOLD_USED']);
  });

  test('expired: booked before its end, refused after it', async () => {
    const on = await door.payer({ EUR: 10_000_00n });
    const [last, late] = [await on.client.hold(EUR_TO_USD), await on.client.hold(EUR_TO_USD)];
    door.services.nowMs = MONDAY + 870_000;
    door.freshPrices();
    expect((await door.payOut(on.client, 'USD', on.of.EUR!, held(last))).status).toBe('IN_PROCESS');
    door.services.nowMs += 30_001;
    door.freshPrices();
    expect(await refused(on, held(late))).toEqual([400, 'HOLD_EXPIRED']);
  });

  test('released: HOLD_EXPIRED', async () => {
    const on = await door.payer({ EUR: 10_000_00n });
    const hold = await on.client.hold(EUR_TO_USD);
    expect((await on.client.post('/api/v1/lockFx/releaseFxRate', { fx_hold_id: hold })).status).toBe(200);
    expect(await refused(on, held(hold))).toEqual([400, 'HOLD_EXPIRED']);
  });

  test.each(['HLD0000000000000001', 'HLD', 'x', '__proto__', '../HLD'])('%s: HOLD_NOT_FOUND', async (id) => {
    expect(await refused(await door.payer({ EUR: 10_000_00n }), held(id))).toEqual([400, 'HOLD_NOT_FOUND']);
  });

  test('another client’s: HOLD_NOT_FOUND', async () => {
    const { client } = await door.payer({ EUR: 1_00n });
    const hold = await client.hold(EUR_TO_USD);
    expect(await refused(await door.payer({ EUR: 10_000_00n }), held(hold))).toEqual([400, 'HOLD_NOT_FOUND']);
  });
});

describe('a payout that awaits its funds with a hold', () => {
  const waiting = async () => {
    const on = await door.payer({ EUR: 10_00n });
    const hold = await on.client.hold(EUR_TO_USD);
    return { ...on, created: await door.payOut(on.client, 'USD', on.of.EUR!, held(hold)) };
  };
  const credit = ({ of }: Payer) => door.operator('creditAccount', { accountNumber: String(of.EUR), amount: '500' });

  test('is made at the hold when they come in time', async () => {
    const on = await waiting();
    door.services.nowMs += 60_000;
    door.price('EUR/USD', '1.08001', '1.08003');
    await credit(on);
    await door.work();
    const read = await door.read(on.client, on.created);
    const { body: booking } = await on.client.get(`/api/v1/bookfx/${read.autobookfx_confirmation_id}`);
    // The bid of then, less 0.25 %.
    expect(booking).toMatchObject({ fx_rate: 1.08431, instarem_fx_rate: 1.0815992 });
    expectConverted(booking, 'buy');
  });

  test('is never converted at another rate: it stays, HOLD_EXPIRED, and can be cancelled', async () => {
    const on = await waiting();
    door.services.nowMs += 900_001;
    door.freshPrices();
    expect(await door.read(on.client, on.created)).toMatchObject({
      status: 'AWAITING_FUNDS',
      sub_status: 'HOLD_EXPIRED',
      status_description: 'Its held rate has ended, and it is never converted at another: cancel it',
    });
    await credit(on);
    expect(await door.moved(on.client, () => door.work())).toEqual({});
    expect(await door.read(on.client, on.created)).toMatchObject({
      status: 'AWAITING_FUNDS',
      sub_status: 'HOLD_EXPIRED',
    });
    // It blocks no other payment.
    expect((await door.payOut(on.client, 'USD', on.of.EUR!, held(await on.client.hold(EUR_TO_USD)))).status).toBe(
      'IN_PROCESS',
    );
    const { body } = await on.client.post(`/api/v1/payments/id/${on.created.payment_id}/cancel`, {});
    expect(body.status).toBe('USER_REJECTED');
  });
});

test('at a hold the amounts are those of its rate, exactly', async () => {
  const { client, of } = await door.payer({ JPY: 10_000_000n });
  const hold = await client.hold('source_currency=JPY&destination_currency=USD');
  const { autobookfx_confirmation_id: id } = await door.read(
    client,
    await door.payOut(client, 'USD', of.JPY!, held(hold, { destination_amount: 1234.56 })),
  );
  const { body: booking } = await client.get(`/api/v1/bookfx/${id}`);
  const { sold } = convertedAt(booking, 'buy', 1_234_56n);
  expect(booking.sell_amount).toBe(Number(sold));
});
