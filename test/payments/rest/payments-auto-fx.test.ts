/** Auto Book FX: a payment that its own account cannot pay alone is filled up from the accounts of the agreement, in their order. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { convertedAt, expectConverted, minorOf } from '../../conversions/rest/exact-conversion.js';
import type { Client, Fields } from '../../rest/money-door.js';
import { CREATE_PAYMENT, CREATE_PAYOUT, payment, payout } from './payment-bodies.js';
import { openPaymentDoor, type PaymentDoor } from './payment-door.js';

let door: PaymentDoor;
beforeAll(async () => {
  door = await openPaymentDoor();
});
afterAll(() => door.stop());
beforeEach(() => door.freshPrices());

/** The conversions of a payment, each as `GET bookfx/{confirmation_id}` tells it. */
async function bookingsOf(client: Client, read: Fields): Promise<Fields[]> {
  const ids = read.autobookfx_confirmation_ids as string[];
  return Promise.all(ids.map(async (id) => (await client.get(`/api/v1/bookfx/${id}`)).body));
}

describe('over three accounts', () => {
  let client: Client;
  let number: Record<'USD' | 'GBP' | 'JPY' | 'EUR' | 'spare', number>;
  /** 5.00 + 100.00 GBP + 30,000 JPY + as much EUR as it takes. */
  beforeEach(async () => {
    client = await door.client(`three-${Math.random().toString(36).slice(2)}`);
    number = {
      USD: await client.account('USD', 5_00n),
      // Opened in another order than they are sold in.
      EUR: await client.account('EUR', 10_000_00n, { sequence: 30 }),
      GBP: await client.account('GBP', 100_00n, { sequence: 10 }),
      JPY: await client.account('JPY', 30_000n, { sequence: 20 }),
      spare: await client.account('EUR', 10_000_00n),
    };
  });

  test.each([1, 2] as const)(
    'version %i: each is emptied in its turn, the last gives what is left',
    async (version) => {
      let read: Fields = {};
      const moved = await door.moved(client, async () => {
        const created =
          version === 1
            ? await door.pay(client, 'USD', { destination_amount: 1000 })
            : await door.payOut(client, 'USD', number.USD, { destination_amount: 1000 });
        expect(created.status).toBe('IN_PROCESS');
        read = await door.read(client, created);
      });
      const bookings = await bookingsOf(client, read);
      expect(read.autobookfx_confirmation_id).toBe(bookings[0]!.confirmation_id);
      expect(bookings.map(({ to_account }) => to_account)).toEqual([number.GBP, number.JPY, number.EUR]);
      for (const booking of bookings) {
        expect(booking).toMatchObject({
          ...{ from_account: number.USD, buy_currency: 'USD', status: 'SETTLED', margin_percent: 0.25 },
          ...{ created_at: new Date(door.services.nowMs).toISOString() },
        });
        expect((await client.get(`/api/v1/bookfx/${booking.confirmation_id}`)).status).toBe(200);
      }

      const [pounds, yen, euro] = bookings as [Fields, Fields, Fields];
      const first = convertedAt(pounds, 'sell', 100_00n);
      const second = convertedAt(yen, 'sell', 30_000n);
      const left = 1_000_00n - 5_00n - first.bought - second.bought;
      const third = convertedAt(euro, 'buy', left);
      expect(expectConverted(pounds, 'sell')).toEqual(first);
      expect(expectConverted(yen, 'sell')).toEqual(second);
      expect(expectConverted(euro, 'buy')).toEqual(third);
      expect(moved).toEqual({
        [`USD/${number.USD}`]: -5_00n,
        'USD/transit': 1_000_00n,
        'USD/house:fx': -first.bought - second.bought - third.bought - first.margin - second.margin,
        'USD/house:margin': first.margin + second.margin,
        [`GBP/${number.GBP}`]: -100_00n,
        'GBP/house:fx': 100_00n,
        [`JPY/${number.JPY}`]: -30_000n,
        'JPY/house:fx': 30_000n,
        [`EUR/${number.EUR}`]: -third.sold,
        'EUR/house:fx': third.sold - third.margin,
        'EUR/house:margin': third.margin,
      });
      for (const { margin } of [first, second, third]) expect(margin).toBeGreaterThan(0n);
    },
  );

  test('what the account has is enough: nothing is converted', async () => {
    const created = await door.pay(client, 'USD', { destination_amount: 5 });
    expect(await door.read(client, created)).toMatchObject({
      ...{ status: 'IN_PROCESS', autobookfx_confirmation_id: '', autobookfx_confirmation_ids: [] },
    });
  });

  test('the first that has it all is the only one', async () => {
    const read = await door.read(client, await door.pay(client, 'USD', { destination_amount: 50 }));
    const [booking, ...others] = await bookingsOf(client, read);
    expect(others).toEqual([]);
    expect(booking).toMatchObject({ to_account: number.GBP, buy_amount: 45 });
    expectConverted(booking!, 'buy');
  });

  test('one that is closed, and one of no agreement, are left alone', async () => {
    await door.operator('changeAccount', { accountNumber: String(number.GBP), active: false });
    await door.operator('changeAccount', { accountNumber: String(number.EUR), autoBookFxSequence: 0 });
    const moved = await door.moved(client, async () => {
      const created = await door.pay(client, 'USD', { destination_amount: 1000 });
      expect(await door.read(client, created)).toMatchObject({
        status: 'AWAITING_FUNDS',
        autobookfx_confirmation_id: '',
      });
    });
    expect(moved).toEqual({});
  });

  test('all of them are short: it awaits funds, and nothing is sold', async () => {
    const moved = await door.moved(client, async () => {
      const created = await door.pay(client, 'USD', { destination_amount: 100_000 });
      expect(created).toMatchObject({ status: 'AWAITING_FUNDS', sub_status: '' });
    });
    expect(moved).toEqual({});
  });

  test('without an account in the payment currency, one is opened', async () => {
    const other = await door.client(`none-${number.USD}`);
    const euro = await other.account('EUR', 1_000_00n, { sequence: 1 });
    const created = await door.pay(other, 'USD', { destination_amount: 200 });
    const accounts = (await other.get('/api/v1/account')).body as unknown as Fields[];
    const dollars = accounts.find(({ currency }) => currency === 'USD')!;
    expect(dollars).toMatchObject({ active: true, default: true, auto_bookfx_sequence: 0, label: '' });
    const [booking] = await bookingsOf(other, await door.read(other, created));
    expect(booking).toMatchObject({ from_account: dollars.account_number, to_account: euro, buy_amount: 200 });
  });

  test('a rate that is away: 503, and nothing is kept', async () => {
    door.withdraw('GBP/USD');
    const before = await door.keyspace.read();
    const { status, body, headers } = await client.post(CREATE_PAYMENT, payment('USD', { destination_amount: 1000 }));
    expect([status, body.code, body.outcome]).toEqual([503, 'RATE_UNAVAILABLE', 'none']);
    expect(headers['retry-after']).toMatch(/^\d+$/);
    expect(await door.keyspace.read()).toEqual(before);
  });
});

describe('an account named in another currency', () => {
  const version = {
    1: (client: Client, account: number, amount: number) =>
      client.post(CREATE_PAYMENT, payment('USD', { account_number: account, destination_amount: amount })),
    2: (client: Client, account: number, amount: number) =>
      client.post(CREATE_PAYOUT, payout('USD', account, { destination_amount: amount })),
  };

  describe.each([1, 2] as const)('version %i', (number) => {
    const send = version[number];

    test('without an agreement: ACCOUNT_CURRENCY, and nothing is kept', async () => {
      const client = await door.client(`bare-${number}`);
      const euro = await client.account('EUR', 1_000_00n);
      const before = await door.keyspace.read();
      const { status, body } = await send(client, euro, 10);
      expect([status, body.code, body.errors]).toEqual([400, 'ACCOUNT_CURRENCY', []]);
      const other = number === 1 ? '' : ', or an fx_hold_id';
      expect(body.message).toBe(
        `The account is in another currency and there is no Auto Book FX agreement: name an account in USD${other}`,
      );
      expect(await door.keyspace.read()).toEqual(before);
    });

    test('in a currency that is never converted: ACCOUNT_CURRENCY, whatever the agreement', async () => {
      const client = await door.client(`never-${number}`);
      const euro = await client.account('EUR', 1_000_00n, { sequence: 1 });
      const before = await door.keyspace.read();
      const { status, body } = await (number === 1
        ? client.post(CREATE_PAYMENT, payment('KES', { account_number: euro, destination_amount: 1_000 }))
        : client.post(CREATE_PAYOUT, payout('KES', euro, { destination_amount: 1_000 })));
      expect([status, body.code, body.message]).toEqual([
        ...[400, 'ACCOUNT_CURRENCY', 'EUR is not converted into KES: name an account in KES'],
      ]);
      expect(await door.keyspace.read()).toEqual(before);
      // Where none is named it waits for money in that currency.
      if (number === 1)
        expect((await door.pay(client, 'KES', { destination_amount: 1_000 })).status).toBe('AWAITING_FUNDS');
    });

    test('of a pair that the client has no margin for: NOT_ENTITLED, and no other account is sold instead', async () => {
      const client = await door.client(`no-margin-${number}`);
      const euro = await client.account('EUR', 1_000_00n);
      await client.account('GBP', 1_000_00n, { sequence: 1 });
      const rules = await door.opened.store.margins.load();
      const pounds = { clientId: client.id, pair: 'GBP/USD', type: '*', marginPpm: 2_500 } as const;
      door.services.margins.replace([...rules.filter(({ clientId }) => clientId !== '*'), pounds]);
      const before = await door.keyspace.read();
      const { status, body } = await send(client, euro, 10);
      door.services.margins.replace(rules);
      expect([status, body.code]).toEqual([403, 'NOT_ENTITLED']);
      expect(await door.keyspace.read()).toEqual(before);
    });

    test('with an agreement: it is sold first, then the others in order', async () => {
      const client = await door.client(`agreed-${number}`);
      const named = await client.account('EUR', 100_00n);
      const pounds = await client.account('GBP', 1_000_00n, { sequence: 1 });
      const dollars = await client.account('USD', 50_00n);
      let read: Fields = {};
      const moved = await door.moved(client, async () => {
        const { body } = await send(client, named, 500);
        read = await door.read(client, body);
      });
      expect(read.status).toBe('IN_PROCESS');
      const bookings = await bookingsOf(client, read);
      expect(bookings.map(({ to_account }) => to_account)).toEqual([named, pounds]);
      const first = expectConverted(bookings[0]!, 'sell');
      const second = expectConverted(bookings[1]!, 'buy');
      // The dollars that were there already stay: another account was named.
      expect(first.bought + second.bought).toBe(500_00n);
      expect(moved).toEqual({
        [`EUR/${named}`]: -100_00n,
        'EUR/house:fx': 100_00n,
        [`GBP/${pounds}`]: -second.sold,
        'GBP/house:fx': second.sold - second.margin,
        'GBP/house:margin': second.margin,
        'USD/house:fx': -500_00n - first.margin,
        'USD/house:margin': first.margin,
        'USD/transit': 500_00n,
      });
      expect((await client.get(`/api/v1/balance/account/${dollars}`)).body).toMatchObject([{ balance: 50 }]);
    });
  });
});

test('every booking that a payment made is one of the client’s conversions', async () => {
  const client = await door.client('listed');
  await client.account('EUR', 1_000_00n, { sequence: 1 });
  const read = await door.read(client, await door.pay(client, 'USD', { destination_amount: 12.34 }));
  const { data } = (await client.get('/api/v1/bookfx')).body as { data: Fields[] };
  expect(data.map(({ confirmation_id }) => confirmation_id)).toEqual(read.autobookfx_confirmation_ids);
  expect(minorOf(data[0]!.buy_amount, 'USD')).toBe(12_34n);
});
