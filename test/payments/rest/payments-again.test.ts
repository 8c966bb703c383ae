/** One transaction number is one payment, for ever and over both versions; and a request id that something else has used is refused. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BY_CURRENCY, type Client, type Fields } from '../../rest/money-door.js';
import { CREATE_PAYMENT, CREATE_PAYOUT, payment, payout } from './payment-bodies.js';
import { openPaymentDoor, type PaymentDoor } from './payment-door.js';

let door: PaymentDoor;
let client: Client;
let other: Client;
let eur: number;
let next = 0;
beforeAll(async () => {
  door = await openPaymentDoor();
  const on = await door.payer({ EUR: 10_000_00n, USD: 0n });
  client = on.client;
  eur = on.of.EUR!;
  ({ client: other } = await door.payer({ EUR: 10_000_00n }));
});
afterAll(() => door.stop());
beforeEach(() => door.freshPrices());

type Version = 1 | 2;
const VERSIONS: readonly Version[] = [1, 2];
const body = (version: Version, more: Fields = {}): Fields =>
  version === 1
    ? payment('EUR', { destination_amount: 1, ...more })
    : payout('EUR', eur, { destination_amount: 1, ...more });
const send = (version: Version, fields: Fields, how: 'post' | 'form' = 'post', who = client) =>
  who[how](version === 1 ? CREATE_PAYMENT : CREATE_PAYOUT, fields);

const pairs = VERSIONS.flatMap((first) => VERSIONS.map((second) => [first, second] as const));

describe.each(pairs)('created by version %i, sent again by version %i: 409', (first, second) => {
  test.each(['post', 'form'] as const)('by %s, naming the existing payment', async (how) => {
    const one = body(first);
    const created = (await send(first, one)).body;
    const before = await door.keyspace.read();
    const fields = { transaction_number: one.transaction_number, request_id: `other-${++next}` };
    const again = await send(second, body(second, fields), how);
    expect(again.status).toBe(409);
    expect(again.headers['idempotent-replayed']).toBeUndefined();
    expect(again.body).toEqual({
      type: 'urn:ratewire:refusal:DUPLICATE_TRANSACTION',
      title: 'This transaction number has a payment: read it instead of sending it again',
      status: 409,
      detail: 'This transaction number has a payment: read it instead of sending it again',
      instance: second === 1 ? CREATE_PAYMENT : CREATE_PAYOUT,
      code: 'DUPLICATE_TRANSACTION',
      message: 'This transaction number has a payment: read it instead of sending it again',
      request_id: again.headers['x-request-id'],
      errors: [],
      payment_id: created.payment_id,
      payment_status: 'IN_PROCESS',
      original_request_id: one.request_id,
    });
    expect(await door.keyspace.read()).toEqual(before);
  });
});

describe.each(VERSIONS)('version %i', (version) => {
  test('rejects also the identical body', async () => {
    const one = body(version);
    const created = (await send(version, one)).body;
    for (const how of ['post', 'form'] as const) {
      const again = await send(version, one, how);
      expect([again.status, again.body.code]).toEqual([409, 'DUPLICATE_TRANSACTION']);
      expect(again.body).toMatchObject({ payment_id: created.payment_id, original_request_id: one.request_id });
    }
  });

  test('payment_status is that of now', async () => {
    const one = body(version);
    const created = (await send(version, one)).body;
    await door.work();
    expect((await send(version, one)).body).toMatchObject({ payment_status: 'PAID', payment_id: created.payment_id });
  });

  test('reports it before REQUEST_ID_REUSED, whatever command has used the id', async () => {
    const [one, two] = [body(version), body(version)];
    await send(version, one);
    await send(version, two);
    const fields = { transaction_number: one.transaction_number, request_id: two.request_id };
    const { status, body: refused } = await send(version, body(version, fields));
    expect([status, refused.code, refused.original_request_id]).toEqual([409, 'DUPLICATE_TRANSACTION', one.request_id]);
  });

  test('and before every fault of the payment that only the ledger knows', async () => {
    const one = body(version);
    await send(version, one);
    const account = version === 1 ? { account_number: 123456789018 } : { source_account: 123456789018 };
    const { body: refused } = await send(
      version,
      body(version, { ...account, transaction_number: one.transaction_number }),
    );
    expect(refused.code).toBe('DUPLICATE_TRANSACTION');
  });

  test('reports a fault of the body before it', async () => {
    const one = body(version);
    await send(version, one);
    const { body: refused } = await send(version, { ...one, statement_narrative: 7 });
    expect(refused.code).toBe('VALIDATION_FAILED');
  });

  test('a refused one uses up neither number nor id', async () => {
    const one = body(version);
    const account = version === 1 ? { account_number: 123456789018 } : { source_account: 123456789018 };
    expect((await send(version, { ...one, ...account })).body.code).toBe('UNKNOWN_ACCOUNT');
    expect((await send(version, one)).status).toBe(200);
  });

  test.each<[what: string, use: (request_id: string) => Promise<{ status: number }>]>([
    ['a payment', (request_id) => send(version, body(version, { request_id }))],
    [
      'a payment of the other version',
      (request_id) => send(version === 1 ? 2 : 1, body(version === 1 ? 2 : 1, { request_id })),
    ],
    [
      'a conversion',
      (request_id) =>
        client.post(BY_CURRENCY, {
          ...{ request_id, description: 'x', sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 1 },
        }),
    ],
    [
      'a funding',
      (request_id) =>
        client.post('/api/v1/fund/create', {
          ...{ request_id, account_number: eur, amount: 1, payment_reference: 'x' },
          instarem_deposit_account: 'DBS Bank-0012345678-EUR',
        }),
    ],
  ])('a request id that %s has used: 409 REQUEST_ID_REUSED', async (_what, use) => {
    const request_id = `used-${++next}`;
    expect((await use(request_id)).status).toBe(200);
    const before = await door.keyspace.read();
    const { status, body: refused } = await send(version, body(version, { request_id }));
    expect([status, refused.code, refused.errors]).toEqual([409, 'REQUEST_ID_REUSED', []]);
    expect(refused).not.toHaveProperty('payment_id');
    expect(await door.keyspace.read()).toEqual(before);
  });

  test('rejects a request id that a payment has used in every other command', async () => {
    const one = body(version);
    await send(version, one);
    const { request_id } = one;
    const conversion = await client.post(BY_CURRENCY, {
      ...{ request_id, description: 'x', sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 1 },
    });
    const funding = await client.post('/api/v1/fund/create', {
      ...{ request_id, account_number: eur, amount: 1, payment_reference: 'x' },
      instarem_deposit_account: 'DBS Bank-0012345678-EUR',
    });
    for (const { status, body: refused } of [conversion, funding])
      expect([status, refused.code]).toEqual([409, 'REQUEST_ID_REUSED']);
  });

  test('makes one payment of a hundred concurrent requests, and names it to the others', async () => {
    const transaction_number = `burst-${version}`;
    const before = (await client.get(`/api/v1/balance/account/${eur}`)).body as unknown as { balance: number }[];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        send(n % 2 === 0 ? version : 2, body(n % 2 === 0 ? version : 2, { transaction_number })),
      ),
    );
    const [created, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    const refused = answers.filter(({ status }) => status === 409).map((answer) => answer.body);
    expect(refused).toHaveLength(99);
    expect(new Set(refused.map(({ payment_id }) => payment_id))).toEqual(new Set([created!.body.payment_id]));
    expect((await client.get(`/api/v1/balance/account/${eur}`)).body).toMatchObject([
      { balance: before[0]!.balance - 1 },
    ]);
    const found = await client.get(`/api/v1/payments/reference/${transaction_number}`);
    expect(found.body.payment_id).toBe(created!.body.payment_id);
  });

  test('a hundred at once with one request id and numbers of their own are one payment', async () => {
    const request_id = `burst-id-${version}`;
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(version, body(version, { request_id }))));
    const codes = answers.map(({ status, body: refused }) => (status === 200 ? 'created' : refused.code));
    expect(codes.filter((code) => code === 'created')).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['created', 'REQUEST_ID_REUSED']));
  });

  test('another client has numbers and ids of its own', async () => {
    const one = body(1);
    expect((await send(1, one)).status).toBe(200);
    expect((await send(1, one, 'post', other)).status).toBe(200);
  });
});

test('a number is known for ever; a request id for 7 days', async () => {
  const one = body(1);
  await send(1, one);
  const keys = await door.keyspace.redis.keys('*');
  const ends = async (name: RegExp) =>
    Promise.all(keys.filter((key) => name.test(key)).map((key) => door.keyspace.redis.pttl(key)));
  expect(await ends(new RegExp(`:transaction:${one.transaction_number}$`))).toEqual([-1]);
  const [left] = await ends(new RegExp(`:receipt:${one.request_id}$`));
  // Its key stays seven days longer than it counts: the server's clock may be turned.
  expect(left).toBeGreaterThan(13.9 * 86_400_000);
  expect(left).toBeLessThanOrEqual(14 * 86_400_000);
});
