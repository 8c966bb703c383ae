/** What a script reads: each row of a list has the same fields, the same thing has one name, and what is counted is a number. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LedgerRig, type RigClient, startLedgerRig } from '../service/ledger-rig.js';
import { ratewireOn } from '../support/ratewire.js';

let rig: LedgerRig;
let acme: RigClient;
beforeAll(async () => {
  rig = await startLedgerRig(Date.parse('2028-06-26T10:00:00.000Z'));
  acme = await rig.client('acme', { EUR: '5000.00', USD: '1.00' });
});
afterAll(() => rig.stop());

type Row = Record<string, unknown>;
const json = <Answer = Row>(...args: string[]) => ratewireOn(rig.opened.dataDir).json<Answer>(...args);

test('a CompID says from where it may log on by one name', async () => {
  const assigned = await json('compids', 'assign', 'ACME7', 'acme', '--from', '192.0.2.7');
  expect(await json('compids', 'list', 'acme')).toEqual([assigned]);
  expect(assigned).toMatchObject({ comp_id: 'ACME7', client: 'acme', from: ['192.0.2.7'] });
  const allowed = await json('compids', 'allow', 'ACME7', '192.0.2.8');
  expect(allowed).toEqual({ comp_id: 'ACME7', client: 'acme', from: ['192.0.2.8'], session_ended: false });
});

test('a pair says how old its price is in milliseconds, and its providers as a list', async () => {
  await json('pairs', 'halt', 'EUR/CHF', '--reason', 'peg');
  const pairs = await json<Row[]>('pairs', 'list');
  const fields = ['pair', 'state', 'price_age_ms', 'providers', 'trading', 'halted_by', 'since', 'reason'];
  for (const pair of pairs) expect(Object.keys(pair)).toEqual(fields);
  expect(pairs[0]).toMatchObject({
    price_age_ms: null,
    providers: [],
    trading: 'ACTIVE',
    halted_by: null,
    since: null,
    reason: null,
  });
});

test('a forecast counts what the store holds, and reckons with whole bytes', async () => {
  const before = await json<{ records: Row[] }>('store', 'forecast');
  await acme.book('EUR/USD', 10);
  const { servers, records, days_until_full } = await json<Record<'servers' | 'records', Row[]> & Row>(
    ...['store', 'forecast', '--records', '1000'],
  );
  const [bookings, payments, fundings] = records as [Row, Row, Row];
  expect(records.map(({ record }) => record)).toEqual(['bookings', 'payments', 'fundings', 'changes', 'gains', 'sums']);
  expect(Number(bookings.stored) - Number(before.records[0]!.stored)).toBe(1);
  expect([bookings.added_in_week, payments.stored, fundings.stored]).toEqual([bookings.stored, 0, 0]);
  expect(bookings.forecast_memory_bytes).toBe(1_000 * Number(bookings.memory_bytes_each));
  expect(before.records[0]!.forecast_file_bytes).toBe(1e7 * Number(bookings.file_bytes_each));
  const free = servers.reduce((sum, one) => sum + 0.95 * Number(one.max_bytes) - Number(one.used_bytes), 0);
  const fits = servers.every((one) => one.max_bytes !== null);
  expect(bookings.still_fit).toBe(fits ? Math.floor(free / Number(bookings.memory_bytes_each)) : null);
  expect(days_until_full === null).toBe(!fits);
});

test('a session that is away has the fields of one that is live', async () => {
  await json('compids', 'assign', 'ACME8', 'acme');
  const [session] = await json<Row[]>('sessions', 'list', '--client', 'acme');
  const live = { engine: null, since: null, backlog: null, conflated: null, streams: null, key: null };
  expect(session).toEqual({ comp_id: 'ACME7', client: 'acme', state: 'away', next_out: null, next_in: null, ...live });
});

test('a margin that cannot be explained to its end has the fields of one that can', async () => {
  const explained = await json('margins', 'explain', 'acme', 'EUR/USD');
  const absent = { hold: null, hold_adds_percent: null, price: null, conversion: null };
  expect(explained).toMatchObject({ client: 'acme', pair: 'EUR/USD', no_price: 'RATE_UNAVAILABLE', ...absent });
});

test('each entry of a journal has the same fields', async () => {
  await acme.book('EUR/USD', 10);
  const entries = await json<Row[]>('journal', 'acme');
  expect(new Set(entries.map(({ step }) => step)).size).toBeGreaterThan(1);
  const fields = ['entry', 'at', 'step', 'id', 'by', 'reason', 'reference', 'from', 'to', 'sub_status', 'moves'];
  for (const entry of entries) expect(Object.keys(entry)).toEqual(fields);
});
