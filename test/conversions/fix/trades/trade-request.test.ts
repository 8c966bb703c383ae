/** TradeCaptureReportRequest(AD): which conversions are reported, how, and what is refused. */
import { beforeAll, describe, expect, test } from 'vitest';
import { startTrader, type Trader } from '../../../fix/trader.js';
import type { Fields, Received } from '../../../support/desk.js';
import { addTrades, requestTrades, TwoDays } from './trades.js';

const on = TwoDays.begin(async (on) => {
  await on.order({ 11: 'FRI-1', 54: 2, 15: 'USD', 38: 500 });
  await on.bookByRest('FRI-2');
});

/** The AQ of that request, and the AE that follow it. */
async function trades(id: string, type: number, more: Fields = [], of: Trader = on.acme) {
  requestTrades(of, id, type, more);
  const ack = await of.desk.next('AQ', (message) => message.get(568) === id);
  const reports: Received[] = [];
  for (let left = ack.get(750) === '0' ? Number(ack.get(748)) : 0; left > 0; left--)
    reports.push(await of.desk.next('AE', (message) => message.get(568) === id));
  return {
    ack,
    reports,
    ids: reports.map((report) => report.get(11)),
    numbers: reports.map((report) => report.get(20019)),
  };
}

const tags = (message: Received, ...asked: number[]) => asked.map((tag) => message.get(tag));

test('reports a conversion as ExecutionReport(8) does', async () => {
  // A store that is slow has the order reported as pending first, 150=A.
  const filled = on.acme.desk.received.find((message) => message.get(11) === 'FRI-1' && message.get(150) === 'F')!;
  const { ack, reports } = await trades('T1', 1, [
    [580, 1],
    [75, '20261120'],
  ]);
  expect(tags(ack, 569, 748, 749, 750, 55, 20011)).toEqual(['1', '2', '0', '0', '[N/A]', undefined]);
  const [first, last] = reports as [Received, Received];
  const same = [
    37, 11, 17, 55, 54, 38, 32, 31, 194, 75, 60, 64, 119, 120, 15, 40, 58, 20004, 20005, 20007, 20008, 20015, 20016,
  ];
  expect(tags(first, ...same)).toEqual(tags(filled, ...same));
  expect(tags(first, 487, 856, 150, 39, 748, 912, 570, 573, 552, 20019)).toEqual([
    '0',
    '0',
    'F',
    '2',
    '2',
    'N',
    'N',
    '0',
    '1',
    '2',
  ]);
  expect(tags(last, 11, 58, 912, 20019)).toEqual(['FRI-2', 'by REST', 'Y', '3']);
  expect(new Set(reports.map((report) => report.get(571))).size).toBe(2);
});

test.each<[what: string, type: number, criteria: Fields, ids: string[]]>([
  ['all', 0, [], ['THU-1', 'FRI-1', 'FRI-2']],
  [
    'a day',
    1,
    [
      [580, 1],
      [75, '20261119'],
    ],
    ['THU-1'],
  ],
  [
    'a day with 569=0',
    0,
    [
      [580, 1],
      [75, '20261119'],
    ],
    ['THU-1'],
  ],
  [
    'two days',
    1,
    [
      [580, 2],
      [75, '20261119'],
      [75, '20261120'],
    ],
    ['THU-1', 'FRI-1', 'FRI-2'],
  ],
  [
    'a Sunday',
    1,
    [
      [580, 1],
      [75, '20261122'],
    ],
    [],
  ],
  [
    'a day to come',
    1,
    [
      [580, 1],
      [75, '20301122'],
    ],
    [],
  ],
  ['a number', 1, [[20019, 2]], ['FRI-1', 'FRI-2']],
  ['number 0', 0, [[20019, 0]], ['THU-1', 'FRI-1', 'FRI-2']],
  ['the next number', 0, [[20019, 4]], []],
  [
    'a day and a number',
    1,
    [
      [580, 1],
      [75, '20261120'],
      [20019, 3],
    ],
    ['FRI-2'],
  ],
  [
    'a day before a number',
    1,
    [
      [580, 1],
      [75, '20261119'],
      [20019, 3],
    ],
    [],
  ],
])('by %s', async (what, type, criteria, ids) => {
  const found = await trades(`by ${what}`, type, criteria);
  expect(found.ids).toEqual(ids);
  expect(tags(found.ack, 748, 749, 750)).toEqual([String(ids.length), '0', ids.length === 0 ? '1' : '0']);
});

test("reports the client's own conversions only", async () => {
  expect(await trades('mine', 0, [], on.other)).toMatchObject({ ids: [] });
});

test('numbers continue, whatever the clock of the engine that books says', async () => {
  await on.turn(on.now - 60_000);
  on.acme.order({ 11: 'EARLIER' });
  await on.acme.report('EARLIER');
  await on.turn(on.now + 60_000);
  on.acme.order({ 11: 'LATER' });
  await on.acme.report('LATER');
  expect(await trades('numbers', 0)).toMatchObject({
    ids: ['THU-1', 'FRI-1', 'FRI-2', 'EARLIER', 'LATER'],
    numbers: ['1', '2', '3', '4', '5'],
  });
});

test('a day has the conversions whose reports state it, whatever the clock of the engine that books says', async () => {
  const one = await startTrader(on.rig, 'days');
  const before = on.now;
  const dates: (string | undefined)[] = [];
  for (const [id, time] of [
    ['EARLY', '21:59:40'],
    ['LATE', '22:00:10'],
    ['BEHIND', '21:59:50'],
  ] as const) {
    await on.turn(Date.parse(`2026-11-19T${time}Z`));
    one.order({ 11: id });
    dates.push((await one.report(id)).get(75));
  }
  await on.turn(before);
  const ids = ['EARLY', 'LATE', 'BEHIND'];
  for (const day of ['20261119', '20261120']) {
    const { reports, ids: found } = await trades(
      day,
      1,
      [
        [580, 1],
        [75, day],
      ],
      one,
    );
    expect(found).toEqual(ids.filter((_id, i) => dates[i] === day));
    expect(reports.map((report) => report.get(75))).toEqual(found.map(() => day));
  }
});

test('answers are routed back to the sender of the request', async () => {
  on.acme.desk.send(
    'AD',
    [
      [568, 'routed'],
      [569, 0],
      [20019, 1],
      [20001, on.acme.token],
    ],
    { more: [[50, 'ALICE']] },
  );
  expect(tags(await on.acme.desk.next('AQ', (message) => message.get(568) === 'routed'), 57)).toEqual(['ALICE']);
  expect(tags(await on.acme.desk.next('AE', (message) => message.get(568) === 'routed'), 57)).toEqual(['ALICE']);
});

describe('refuses', () => {
  test.each<[what: string, type: number, more: Fields, result: string, code: string]>([
    ['569=2', 2, [], '99', 'VALIDATION_FAILED'],
    ['a subscription', 0, [[263, 1]], '99', 'UNSUPPORTED_SUBSCRIPTION_TYPE'],
    ['Symbol(55)', 1, [[55, 'EUR/USD']], '99', 'UNSUPPORTED_FIELD'],
    ['OrderID(37)', 1, [[37, 'BFX1']], '99', 'UNSUPPORTED_FIELD'],
    ['569=1 without criteria', 1, [], '99', 'VALIDATION_FAILED'],
    [
      'three days',
      1,
      [
        [580, 3],
        [75, '20261119'],
        [75, '20261119'],
        [75, '20261119'],
      ],
      '99',
      'VALIDATION_FAILED',
    ],
    [
      'days in the wrong order',
      1,
      [
        [580, 2],
        [75, '20261120'],
        [75, '20261119'],
      ],
      '99',
      'VALIDATION_FAILED',
    ],
    [
      'a time of the day',
      1,
      [
        [580, 1],
        [75, '20261120'],
        [60, '20261120-08:00:00'],
      ],
      '99',
      'UNSUPPORTED_FIELD',
    ],
    ['a number below 0', 0, [[20019, -1]], '99', 'VALIDATION_FAILED'],
  ])('%s', async (what, type, more, result, code) => {
    const { ack } = await trades(`no ${what}`, type, more);
    expect(tags(ack, 569, 748, 749, 750, 20011)).toEqual([String(type), '0', result, '2', code]);
    expect(ack.get(58)).not.toBe('');
  });

  test.each<[what: string, token: () => string | undefined, code: string]>([
    ['no token', () => undefined, 'TOKEN_REQUIRED'],
    ['an unknown token', () => 'A'.repeat(43), 'TOKEN_INVALID'],
    ["another client's token", () => on.other.token, 'TOKEN_CLIENT_MISMATCH'],
  ])('%s with 749=9', async (what, token, code) => {
    const sent = token();
    on.acme.desk.send('AD', [[568, what], [569, 0], ...(sent === undefined ? [] : [[20001, sent] as const])]);
    const ack = await on.acme.desk.next('AQ', (message) => message.get(568) === what);
    expect(tags(ack, 749, 750, 20011)).toEqual(['9', '2', code]);
  });

  test('a key without the right with 749=9', async () => {
    const reader = await startTrader(on.rig, 'reader', { rights: ['read', 'rates'] });
    const { ack } = await trades('reader', 0, [], reader);
    expect(tags(ack, 749, 750, 20011)).toEqual(['9', '2', 'NOT_ENTITLED']);
  });

  test.each<[what: string, fields: Fields, tag: string]>([
    [
      'a date that is none',
      [
        [568, 'X'],
        [569, 1],
        [580, 1],
        [75, '20261340'],
      ],
      '75',
    ],
    [
      'a number that is none',
      [
        [568, 'X'],
        [569, 0],
        [20019, 'x'],
      ],
      '20019',
    ],
    ['no TradeRequestID(568)', [[569, 0]], '568'],
    [
      'an id of 129 characters',
      [
        [568, 'x'.repeat(129)],
        [569, 0],
      ],
      '568',
    ],
  ])('%s with Reject(3)', async (_what, fields, tag) => {
    on.acme.desk.send('AD', fields);
    expect(tags(await on.acme.desk.next('3'), 371, 372)).toEqual([tag, 'AD']);
  });

  test('above the message rate with 749=99', async () => {
    const fast = await startTrader(on.rig, 'fast');
    for (let i = 0; i < 101; i++) requestTrades(fast, `F${i}`, 0);
    const ack = await fast.desk.next('AQ', (message) => message.get(20011) === 'RATE_LIMITED');
    expect(tags(ack, 749, 750)).toEqual(['99', '2']);
  });
});

describe('ten thousand trades', () => {
  let busy: Trader;
  beforeAll(async () => {
    busy = await startTrader(on.rig, 'busy');
    busy.order({ 11: 'FIRST' });
    await busy.report('FIRST');
    await addTrades(on.rig, 'busy', 10_004);
  });

  test('are reported as fast as the desk reads, beside everything else, and the answer says where to continue', async () => {
    requestTrades(busy, 'ALL', 0);
    const ack = await busy.desk.next('AQ');
    expect(tags(ack, 748, 750, 20019)).toEqual(['10000', '0', '10001']);
    busy.desk.stopReading();
    const backlog = () => [...on.rig.gateway.states()].find(({ compId }) => compId === 'BUSY1')!.backlogBytes;
    const isFull = () => backlog() > 0;
    for (let looks = 0; looks < 2_000 && !isFull(); looks++) await new Promise((resolve) => setTimeout(resolve, 1));
    // A part of 100 is written at once; no further one is made while the desk does not read.
    expect(backlog()).toBeLessThan(512 * 1024);
    busy.desk.send('1', [[112, 'BESIDE']]);
    for (const id of ['2', '3', '4', '5', 'AGAIN']) requestTrades(busy, id, 0, [[20019, 10_005]]);
    on.acme.status('FRI-1');
    await on.acme.report('FRI-1');
    busy.desk.goOnReading();
    const refused = await busy.desk.next('AQ', (message) => message.get(568) === 'AGAIN');
    expect(tags(refused, 749, 750, 20011)).toEqual(['99', '2', 'RATE_LIMITED']);
    const last = await busy.desk.next('AE', (message) => message.get(912) === 'Y');
    expect(tags(last, 20019, 748)).toEqual(['10000', '10000']);
    expect(busy.desk.count('AE')).toBe(10_000);
    // The others follow in their order.
    const next = await busy.desk.next('AE', (message) => message.get(568) === '5');
    expect(tags(next, 748, 912, 20019)).toEqual(['1', 'Y', '10005']);
    const place = (of: Received | undefined) => busy.desk.received.indexOf(of!);
    expect(place(busy.desk.received.find((message) => message.get(112) === 'BESIDE'))).toBeLessThan(place(last));
    expect(await trades('REST', 0, [[20019, 10_001]], busy)).toMatchObject({
      numbers: ['10001', '10002', '10003', '10004', '10005'],
    });
  });
});
