import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClientOf, type Rig, startRig } from '../../../fix/rig.js';
import type { Fields, TestDesk } from '../../../support/desk.js';

let rig: Rig;
let desk: TestDesk;
let token: string;
let foreignToken: string;
let limited: ClientOf;

// A Friday; spot of EUR/USD is Tuesday the 21st. It is to come, since the store forgets by its own clock.
const NOW = Date.parse('2028-11-17T08:00:00Z');

beforeAll(async () => {
  rig = await startRig({ now: () => NOW });
  desk = rig.desk(await rig.client('acme', { pair: 'EUR/USD' }));
  limited = await rig.client('limited', { rights: ['trade'] });
  token = (await desk.logon()).get(20001)!;
  foreignToken = (await rig.desk(await rig.client('other')).logon()).get(20001)!;
  rig.tick('EUR/USD', '1.08158', '1.08164');
});
afterAll(() => rig.stop());

interface Ask {
  readonly id?: string;
  readonly type?: string;
  readonly depth?: string;
  readonly update?: string | undefined;
  readonly aggregated?: string;
  readonly entries?: readonly string[];
  readonly symbols?: readonly string[];
  readonly token?: string | undefined;
  readonly more?: Fields;
}

let asked = 0;
function request(ask: Ask): Fields {
  const { type = '1', depth = '1', entries = ['0', '1'], symbols = ['EUR/USD'], more = [] } = ask;
  const update = 'update' in ask ? ask.update : '0';
  const of = 'token' in ask ? ask.token : token;
  return [
    [262, ask.id ?? `M${++asked}`],
    [263, type],
    [264, depth],
    ...(update === undefined ? [] : [[265, update] as const]),
    ...(ask.aggregated ? [[266, ask.aggregated] as const] : []),
    [267, entries.length],
    ...entries.map((entry) => [269, entry] as const),
    [146, symbols.length],
    ...symbols.map((symbol) => [55, symbol] as const),
    ...(of === undefined ? [] : [[20001, of] as const]),
    ...more,
  ];
}

describe('refused with MarketDataRequestReject(Y)', () => {
  const isoToken = 'A'.repeat(43);
  test.each<[what: string, ask: Ask, reason: string | undefined, code: string, text?: string]>([
    ['no token', { token: undefined }, '3', 'TOKEN_REQUIRED', 'Token required: tag 20001 missing'],
    ['an unknown token', { token: isoToken }, '3', 'TOKEN_INVALID'],
    ['no token at all', { token: 'x' }, '3', 'TOKEN_INVALID'],
    ['263 not 0, 1 or 2', { type: '9' }, '4', 'UNSUPPORTED_SUBSCRIPTION_TYPE'],
    ['264 above 1', { depth: '5' }, '5', 'UNSUPPORTED_MARKET_DEPTH'],
    ['265 absent', { update: undefined }, '6', 'UNSUPPORTED_UPDATE_TYPE'],
    ['265 not 0 or 1', { update: '2' }, '6', 'UNSUPPORTED_UPDATE_TYPE'],
    ['265=1 with a value date', { update: '1', more: [[20012, '20281121']] }, '6', 'UNSUPPORTED_UPDATE_TYPE'],
    ['266=N', { aggregated: 'N' }, '7', 'UNSUPPORTED_AGGREGATED_BOOK'],
    ['269 a trade', { entries: ['0', '2'] }, '8', 'UNSUPPORTED_ENTRY_TYPE'],
    ['an unknown symbol', { symbols: ['EUR/QQQ'] }, '0', 'UNKNOWN_SYMBOL', 'Unknown symbol EUR/QQQ'],
    ['one bad symbol of two', { symbols: ['EUR/USD', 'EURUSD'] }, '0', 'UNKNOWN_SYMBOL', 'Unknown symbol EURUSD'],
    [
      'the inverse',
      { symbols: ['USD/EUR'] },
      '0',
      'INVERSE_SYMBOL',
      'USD/EUR is quoted the other way round: use EUR/USD',
    ],
    [
      'a pair without a margin',
      { symbols: ['EUR/USD', 'GBP/USD'] },
      '3',
      'NOT_ENTITLED',
      'Not entitled: GBP/USD PREFUNDING is not offered to you',
    ],
    ['another type', { more: [[20005, 'LATER']] }, undefined, 'BAD_BOOKFX_TYPE'],
    ['a weekend', { more: [[20012, '20281118']] }, undefined, 'BAD_VALUE_DATE'],
    ['a date past', { more: [[20012, '20281116']] }, undefined, 'BAD_VALUE_DATE'],
  ])('%s', async (_what, ask, reason, code, text) => {
    const id = `R${++asked}`;
    desk.send('V', request({ ...ask, id }));
    const reject = await desk.next('Y', (message) => message.get(262) === id);
    expect(reject.get(281)).toBe(reason);
    expect(reject.get(20011)).toBe(code);
    if (text) expect(reject.get(58)).toBe(text);
    expect(reject.get(58)).toBeTruthy();
  });

  test("another client's token", async () => {
    desk.send('V', request({ token: foreignToken }));
    const reject = await desk.next('Y');
    expect([reject.get(281), reject.get(20011)]).toEqual(['3', 'TOKEN_CLIENT_MISMATCH']);
  });

  test('a key without the right', async () => {
    const trader = rig.desk(limited);
    const own = (await trader.logon()).get(20001)!;
    trader.send('V', request({ token: own }));
    const reject = await trader.next('Y');
    expect([reject.get(281), reject.get(20011)]).toEqual(['3', 'NOT_ENTITLED']);
    expect(reject.get(58)).toContain('rates');
  });

  test('264=0 is answered as 264=1: one bid and one offer', async () => {
    const priceOf = async (depth: string) => {
      const id = `DEPTH${depth}`;
      desk.send('V', request({ id, depth, type: '0' }));
      const snapshot = await desk.next('W', (message) => message.get(262) === id);
      return snapshot.fields.filter(([tag]) => ![9, 34, 52, 262, 299, 10].includes(tag));
    };
    const full = await priceOf('0');
    expect(full).toEqual(await priceOf('1'));
    expect(full.find(([tag]) => tag === 268)).toEqual([268, '2']);
  });

  test('rejects the end of a stream that does not exist', async () => {
    desk.send('V', [
      [262, 'NEVER'],
      [263, '2'],
    ]);
    const reject = await desk.next('Y', (message) => message.get(262) === 'NEVER');
    expect([reject.get(281), reject.get(20011)]).toEqual([undefined, 'UNKNOWN_MDREQID']);
  });
});

describe('refused with Reject(3)', () => {
  test.each<[what: string, drop: number, tag: string]>([
    ['262', 262, '262'],
    ['263', 263, '263'],
    ['264', 264, '264'],
  ])('%s missing', async (_what, drop, tag) => {
    desk.send(
      'V',
      request({}).filter(([of]) => of !== drop),
    );
    const reject = await desk.next('3');
    expect([reject.get(371), reject.get(372), reject.get(373)]).toEqual([tag, 'V', '1']);
  });

  test('an id that is too long', async () => {
    desk.send('V', request({ id: 'x'.repeat(33) }));
    const reject = await desk.next('3');
    expect([reject.get(371), reject.get(373)]).toEqual(['262', '5']);
  });

  test('no pairs', async () => {
    desk.send(
      'V',
      request({}).filter(([of]) => of !== 146 && of !== 55),
    );
    const reject = await desk.next('3');
    expect([reject.get(371), reject.get(373)]).toEqual(['146', '1']);
  });

  test.each<[what: string, drop: number, count: number, value: string]>([
    ['a count of no pairs', 55, 146, '0'],
    ['a count of no entry types', 269, 267, '0'],
    ['a count of no pairs, and a pair', 0, 146, '0'],
    ['a count that is no number', 0, 146, '1e20'],
    ['a count above any number', 0, 146, '100000000000000000000'],
    ['a count below 0', 0, 267, '-1'],
  ])('%s', async (_what, drop, count, value) => {
    const fields = request({}).filter(([of]) => of !== drop);
    desk.send(
      'V',
      fields.map(([of, was]) => [of, of === count ? value : was] as const),
    );
    const reject = await desk.next('3');
    expect([reject.get(371), reject.get(372), reject.get(373)]).toEqual([String(count), 'V', '16']);
  });
});

describe('a stream', () => {
  test('begins at once, follows each change, withdraws and ends', async () => {
    const own = rig.desk(await rig.client('stream'));
    const mine = (await own.logon()).get(20001)!;
    own.send('V', request({ id: 'S1', token: mine }));
    const first = await own.next('W');
    expect(first.all(270)).toEqual(['1.0788760', '1.0843509']);
    expect(first.all(276)).toEqual(['A', 'A']);
    rig.tick('EUR/USD', '1.08168', '1.08174');
    expect((await own.next('W')).all(270)).toEqual(['1.0789758', '1.0844511']);
    rig.withdraw('EUR/USD');
    expect((await own.next('W')).text).toContain('|270=0|15=EUR|271=0|276=B|');
    own.send('V', [
      [262, 'S1'],
      [263, '2'],
    ]);
    await own.settle();
    rig.tick('EUR/USD', '1.08158', '1.08164');
    await own.settle();
    expect(own.count('W')).toBe(3);
  });

  test('with the same id again is refused, ignored when it is sent again over a gap, and another id is another stream', async () => {
    const own = rig.desk(await rig.client('twice'));
    const mine = (await own.logon()).get(20001)!;
    own.send('V', request({ id: 'D1', token: mine }));
    await own.next('W');
    own.send('V', request({ id: 'D1', token: mine }));
    const reject = await own.next('Y');
    expect([reject.get(281), reject.get(20011)]).toEqual(['1', 'DUPLICATE_MDREQID']);
    own.send('V', request({ id: 'D1', token: mine }), {
      more: [
        [43, 'Y'],
        [122, '20281117-08:00:00.000'],
      ],
    });
    own.send('V', request({ id: 'D2', token: mine }));
    expect((await own.next('W')).get(262)).toBe('D2');
    expect(own.count('Y')).toBe(1);
  });

  test('of one snapshot is one W, and its id is free again', async () => {
    const own = rig.desk(await rig.client('once'));
    const mine = (await own.logon()).get(20001)!;
    for (let i = 0; i < 2; i++) {
      own.send('V', request({ id: 'O1', type: '0', token: mine }));
      await own.next('W');
    }
    rig.tick('EUR/USD', '1.08159', '1.08165');
    await own.settle();
    expect(own.count('W')).toBe(2);
  });

  test('of changes begins with a W and continues with X', async () => {
    const own = rig.desk(await rig.client('change'));
    const mine = (await own.logon()).get(20001)!;
    own.send('V', request({ id: 'X1', update: '1', token: mine }));
    await own.next('W');
    rig.tick('EUR/USD', '1.08160', '1.08166');
    const change = await own.next('X');
    expect(change.all(278)).toEqual(['EUR/USD.B', 'EUR/USD.O']);
  });

  test('ends with Y when the pair is no longer offered', async () => {
    const client = await rig.client('leaver', { pair: 'EUR/USD' });
    const own = rig.desk(client);
    const mine = (await own.logon()).get(20001)!;
    own.send('V', request({ id: 'L1', token: mine }));
    await own.next('W');
    await rig.services.store.margins.remove({ clientId: 'leaver', pair: 'EUR/USD', type: '*' });
    const end = await own.next('Y');
    expect([end.get(262), end.get(281), end.get(20011)]).toEqual(['L1', '3', 'NOT_ENTITLED']);
  });
});

test('five hundred open streams, and not one more', async () => {
  const own = rig.desk(await rig.client('many'));
  const mine = (await own.logon()).get(20001)!;
  own.send('x', [
    [320, 'L'],
    [559, '4'],
  ]);
  const symbols = (await own.next('y')).all(55);
  expect(symbols).toHaveLength(465);
  for (let i = 0; i < 5; i++) own.send('V', request({ id: `B${i}`, symbols: symbols.slice(0, 100), token: mine }));
  await own.settle();
  expect(own.count('Y')).toBe(0);
  own.send('V', request({ id: 'B5', token: mine }));
  const reject = await own.next('Y');
  expect([reject.get(281), reject.get(20011)]).toEqual(['2', 'SUBSCRIPTION_LIMIT']);
});

test("the session's own token counts where that is agreed", async () => {
  const own = await startRig({ settings: { tokenOnRequest: 'session' } });
  const session = own.desk(await own.client('acme'));
  await session.logon();
  session.send('V', request({ id: 'T1', token: undefined }));
  expect((await session.next('W')).get(262)).toBe('T1');
  await own.stop();
});
