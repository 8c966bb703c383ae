/** What comes back when a payment ends otherwise than PAID, and what stays: by the client, by compliance, by an operator, by the bank. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Fields } from '../../rest/money-door.js';
import { openPaymentDoor, type Payer, type PaymentDoor } from './payment-door.js';

let door: PaymentDoor;
beforeAll(async () => {
  door = await openPaymentDoor();
});
afterAll(() => door.stop());
beforeEach(() => door.freshPrices());

const FEE = { fixed: '1.5', percent: '0.25' };
/** Of 200.00. */
const CHARGED = 2_00n;

/** 200.00 with a fee of 2.00; 5.00 of it is deducted. The name of the beneficiary tells the sandbox what to do. */
async function paid(name: string, feePayer = 'OUR'): Promise<Payer & { readonly created: Fields }> {
  const on = await door.payer({ EUR: 1_000_00n }, FEE);
  const created = await door.payOut(on.client, 'EUR', on.of.EUR!, {
    ...{ destination_amount: 200, fee_payer: feePayer, payout_options: { deduct_amount: 5 } },
    beneficiary: { name },
  });
  return { ...on, created };
}
const cancel = ({ client, created }: Payer & { readonly created: Fields }) =>
  client.post(`/api/v1/payments/id/${created.payment_id}/cancel`, {});

/** Of the account, with what is on its way and what the house has. */
const gone = (feePayer: string, { of }: Payer) => {
  const delivered = feePayer === 'OUR' ? 195_00n : 195_00n - CHARGED;
  return { account: `EUR/${of.EUR}`, delivered, kept: CHARGED + 5_00n };
};

describe.each(['OUR', 'BEN'])('fee by %s', (feePayer) => {
  test('cancelled by the client: everything comes back, by an entry of its own', async () => {
    const on = await paid('Anna Schmidt', feePayer);
    const { account, delivered, kept } = gone(feePayer, on);
    let answer: Fields = {};
    const moved = await door.moved(on.client, async () => {
      answer = (await cancel(on)).body;
    });
    expect(answer).toMatchObject({ status: 'USER_REJECTED', sub_status: '', payment_id: on.created.payment_id });
    expect(moved).toEqual({ [account]: delivered + kept, 'EUR/transit': -delivered, 'EUR/house:fees': -kept });
    const { data } = (await on.client.get(`/api/v1/balance/account/${on.of.EUR}/entries`)).body as { data: Fields[] };
    expect(data.slice(0, 2)).toMatchObject([
      { type: 'refund', balance: 1000 },
      { type: 'payment', balance: 1000 - Number(delivered + kept) / 100 },
    ]);
  });

  test.each<[status: string, name: string]>([
    ['COMPLIANCE_REJECTED', 'COMPLIANCE REJECTED'],
    ['RETURNED', 'RETURNED'],
    ['PAID', 'Anna Schmidt'],
  ])('%s', async (status, name) => {
    const on = await paid(name, feePayer);
    const { account, delivered, kept } = gone(feePayer, on);
    const moved = await door.moved(on.client, () => door.work());
    expect((await door.read(on.client, on.created)).status).toBe(status);
    expect(moved).toEqual(
      status === 'COMPLIANCE_REJECTED'
        ? { [account]: delivered + kept, 'EUR/transit': -delivered, 'EUR/house:fees': -kept }
        : // The fee stays, and so does what was deducted.
          { [status === 'RETURNED' ? account : 'EUR/nostro']: delivered, 'EUR/transit': -delivered },
    );
  });

  test('returned after it was PAID: from the world, and the fee stays', async () => {
    const on = await paid('RETURNED LATE', feePayer);
    const { account, delivered } = gone(feePayer, on);
    await door.work();
    expect((await door.read(on.client, on.created)).status).toBe('PAID');
    const moved = await door.moved(on.client, async () => {
      door.services.nowMs += 3_000;
      await door.work();
    });
    expect(moved).toEqual({ [account]: delivered, 'EUR/nostro': -delivered });
    expect(await door.read(on.client, on.created)).toMatchObject({
      ...{
        status: 'RETURNED',
        status_description: 'Payment returned from the beneficiary bank: Sandbox: account closed',
      },
    });
  });

  test('given up by an operator while in ERROR: everything comes back', async () => {
    const on = await paid('ERROR ALWAYS', feePayer);
    const { account, delivered, kept } = gone(feePayer, on);
    for (let attempts = 0; attempts < 3; attempts++) {
      await door.work();
      door.services.nowMs += 10_000;
    }
    expect(await door.read(on.client, on.created)).toMatchObject({
      ...{
        status: 'ERROR',
        status_description: 'Payment instruction erroneous: Sandbox: AC01 incorrect account number',
      },
    });
    const refused = await cancel(on);
    expect([refused.status, refused.body.code, refused.body.payment_status]).toEqual([400, 'NOT_CANCELLABLE', 'ERROR']);
    const moved = await door.moved(on.client, () =>
      door.operator('cancelPaymentByOperator', { paymentId: String(on.created.payment_id), text: 'no such account' }),
    );
    expect(moved).toEqual({ [account]: delivered + kept, 'EUR/transit': -delivered, 'EUR/house:fees': -kept });
    expect((await door.read(on.client, on.created)).status).toBe('CANCELLED');
  });
});

describe('of a payment that was converted for', () => {
  test('the refund is in the payment’s currency: the conversion stays', async () => {
    const on = await door.payer({ USD: 0n }, FEE);
    const euro = await on.client.account('EUR', 1_000_00n, { sequence: 1 });
    const created = await door.pay(on.client, 'USD', { destination_amount: 200 });
    const moved = await door.moved(on.client, () => cancel({ ...on, created }));
    expect(moved).toEqual({ [`USD/${on.of.USD}`]: 202_00n, 'USD/transit': -200_00n, 'USD/house:fees': -2_00n });
    const [account] = (await on.client.get(`/api/v1/balance/account/${euro}`)).body as unknown as Fields[];
    expect(Number(account!.balance)).toBeLessThan(1000);
    const read = await door.read(on.client, created);
    const { body: booking } = await on.client.get(`/api/v1/bookfx/${read.autobookfx_confirmation_id}`);
    expect(booking.status).toBe('SETTLED');
  });

  test('cancelled while it awaits its funds: nothing is refunded', async () => {
    const on = await door.payer({ EUR: 1_00n }, FEE);
    const created = await door.pay(on.client, 'EUR', { destination_amount: 200 });
    expect(await door.moved(on.client, () => cancel({ ...on, created }))).toEqual({});
    expect(await door.read(on.client, created)).toMatchObject({ status: 'USER_REJECTED', sub_status: '' });
  });
});

describe('cancelling', () => {
  test.each(['PAID', 'RETURNED', 'COMPLIANCE_REJECTED'])('%s: NOT_CANCELLABLE, with its status', async (status) => {
    const on = await paid(status === 'PAID' ? 'Anna Schmidt' : status.replace('_', ' '));
    await door.work();
    const before = await door.keyspace.read();
    const { status: code, body } = await cancel(on);
    expect([code, body.code, body.payment_status]).toEqual([400, 'NOT_CANCELLABLE', status]);
    expect(body.detail).toContain(status);
    expect(await door.keyspace.read()).toEqual(before);
  });

  test('twice: the second is refused, and the money comes back once', async () => {
    const on = await paid('Anna Schmidt');
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(on)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
    expect((await on.client.get(`/api/v1/balance/account/${on.of.EUR}`)).body).toMatchObject([{ balance: 1000 }]);
  });

  test('answers 404 for another client’s and for an unknown one, with the same body', async () => {
    const on = await paid('Anna Schmidt');
    const { client: stranger } = await door.payer({ EUR: 1_00n });
    const answers = [];
    for (const id of [on.created.payment_id, 'PAY00000000000000001', 'x']) {
      const { status, body } = await stranger.post(`/api/v1/payments/id/${id}/cancel`, {});
      answers.push([status, body.code, body.detail]);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]!.slice(0, 2)).toEqual([404, 'NOT_FOUND']);
    expect((await door.read(on.client, on.created)).status).toBe('IN_PROCESS');
  });
});
