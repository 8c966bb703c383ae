/** Reconciliation recomputes the house's position of each client and shard, and names each line that differs. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Booking } from '../../../engine/domain/conversions/booking.js';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import { LedgerWatch } from '../../../engine/service/audit/ledger-watch.js';
import { PositionReplay } from '../../../engine/service/audit/position-replay.js';
import type { JournalEntry } from '../../../engine/store/ledger/journal.js';
import { type LedgerRig, type RigClient, startLedgerRig } from '../../service/ledger-rig.js';

const MONDAY = Date.parse('2028-06-26T10:00:00.000Z');
const DAY_MS = 24 * 3_600_000;
const LINE = 'EUR/USD|20280628|Bq';

let rig: LedgerRig;
let acme: RigClient;
beforeEach(async () => {
  rig = await startLedgerRig(MONDAY);
  acme = await rig.client('acme', { EUR: '5000.00', USD: '900.00', JPY: '0' }, '100000');
});
afterEach(() => rig.stop());

const differences = async () => (await rig.ask('reconcile', {})).differences;
const own = () => acme.key('position');
const shardName = () => `shard ${Number(own().slice(2, 4))}`;
const of = async () => (await rig.services.store.clients.get('acme'))!;

test('a changed line is named with its client, pair, value date, and both amounts', async () => {
  await acme.book('EUR/USD', 100);
  expect(await rig.redis.hgetall(own())).toEqual({ [LINE]: '10000 10815 28' });
  expect(await differences()).toEqual([]);
  await rig.redis.hset(own(), LINE, '10000 10816 28');
  const what = 'position EUR/USD 20280628, bought';
  const [right, wrong] = ['10815', '10816'].map(
    (given) => `received 100.00 EUR, given ${given.slice(0, 3)}.${given.slice(3)} USD, margin 0.28 USD`,
  );
  expect(await differences()).toEqual([
    { client: 'acme', what, expected: right, found: wrong },
    { client: shardName(), what, expected: wrong, found: right },
  ]);
  const watch = new LedgerWatch(rig.services);
  await watch.round({ page: 7, pause: async () => {} });
  expect(watch.seen?.differences).toBe(2);
});

test('a missing hash, an invented line, an unreadable one and an unreadable field are named', async () => {
  await acme.book('USD/EUR', 50);
  const [[field, value]] = Object.entries(await rig.redis.hgetall(own())) as [[string, string]];
  expect(field).toBe('EUR/USD|20280628|Sb');
  await rig.redis.del(own());
  expect((await differences()).map(({ client, what }) => [client, what])).toEqual([
    ['acme', 'position EUR/USD 20280628, sold'],
    [shardName(), 'position EUR/USD 20280628, sold'],
  ]);
  await rig.redis.hset(own(), field, value, 'GBP/USD|20280628|Bb', '1 2 3', 'USD|20280628|C', '5 0 0');
  await rig.redis.hset(own(), 'USD/JPY|20280628|Bb', '1 2', 'nothing', '1 2 3');
  expect((await differences()).filter(({ client }) => client === 'acme')).toEqual([
    { client: 'acme', what: 'position USD/JPY|20280628|Bb', expected: 'three amounts', found: '1 2' },
    { client: 'acme', what: 'position nothing', expected: 'three amounts', found: '1 2 3' },
    {
      client: 'acme',
      what: 'position GBP/USD 20280628, bought',
      expected: 'received 0.00 GBP, given 0.00 USD, margin 0.00 GBP',
      found: 'received 0.01 GBP, given 0.02 USD, margin 0.03 GBP',
    },
    {
      client: 'acme',
      what: 'position: close-outs in USD, 20280628',
      expected: 'received 0.00 USD, given 0.00 USD',
      found: 'received 0.05 USD, given 0.00 USD',
    },
  ]);
});

test('folded lines are compared as one, also where the shard has been folded further, and what is busted later', async () => {
  const busted = await acme.book('EUR/USD', 100);
  await acme.book('USD/EUR', 10);
  rig.now += DAY_MS;
  const later = await acme.book('EUR/USD', 7);
  const { positions } = rig.services.store;
  expect(await positions.fold({ shard: (await of()).shard }, '20280628')).toBe(2);
  expect(await differences()).toEqual([]);
  expect(await positions.fold(await of(), '20280629')).toBe(3);
  expect(await differences()).toEqual([]);
  for (const { id } of [busted, later])
    await rig.ask('bustBooking', { clientId: 'acme', confirmationId: id, reason: 'x' });
  expect(await differences()).toEqual([]);
  expect((await rig.redis.hgetall(own()))['EUR/USD|0|Bq']).toBe('0 0 0');
  // A conversion of a folded date that is booked late.
  await rig.redis.hset(own(), 'folded', '20280701');
  await acme.book('EUR/USD', 3);
  expect(await differences()).toEqual([]);
  await rig.redis.hset(own(), 'EUR/USD|0|Bq', '1 0 0');
  expect(await differences()).toMatchObject([
    { client: 'acme', what: 'position EUR/USD folded until 20280701, bought' },
    { client: shardName() },
  ]);
});

test('conversions that were corrected, cancelled and closed out agree', async () => {
  const correct = (confirmationId: string) =>
    rig.ask('correctBooking', { clientId: 'acme', confirmationId, amount: '5', reason: 'x' });
  const scheduled = await acme.book('EUR/USD', 4, { type: 'SCHEDULED1' });
  await correct(scheduled.id);
  await correct((await acme.book('EUR/USD', 4)).id);
  const cancelled = await acme.book('EUR/USD', 9, { type: 'SCHEDULED1' });
  await rig.ask('cancelBooking', { clientId: 'acme', confirmationId: cancelled.id });
  const short = await acme.book('EUR/USD', 4_990, { type: 'SCHEDULED1' });
  await acme.book('EUR/USD', 4_000);
  rig.now += 3 * DAY_MS;
  await settleDue(rig.services, 100);
  await rig.ask('cancelBooking', { clientId: 'acme', confirmationId: short.id, closeOut: true, reason: 'x' });
  expect(Object.keys(await rig.redis.hgetall(own())).some((field) => /^USD\|\d{8}\|C$/.test(field))).toBe(true);
  expect(await differences()).toEqual([]);
});

test('a replay of years keeps the lines of the last weeks, and agrees with a hash that was never folded', () => {
  const replay = new PositionReplay();
  const expected: Record<string, string> = {};
  for (let day = 0; day < 1_000; day++) {
    const atMs = MONDAY + day * DAY_MS;
    const valueDate = new Date(atMs + 2 * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
    const amounts = { sell: '10000', buy: '10815', margin: '28' };
    const booking = { pair: 'EUR/USD', sellCurrency: 'EUR', marginCurrency: 'USD', valueDate, ...amounts } as Booking;
    replay.played({ entry: `${atMs}-0`, step: 'book-fx' } as JournalEntry, booking);
    expected[`EUR/USD|${valueDate}|Bq`] = '10000 10815 28';
  }
  expect(Object.keys(replay.fields).length).toBeLessThan(250);
  expect(replay.compare(expected)).toEqual([]);
  const [[first]] = Object.entries(expected) as [[string, string]];
  expect(replay.compare({ ...expected, [first]: '10000 10815 29' })).toHaveLength(1);
});
