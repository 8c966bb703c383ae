/** The operator's view: the newest bookings, then those whose journal has grown, and the notification of growth. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ENTRIES_MAX, movedRows, newestRows, newestRowsOfAll } from '../../../engine/service/conversions/blotter.js';
import { type LedgerRig, type RigClient, startLedgerRig } from '../../service/ledger-rig.js';
import { until } from '../../support/until.js';

const MONDAY = Date.parse('2028-06-26T10:00:00.000Z');

let rig: LedgerRig;
let acme: RigClient;
let beta: RigClient;
beforeEach(async () => {
  rig = await startLedgerRig(MONDAY);
  acme = await rig.client('acme', { EUR: '100000.00', USD: '0' });
  beta = await rig.client('beta', { EUR: '100000.00', USD: '0' });
});
afterEach(() => rig.stop());

const clientOf = async (id: string) => (await rig.services.store.clients.get(id))!;
const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

test('lists the newest first, of one client or of all', async () => {
  const booked: string[] = [];
  for (const client of [acme, beta, acme, beta]) {
    rig.now += 10;
    booked.push((await client.book('EUR/USD', 1)).id);
  }
  const [first, second, third, fourth] = booked;
  expect(ids(await newestRows(rig.services, await clientOf('acme'), 10))).toEqual([third, first]);
  expect(ids(await newestRowsOfAll(rig.services, 3, 1_000))).toEqual([fourth, third, second]);
  expect(ids(await newestRowsOfAll(rig.services, 3, 1))).toEqual([third, first]);
});

test('reports each change once, and the next change again', async () => {
  const first = await acme.book('EUR/USD', 1);
  const at = await movedRows(rig.services, await clientOf('acme'), undefined);
  expect(ids(at.rows)).toEqual([first.id]);
  expect((await movedRows(rig.services, await clientOf('acme'), at.seen)).rows).toEqual([]);
  const second = await acme.book('EUR/USD', 2);
  const moved = await movedRows(rig.services, await clientOf('acme'), at.seen);
  expect(ids(moved.rows)).toEqual([second.id]);
  expect(moved.rows[0]).toMatchObject({ clientId: 'acme', booking: { status: 'SETTLED', sell: '200' } });
});

test('one read takes a bounded number of the newest entries, however large the backlog', async () => {
  const at = await movedRows(rig.services, await clientOf('acme'), undefined);
  let last = '';
  for (let i = 0; i < ENTRIES_MAX + 5; i++) last = (await acme.book('EUR/USD', 1)).id;
  const moved = await movedRows(rig.services, await clientOf('acme'), at.seen);
  expect(moved.rows).toHaveLength(ENTRIES_MAX);
  expect(ids(moved.rows)).toContain(last);
  expect((await movedRows(rig.services, await clientOf('acme'), moved.seen)).rows).toEqual([]);
});

test('notifies every process of each client whose journal has grown', async () => {
  const other = await rig.another();
  const heard: string[] = [];
  const stop = other.store.journal.onGrown((clientId) => heard.push(clientId));
  // A notification may be missed right after subscribing.
  while (!heard.includes('acme')) await acme.credit('EUR', '1');
  heard.length = 0;
  await beta.book('EUR/USD', 1);
  await until(() => heard.includes('beta'));
  stop();
});
