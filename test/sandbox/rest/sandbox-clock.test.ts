/** The own clock of a client: what it waits for comes, and nothing changes for another client of the same shard. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PORTS } from '../../../engine/domain/system/port-mode.js';
import { DUE_MAX } from '../../../engine/store/coordination/store-clock.js';
import { dueKey, shardFor } from '../../../engine/store/keys/redis-keys.js';
import { openPaymentDoor, type PaymentDoor } from '../../payments/rest/payment-door.js';
import { BY_CURRENCY, type Client, type Fields } from '../../rest/money-door.js';

const CLOCK = '/api/v1/sandbox/clock';
const DAY_S = 86_400;

let door: PaymentDoor;
beforeAll(async () => {
  door = await openPaymentDoor();
});
afterAll(() => door.stop());
beforeEach(() => door.freshPrices());

let made = 0;
let requests = 0;

/** Two clients of one shard, with money and a limit of scheduled sells. */
async function two(): Promise<readonly [Client, Client]> {
  const first = `clock-${++made}`;
  let second = '';
  for (let n = 0; second === ''; n++) if (shardFor(`${first}-${n}`) === shardFor(first)) second = `${first}-${n}`;
  const both: Client[] = [];
  for (const id of [first, second]) {
    const client = await door.client(id);
    await client.account('EUR', 1_000_00n);
    await client.account('USD');
    await door.operator('setScheduledLimit', { clientId: id, limit: '1000000' });
    both.push(client);
  }
  return both as unknown as readonly [Client, Client];
}
const advance = (client: Client, body: Fields) => client.post(CLOCK, body);
const book = async (client: Client, more: Fields = {}): Promise<Fields> => {
  const { body } = await client.post(BY_CURRENCY, {
    ...{ sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 100, book_fx_type: 'SCHEDULED2' },
    ...{ request_id: `clock-${++requests}`, description: 'for the trial', ...more },
  });
  expect(body.code).toBeUndefined();
  return body;
};
const conversion = async (client: Client, { confirmation_id }: Fields) =>
  (await client.get(`/api/v1/bookfx/${confirmation_id}`)).body;
const nowOf = async (client: Client) => Date.parse(String((await client.get(CLOCK)).body.now));
const differences = async (client: Client) => (await door.operator('reconcile', { clientId: client.id })).differences;

test('is not there where a port is not a sandbox', async () => {
  const [client] = await two();
  for (const answer of [await client.get(CLOCK), await advance(client, { advance: 'x' })])
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
  await door.services.store.ports.join({ program: 'test', modes: {}, sandboxes: PORTS, onOther: () => {} });
  expect((await client.get(CLOCK)).status).toBe(200);
});

describe('in a sandbox', () => {
  beforeAll(() => door.services.store.ports.join({ program: 'test', modes: {}, sandboxes: PORTS, onOther: () => {} }));

  test('settles a conversion of the client, at its agreed date, and not that of its neighbour', async () => {
    const [client, other] = await two();
    const [own, theirs] = [await book(client), await book(other)];
    const { body } = await advance(client, { advance: '8d' });
    expect(body).toMatchObject({ ahead_seconds: 8 * DAY_S, left_seconds: 358 * DAY_S });
    expect((await client.get(CLOCK)).body.ahead_seconds).toBe(8 * DAY_S);
    expect((await other.get(CLOCK)).body.ahead_seconds).toBe(0);
    expect((await nowOf(client)) - (await nowOf(other))).toBeCloseTo(8 * DAY_S * 1_000, -5);
    await door.work();
    expect(await conversion(client, own)).toMatchObject({ status: 'SETTLED', settlement_date: own.settlement_date });
    expect((await conversion(other, theirs)).status).toBe('OPEN');

    // What is booked now is due by the same clock.
    const later = await book(client);
    expect(Date.parse(String(later.created_at)) - (await nowOf(other))).toBeGreaterThan(7.9 * DAY_S * 1_000);
    await door.work();
    expect((await conversion(client, later)).status).toBe('OPEN');
    await advance(client, { until: String(later.expiry_at) });
    await advance(client, { advance: '1s' });
    await door.work();
    expect((await conversion(client, later)).status).toBe('SETTLED');
    expect(await differences(client)).toEqual([]);
    expect(await differences(other)).toEqual([]);
  });

  test('ends a held rate, and what is locked afterwards holds for its period', async () => {
    const [client, other] = await two();
    const query = 'source_currency=EUR&destination_currency=USD&hold_period=15_mins';
    const [own, theirs] = [await client.hold(query), await other.hold(query)];
    await advance(client, { advance: '16m' });
    const bookHeld = async (of: Client, fx_hold_id: string) =>
      (
        await of.post(BY_CURRENCY, {
          ...{ sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 10, fx_hold_id, description: 'held' },
          request_id: `clock-${++requests}`,
        })
      ).body;
    expect((await bookHeld(client, own)).code).toBe('HOLD_EXPIRED');
    expect((await bookHeld(other, theirs)).code).toBeUndefined();
    const next = await client.hold(query);
    expect((await bookHeld(client, next)).code).toBeUndefined();
    await door.work();
    expect(await differences(client)).toEqual([]);
  });

  test('expires a payment without funds after 30 days, and continues one that was put off', async () => {
    const on = await door.payer({ EUR: 0n });
    const waiting = await door.payOut(on.client, 'EUR', on.of.EUR!, {
      destination_amount: 5,
      beneficiary: { name: 'A' },
    });
    await advance(on.client, { advance: '29d' });
    await door.work();
    expect((await door.read(on.client, waiting)).status).toBe('AWAITING_FUNDS');
    await advance(on.client, { advance: '1d' });
    await door.work();
    expect(await door.read(on.client, waiting)).toMatchObject({ status: 'CANCELLED', sub_status: 'FUNDING_EXPIRED' });

    const rich = await door.payer({ EUR: 100_00n });
    const left = await door.payOut(rich.client, 'EUR', rich.of.EUR!, {
      destination_amount: 5,
      beneficiary: { name: 'A' },
    });
    await rich.client.post(`/api/v1/sandbox/payments/${left.payment_id}/approved`, {});
    await door.work();
    expect((await door.read(rich.client, left)).status).toBe('COMPLIANCE_APPROVED');
    await advance(rich.client, { advance: '25h' });
    await door.work();
    expect((await door.read(rich.client, left)).status).toBe('PAID');
  });

  test('retries an overdue conversion hourly by the same clock', async () => {
    const [client] = await two();
    const own = await book(client, { sell_amount: 900 });
    await book(client, { sell_amount: 900, book_fx_type: 'PREFUNDING' });
    await advance(client, { advance: '8d' });
    await door.work();
    expect((await conversion(client, own)).status).toBe('OVERDUE');
    const { store } = door.services;
    const of = (await store.clients.get(client.id))!;
    const score = async () =>
      Number(await door.keyspace.redis.zscore(dueKey(of.shard), `settle:${client.id}:${own.confirmation_id}`));
    const shardNow = store.clock.now({ shard: of.shard });
    expect((await score()) - shardNow).toBeCloseTo(3_600_000, -5);
    await advance(client, { advance: '61m' });
    expect((await score()) - shardNow).toBeLessThan(0);
    await door.work();
    expect((await score()) - shardNow).toBeCloseTo(3_600_000, -5);
    expect(await differences(client)).toEqual([]);
  });

  test('moves only forward, by a year in all, and by a text that is a duration or a time', async () => {
    const [client] = await two();
    for (const body of [{}, { advance: '1d', until: '2030-01-01T00:00:00Z' }, { advance: '1.5d' }, { advance: '-1d' }])
      expect([body, (await advance(client, body)).body.code]).toEqual([body, 'VALIDATION_FAILED']);
    for (const until of ['2030-01-01', '2030-13-01T00:00:00Z', 'tomorrow'])
      expect((await advance(client, { until })).body.errors).toMatchObject([{ field: 'until' }]);
    const past = await advance(client, { until: '2020-01-01T00:00:00Z' });
    expect([past.status, past.body.ahead_seconds]).toEqual([200, 0]);
    expect((await advance(client, { advance: '367d' })).body.code).toBe('WRONG_STATE');
    expect((await advance(client, { advance: '366d' })).body.left_seconds).toBe(0);
    expect((await advance(client, { advance: '1s' })).body).toMatchObject({
      code: 'WRONG_STATE',
      detail: 'A clock is advanced by 366 days in all: at most 0 more',
    });
  });

  test('needs the right trade, and to read it the right read', async () => {
    const [client] = await two();
    const { keys, tokens } = door.services.store;
    const { clientKey } = (await keys.issue(client.id, ['rates']))!;
    const { token } = await tokens.issue(client.id, clientKey, ['rates']);
    const authorization = `Bearer ${token}`;
    expect((await client.get(CLOCK, { authorization })).status).toBe(403);
    expect((await client.post(CLOCK, { advance: '1d' }, { authorization })).status).toBe(403);
  });

  test('moves nothing where a write of the step would fail, or the due list is too long', async () => {
    const [client] = await two();
    const own = await book(client);
    const { shard } = (await door.services.store.clients.get(client.id))!;
    const { redis } = door.keyspace;
    const before = await redis.zrange(dueKey(shard), '0', '-1', 'WITHSCORES');
    await redis.rename(dueKey(shard), `${dueKey(shard)}:kept`);
    await redis.set(dueKey(shard), 'x');
    expect((await advance(client, { advance: '8d' })).status).toBe(503);
    expect((await client.get(CLOCK)).body.ahead_seconds).toBe(0);
    await redis.rename(`${dueKey(shard)}:kept`, dueKey(shard));

    for (let n = 0; n <= DUE_MAX; n += 10_000)
      await redis.zadd(dueKey(shard), ...Array.from({ length: 10_000 }, (_, i) => [9e15, `x${n + i}`]).flat());
    expect((await advance(client, { advance: '8d' })).body.code).toBe('WRONG_STATE');
    await redis.zremrangebyscore(dueKey(shard), 9e15, '+inf');
    expect(await redis.zrange(dueKey(shard), '0', '-1', 'WITHSCORES')).toEqual(before);
    expect((await conversion(client, own)).status).toBe('OPEN');
  });
});
