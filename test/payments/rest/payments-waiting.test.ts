/** Payments that await their funds: in which order they resume, and with which money. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { expectConverted } from '../../conversions/rest/exact-conversion.js';
import type { Client, Fields } from '../../rest/money-door.js';
import { CREATE_PAYMENT, payment } from './payment-bodies.js';
import { openPaymentDoor, type Payer, type PaymentDoor } from './payment-door.js';

const DAY_MS = 86_400_000;

let door: PaymentDoor;
beforeAll(async () => {
  door = await openPaymentDoor();
});
afterAll(() => door.stop());
beforeEach(() => door.freshPrices());

const pay = (client: Client, amount: number, currency = 'EUR', more: Fields = {}) =>
  door.pay(client, currency, { destination_amount: amount, ...more });
const statuses = async (client: Client, payments: readonly Fields[]) =>
  Promise.all(payments.map(async (created) => (await door.read(client, created)).status));

/** Announced over REST and completed by an operator. */
async function fund({ client, of }: Payer, currency: string, amount: number): Promise<void> {
  const { body } = await client.post('/api/v1/fund/create', {
    ...{ account_number: of[currency], amount, instarem_deposit_account: `DBS Bank-0012345678-${currency}` },
    payment_reference: 'top up',
  });
  await door.operator('completeFunding', { fundingId: String(body.gl_reference_number), reason: 'seen' });
  await door.work();
}
async function deposit({ of }: Payer, currency: string, amount: number): Promise<void> {
  await door.operator('creditAccount', { accountNumber: String(of[currency]), amount: String(amount) });
  await door.work();
}

const WAYS = [
  ['a funding over REST', fund],
  ['a deposit', deposit],
] as const;

describe.each(WAYS)('resumed by %s', (_way, give) => {
  test('once there is enough, and not before; to PAID', async () => {
    const on = await door.payer({ EUR: 60_00n }, { fixed: '1' });
    const created = await pay(on.client, 100);
    expect(created).toMatchObject({
      ...{ status: 'AWAITING_FUNDS', sub_status: '', currency: 'EUR' },
      status_description: 'Payment is processed once funds are received',
    });
    expect(await door.read(on.client, created)).toMatchObject({
      ...{ autobookfx_confirmation_id: '', payment_reference_number: '' },
      additional_info: { currency: 'EUR', amount: '100.00' },
    });
    const short = await door.moved(on.client, () => give(on, 'EUR', 40.99));
    expect(short).toEqual({ [`EUR/${on.of.EUR}`]: 40_99n, 'EUR/nostro': -40_99n });
    expect(await statuses(on.client, [created])).toEqual(['AWAITING_FUNDS']);

    const moved = await door.moved(on.client, () => give(on, 'EUR', 0.01));
    // What came in, less what has been paid out.
    expect(moved).toEqual({ [`EUR/${on.of.EUR}`]: -100_99n, 'EUR/nostro': 99_99n, 'EUR/house:fees': 1_00n });
    expect(await door.read(on.client, created)).toMatchObject({
      ...{ status: 'PAID', sub_status: 'SENT_TO_BENEFICIARY_BANK_ACCOUNT' },
      payment_reference_number: expect.stringMatching(/^SBX[0-9A-F]{12}$/),
    });
  });

  test('the oldest first, and a small one never overtakes a large one', async () => {
    const on = await door.payer({ EUR: 0n });
    const [large, small, smallest] = [
      await pay(on.client, 100),
      await pay(on.client, 10),
      await pay(on.client, 1),
    ] as const;
    await give(on, 'EUR', 99.99);
    expect(await statuses(on.client, [large, small, smallest])).toEqual(Array(3).fill('AWAITING_FUNDS'));
    await give(on, 'EUR', 10.01);
    expect(await statuses(on.client, [large, small, smallest])).toEqual(['PAID', 'PAID', 'AWAITING_FUNDS']);
    await give(on, 'EUR', 1);
    expect(await statuses(on.client, [large, small, smallest])).toEqual(['PAID', 'PAID', 'PAID']);
  });

  test('a new one joins the queue, whatever is in the account', async () => {
    const on = await door.payer({ EUR: 50_00n });
    const large = await pay(on.client, 100);
    const small = await pay(on.client, 10);
    expect(small.status).toBe('AWAITING_FUNDS');
    await give(on, 'EUR', 60);
    expect(await statuses(on.client, [large, small])).toEqual(['PAID', 'PAID']);
  });

  test('one in another currency is not held up', async () => {
    const on = await door.payer({ EUR: 0n, USD: 100_00n });
    await pay(on.client, 100);
    expect((await pay(on.client, 10, 'USD')).status).toBe('IN_PROCESS');
  });

  test('by way of Auto Book FX, at the rate of that moment', async () => {
    const on = await door.payer({ USD: 0n });
    const euro = await on.client.account('EUR', 1_00n, { sequence: 1 });
    const created = await pay(on.client, 100, 'USD');
    expect(created.status).toBe('AWAITING_FUNDS');
    door.price('EUR/USD', '1.08001', '1.08003');
    const moved = await door.moved(on.client, () => give({ client: on.client, of: { EUR: euro } }, 'EUR', 200));
    const read = await door.read(on.client, created);
    const { body: booking } = await on.client.get(`/api/v1/bookfx/${read.autobookfx_confirmation_id}`);
    expect(booking).toMatchObject({ fx_rate: 1.08001, buy_amount: 100, to_account: euro });
    const { sold, margin } = expectConverted(booking, 'buy');
    expect(moved).toEqual({
      [`EUR/${euro}`]: 200_00n - sold,
      'EUR/nostro': -200_00n,
      'EUR/house:fx': sold - margin,
      'EUR/house:margin': margin,
      'USD/house:fx': -100_00n,
      'USD/nostro': 100_00n,
    });
  });
});

describe('a payment that would use funds which an older one awaits', () => {
  test('by way of Auto Book FX waits behind it', async () => {
    const on = await door.payer({ USD: 0n });
    const euro = await on.client.account('EUR', 50_00n, { sequence: 1 });
    const older = await pay(on.client, 100, 'EUR');
    const younger = await pay(on.client, 10, 'USD');
    expect([older.status, younger.status]).toEqual(['AWAITING_FUNDS', 'AWAITING_FUNDS']);
    await deposit({ client: on.client, of: { EUR: euro } }, 'EUR', 100);
    expect(await statuses(on.client, [older, younger])).toEqual(['PAID', 'PAID']);
  });

  test('resumes when the client cancels that payment', async () => {
    const on = await door.payer({ EUR: 50_00n });
    const large = await pay(on.client, 100);
    const small = await pay(on.client, 10);
    const { status, body } = await on.client.post(`/api/v1/payments/id/${large.payment_id}/cancel`, {});
    expect([status, body.status]).toEqual([200, 'USER_REJECTED']);
    await door.work();
    expect(await statuses(on.client, [small])).toEqual(['PAID']);
  });
});

test('a refund resumes payments, too', async () => {
  const on = await door.payer({ EUR: 100_00n });
  const first = await pay(on.client, 100);
  const second = await pay(on.client, 100);
  await on.client.post(`/api/v1/payments/id/${first.payment_id}/cancel`, {});
  await door.work();
  expect(await statuses(on.client, [first, second])).toEqual(['USER_REJECTED', 'PAID']);
});

test('money of another client resumes no payment', async () => {
  const [one, other] = [await door.payer({ EUR: 0n }), await door.payer({ EUR: 0n })];
  const created = await pay(one.client, 10);
  await deposit(other, 'EUR', 1000);
  expect(await statuses(one.client, [created])).toEqual(['AWAITING_FUNDS']);
});

test('after 30 days it is given up: CANCELLED, FUNDING_EXPIRED', async () => {
  const on = await door.payer({ EUR: 1_00n });
  const created = await pay(on.client, 10);
  const now = door.services.nowMs;
  // The token of today reads what became of it.
  const workAt = async (ms: number) => {
    door.services.nowMs = ms;
    await door.work();
    door.services.nowMs = now;
  };
  await workAt(now + 30 * DAY_MS - 60_000);
  expect(await statuses(on.client, [created])).toEqual(['AWAITING_FUNDS']);
  // The clock of the steps, by which its end was written, may have been ahead by up to 20 s.
  await workAt(now + 30 * DAY_MS + 60_000);
  expect(await door.read(on.client, created)).toMatchObject({
    ...{ status: 'CANCELLED', sub_status: 'FUNDING_EXPIRED' },
    status_description: `Payment cancelled: the funds did not come within 30 days: 9.00 EUR missing on account ${on.of.EUR}`,
    updated_at: expect.stringMatching(/^2028-08-02T10:01:\d\d\.\d{3}\+00:00$/),
  });
});

test('a thousand may wait: one more is refused, and keeps nothing', async () => {
  const on = await door.payer({ EUR: 0n });
  const { waiting } = ledgerKeys((await door.opened.store.clients.get(on.client.id))!);
  const created = await pay(on.client, 10);
  // In a currency that no payment uses, so that they block none.
  const others = Array.from({ length: 999 }, (_, n) => [String(n - 1_000), `PAY${String(n).padStart(17, '0')}|ZZZ`]);
  await door.keyspace.redis.zadd(waiting, ...others.flat());
  const before = await door.keyspace.read();
  const { status, body } = await on.client.post(CREATE_PAYMENT, payment('EUR'));
  expect([status, body.code, body.message]).toEqual([
    ...[400, 'INSUFFICIENT_BALANCE', '1000 payments await funds already: fund the accounts first'],
  ]);
  expect(await door.keyspace.read()).toEqual(before);

  await on.client.post(`/api/v1/payments/id/${created.payment_id}/cancel`, {});
  expect((await pay(on.client, 10)).status).toBe('AWAITING_FUNDS');
  await door.keyspace.redis.zrem(waiting, ...others.map(([, member]) => member!));
});
