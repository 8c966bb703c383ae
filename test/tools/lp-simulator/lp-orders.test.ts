import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Field,
  Initiator,
  type MessageView,
  memoryStoreFactory,
  profile,
  type SessionStoreFactory,
} from 'node-quickfix-ts';
import { afterEach, expect, test } from 'vitest';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import { runCommand } from '../../../engine/tools/lp-simulator/faults.js';
import { isOrderCommand } from '../../../engine/tools/lp-simulator/order-faults.js';
import { readOrderList } from '../../../engine/tools/lp-simulator/order-list.js';
import { type LpSimulator, startLpSimulator } from '../../../engine/tools/lp-simulator/simulator.js';
import { until } from '../../support/until.js';

const EURUSD = pairBySymbol('EUR/USD')!;
const open: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Shows 1.08430 / 1.08432 for 4 million at the first level, and 8 million a tenth of a pip further. */
async function provider(kept: { orders?: string; store?: string } = {}, port = 0): Promise<LpSimulator> {
  const lp = await startLpSimulator({ fix: port, pairs: [EURUSD], kept });
  lp.faults.isStalled = true;
  lp.tick({ pair: EURUSD, bid: 10_843_000, offer: 10_843_200, sourceTimeUs: Date.now() * 1000 });
  open.push(() => lp.close());
  return lp;
}

/** A client whose reports are short texts: ExecType, OrdStatus, LastQty@LastPx, CumQty, AvgPx, reason, PossDup or PossResend. */
async function client(lp: LpSimulator, store: SessionStoreFactory = memoryStoreFactory()) {
  const reports: string[] = [];
  const ids: string[] = [];
  let logons = 0;
  const show = (message: MessageView): string => {
    if (message.msgType === 'AE')
      return `AE ${message.string(17)} ${message.string(32)}@${message.string(31)} ${message.groups(552)[0]?.string(11)}`;
    if (message.msgType === 'AQ') return `AQ ${message.string(748)}`;
    const last = message.has(32) ? `${message.string(32)}@${message.string(31)} ` : '';
    const marks = `${message.flag(43) ? ' 43' : ''}${message.flag(97) ? ' 97' : ''}`;
    const reason = message.has(103) ? ` 103=${message.string(103)}` : '';
    return `${message.string(150)}/${message.string(39)} ${last}${message.string(14)} ${message.string(6)}${reason}${marks}`;
  };
  const initiator = new Initiator({
    host: '127.0.0.1',
    port: lp.fixPort!,
    beginString: 'FIX.4.4',
    dictionary: 'none',
    senderCompId: 'HOUSE',
    targetCompId: 'LP',
    heartBtInt: 30,
    store,
    reconnect: { firstMs: 10, maxMs: 50 },
    resetOnLogon: false,
    profile: profile({ supported: new Set(['8', 'AE', 'AQ']) }),
    application: {
      onLogon: () => logons++,
      onLogout() {},
      onMessage(_session, message) {
        reports.push(show(message));
        if (message.msgType === '8') ids.push(message.string(17)!);
      },
    },
  });
  open.push(() => initiator.stop());
  initiator.start();
  await until(() => logons === 1);
  const send = (msgType: string, fields: readonly Field[]) =>
    expect(initiator.session!.send(msgType, fields)).toBeTypeOf('number');
  return {
    send,
    ids,
    logons: () => logons,
    /** A market order to buy by default. */
    order(
      clOrdId: string,
      quantity: number | string,
      more: readonly Field[] = [],
      type: readonly Field[] = [
        [40, 1],
        [59, 3],
      ],
    ) {
      send('D', [[11, clOrdId], [55, 'EUR/USD'], [54, 1], [60, '20261123-10:00:00'], [38, quantity], ...type, ...more]);
    },
    status: (clOrdId: string) =>
      send('H', [
        [11, clOrdId],
        [55, 'EUR/USD'],
        [54, 1],
      ]),
    capture: (clOrdId: string) =>
      send('AD', [
        [568, 'T1'],
        [569, 1],
        [11, clOrdId],
      ]),
    async answered(count: number): Promise<readonly string[]> {
      await until(() => reports.length >= count);
      return reports.splice(0);
    },
  };
}

const LIMIT = (price: string, timeInForce: number): readonly Field[] => [
  [40, 2],
  [44, price],
  [59, timeInForce],
];

test('a market order is filled level by level at the price of the moment', async () => {
  const lp = await provider();
  const desk = await client(lp);
  desk.order('A1', 1_000_000);
  expect(await desk.answered(2)).toEqual(['0/0 0 0', 'F/2 1000000@1.08432 1000000 1.08432']);
  lp.tick({ pair: EURUSD, bid: 10_850_000, offer: 10_850_200, sourceTimeUs: Date.now() * 1000 });
  desk.order('A2', 1_000_000);
  expect((await desk.answered(2))[1]).toBe('F/2 1000000@1.08502 1000000 1.08502');
  const [first] = [Number(EURUSD.maxAmount) * 0.2];
  desk.order('A3', first + 500_000);
  const [, one, two] = await desk.answered(3);
  expect(one).toMatch(new RegExp(`^F/1 ${first}@1.08502 ${first} 1.08502$`));
  expect(two).toMatch(/^F\/2 500000@1\.08503/);
});

test('a limit order deals within its price alone: IOC in part, FOK whole or not at all', async () => {
  const lp = await provider();
  const desk = await client(lp);
  const first = Number(EURUSD.maxAmount) * 0.2;
  desk.order('B1', first + 1, [], LIMIT('1.08432', 3));
  expect(await desk.answered(3)).toEqual(['0/0 0 0', `F/1 ${first}@1.08432 ${first} 1.08432`, `4/4 ${first} 1.08432`]);
  desk.order('B2', first + 1, [], LIMIT('1.08432', 4));
  expect(await desk.answered(2)).toEqual(['0/0 0 0', '4/4 0 0']);
  desk.order('B3', first, [], LIMIT('1.08432', 4));
  expect(await desk.answered(2)).toEqual(['0/0 0 0', `F/2 ${first}@1.08432 ${first} 1.08432`]);
  desk.order('B4', first, [], LIMIT('1.08431', 3));
  expect(await desk.answered(2)).toEqual(['0/0 0 0', '4/4 0 0']);
});

test.each([
  ['an unknown pair', [[55, 'EUR/XAU']], '8/8 0 0 103=1'],
  ['an amount of no whole units', [[38, '1.5']], '8/8 0 0 103=13'],
  ['a stop order', [[40, 3]], '8/8 0 0 103=11'],
  ['a limit order without a price', [[40, 2]], '8/8 0 0 103=99'],
  ['an order for the day', [[59, 0]], '8/8 0 0 103=11'],
  ['the other currency', [[15, 'USD']], '8/8 0 0 103=11'],
] as const)('rejects %s', async (_name, changes, report) => {
  const desk = await client(await provider());
  const fields: readonly Field[] = [
    [11, 'C1'],
    [55, 'EUR/USD'],
    [54, 1],
    [60, '20261123-10:00:00'],
    [38, 1000],
    [40, 1],
    [59, 3],
  ];
  desk.send('D', [...new Map<number, string | number>([...fields, ...changes])]);
  expect(await desk.answered(1)).toEqual([report]);
});

test('partial fills, rejects and both last looks are reported as they are', async () => {
  const lp = await provider();
  const desk = await client(lp);
  expect(runCommand(lp, 'orders next 1 partial 40')).toBe('the next 1 orders: partial 40');
  desk.order('D1', 100_000);
  expect(await desk.answered(3)).toEqual(['0/0 0 0', 'F/1 40000@1.08432 40000 1.08432', '4/4 40000 1.08432']);
  runCommand(lp, 'orders reject');
  desk.order('D2', 100_000);
  expect(await desk.answered(2)).toEqual(['0/0 0 0', '8/8 0 0 103=99']);
  runCommand(lp, 'orders last-look 30 reject');
  desk.order('D3', 100_000);
  expect(await desk.answered(2)).toEqual(['0/0 0 0', '8/8 0 0 103=99']);
  runCommand(lp, 'orders last-look 30');
  desk.order('D4', 100_000);
  expect(await desk.answered(2)).toEqual(['0/0 0 0', 'F/2 100000@1.08432 100000 1.08432']);
  expect(lp.orders!.orders.map(({ clOrdId, status }) => `${clOrdId} ${status}`)).toEqual([
    'D1 cancelled',
    'D2 rejected',
    'D3 rejected',
    'D4 filled',
  ]);
});

test('a silent order is found by its status and its trades alone', async () => {
  const lp = await provider();
  const desk = await client(lp);
  runCommand(lp, 'orders silent-fill');
  desk.order('E1', 100_000);
  await until(() => lp.orders!.orders.length === 1);
  runCommand(lp, 'orders silent');
  desk.order('E2', 100_000);
  desk.status('E1');
  desk.status('E2');
  desk.status('E3');
  expect(await desk.answered(3)).toEqual(['I/2 100000 1.08432', 'I/4 0 0', 'I/8 0 0 103=5']);
  desk.capture('E1');
  desk.capture('E2');
  const id = lp.orders!.orders[0]!.fills[0]!.execId;
  expect(await desk.answered(3)).toEqual(['AQ 1', `AE ${id} 100000@1.08432 E1`, 'AQ 0']);
  runCommand(lp, 'orders status off');
  desk.status('E1');
  runCommand(lp, 'orders fill');
  desk.order('E4', 1_000);
  expect(await desk.answered(2)).toEqual(['0/0 0 0', 'F/2 1000@1.08432 1000 1.08432']);
});

test('a connection that is cut before the fill leaves no order, and after it the reports are resent', async () => {
  const lp = await provider();
  const desk = await client(lp);
  runCommand(lp, 'orders cut');
  desk.order('F1', 100_000);
  await until(() => desk.logons() === 2);
  desk.status('F1');
  expect(await desk.answered(1)).toEqual(['I/8 0 0 103=5']);
  runCommand(lp, 'orders fill-cut');
  desk.order('F2', 100_000);
  await until(() => desk.logons() === 3);
  expect(await desk.answered(2)).toEqual(['0/0 0 0 43', 'F/2 100000@1.08432 100000 1.08432 43']);
});

test('duplicates repeat the ExecID, also as PossResend, and a gap loses none', async () => {
  const lp = await provider({ store: folder() });
  const desk = await client(lp);
  runCommand(lp, 'orders next 1 duplicate');
  desk.order('G1', 100_000);
  const fill = 'F/2 100000@1.08432 100000 1.08432';
  expect(await desk.answered(6)).toEqual(['0/0 0 0', '0/0 0 0', '0/0 0 0 97', fill, fill, `${fill} 97`]);
  expect(new Set(desk.ids.splice(0)).size).toBe(2);
  runCommand(lp, 'orders next 1 gap');
  desk.order('G2', 100_000);
  expect(await desk.answered(2)).toEqual(['0/0 0 0', fill]);
});

test('a ClOrdID that comes again is counted and never filled again, over a restart of the provider too', async () => {
  const kept = { orders: join(folder(), 'orders'), store: folder() };
  const lp = await provider(kept);
  const store = memoryStoreFactory();
  const desk = await client(lp, store);
  desk.order('H1', 100_000);
  await desk.answered(2);
  desk.order('H1', 100_000);
  expect(await desk.answered(1)).toEqual(['8/8 0 0 103=6']);
  desk.order('H1', 100_000, [[97, 'Y']]);
  expect(await desk.answered(1)).toEqual(['I/2 100000 1.08432']);
  runCommand(lp, 'orders last-look 60000');
  desk.order('H2', 100_000);
  await desk.answered(1);
  const id = readOrderList(kept.orders)[0]!.fills[0]!.execId;
  await lp.close();
  // As a kill in the midst of a write leaves it.
  writeFileSync(kept.orders, `${readFileSync(kept.orders, 'utf8')}{"fill":{"execId"`);

  const again = await provider(kept, lp.fixPort);
  await until(() => desk.logons() === 2);
  desk.order('H1', 100_000);
  desk.status('H2');
  expect(await desk.answered(2)).toEqual(['8/8 0 0 103=6', 'I/4 0 0']);
  desk.order('H3', 100_000);
  await desk.answered(2);
  expect(again.orders!.summary).toBe('3 orders, 2 fills, 3 repeated');
  const kept3 = readOrderList(kept.orders);
  expect(kept3.map(({ clOrdId, status, repeats }) => `${clOrdId} ${status} ${repeats}`)).toEqual([
    'H1 filled 3',
    'H2 cancelled 0',
    'H3 filled 0',
  ]);
  expect(kept3[2]!.fills[0]!.execId).not.toBe(id);
});

test('commands of orders', async () => {
  for (const line of ['fill', 'next 3 last-look 20 reject', 'random 7', 'status off', 'partial 40'])
    expect(isOrderCommand(line)).toBe(true);
  for (const line of [
    '',
    'fil',
    'next fill',
    'next 0 fill',
    'partial',
    'partial 100',
    'last-look 70000',
    'fill now',
    'status',
    'random x',
  ])
    expect(isOrderCommand(line)).toBe(false);
  const lp = await provider();
  expect(runCommand(lp, 'orders list')).toBe('0 orders, 0 fills, 0 repeated');
  expect(runCommand(lp, 'orders never')).toContain('last-look <ms>');
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'lp-orders-'));
  open.push(() => rmSync(made, { recursive: true, force: true }));
  return made;
}
