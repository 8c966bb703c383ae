/** The events of a client over REST: pages by sequence, types, one by its id, and what is no longer kept. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventId } from '../../../engine/service/core/ids.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { BY_CURRENCY, type Client, MONDAY, type MoneyDoor, openMoneyDoor } from '../../rest/money-door.js';
import { keyspaceReader } from '../../support/keyspace.js';

const EVENTS = '/api/v1/events';
const BOOKING = { description: 'x', sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 100 };

let door: MoneyDoor;
let acme: Client;
let other: Client;
beforeAll(async () => {
  door = await openMoneyDoor();
  [acme, other] = [await door.client('acme'), await door.client('other')];
  for (const client of [acme, other]) {
    await client.account('EUR', 1_000_00n);
    await client.account('USD');
  }
});
afterAll(() => door.stop());

const events = async () => (await acme.get(EVENTS)).body as { data: { sequence: number }[] };
const switchOn = async (id: string) => door.services.store.events.enable((await door.services.store.clients.get(id))!);

test('before it has events a client is refused, and has none of before', async () => {
  const refused = await acme.get(EVENTS);
  expect([refused.status, refused.body.code]).toEqual([400, 'WRONG_STATE']);
  await switchOn('acme');
  const { status, body } = await acme.get(EVENTS);
  expect([status, body]).toEqual([200, { data: [], next_after: 0, oldest_sequence: 1, newest_sequence: 0 }]);
});

test('a page has what follows a sequence, in order, with the id that leads to each', async () => {
  door.freshPrices();
  const booked = await acme.post(BY_CURRENCY, { ...BOOKING, request_id: 'A1' });
  expect(booked.status).toBe(200);
  await acme.account('CHF');
  await acme.account('GBP');
  const { body } = await acme.get(`${EVENTS}?after=0&limit=2`);
  expect(body).toMatchObject({ next_after: 2, oldest_sequence: 1, newest_sequence: 3 });
  expect(body.data).toMatchObject([
    { id: eventId('acme', 1), sequence: 1, type: 'conversion.booked', data: { object: booked.body, previous: {} } },
    { id: eventId('acme', 2), sequence: 2, type: 'account.opened', data: { object: { currency: 'CHF' } } },
  ]);
  expect((body.data as { timestamp: string }[])[0]!.timestamp.slice(0, 16)).toBe(
    new Date(MONDAY).toISOString().slice(0, 16),
  );
  const rest = (await acme.get(`${EVENTS}?after=2&limit=&type=`)).body;
  expect(rest).toMatchObject({ data: [{ sequence: 3 }], next_after: 3 });
  expect((await acme.get(`${EVENTS}?after=3`)).body).toMatchObject({ data: [], next_after: 3 });
  const one = await acme.get(`${EVENTS}/${eventId('acme', 1)}`);
  expect([one.status, one.body]).toEqual([200, (body.data as object[])[0]]);
});

test('types filter the page, and next_after is behind all that was read', async () => {
  const page = async (type: string) => (await acme.get(`${EVENTS}?type=${type}`)).body;
  expect(await page('account.*')).toMatchObject({ data: [{ sequence: 2 }, { sequence: 3 }], next_after: 3 });
  expect(await page('conversion.booked,hold.*')).toMatchObject({ data: [{ sequence: 1 }], next_after: 3 });
  expect(await page('payment.paid')).toMatchObject({ data: [], next_after: 3 });
  expect((await events()).data).toHaveLength(3);
});

test('all faults of the query are reported at once', async () => {
  const { status, body } = await acme.get(`${EVENTS}?after=-1&limit=201&type=payment&more=1`);
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect((body.errors as { field: string }[]).map(({ field }) => field).sort()).toEqual([
    'after',
    'limit',
    'more',
    'type',
  ]);
});

test('an id of another client is answered as one that there is not', async () => {
  await switchOn('other');
  await other.account('CHF');
  const texts = await Promise.all(
    [eventId('other', 1), eventId('acme', 4), eventId('acme', 0), 'EVT1', 'x'].map(async (id) => {
      const { status, body } = await acme.get(`${EVENTS}/${id}`);
      return [status, body.code, body.message];
    }),
  );
  expect(new Set(texts.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(texts[0]!.slice(0, 2)).toEqual([404, 'NOT_FOUND']);
});

test('what is no longer kept is refused with the oldest that is, and with how many are gone', async () => {
  const keys = ledgerKeys((await door.services.store.clients.get('acme'))!);
  const { redis, close } = keyspaceReader(door.opened.redisUrl);
  await redis.xtrim(keys.events, 'MINID', '1-3');
  close();
  const gone = await acme.get(`${EVENTS}?after=0`);
  expect(gone.status).toBe(400);
  expect(gone.body).toMatchObject({ code: 'EVENTS_GONE', oldest_sequence: 3, dropped: 2 });
  expect((await acme.get(`${EVENTS}?after=1`)).body).toMatchObject({ code: 'EVENTS_GONE', dropped: 1 });
  expect((await acme.get(`${EVENTS}/${eventId('acme', 2)}`)).body).toMatchObject({ code: 'EVENTS_GONE', dropped: 1 });
  expect((await acme.get(`${EVENTS}?after=2`)).body).toMatchObject({ data: [{ sequence: 3 }] });
  // Without a sequence, from the oldest that is kept.
  expect((await acme.get(EVENTS)).body).toMatchObject({ data: [{ sequence: 3 }], oldest_sequence: 3 });
});
