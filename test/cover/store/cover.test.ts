/** Cover orders: sent once, by the holder of the risk lease alone; fills booked once. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { CoverOrder, CoverRule } from '../../../engine/domain/cover/cover.js';
import type { Cover, CoverAdjustment } from '../../../engine/store/cover/cover.js';
import { HOUSE } from '../../../engine/store/keys/redis-keys.js';
import { coverOrder } from '../../support/cover.js';
import { startTestStore, type TestStore } from '../../support/store.js';

let running: TestStore;
let cover: Cover;
let at = 0;
beforeAll(async () => {
  running = await startTestStore();
  cover = running.store.cover;
});
afterAll(() => running.stop());

let holding: string;
beforeEach(async () => {
  for (const record of await cover.open())
    await cover.move(record, record.status === 'planned' ? 'withdrawn' : 'ended');
  holding = `engine ${1_763_625_600_000_000 + ++at}`;
  expect(await cover.claim(holding)).toBe(true);
});

async function sent(more: Partial<CoverOrder> = {}) {
  const one = coverOrder(more);
  expect(await cover.plan(one, 'planned', holding)).toBe('planned');
  expect(await cover.move(one, 'sent', '', holding)).toMatchObject({ kind: 'moved', status: 'sent' });
  return (await cover.read(one.id))!;
}

test('an order is planned, sent, filled in two executions, and booked', async () => {
  const record = await sent();
  expect(record).toMatchObject({ status: 'sent', filled: 0n, fills: [], worst: '1.0850', net: -120_000_000n });
  expect(record.sentAtMs).toBeGreaterThan(0);
  const before = await cover.balances();
  const first = { execId: 'X1', base: 40_000_000n, quote: 43_376_000n, price: '1.0844' };
  expect(await cover.book(record, first, 'engine')).toBe('booked');
  const part = (await cover.read(record.id))!;
  expect(part).toMatchObject({ status: 'sent', filled: 40_000_000n, quote: 43_376_000n });
  const second = { execId: 'X2', base: 60_000_000n, quote: 65_070_000n, price: '1.0845' };
  expect(await cover.book(record, second, 'engine')).toBe('changed');
  expect(await cover.book(part, second, 'engine')).toBe('booked');
  expect(await cover.book(part, second, 'engine')).toBe('known');
  const whole = (await cover.read(record.id))!;
  expect(whole).toMatchObject({ status: 'filled', filled: 100_000_000n, quote: 108_446_000n });
  expect(whole.fills.map(({ execId, price }) => [execId, price])).toEqual([
    ['X1', '1.0844'],
    ['X2', '1.0845'],
  ]);
  expect(await cover.open()).toEqual([]);
  const after = await cover.balances();
  const changed = Object.entries(after).map(([name, balance]) => [name, balance - (before[name] ?? 0n)] as const);
  expect(Object.fromEntries(changed.filter(([, change]) => change !== 0n))).toEqual({
    'EUR/house:cover:LP1': -100_000_000n,
    'EUR/house:fx': 100_000_000n,
    'USD/house:cover:LP1': 108_446_000n,
    'USD/house:fx': -108_446_000n,
  });
  const [entry] = await running.store.journal.latest(HOUSE, 1);
  expect(entry).toMatchObject({ step: 'cover-fx', id: record.id, actor: 'engine', reference: 'X2', reason: '1.0845' });
  expect(entry!.hash).toBe(whole.factsHash);
});

test('only a planned order is sent, and once', async () => {
  const one = coverOrder();
  expect(await cover.move(one, 'sent', '', holding)).toEqual({ kind: 'status', status: undefined });
  await cover.plan(one, 'suggested', holding);
  expect(await cover.move(one, 'sent', '', holding)).toEqual({ kind: 'status', status: 'suggested' });
  expect(await cover.move(one, 'planned', 'approved by anna')).toMatchObject({ kind: 'moved', status: 'planned' });
  const twice = await Promise.all([cover.move(one, 'sent', '', holding), cover.move(one, 'sent', '', holding)]);
  expect(twice.map(({ kind }) => kind).sort()).toEqual(['moved', 'status']);
  expect(await cover.move(one, 'planned')).toEqual({ kind: 'status', status: 'sent' });
  expect(await cover.move(one, 'withdrawn')).toEqual({ kind: 'status', status: 'sent' });
  expect(await cover.move(one, 'unknown', 'no report')).toMatchObject({ status: 'unknown' });
  expect(await cover.move(one, 'sent', '', holding)).toEqual({ kind: 'status', status: 'unknown' });
});

test('a process that has lost the lease plans and sends nothing', async () => {
  const one = coverOrder();
  await cover.plan(one, 'planned', holding);
  const later = `other ${1_763_625_600_000_000 + ++at}`;
  const another = await running.another();
  expect(await another.cover.claim(later)).toBe(true);
  expect(await cover.move(one, 'sent', '', holding)).toEqual({ kind: 'fenced' });
  expect(await cover.plan(coverOrder({ pair: 'USD/JPY' }), 'planned', holding)).toBe('fenced');
  expect(await cover.claim(holding)).toBe(false);
  expect(await another.cover.move(one, 'sent', '', later)).toMatchObject({ kind: 'moved' });
});

test('a pair has one order that has not ended', async () => {
  const one = await sent();
  expect(await cover.plan(coverOrder(), 'planned', holding)).toBe('open');
  expect(await cover.plan(coverOrder({ pair: 'GBP/USD' }), 'planned', holding)).toBe('planned');
  expect((await cover.open()).map(({ pair }) => pair)).toEqual(['EUR/USD', 'GBP/USD']);
  expect(await cover.move(one, 'ended', 'rejected by LP1')).toMatchObject({ status: 'rejected' });
  expect(await cover.plan(coverOrder(), 'planned', holding)).toBe('planned');
});

test('a fill of an order that has ended is booked all the same, and none of one that was never sent', async () => {
  const record = await sent();
  await cover.move(record, 'unknown', 'no report');
  await cover.move(record, 'ended', 'not known to LP1');
  const fill = { execId: 'X9', base: 30_000_000n, quote: 32_532_000n, price: '1.0844' };
  expect(await cover.book((await cover.read(record.id))!, fill, 'engine')).toBe('booked');
  expect(await cover.read(record.id)).toMatchObject({ status: 'partly-filled', filled: 30_000_000n });
  const planned = coverOrder({ pair: 'AUD/USD' });
  await cover.plan(planned, 'planned', holding);
  expect(await cover.book((await cover.read(planned.id))!, fill, 'engine')).toBe('not-sent');
});

test('of an order resolved by hand the status stays, whatever comes later', async () => {
  const record = await sent();
  await cover.move(record, 'unknown');
  expect(await cover.move(record, 'resolved', 'by anna: not dealt')).toMatchObject({ status: 'resolved' });
  const all = { execId: 'X1', base: 100_000_000n, quote: 108_440_000n, price: '1.0844' };
  expect(await cover.book(record, all, 'engine')).toBe('booked');
  expect(await cover.read(record.id)).toMatchObject({ status: 'resolved', filled: 100_000_000n });
});

test('a disputed order is open beside the next one of its pair, and only a settlement by hand is booked', async () => {
  const record = await sent();
  const fill = { execId: 'X1', base: 100_000_000n, quote: 108_440_000n, price: '1.0844' };
  await cover.book(record, fill, 'engine');
  const next = await sent();
  expect(await cover.dispute(record, 'B1', 'cancelled')).toBe('disputed');
  expect(await cover.dispute(record, 'B1', 'cancelled')).toBe('known');
  expect((await cover.open()).map(({ id, status }) => [id, status]).sort()).toEqual(
    [
      [record.id, 'disputed'],
      [next.id, 'sent'],
    ].sort(),
  );
  const disputed = (await cover.read(record.id))!;
  expect(disputed).toMatchObject({ status: 'disputed', reason: 'cancelled', disputes: ['B1'], filled: 100_000_000n });
  const back = { execId: 'hand:2', base: -40_000_000n, quote: -43_376_000n, price: '1.0844' };
  expect(await cover.book(disputed, back, 'engine')).toBe('not-sent');
  expect(await cover.book(disputed, back, 'anna', true)).toBe('booked');
  expect(await cover.move(disputed, 'resolved', 'by anna')).toMatchObject({ status: 'resolved' });
  expect(await cover.read(record.id)).toMatchObject({ filled: 60_000_000n, quote: 65_064_000n });
  expect((await cover.open()).map(({ id }) => id)).toEqual([next.id]);
  const planned = coverOrder({ pair: 'NZD/USD' });
  await cover.plan(planned, 'planned', holding);
  expect(await cover.dispute(planned, 'B2', 'cancelled')).toBe('not-sent');
});

test('a movement with the provider is entered once for each id', async () => {
  const adjustment: CoverAdjustment = {
    ...{
      id: 'statement-1',
      kind: 'credit' as const,
      provider: 'LP9',
      currency: 'EUR',
      amount: 500n,
      reference: 'MT940-1',
    },
    ...{ actor: 'anna', reason: 'settled' },
  };
  expect(await cover.adjust(adjustment)).toEqual({ balance: 500n, replayed: false });
  expect(await cover.adjust(adjustment)).toEqual({ balance: 500n, replayed: true });
  expect(await cover.adjust({ ...adjustment, amount: 501n })).toBe('REQUEST_ID_REUSED');
  expect(await cover.adjust({ ...adjustment, id: 'statement-2', kind: 'debit', amount: 700n })).toEqual({
    balance: -200n,
    replayed: false,
  });
});

test('rules apply in every process, and no client has the id of the house', async () => {
  const rule: CoverRule = {
    ...{ pair: 'EUR/USD', band: 100_000, ratio: 100, min: 10_000, max: 5_000_000, step: 1_000, everyMs: 1_000 },
    ...{ worst: '5', quoteAgeMs: 500, order: 'limit' as const, timeInForce: 'IOC' as const },
    providers: ['LP1', 'LP2'],
  };
  const another = await running.another();
  let known: unknown;
  another.cover.rules.onChange((rules) => {
    known = rules;
  });
  await cover.rules.change('EUR/USD', () => rule);
  await vi.waitFor(() => expect(known).toEqual(new Map([['EUR/USD', rule]])), 120_000);
  expect(await cover.rules.change('EUR/USD', () => undefined)).toMatchObject({ before: rule });
  expect(await cover.rules.change('EUR/USD', () => undefined)).toMatchObject({ before: undefined });
  await vi.waitFor(() => expect(known).toEqual(new Map()), 120_000);
  await expect(running.store.clients.create({ id: HOUSE.id, name: 'x', defaultType: 'PREFUNDING' })).rejects.toThrow(
    TypeError,
  );
});
