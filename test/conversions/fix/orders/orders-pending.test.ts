/** The store does not answer: an order is pending until it does, never rejected while its outcome is unknown, and never booked twice. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { NewOrder } from '../../../../engine/fix/orders/new-order.js';
import { OpenOrders } from '../../../../engine/fix/orders/orders.js';
import { LIMITS } from '../../../../engine/fix/settings.js';
import { type Rig, startRig } from '../../../fix/rig.js';
import { logonAgain, startTrader, type Trader } from '../../../fix/trader.js';
import { IMPATIENT } from '../../../support/store.js';
import { until } from '../../../support/until.js';

const START = Date.parse('2026-11-20T08:00:00Z');
const began = Date.now();

let rig: Rig;
let redis: Redis;
beforeAll(async () => {
  rig = await startRig({ now: () => START + Date.now() - began, store: IMPATIENT });
  redis = new Redis(rig.redisUrl);
  rig.tick('EUR/USD', '1.08158', '1.08164');
});
afterAll(async () => {
  redis.disconnect();
  await rig.stop();
});

/** Until `unpause`, or the end of the test, the store takes no writes: they are sent, wait there and are carried out then. */
async function pause(): Promise<void> {
  onTestFinished(unpause);
  await redis.call('CLIENT', 'PAUSE', '600000', 'WRITE');
}
async function unpause(): Promise<void> {
  await redis.call('CLIENT', 'UNPAUSE');
}
/** Of the bookings from now on: waits until so many answers of the store were given up, and their callers do not know what became of them. */
function lostBookings(): (many: number) => Promise<void> {
  const booked = vi.spyOn(rig.services.store.bookings, 'book');
  onTestFinished(() => booked.mockRestore());
  return (many) => until(() => booked.mock.settledResults.filter(({ type }) => type === 'rejected').length >= many);
}

const states = (of: Trader, id: string) =>
  of.desk.received
    .filter((message) => message.get(35) === '8' && message.get(11) === id)
    .map((report) => `${report.get(150)} ${report.get(39)}`);
const pendingOf = (of: Trader, id: string) =>
  of.desk.next('8', (message) => message.get(11) === id && message.get(39) === 'A');
const moves = async (of: Trader) => (await of.money()).journal;

test('reports an order as pending, then filled; meanwhile its status is pending and later messages are processed', async () => {
  const acme = await startTrader(rig, 'acme');
  const before = await moves(acme);
  await pause();
  acme.order({ 11: 'P1', 38: 5000, 59: 3 });
  const pending = await pendingOf(acme, 'P1');
  expect([37, 150, 39, 38, 151, 14, 6, 59, 55].map((tag) => pending.get(tag))).toEqual([
    'NONE',
    'A',
    'A',
    '5000',
    '5000',
    '0',
    '0',
    '3',
    'EUR/USD',
  ]);

  acme.desk.send('x', [
    [320, 'L'],
    [559, '4'],
  ]);
  await acme.desk.next('y');
  acme.status('P1');
  expect((await pendingOf(acme, 'P1')).get(150)).toBe('I');
  acme.order({ 11: 'P1', 38: 5000, 59: 3 });
  expect((await pendingOf(acme, 'P1')).get(150)).toBe('I');
  acme.order({ 11: 'P1', 38: 5001 });
  const another = await acme.report('P1');
  expect([150, 39, 103, 20011].map((tag) => another.get(tag))).toEqual(['8', '8', '6', 'REQUEST_ID_REUSED']);

  await unpause();
  const filled = await acme.report('P1');
  expect([150, 39, 32, 59].map((tag) => filled.get(tag))).toEqual(['F', '2', '5000', '3']);
  acme.status('P1');
  expect((await acme.report('P1')).get(37)).toBe(filled.get(37));
  expect(await moves(acme)).toBe(before + 1);
});

test('retries orders whose store answers are lost, and reports each once: filled, or rejected', async () => {
  const rich = await startTrader(rig, 'rich');
  const poor = await startTrader(rig, 'poor', { money: { EUR: '1', USD: '1' } });
  const [before, unmoved] = [await moves(rich), await poor.money()];
  const lost = lostBookings();
  await pause();
  rich.order({ 11: 'P2' });
  poor.order({ 11: 'P3' });
  await pendingOf(rich, 'P2');
  await pendingOf(poor, 'P3');
  await lost(2);
  await unpause();

  const filled = await rich.report('P2');
  expect([filled.get(150), filled.get(39)]).toEqual(['F', '2']);
  expect(await moves(rich)).toBe(before + 1);
  rich.status('P2');
  await rich.report('P2');
  expect(states(rich, 'P2')).toEqual(['A A', 'F 2', 'I 2']);

  const rejected = await poor.report('P3');
  expect([150, 39, 103, 20011].map((tag) => rejected.get(tag))).toEqual(['8', '8', '3', 'INSUFFICIENT_BALANCE']);
  expect(await poor.money()).toEqual(unmoved);
  expect(states(poor, 'P3')).toEqual(['A A', '8 8']);
});

test('reports the order of a desk that logs out meanwhile once, at its next logon', async () => {
  const away = await startTrader(rig, 'away');
  const before = await moves(away);
  await pause();
  away.order({ 11: 'P4' });
  await pendingOf(away, 'P4');
  away.desk.close();
  await unpause();
  await expect.poll(() => moves(away), { timeout: 120_000 }).toBe(before + 1);
  const back = await logonAgain(rig, away);
  const filled = await back.report('P4');
  expect([150, 39, 97].map((tag) => filled.get(tag))).toEqual(['F', '2', 'Y']);
  back.status('P4');
  await back.report('P4');
  expect(back.desk.count('8')).toBe(2);
});

test('books an order whose desk disconnects before it is processed, because its MsgSeqNum(34) is counted', async () => {
  const quick = await startTrader(rig, 'quick');
  const before = await moves(quick);
  await pause();
  quick.order({ 11: 'P5' });
  quick.order({ 11: 'P6' });
  quick.desk.close();
  await unpause();
  await expect.poll(() => moves(quick), { timeout: 120_000 }).toBe(before + 2);
  const back = await logonAgain(rig, quick);
  expect([(await back.report('P5')).get(150), (await back.report('P6')).get(150)]).toEqual(['F', 'F']);
});

test('rejects an order that the store has rejected unexecuted; its ClOrdID(11) stays usable', async () => {
  const early = await startTrader(rig, 'early');
  const before = await early.money();
  const takesWrites = () => redis.config('SET', 'min-replicas-to-write', '0');
  onTestFinished(async () => {
    await takesWrites();
  });
  await redis.config('SET', 'min-replicas-to-write', '1');
  early.order({ 11: 'P7' });
  const refused = await early.report('P7');
  await takesWrites();
  expect([150, 39, 103, 20011].map((tag) => refused.get(tag))).toEqual(['8', '8', '0', 'STORE_UNAVAILABLE']);
  expect(await early.money()).toEqual(before);
  early.order({ 11: 'P7' });
  expect((await early.report('P7')).get(150)).toBe('F');
});

test('rejects the order that exceeds the waiting limit, then logs the desk out', async () => {
  const busy = await startTrader(rig, 'busy');
  rig.hangStore();
  busy.desk.stream('V1', ['EUR/USD'], 'A'.repeat(43));
  for (let i = 0; i < LIMITS.waiting + 2; i++) {
    // The messages themselves have a pace of their own.
    rig.skip(20);
    busy.order({ 11: `B${i}`, 55: 'EUR/QQQ' });
    if (i % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await busy.desk.untilClosed();
  const reports = busy.desk.received.filter((message) => message.get(35) === '8');
  const refused = reports.find((message) => message.get(20011) === 'STORE_UNAVAILABLE');
  expect([refused?.get(150), refused?.get(103)]).toEqual(['8', '0']);
  expect(busy.desk.received.at(-1)?.get(58)).toMatch(/^STORE_UNAVAILABLE: too much waits/);
});

test('a stopping gateway waits for orders at the store and gives the others up', async () => {
  const orders = new OpenOrders();
  const open = orders.open({
    clientId: 'a',
    compId: 'A',
    order: { id: '1' } as NewOrder,
    receivedAtMs: 0,
  })!;
  let isResumed: boolean | undefined;
  void orders.pause(60_000).then((again) => {
    isResumed = again;
  });
  let isStopped = false;
  let hadTurns = () => {};
  const last = new Promise<void>((resolve) => {
    hadTurns = resolve;
  });
  void orders.stop(last, 60_000).then(() => {
    isStopped = true;
  });
  await until(() => isResumed === false);
  orders.close(open);
  const another = orders.open({
    clientId: 'a',
    compId: 'A',
    order: { id: '2' } as NewOrder,
    receivedAtMs: 0,
  })!;
  hadTurns();
  await last;
  expect(isStopped).toBe(false);
  orders.close(another);
  await until(() => isStopped);
});

test('a hundred orders of a session may be open', () => {
  const orders = new OpenOrders();
  const open = (compId: string, id: number) =>
    orders.open({ clientId: 'a', compId, order: { id: `${compId}-${id}` } as NewOrder, receivedAtMs: 0 });
  const first = open('A', 0)!;
  for (let i = 1; i < 100; i++) expect(open('A', i)).toBeDefined();
  expect([open('A', 100), open('B', 0)?.compId]).toEqual([undefined, 'B']);
  orders.close(first);
  expect([orders.isOpen(first), open('A', 100)?.compId]).toEqual([false, 'A']);
});
