/** Streams of quotes over the wire: QuoteRequest(R) with StreamQuotes(20018)=Y, their orders, and QuoteCancel(Z). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pairBySymbol } from '../../../engine/domain/pair.js';
import { LIMITS } from '../../../engine/fix/settings.js';
import { perform } from '../../../engine/service/core/perform.js';
import type { Fields, Received } from '../../support/desk.js';
import { type Rig, startRig } from '../rig.js';
import { logonAgain, startTrader, type Trader } from '../trader.js';
import { faultsOf, openHolds, quote, quoteRequest } from './quoting.js';

// A Friday; spot is Tuesday the 21st. It is to come, since the store forgets by its own clock.
const NOW = Date.parse('2028-11-17T08:00:00.004Z');
const HOUR_MS = 3_600_000;
const BOTH = { 54: undefined, 20018: 'Y' };

let rig: Rig;
let acme: Trader;
let isOpen = true;
let clients = 0;

beforeAll(async () => {
  rig = await startRig({ now: () => NOW, isOpen: () => isOpen });
});
beforeEach(async () => {
  isOpen = true;
  rig.tick('EUR/USD', '1.08158', '1.08164');
  acme = await startTrader(rig, `acme${++clients}`);
});
afterEach(() => expect(faultsOf(acme.desk)).toEqual([]));
afterAll(() => rig.stop());

const pick = (message: Received, ...tags: number[]) => tags.map((tag) => message.get(tag));
const stream = (id: string, changes: object = {}, more: Fields = [], of = acme) =>
  quote(of.desk, id, of.token, { ...BOTH, ...changes }, more);
const nextOf = (id: string, of = acme) => of.desk.next(['S', 'Z', 'AI', 'AG'], (message) => message.get(131) === id);
let cents = 0;
const move = () => rig.tick('EUR/USD', `1.08${150 + ++cents}`, `1.09${150 + cents}`);

function cancel(fields: Readonly<Record<number, string | number | undefined>>, more: Fields = [], of = acme) {
  const values: typeof fields = { 298: 1, 20001: of.token, ...fields };
  const given = [131, 117, 298, 295, 20001].filter((tag) => values[tag] !== undefined);
  of.desk.send(
    'Z',
    given.map((tag) => [tag, values[tag]!] as const),
    { more },
  );
}
/** The answers to what was sent before, in order. */
async function answers(type: string, of = acme): Promise<Received[]> {
  await of.desk.settle();
  return of.desk.received.filter((message) => message.get(35) === type);
}

describe('Quote(S) at each change', () => {
  test.each([
    [undefined, '1.0788760', '1.0843509', undefined],
    [1, undefined, '1.0843509', '1.08164'],
    [2, '1.0788760', undefined, '1.08158'],
  ])('54=%s', async (side, bid, offer, provider) => {
    const first = await stream('Q1', { 54: side, 62: '20281117-08:30:00' });
    expect(pick(first, 35, 537, 54, 132, 133, 20004)).toEqual(['S', '1', side && String(side), bid, offer, provider]);
    expect(pick(first, 38, 15, 62, 64)).toEqual(['250000', 'EUR', '20281117-08:30:00.000', '20281121']);
    expect(first.get(20013)).toBe(side && (side === 1 ? 'EUR' : 'USD'));
    rig.tick('EUR/USD', '1.09158', '1.09164');
    const second = await nextOf('Q1');
    expect(pick(second, 35, 132, 133)).toEqual(['S', bid && '1.0888510', offer && '1.0943759']);
    expect(pick(second, 117)).toEqual([first.get(117)!.replace(/\.1$/, '.2')]);
    expect(await openHolds(rig, acme)).toEqual([]);
  });

  test.each([
    [undefined, NOW + HOUR_MS],
    ['20281117-08:10:00', NOW - 4 + 600_000],
    ['20281118-08:00:00', NOW + HOUR_MS],
  ])('until 62=%s, an hour at most, and nothing is added to the margin', async (wanted, untilMs) => {
    const answer = await stream('Q1', { 62: wanted });
    const until = new Date(untilMs).toISOString().replace(/[-Z]/g, '').replace('T', '-');
    expect(pick(answer, 62, 20003, 132)).toEqual([until, '0.25', '1.0788760']);
  });

  test('with the routing of its request', async () => {
    const answer = await stream('Q1', {}, [
      [50, 'TRADER7'],
      [115, 'FUND3'],
    ]);
    expect(pick(answer, 57, 128)).toEqual(['TRADER7', 'FUND3']);
    move();
    expect(pick(await nextOf('Q1'), 57, 128)).toEqual(['TRADER7', 'FUND3']);
  });

  test('beside streamed prices, in one session', async () => {
    acme.desk.stream('M1', ['EUR/USD'], acme.token);
    await acme.desk.next('W');
    await stream('Q1');
    move();
    await Promise.all([acme.desk.next('W'), nextOf('Q1')]);
  });

  test('is withdrawn by QuoteCancel(Z) while there is no price or the pair is halted', async () => {
    const first = await stream('Q1', {}, [[50, 'TRADER7']]);
    rig.withdraw('EUR/USD');
    const cancelled = await nextOf('Q1');
    expect(cancelled.text.replace(/^.*\|56=[^|]+\||10=\d{3}\|$/g, '')).toBe(
      `57=TRADER7|131=Q1|117=${first.get(117)}|298=1|20011=RATE_UNAVAILABLE|`,
    );
    move();
    const again = await nextOf('Q1');
    expect(again.get(35)).toBe('S');
    rig.services.book.halt(new Set([pairBySymbol('EUR/USD')!.index]));
    expect(pick(await nextOf('Q1'), 35, 117, 20011)).toEqual(['Z', again.get(117), 'MARKET_CLOSED']);
    rig.services.book.halt(new Set());
    expect(pick(await nextOf('Q1'), 35)).toEqual(['S']);
    isOpen = false;
    expect(pick(await nextOf('Q1'), 35, 20011)).toEqual(['Z', 'MARKET_CLOSED']);
  });

  test('ends at ValidUntilTime(62) with QuoteStatusReport(AI) 297=7', async () => {
    const first = await stream('Q1', { 62: '20281117-08:00:30' }, [[50, 'TRADER7']]);
    await rig.skip(30_000);
    const report = await nextOf('Q1');
    expect(report.text.replace(/^.*\|56=[^|]+\||10=\d{3}\|$/g, '')).toBe(
      `57=TRADER7|131=Q1|117=${first.get(117)}|55=EUR/USD|62=20281117-08:00:30.000|297=7|`,
    );
    await rig.skip(-30_000);
    acme.order({ 11: 'O1', 54: 1, 40: 'D', 117: first.get(117), 38: 250_000 });
    expect(pick(await acme.report('O1'), 39, 103, 20011)).toEqual(['8', '8', 'QUOTE_STALE']);
  });
});

describe('is dealt by an order with its QuoteID(117)', () => {
  test.each([
    [undefined, 1, '1.0843509'],
    [undefined, 2, '1.0788760'],
    [1, 1, '1.0843509'],
    [2, 2, '1.0788760'],
  ])('54=%s, dealt 54=%d', async (asked, dealt, price) => {
    const quoted = await stream('Q1', { 54: asked });
    acme.order({ 11: 'O1', 54: dealt, 40: 'D', 117: quoted.get(117), 38: 250_000, 44: price });
    const report = await acme.report('O1');
    expect(pick(report, 150, 39, 31, 38, 64, 20006)).toEqual(['F', '2', price, '250000', '20281121', undefined]);
    // The stream continues.
    move();
    expect((await nextOf('Q1')).get(35)).toBe('S');
  });

  test.each<[what: string, order: Readonly<Record<number, string | number>>, code: string]>([
    ['another amount', { 38: 250_001 }, 'HOLD_MISMATCH'],
    ['the amount in the other currency', { 15: 'USD' }, 'HOLD_MISMATCH'],
    ['the other side of a one-sided stream', { 54: 2 }, 'HOLD_MISMATCH'],
    ['another pair', { 55: 'EUR/GBP' }, 'HOLD_MISMATCH'],
    ['another date', { 64: '20281120' }, 'HOLD_MISMATCH'],
    ['another type', { 20005: 'SCHEDULED1' }, 'HOLD_MISMATCH'],
    ['another price', { 44: '1.0843508' }, 'PRICE_MISMATCH'],
  ])('%s', async (_what, order, code) => {
    rig.tick('EUR/GBP', '0.86', '0.8601');
    await perform(rig.services, 'openAccount', undefined, { clientId: acme.id, currency: 'GBP' });
    await rig.services.store.clients.setScheduledLimit(acme.id, '1000000');
    const quoted = await stream('Q1', { 54: 1 });
    acme.order({ 11: 'O1', 54: 1, 40: 'D', 117: quoted.get(117), 38: 250_000, ...order });
    expect(pick(await acme.report('O1'), 39, 103, 20011)).toEqual(['8', '99', code]);
  });

  test('withdrawn, of an ended stream, of another client, and never sent: QUOTE_STALE', async () => {
    const other = await startTrader(rig, `other${clients}`);
    const order = async (by: Trader, id: string, quoteId: string) => {
      by.order({ 11: id, 54: 1, 40: 'D', 117: quoteId, 38: 250_000 });
      return pick(await by.report(id), 39, 103, 20011);
    };
    const STALE = ['8', '8', 'QUOTE_STALE'];
    const first = (await stream('Q1')).get(117)!;
    expect(await order(other, 'O1', first)).toEqual(STALE);
    expect(await order(acme, 'O2', first.replace(/\.1$/, '.2'))).toEqual(STALE);
    rig.withdraw('EUR/USD');
    await nextOf('Q1');
    rig.tick('EUR/USD', '1.08158', '1.08164');
    const second = (await nextOf('Q1')).get(117)!;
    expect(await order(acme, 'O3', first)).toEqual(STALE);
    cancel({ 131: 'Q1', 117: second });
    await nextOf('Q1');
    expect(await order(acme, 'O4', second)).toEqual(STALE);
    // What was dealt stays dealt: the same order again is reported.
    const third = (await stream('Q2')).get(117)!;
    expect((await order(acme, 'O5', third))[0]).toBe('2');
    cancel({ 131: 'Q2', 117: third });
    await nextOf('Q2');
    expect((await order(acme, 'O5', third))[0]).toBe('2');
  });

  test('by another session of the client, until the session of the stream ends', async () => {
    const compId = `${acme.compId}B`;
    await perform(rig.services, 'assignCompId', undefined, { compId, clientId: acme.id });
    const beside = { ...acme, desk: rig.desk({ ...acme, compId }) };
    const token = (await beside.desk.logon()).get(20001)!;
    const quoteId = (await stream('Q1')).get(117)!;
    const order = async (id: string) => {
      beside.desk.send('D', [
        [11, id],
        [55, 'EUR/USD'],
        [54, 1],
        [60, '20281117-08:00:00'],
        [38, 250_000],
        [40, 'D'],
        [15, 'EUR'],
        [117, quoteId],
        [20001, token],
      ]);
      return pick(await beside.desk.next('8', (report) => report.get(11) === id && report.get(150) !== 'A'), 39, 20011);
    };
    expect(await order('O1')).toEqual(['2', undefined]);
    acme.desk.close();
    await expect.poll(() => [...rig.gateway.states()].some((state) => state.compId === acme.compId)).toBe(false);
    expect(await order('O2')).toEqual(['8', 'QUOTE_STALE']);
  });
});

describe('QuoteCancel(Z) of the desk', () => {
  const STATUS = [131, 117, 55, 297, 58, 20011];

  test('298=1 ends one stream, named by any of its quotes', async () => {
    const first = await stream('Q1');
    await stream('Q2');
    move();
    const second = await nextOf('Q1');
    await nextOf('Q2');
    cancel({ 131: 'Q1', 117: first.get(117) }, [[50, 'TRADER7']]);
    const report = await nextOf('Q1');
    expect(pick(report, 35, 57, 62, ...STATUS)).toEqual([
      'AI',
      'TRADER7',
      second.get(62),
      'Q1',
      second.get(117),
      'EUR/USD',
      '6',
      undefined,
      undefined,
    ]);
    move();
    expect((await nextOf('Q2')).get(35)).toBe('S');
    expect(acme.desk.received.filter((message) => message.get(131) === 'Q1' && message.get(35) === 'S')).toHaveLength(
      2,
    );
    // Its id may be used again.
    expect((await stream('Q1')).get(117)).not.toContain(first.get(117)!.split('.')[0]);
    cancel({ 131: 'Q1', 117: '*' });
    expect(pick(await nextOf('Q1'), 35, 297)).toEqual(['AI', '6']);
  });

  test('298=4 and 117=* ends all streams and releases all holds of the session', async () => {
    const held = [
      await quote(acme.desk, 'H1', acme.token),
      await quote(acme.desk, 'H2', acme.token, { 54: undefined }),
    ];
    const streamed = [await stream('Q1'), await stream('Q2', { 54: 1 })];
    const other = await startTrader(rig, `other${clients}`);
    await quote(other.desk, 'H1', other.token);
    await stream('Q1', {}, [], other);
    cancel({ 117: '*', 298: 4 });
    const reports: Received[] = [];
    for (let i = 0; i < 4; i++) reports.push(await acme.desk.next('AI'));
    const reported = reports.map((report) => pick(report, 131, 117, 55, 297, 20011));
    expect(reported.slice(0, 2).concat(reported.slice(2).sort())).toEqual(
      [...streamed, ...held].map((one) => [one.get(131), one.get(117), 'EUR/USD', '6', undefined]),
    );
    expect(await openHolds(rig, acme)).toEqual([]);
    expect([...rig.gateway.states()].find(({ compId }) => compId === acme.compId)!.streams).toBe(0);
    for (const [id, one] of Object.entries(held)) {
      acme.order({ 11: `O${id}`, 54: 1, 40: 'D', 117: one.get(117), 38: 250_000 });
      expect(pick(await acme.report(`O${id}`), 20011)).toEqual(['HOLD_EXPIRED']);
    }
    expect(await openHolds(rig, other)).toHaveLength(1);
    move();
    expect((await nextOf('Q1', other)).get(35)).toBe('S');
  });

  test.each<
    [what: string, fields: Readonly<Record<number, string | number | undefined>>, status: string, code: string]
  >([
    ['nothing to end', { 298: 4, 117: '*' }, '9', 'HOLD_NOT_FOUND'],
    ['a stream that there is not', { 131: 'Q9', 117: '*' }, '9', 'HOLD_NOT_FOUND'],
    ['298=2', { 131: 'Q9', 117: '*', 298: 2 }, '5', 'VALIDATION_FAILED'],
    ['298=4 and one quote', { 117: 'STR1.1', 298: 4 }, '5', 'VALIDATION_FAILED'],
    ['NoQuoteEntries(295)', { 131: 'Q9', 117: '*', 295: 0 }, '5', 'UNSUPPORTED_FIELD'],
    ['no token', { 131: 'Q9', 117: '*', 20001: undefined }, '5', 'TOKEN_REQUIRED'],
    ['an unknown token', { 131: 'Q9', 117: '*', 20001: 'x'.repeat(43) }, '5', 'TOKEN_INVALID'],
  ])('refused: %s', async (_what, fields, status, code) => {
    cancel(fields);
    const report = await acme.desk.next('AI');
    const { 131: id, 117: quoteId } = fields;
    expect(pick(report, 131, 117, 55, 297, 20011)).toEqual([id, quoteId, '[N/A]', status, code]);
    expect(report.get(58)).toMatch(/\w/);
  });

  test('refused: a quote of another stream, a hold, no QuoteReqID(131), a value of 298 that FIX has not', async () => {
    const [one, other] = [await stream('Q1'), await stream('Q2')];
    cancel({ 131: 'Q1', 117: other.get(117) });
    expect(pick(await nextOf('Q1'), 297, 55, 20011)).toEqual(['5', 'EUR/USD', 'HOLD_MISMATCH']);
    const held = await quote(acme.desk, 'H1', acme.token);
    cancel({ 131: 'H1', 117: held.get(117) });
    expect(pick(await nextOf('H1'), 297, 20011)).toEqual(['9', 'HOLD_NOT_FOUND']);
    expect(await openHolds(rig, acme)).toHaveLength(1);
    cancel({ 117: one.get(117) });
    cancel({ 131: 'Q1', 117: one.get(117), 298: 7 });
    const rejects = (await answers('3')).map((reject) => pick(reject, 371, 373));
    expect(rejects).toEqual([
      ['131', '1'],
      ['298', '5'],
    ]);
    move();
    expect((await nextOf('Q1')).get(35)).toBe('S');
  });

  test('without the right to trade: j 380=6', async () => {
    const reader = await startTrader(rig, `reader${clients}`, { rights: ['rates'], money: {} });
    cancel({ 117: '*', 298: 4 }, [], reader);
    expect(pick(await reader.desk.next('j'), 372, 380, 20011)).toEqual(['Z', '6', 'NOT_ENTITLED']);
  });
});

describe('refused with QuoteRequestReject(AG)', () => {
  test.each([
    ['an unknown symbol', { 55: 'EUR/QQQ' }, '1', 'UNKNOWN_SYMBOL'],
    ['indicative', { 537: 0 }, '99', 'VALIDATION_FAILED'],
    ['a side that is neither', { 54: 5 }, '99', 'BAD_SIDE'],
    ['a currency that is not in the pair', { 15: 'GBP' }, '99', 'BAD_CURRENCY'],
    ['no amount', { 38: 0 }, '99', 'BAD_AMOUNT'],
    ['a date that is past', { 64: '20281116' }, '99', 'BAD_VALUE_DATE'],
    ['another type', { 20005: 'SCHEDULED3' }, '99', 'BAD_BOOKFX_TYPE'],
    ['a time that is past', { 62: '20281117-08:00:00.004' }, '99', 'BAD_VALID_UNTIL'],
    ['a field that is not supported', { 44: '1.08' }, '99', 'UNSUPPORTED_FIELD'],
    ['no provider', { 55: 'NZD/USD', 15: 'NZD' }, '8', 'RATE_UNAVAILABLE'],
    ['above the maximum on one side', { 38: 5_400_000, 15: 'USD' }, '3', 'AMOUNT_ABOVE_LIMIT'],
    ['below the minimum on one side', { 38: '1.08', 15: 'USD' }, '99', 'AMOUNT_BELOW_MIN'],
    ['no token', { 20001: undefined }, '6', 'TOKEN_REQUIRED'],
  ])('%s', async (_what, changes, reason, code) => {
    expect(pick(await stream('Q1', changes), 35, 658, 20011)).toEqual(['AG', reason, code]);
    // Its id is not used up.
    expect((await stream('Q1')).get(35)).toBe('S');
  });

  test('while the market is closed', async () => {
    isOpen = false;
    expect(pick(await stream('Q1'), 35, 658, 20011)).toEqual(['AG', '2', 'MARKET_CLOSED']);
  });

  test('an id of a live stream or of a hold', async () => {
    await stream('Q1');
    await quote(acme.desk, 'H1', acme.token);
    for (const [id, changes] of [
      ['Q1', {}],
      ['Q1', { 20018: 'N' }],
      ['H1', {}],
    ] as const)
      expect(pick(await stream(id, changes), 35, 658, 20011)).toEqual(['AG', '99', 'DUPLICATE_QUOTEREQID']);
    expect(await openHolds(rig, acme)).toHaveLength(1);
    // Another session's ids are its own.
    expect((await stream('Q1', {}, [], await startTrader(rig, `other${clients}`))).get(35)).toBe('S');
  });

  test('the twenty-first stream; after an end there is room', async () => {
    for (let i = 1; i <= 20; i++) expect((await stream(`Q${i}`)).get(35)).toBe('S');
    expect(pick(await stream('Q21'), 35, 658, 20011)).toEqual(['AG', '99', 'SUBSCRIPTION_LIMIT']);
    expect((await quote(acme.desk, 'H1', acme.token)).get(35)).toBe('S');
    cancel({ 131: 'Q1', 117: '*' });
    await nextOf('Q1');
    expect((await stream('Q21')).get(35)).toBe('S');
  });

  test('one more than the engine has room for, of whichever session', async () => {
    const engine = await startRig({ now: () => NOW });
    const limits = LIMITS as { quoteStreamsOfEngine: number };
    const before = limits.quoteStreamsOfEngine;
    try {
      limits.quoteStreamsOfEngine = 2;
      engine.tick('EUR/USD', '1.08158', '1.08164');
      const [one, other] = [await startTrader(engine, 'one'), await startTrader(engine, 'other')];
      for (const id of ['Q1', 'Q2']) expect((await stream(id, {}, [], one)).get(35)).toBe('S');
      expect(pick(await stream('Q1', {}, [], other), 35, 658, 20011)).toEqual(['AG', '99', 'SUBSCRIPTION_LIMIT']);
      cancel({ 131: 'Q1', 117: '*' }, [], one);
      await nextOf('Q1', one);
      expect((await stream('Q1', {}, [], other)).get(35)).toBe('S');
    } finally {
      limits.quoteStreamsOfEngine = before;
      await engine.stop();
    }
  });

  test.each([
    [['rates'], 'j'],
    [['trade'], 'j'],
  ] as const)('rights %j', async (rights, expected) => {
    const of = await startTrader(rig, `rights${rights[0]}${clients}`, { rights, money: {} });
    of.desk.send('R', quoteRequest('Q1', of.token, BOTH));
    expect(pick(await of.desk.next(['S', 'AG', 'j']), 35, 372, 380)).toEqual([expected, 'R', '6']);
  });

  test('StreamQuotes(20018) is Y or N: anything else is Reject(3) 373=6', async () => {
    acme.desk.send('R', quoteRequest('Q1', acme.token, { 20018: 'YES' }));
    expect(pick(await acme.desk.next('3'), 371, 373)).toEqual(['20018', '6']);
    expect((await quote(acme.desk, 'Q1', acme.token, { 20018: 'N' })).get(117)).toMatch(/^HLD/);
  });
});

describe('tokens and sessions', () => {
  const streamsOf = ({ compId }: Trader) => [...rig.gateway.states()].find((state) => state.compId === compId)!.streams;

  test('a revoked token ends its streams with AG 658=6', async () => {
    await stream('Q1', {}, [[50, 'TRADER7']]);
    await rig.services.store.tokens.revoke(acme.token);
    const end = await acme.desk.next('AG');
    expect(pick(end, 57, 131, 658, 55, 20011)).toEqual(['TRADER7', 'Q1', '6', 'EUR/USD', 'TOKEN_REVOKED']);
    expect(streamsOf(acme)).toBe(0);
  });

  test('an expired token likewise', async () => {
    await rig.skip(24 * HOUR_MS - 60_000);
    await stream('Q1');
    await rig.skip(61_000);
    const end = await acme.desk.next('AG');
    expect(pick(end, 131, 658, 55, 20011)).toEqual(['Q1', '6', 'EUR/USD', 'TOKEN_EXPIRED']);
    expect(streamsOf(acme)).toBe(0);
    await rig.skip(-(24 * HOUR_MS + 1_000));
  });

  test('a renewed token carries the streams on', async () => {
    await stream('Q1');
    acme.desk.send('BE', [
      [923, 'U1'],
      [924, 1],
      [553, acme.clientKey],
      [554, acme.clientSecret],
    ]);
    await acme.desk.next('BF');
    await rig.services.store.tokens.revoke(acme.token);
    await acme.desk.settle();
    move();
    expect((await nextOf('Q1')).get(35)).toBe('S');
  });

  test('a pair that the client has lost: AG NOT_ENTITLED', async () => {
    await stream('Q1');
    await perform(rig.services, 'removeMargin', undefined, { clientId: acme.id, pair: '*', type: '*' });
    rig.services.margins.replace(await rig.services.store.margins.load());
    expect(pick(await acme.desk.next('AG'), 131, 658, 20011)).toEqual(['Q1', '6', 'NOT_ENTITLED']);
  });

  test('streams end with the session: a resent request begins none, and nothing of them is sent again', async () => {
    const first = await stream('Q1');
    move();
    await nextOf('Q1');
    const before = acme.desk;
    before.close();
    await expect.poll(() => [...rig.gateway.states()].some(({ compId }) => compId === acme.compId)).toBe(false);
    const again = await logonAgain(rig, acme);
    again.desk.send('R', quoteRequest('Q2', again.token, BOTH), {
      more: [
        [43, 'Y'],
        [122, '20281117-07:00:00'],
      ],
    });
    again.desk.send('2', [
      [7, Number(first.get(34))],
      [16, 0],
    ]);
    await again.desk.settle();
    move();
    await again.desk.settle();
    expect([again.desk.count('S'), again.desk.count('Z'), again.desk.count('AG')]).toEqual([0, 0, 0]);
    acme = again;
    expect((await stream('Q1')).get(35)).toBe('S');
  });

  test('a request sent again with 43=Y begins no second stream; a resend gap-fills quotes and sends a fresh one', async () => {
    const first = await stream('Q1');
    const held = await quote(acme.desk, 'H1', acme.token);
    acme.desk.send('R', quoteRequest('Q1', acme.token, BOTH), {
      more: [
        [43, 'Y'],
        [122, '20281117-08:00:00.004'],
      ],
    });
    acme.desk.send('2', [
      [7, Number(first.get(34))],
      [16, 0],
    ]);
    // The Quote(S) of a hold is stored and sent again, that of a stream is not.
    const again = await acme.desk.next('S', (message) => message.get(43) === 'Y');
    expect(pick(again, 131, 117, 34)).toEqual(['H1', held.get(117), held.get(34)]);
    const [gap] = await answers('4');
    expect(pick(gap!, 34, 36, 123)).toEqual([first.get(34), held.get(34), 'Y']);
    const fresh = await nextOf('Q1');
    expect(pick(fresh, 35, 43, 117)).toEqual(['S', undefined, first.get(117)!.replace(/1$/, '2')]);
    expect(acme.desk.count('AG')).toBe(0);
  });
});

test('during an outage of the store streams continue; a request and a QuoteCancel(Z) are rejected', async () => {
  const alone = await startRig();
  alone.tick('EUR/USD', '1.08158', '1.08164');
  const desk = alone.desk(await alone.client('acme'));
  const token = (await desk.logon()).get(20001)!;
  const ask = (id: string) => quote(desk, id, token, BOTH);
  expect((await ask('Q1')).get(35)).toBe('S');
  await alone.services.store.close();
  expect(pick(await ask('Q2'), 35, 658, 20011)).toEqual(['AG', '99', 'STORE_UNAVAILABLE']);
  alone.tick('EUR/USD', '1.09158', '1.09164');
  const next = await desk.next('S', (message) => message.get(131) === 'Q1');
  expect(next.get(117)).toMatch(/\.2$/);
  desk.send('Z', [
    [117, '*'],
    [298, 4],
    [20001, token],
  ]);
  // A token that was read a moment ago is not read again: the stream itself may end.
  const refused = await desk.next('AI', (message) => message.get(117) === '*');
  expect(pick(refused, 297, 20011)).toEqual(['5', 'STORE_UNAVAILABLE']);
  await alone.stop();
});
