/** OrderMassStatusRequest(AF): the orders of the trade date, whichever door they came by. */
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startBesideHungStore, startTrader, type Trader } from '../../../fix/trader.js';
import type { Fields, Received } from '../../../support/desk.js';
import { addTrades, requestOrders, TwoDays } from './trades.js';

const on = TwoDays.begin(async (on) => {
  await on.order({ 11: 'FRI-1' });
  await on.order({ 11: 'FRI-2', 55: 'GBP/USD', 15: 'GBP' });
  await on.order({ 11: 'REJECTED', 38: 0 });
  await on.bookByRest('FRI-3');
});

const tags = (message: Received, ...asked: number[]) => asked.map((tag) => message.get(tag));

/** Every report that answers the request. */
async function orders(id: string, symbol?: string, of = on.acme): Promise<Received[]> {
  requestOrders(of, id, symbol);
  const reports: Received[] = [];
  do reports.push(await of.desk.next('8', (message) => message.get(584) === id));
  while (reports.at(-1)!.get(912) === 'N');
  return reports;
}

test('reports each order as OrderStatusRequest(H) does', async () => {
  on.acme.status('FRI-1');
  const status = await on.acme.report('FRI-1');
  const [first, ...others] = await orders('ALL');
  const rest = ({ fields }: Received) => fields.filter(([tag]) => ![9, 10, 34, 584, 911, 912].includes(tag));
  expect(rest(first!)).toEqual(rest(status));
  expect([first!, ...others].map((report) => tags(report, 11, 150, 39, 911, 912))).toEqual([
    ['FRI-1', 'I', '2', '3', 'N'],
    ['FRI-2', 'I', '2', '3', 'N'],
    ['FRI-3', 'I', '2', '3', 'Y'],
  ]);
});

test.each([
  ['GBP/USD', ['FRI-2']],
  ['EUR/USD', ['FRI-1', 'FRI-3']],
])('of %s', async (symbol, ids) => {
  const reports = await orders(`of ${symbol}`, symbol);
  expect(reports.map((report) => report.get(11))).toEqual(ids);
  expect(new Set(reports.map((report) => report.get(911)))).toEqual(new Set([String(ids.length)]));
});

test.each<[what: string, symbol: string | undefined, of: () => Trader]>([
  ['a pair without an order', 'USD/JPY', () => on.acme],
  ['a client without an order', undefined, () => on.other],
])('of %s: one report, 911=0 and 39=8', async (what, symbol, of) => {
  const reports = await orders(what, symbol, of());
  expect(reports.map((report) => tags(report, 37, 11, 150, 39, 103, 911, 912, 55, 54, 151, 14, 6, 20011))).toEqual([
    ['NONE', undefined, 'I', '8', '5', '0', 'Y', symbol ?? '[N/A]', '7', '0', '0', '0', 'UNKNOWN_ORDER'],
  ]);
});

describe('refuses', () => {
  test.each<[what: string, fields: Fields, reason: string, code: string]>([
    ['another type', [[585, 3]], '99', 'VALIDATION_FAILED'],
    [
      'an account',
      [
        [585, 7],
        [1, '100000000001'],
      ],
      '11',
      'UNSUPPORTED_FIELD',
    ],
    [
      'a side',
      [
        [585, 7],
        [54, 1],
      ],
      '11',
      'UNSUPPORTED_FIELD',
    ],
    [
      'a symbol with 585=7',
      [
        [585, 7],
        [55, 'EUR/USD'],
      ],
      '99',
      'VALIDATION_FAILED',
    ],
    [
      'an unknown symbol',
      [
        [585, 1],
        [55, 'EUR/QQQ'],
      ],
      '1',
      'UNKNOWN_SYMBOL',
    ],
    [
      'an inverted symbol',
      [
        [585, 1],
        [55, 'USD/EUR'],
      ],
      '1',
      'INVERSE_SYMBOL',
    ],
  ])('%s with 8 150=8', async (what, fields, reason, code) => {
    on.acme.desk.send('AF', [[584, what], ...fields, [20001, on.acme.token]]);
    const report = await on.acme.desk.next('8', (message) => message.get(584) === what);
    expect(tags(report, 37, 150, 39, 103, 911, 912, 20011)).toEqual(['NONE', '8', '8', reason, '0', 'Y', code]);
  });

  test('no token, before anything else of the request', async () => {
    on.acme.desk.send('AF', [
      [584, 'NO TOKEN'],
      [585, 3],
    ]);
    const report = await on.acme.desk.next('8', (message) => message.get(584) === 'NO TOKEN');
    expect(tags(report, 150, 39, 103, 20011)).toEqual(['8', '8', '99', 'TOKEN_REQUIRED']);
  });

  test('585=1 without Symbol(55) with j 380=5', async () => {
    on.acme.desk.send('AF', [
      [584, 'X'],
      [585, 1],
      [20001, on.acme.token],
    ]);
    expect(tags(await on.acme.desk.next('j'), 372, 380, 20011)).toEqual(['AF', '5', 'VALIDATION_FAILED']);
  });

  test('a key without the right with j 380=6', async () => {
    const reader = await startTrader(on.rig, 'reader', { rights: ['read', 'rates'] });
    requestOrders(reader, 'X');
    expect(tags(await reader.desk.next('j'), 372, 380, 20011)).toEqual(['AF', '6', 'NOT_ENTITLED']);
  });

  test('above the message rate with j 380=0', async () => {
    const fast = await startTrader(on.rig, 'fast');
    for (let i = 0; i < 101; i++) requestOrders(fast, `F${i}`);
    const reject = await fast.desk.next('j', (message) => message.get(20011) === 'RATE_LIMITED');
    expect(tags(reject, 372, 380)).toEqual(['AF', '0']);
  });
});

test('reports the newest thousand, and a sixth request meanwhile is rejected with j 380=0', async () => {
  const busy = await startTrader(on.rig, 'busy');
  busy.order({ 11: 'FIRST' });
  await busy.report('FIRST');
  await addTrades(on.rig, 'busy', 1_100);
  requestOrders(busy, 'MANY');
  for (const id of ['2', '3', '4', '5', 'AGAIN']) requestOrders(busy, id, 'USD/JPY');
  expect(tags(await busy.desk.next('j'), 372, 380, 20011)).toEqual(['AF', '0', 'RATE_LIMITED']);
  const last = await busy.desk.next('8', (message) => message.get(584) === 'MANY' && message.get(912) === 'Y');
  const others = await busy.desk.next('8', (message) => message.get(584) === '5');
  expect(busy.desk.received.indexOf(others)).toBeGreaterThan(busy.desk.received.indexOf(last));
  expect(tags(last, 911)).toEqual(['1000']);
  expect(busy.desk.received.filter((message) => message.get(584) === 'MANY')).toHaveLength(1_000);
  const reports = await orders('MANY OF', 'EUR/USD', busy);
  expect([reports.length, reports[0]!.get(911)]).toEqual([1_000, '1000']);
});

test('an order that waits for the store is reported as pending, behind those that are booked', async () => {
  const slow = await startTrader(on.rig, 'slow');
  slow.order({ 11: 'BOOKED' });
  await slow.report('BOOKED');
  const redis = new Redis(on.rig.redisUrl);
  const unpause = () => redis.call('CLIENT', 'UNPAUSE');
  onTestFinished(async () => {
    await unpause();
    redis.disconnect();
  });
  await redis.call('CLIENT', 'PAUSE', '600000', 'WRITE');
  slow.order({ 11: 'WAITS' });
  await slow.desk.next('8', (message) => message.get(150) === 'A');
  const reports = await orders('SLOW', undefined, slow);
  expect(reports.map((report) => tags(report, 11, 39, 911, 912))).toEqual([
    ['BOOKED', '2', '2', 'N'],
    ['WAITS', 'A', '2', 'Y'],
  ]);
  await unpause();
  await slow.report('WAITS');
});

test.each(['WRITE', 'ALL'])('an order that is booked meanwhile is reported once (%s)', async (kind) => {
  const slow = await startTrader(on.rig, `meanwhile-${kind.toLowerCase()}`);
  slow.order({ 11: 'BOOKED' });
  await slow.report('BOOKED');
  const redis = new Redis(on.rig.redisUrl);
  onTestFinished(() => redis.disconnect());
  await redis.call('CLIENT', 'PAUSE', '600', kind);
  slow.order({ 11: 'WAITS' });
  await slow.desk.next('8', (message) => message.get(150) === 'A');
  const reports = await orders('MEANWHILE', undefined, slow);
  expect(reports.map((report) => tags(report, 11, 911, 912))).toEqual([
    ['BOOKED', '2', 'N'],
    ['WAITS', '2', 'Y'],
  ]);
  const { received } = slow.desk;
  const filled = received.findIndex((message) => message.get(11) === 'WAITS' && message.get(150) === 'F');
  // Pending is never said of an order behind its own report.
  if (filled >= 0 && filled < received.indexOf(reports[1]!)) expect(reports[1]!.get(39)).toBe('2');
});

test('while the store is away an order that waits for it is not reported as rejected: j 380=4', async () => {
  const hung = await startBesideHungStore();
  requestOrders(hung, 'AWAY');
  expect(tags(await hung.desk.next('j'), 372, 380, 20011)).toEqual(['AF', '4', 'STORE_UNAVAILABLE']);
});
