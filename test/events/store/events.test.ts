/** The events that the steps append: gapless, of the right type, once for each change; nothing for a client without events. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EVENT_TYPES, isEventPattern, isEventType, matchesEvent } from '../../../engine/domain/events/events.js';
import { eventId, sequenceOfEvent } from '../../../engine/service/core/ids.js';
import { eventsDueKey } from '../../../engine/store/keys/redis-keys.js';
import { type ClientSteps, type LedgerSteps, NOW, startLedgerSteps } from '../../store/ledger/ledger-steps.js';
import { MONEY_STEPS, nextNumber, takenOn } from '../../store/ledger/money-steps.js';
import { ON_CLUSTER } from '../../support/store.js';
import { SOON } from '../../support/until.js';

let on: LedgerSteps;

beforeAll(async () => {
  on = await startLedgerSteps();
  takenOn(on);
});
afterAll(() => on?.stop());
beforeEach(() => {
  on.now = NOW;
});

const dueKey = (client: ClientSteps) => eventsDueKey(client.of.shard);
const typesOf = async (client: ClientSteps) =>
  (await on.store.events.read(client.of, { afterSequence: 0, limit: 1_000 })).map(({ type }) => type);

/** What each row of MONEY_STEPS appends as its last step. */
const APPENDED: Readonly<Record<string, readonly string[]>> = {
  'book-fx: at once': ['conversion.booked', 'hold.used'],
  'book-fx: scheduled': ['conversion.booked', 'hold.used'],
  'settle-fx: settled': ['conversion.settled'],
  'settle-fx: overdue': ['conversion.overdue'],
  'cancel-booking: a close-out is charged': ['conversion.cancelled'],
  'cancel-booking: a close-out is credited': ['conversion.cancelled'],
  'change-booking: cancelled with a charge': ['conversion.cancelled'],
  'change-booking: an overdue one is cancelled with a gain': ['conversion.cancelled'],
  'change-booking: split': ['conversion.split', 'conversion.booked', 'conversion.booked'],
  'change-booking: an overdue one is split': ['conversion.split', 'conversion.booked', 'conversion.booked'],
  'amend-booking: a settled conversion is busted': ['conversion.busted'],
  'amend-booking: an open conversion is busted': ['conversion.busted'],
  'amend-booking: an open conversion is corrected': ['conversion.changed'],
};

describe('a step of a client with events', () => {
  test.each(MONEY_STEPS)('%s: %s', async (step, what, prepare) => {
    const client = await on.client(`with-${nextNumber()}`);
    await on.store.events.enable(client.of);
    const accounts = { eur: await client.open('EUR', 100_000n), usd: await client.open('USD', 100_000n) };
    const take = await prepare(client, accounts);
    const before = await typesOf(client);
    await on.keyspace.redis.del(dueKey(client));
    await take();
    const all = await on.store.events.read(client.of, { afterSequence: 0, limit: 1_000 });
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, i) => i + 1));
    const appended = all.slice(before.length);
    const expected = APPENDED[`${step}: ${what}`];
    if (expected) expect(appended.map(({ type }) => type)).toEqual(expected);
    expect(await on.keyspace.redis.zcard(dueKey(client))).toBe(appended.length > 0 ? 1 : 0);
    for (const { atMs, type } of appended) {
      expect(atMs).toBeGreaterThan(0);
      expect(isEventType(type)).toBe(true);
    }
  });

  test('is numbered on from where it was when all of them are trimmed', async () => {
    const client = await on.client(`with-${nextNumber()}`);
    expect(await on.store.events.range(client.of)).toBeUndefined();
    expect(await on.store.events.isOn(client.of)).toBe(false);
    expect(await on.store.events.enable(client.of)).toBe(true);
    expect(await on.store.events.enable(client.of)).toBe(false);
    expect(await on.store.events.range(client.of)).toEqual({ oldest: 1, newest: 0 });
    await client.open('EUR');
    await client.open('EUR');
    expect(await on.store.events.range(client.of)).toEqual({ oldest: 1, newest: 2 });
    await on.keyspace.redis.xtrim(client.keys.events, 'MAXLEN', 0);
    expect(await on.store.events.range(client.of)).toEqual({ oldest: 3, newest: 2 });
    await client.open('EUR');
    expect(await on.store.events.range(client.of)).toEqual({ oldest: 3, newest: 3 });
    expect(await on.store.events.read(client.of, { afterSequence: 2, limit: 1 })).toMatchObject([
      { sequence: 3, type: 'account.opened' },
    ]);
  });

  test('an account that loses its place as default has changed too, and one that stays as it is has not', async () => {
    const client = await on.client(`with-${nextNumber()}`);
    await on.store.events.enable(client.of);
    const [first, second] = [await client.open('EUR'), await client.open('EUR')];
    await on.store.accounts.change(client.of, second, { makeDefault: true });
    await on.store.accounts.change(client.of, second, { makeDefault: true, active: true, label: '' });
    await on.store.accounts.change(client.of, second, { label: 'a|b €' });
    const all = await on.store.events.read(client.of, { afterSequence: 2, limit: 10 });
    expect(all.map(({ type, resource, more }) => [type, resource, more])).toEqual([
      ['account.changed', second, '10|EUR 1 0 1 EUR 1 0 0 '],
      ['account.changed', first, '10|EUR 1 0 0 EUR 1 0 1 '],
      ['account.changed', second, '17|EUR 1 0 1 a|b €EUR 1 0 1 '],
    ]);
  });
});

test.skipIf(ON_CLUSTER)('what comes first is announced as due, once until deliveries are taken', async () => {
  const { accounts, deliveries, events } = on.store;
  const busy = await on.client(`with-${nextNumber()}`);
  await events.enable(busy.of);
  const announced: string[] = [];
  const unsubscribe = deliveries.onDue((clientId) => announced.push(clientId));
  /** How often it was announced before another one, in the order of the channel. */
  const times = async () => {
    const other = { ...busy.of, id: `other-${nextNumber()}` };
    await expect.poll(() => deliveries.wake(other).then(() => announced.includes(other.id)), SOON).toBe(true);
    return announced.filter((clientId) => clientId === busy.of.id).length;
  };
  expect(await times()).toBe(0);
  const due = async () => {
    const { clients } = await deliveries.dueClients(1_000, 0);
    return clients.find(({ clientId }) => clientId === busy.of.id);
  };
  await busy.open('EUR');
  expect(await times()).toBe(1);
  const first = await due();
  expect(first).toBeDefined();
  const number = await busy.open('EUR');
  expect([await times(), await due()]).toEqual([1, first]);
  // In one step two events: two accounts change.
  const taken = await deliveries.take(busy.of, 60_000);
  expect(await due()).toBeUndefined();
  await accounts.change(busy.of, number, { makeDefault: true });
  expect([await times(), await due()]).toEqual([2, expect.anything()]);
  // Something has come since they were taken.
  await deliveries.rest(busy.of, taken, undefined);
  expect(await due()).toBeDefined();
  unsubscribe();
});

test('a client without events gets none, by no step', async () => {
  const clients: ClientSteps[] = [];
  for (const [, , prepare] of MONEY_STEPS) {
    const client = await on.client(`without-${nextNumber()}`);
    clients.push(client);
    on.now = NOW;
    const accounts = { eur: await client.open('EUR', 100_000n), usd: await client.open('USD', 100_000n) };
    await (await prepare(client, accounts))();
  }
  for (const client of clients) {
    expect(await on.keyspace.redis.exists(client.keys.events)).toBe(0);
    expect(await on.keyspace.redis.zscore(dueKey(client), client.of.id)).toBeNull();
  }
});

describe('types and ids', () => {
  test('a pattern is a type, all of a family, or all', () => {
    for (const pattern of [...EVENT_TYPES, 'payment.*', 'batch.*', '*']) expect(isEventPattern(pattern)).toBe(true);
    for (const pattern of ['', 'payment', 'payment.', 'payments.*', 'test.*', '*.paid', 'payment.*.x'])
      expect(isEventPattern(pattern)).toBe(false);
    expect(matchesEvent(['payment.*'], 'payment.paid')).toBe(true);
    expect(matchesEvent(['payment.*'], 'hold.used')).toBe(false);
    expect(matchesEvent(['hold.used', 'test'], 'test')).toBe(true);
    expect(matchesEvent(['*'], 'test')).toBe(true);
    expect(matchesEvent([], 'test')).toBe(false);
  });

  test('an id is the same each time, unique over clients, and leads back to its sequence', () => {
    const id = eventId('acme', 100_000);
    expect(id).toMatch(/^EVT[0-9A-Z]{18}$/);
    expect(eventId('acme', 100_000)).toBe(id);
    expect(eventId('acme', 100_001)).not.toBe(id);
    expect(eventId('acme2', 100_000)).not.toBe(id);
    expect(sequenceOfEvent('acme', id)).toBe(100_000);
    expect(sequenceOfEvent('acme2', id)).toBeUndefined();
    expect(sequenceOfEvent('acme', `${id}0`)).toBeUndefined();
    expect(sequenceOfEvent('acme', '')).toBeUndefined();
    expect(sequenceOfEvent('acme', eventId('acme', 2 ** 40 - 1))).toBe(2 ** 40 - 1);
  });
});
