/** Streams of quotes over the wire: QuoteRequest(R) with StreamQuotes(20018)=Y, and their orders. */
import { describe, expect, test } from 'vitest';
import { pairBySymbol } from '../../../../engine/domain/money/pair.js';
import { LIMITS } from '../../../../engine/fix/settings.js';
import { perform } from '../../../../engine/service/perform.js';
import { startRig } from '../../../fix/rig.js';
import { logonAgain, startTrader, type Trader } from '../../../fix/trader.js';
import { openHolds, quote, quoteRequest } from './quoting.js';
import { BOTH, NOW, pick, Streaming } from './streaming.js';

const HOUR_MS = 3_600_000;
const on = Streaming.begin();

describe('Quote(S) at each change', () => {
  test.each([
    [undefined, '1.0788760', '1.0843509', undefined],
    [1, undefined, '1.0843509', '1.08164'],
    [2, '1.0788760', undefined, '1.08158'],
  ])('54=%s', async (side, bid, offer, provider) => {
    const first = await on.stream('Q1', { 54: side, 62: '20281117-08:30:00' });
    expect(pick(first, 35, 537, 54, 132, 133, 20004)).toEqual(['S', '1', side && String(side), bid, offer, provider]);
    expect(pick(first, 38, 15, 62, 64)).toEqual(['250000', 'EUR', '20281117-08:30:00.000', '20281121']);
    expect(first.get(20013)).toBe(side && (side === 1 ? 'EUR' : 'USD'));
    on.rig.tick('EUR/USD', '1.09158', '1.09164');
    const second = await on.nextOf('Q1');
    expect(pick(second, 35, 132, 133)).toEqual(['S', bid && '1.0888510', offer && '1.0943759']);
    expect(pick(second, 117)).toEqual([first.get(117)!.replace(/\.1$/, '.2')]);
    expect(await openHolds(on.rig, on.acme)).toEqual([]);
  });

  test.each([
    [undefined, NOW + HOUR_MS],
    ['20281117-08:10:00', NOW - 4 + 600_000],
    ['20281118-08:00:00', NOW + HOUR_MS],
  ])('until 62=%s, an hour at most, and nothing is added to the margin', async (wanted, untilMs) => {
    const answer = await on.stream('Q1', { 62: wanted });
    const until = new Date(untilMs).toISOString().replace(/[-Z]/g, '').replace('T', '-');
    expect(pick(answer, 62, 20003, 132)).toEqual([until, '0.25', '1.0788760']);
  });

  test('with the routing of its request', async () => {
    const answer = await on.stream('Q1', {}, [
      [50, 'TRADER7'],
      [115, 'FUND3'],
    ]);
    expect(pick(answer, 57, 128)).toEqual(['TRADER7', 'FUND3']);
    on.move();
    expect(pick(await on.nextOf('Q1'), 57, 128)).toEqual(['TRADER7', 'FUND3']);
  });

  test('beside streamed prices, in one session', async () => {
    on.acme.desk.stream('M1', ['EUR/USD'], on.acme.token);
    await on.acme.desk.next('W');
    await on.stream('Q1');
    on.move();
    await Promise.all([on.acme.desk.next('W'), on.nextOf('Q1')]);
  });

  test('is withdrawn by QuoteCancel(Z) while there is no price or the pair is halted', async () => {
    const first = await on.stream('Q1', {}, [[50, 'TRADER7']]);
    on.rig.withdraw('EUR/USD');
    const cancelled = await on.nextOf('Q1');
    expect(cancelled.text.replace(/^.*\|56=[^|]+\||10=\d{3}\|$/g, '')).toBe(
      `57=TRADER7|131=Q1|117=${first.get(117)}|298=1|20011=RATE_UNAVAILABLE|`,
    );
    on.move();
    const again = await on.nextOf('Q1');
    expect(again.get(35)).toBe('S');
    on.rig.services.book.halt(new Set([pairBySymbol('EUR/USD')!.index]));
    expect(pick(await on.nextOf('Q1'), 35, 117, 20011)).toEqual(['Z', again.get(117), 'TRADING_HALTED']);
    on.rig.services.book.halt(new Set());
    expect(pick(await on.nextOf('Q1'), 35)).toEqual(['S']);
    on.isOpen = false;
    expect(pick(await on.nextOf('Q1'), 35, 20011)).toEqual(['Z', 'MARKET_CLOSED']);
  });

  test('ends at ValidUntilTime(62) with QuoteStatusReport(AI) 297=7', async () => {
    const first = await on.stream('Q1', { 62: '20281117-08:00:30' }, [[50, 'TRADER7']]);
    await on.rig.skip(30_000);
    const report = await on.nextOf('Q1');
    expect(report.text.replace(/^.*\|56=[^|]+\||10=\d{3}\|$/g, '')).toBe(
      `57=TRADER7|131=Q1|117=${first.get(117)}|55=EUR/USD|62=20281117-08:00:30.000|297=7|`,
    );
    await on.rig.skip(-30_000);
    on.acme.order({ 11: 'O1', 54: 1, 40: 'D', 117: first.get(117), 38: 250_000 });
    expect(pick(await on.acme.report('O1'), 39, 103, 20011)).toEqual(['8', '8', 'QUOTE_STALE']);
  });
});

describe('is dealt by an order with its QuoteID(117)', () => {
  test.each([
    [undefined, 1, '1.0843509'],
    [undefined, 2, '1.0788760'],
    [1, 1, '1.0843509'],
    [2, 2, '1.0788760'],
  ])('54=%s, dealt 54=%d', async (asked, dealt, price) => {
    const quoted = await on.stream('Q1', { 54: asked });
    on.acme.order({ 11: 'O1', 54: dealt, 40: 'D', 117: quoted.get(117), 38: 250_000, 44: price });
    const report = await on.acme.report('O1');
    expect(pick(report, 150, 39, 31, 38, 64, 20006)).toEqual(['F', '2', price, '250000', '20281121', undefined]);
    // The stream continues.
    on.move();
    expect((await on.nextOf('Q1')).get(35)).toBe('S');
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
    on.rig.tick('EUR/GBP', '0.86', '0.8601');
    await perform(on.rig.services, 'openAccount', undefined, { clientId: on.acme.id, currency: 'GBP' });
    await on.rig.services.store.clients.setScheduledLimit(on.acme.id, '1000000');
    const quoted = await on.stream('Q1', { 54: 1 });
    on.acme.order({ 11: 'O1', 54: 1, 40: 'D', 117: quoted.get(117), 38: 250_000, ...order });
    expect(pick(await on.acme.report('O1'), 39, 103, 20011)).toEqual(['8', '99', code]);
  });

  test('withdrawn, of an ended stream, of another client, and never sent: QUOTE_STALE', async () => {
    const other = await startTrader(on.rig, on.nameOf('other'));
    const order = async (by: Trader, id: string, quoteId: string) => {
      by.order({ 11: id, 54: 1, 40: 'D', 117: quoteId, 38: 250_000 });
      return pick(await by.report(id), 39, 103, 20011);
    };
    const STALE = ['8', '8', 'QUOTE_STALE'];
    const first = (await on.stream('Q1')).get(117)!;
    expect(await order(other, 'O1', first)).toEqual(STALE);
    expect(await order(on.acme, 'O2', first.replace(/\.1$/, '.2'))).toEqual(STALE);
    on.rig.withdraw('EUR/USD');
    await on.nextOf('Q1');
    on.rig.tick('EUR/USD', '1.08158', '1.08164');
    const second = (await on.nextOf('Q1')).get(117)!;
    expect(await order(on.acme, 'O3', first)).toEqual(STALE);
    on.cancel({ 131: 'Q1', 117: second });
    await on.nextOf('Q1');
    expect(await order(on.acme, 'O4', second)).toEqual(STALE);
    // What was dealt stays dealt: the same order again is reported.
    const third = (await on.stream('Q2')).get(117)!;
    expect((await order(on.acme, 'O5', third))[0]).toBe('2');
    on.cancel({ 131: 'Q2', 117: third });
    await on.nextOf('Q2');
    expect((await order(on.acme, 'O5', third))[0]).toBe('2');
  });

  test('by another session of the client, until the session of the stream ends', async () => {
    const compId = `${on.acme.compId}B`;
    await perform(on.rig.services, 'assignCompId', undefined, { compId, clientId: on.acme.id });
    const beside = { ...on.acme, desk: on.rig.desk({ ...on.acme, compId }) };
    const token = (await beside.desk.logon()).get(20001)!;
    const quoteId = (await on.stream('Q1')).get(117)!;
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
    on.acme.desk.close();
    await expect.poll(() => [...on.rig.gateway.states()].some((state) => state.compId === on.acme.compId)).toBe(false);
    expect(await order('O2')).toEqual(['8', 'QUOTE_STALE']);
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
    expect(pick(await on.stream('Q1', changes), 35, 658, 20011)).toEqual(['AG', reason, code]);
    // Its id is not used up.
    expect((await on.stream('Q1')).get(35)).toBe('S');
  });

  test('while the market is closed', async () => {
    on.isOpen = false;
    expect(pick(await on.stream('Q1'), 35, 658, 20011)).toEqual(['AG', '2', 'MARKET_CLOSED']);
  });

  test('an id of a live stream or of a hold', async () => {
    await on.stream('Q1');
    await quote(on.acme.desk, 'H1', on.acme.token);
    for (const [id, changes] of [
      ['Q1', {}],
      ['Q1', { 20018: 'N' }],
      ['H1', {}],
    ] as const)
      expect(pick(await on.stream(id, changes), 35, 658, 20011)).toEqual(['AG', '99', 'DUPLICATE_QUOTEREQID']);
    expect(await openHolds(on.rig, on.acme)).toHaveLength(1);
    // Another session's ids are its own.
    expect((await on.stream('Q1', {}, [], await startTrader(on.rig, on.nameOf('other')))).get(35)).toBe('S');
  });

  test('the twenty-first stream; after an end there is room', async () => {
    for (let i = 1; i <= 20; i++) expect((await on.stream(`Q${i}`)).get(35)).toBe('S');
    expect(pick(await on.stream('Q21'), 35, 658, 20011)).toEqual(['AG', '99', 'SUBSCRIPTION_LIMIT']);
    expect((await quote(on.acme.desk, 'H1', on.acme.token)).get(35)).toBe('S');
    on.cancel({ 131: 'Q1', 117: '*' });
    await on.nextOf('Q1');
    expect((await on.stream('Q21')).get(35)).toBe('S');
  });

  test('one more than the engine has room for, of whichever session', async () => {
    const engine = await startRig({ now: () => NOW });
    const limits = LIMITS as { quoteStreamsOfEngine: number };
    const before = limits.quoteStreamsOfEngine;
    try {
      limits.quoteStreamsOfEngine = 2;
      engine.tick('EUR/USD', '1.08158', '1.08164');
      const [one, other] = [await startTrader(engine, 'one'), await startTrader(engine, 'other')];
      for (const id of ['Q1', 'Q2']) expect((await on.stream(id, {}, [], one)).get(35)).toBe('S');
      expect(pick(await on.stream('Q1', {}, [], other), 35, 658, 20011)).toEqual(['AG', '99', 'SUBSCRIPTION_LIMIT']);
      on.cancel({ 131: 'Q1', 117: '*' }, [], one);
      await on.nextOf('Q1', one);
      expect((await on.stream('Q1', {}, [], other)).get(35)).toBe('S');
    } finally {
      limits.quoteStreamsOfEngine = before;
      await engine.stop();
    }
  });

  test.each([
    [['rates'], 'j'],
    [['trade'], 'j'],
  ] as const)('rights %j', async (rights, expected) => {
    const of = await startTrader(on.rig, on.nameOf(`rights${rights[0]}`), { rights, money: {} });
    of.desk.send('R', quoteRequest('Q1', of.token, BOTH));
    expect(pick(await of.desk.next(['S', 'AG', 'j']), 35, 372, 380)).toEqual([expected, 'R', '6']);
  });

  test('StreamQuotes(20018) is Y or N: anything else is Reject(3) 373=6', async () => {
    on.acme.desk.send('R', quoteRequest('Q1', on.acme.token, { 20018: 'YES' }));
    expect(pick(await on.acme.desk.next('3'), 371, 373)).toEqual(['20018', '6']);
    expect((await quote(on.acme.desk, 'Q1', on.acme.token, { 20018: 'N' })).get(117)).toMatch(/^HLD/);
  });
});

describe('tokens and sessions', () => {
  const streamsOf = ({ compId }: Trader) =>
    [...on.rig.gateway.states()].find((state) => state.compId === compId)!.streams;

  test('a revoked token ends its streams with AG 658=6', async () => {
    await on.stream('Q1', {}, [[50, 'TRADER7']]);
    await on.rig.services.store.tokens.revoke(on.acme.token);
    const end = await on.acme.desk.next('AG');
    expect(pick(end, 57, 131, 658, 55, 20011)).toEqual(['TRADER7', 'Q1', '6', 'EUR/USD', 'TOKEN_REVOKED']);
    expect(streamsOf(on.acme)).toBe(0);
  });

  test('an expired token likewise', async () => {
    await on.rig.skip(24 * HOUR_MS - 60_000);
    await on.stream('Q1');
    await on.rig.skip(61_000);
    const end = await on.acme.desk.next('AG');
    expect(pick(end, 131, 658, 55, 20011)).toEqual(['Q1', '6', 'EUR/USD', 'TOKEN_EXPIRED']);
    expect(streamsOf(on.acme)).toBe(0);
    await on.rig.skip(-(24 * HOUR_MS + 1_000));
  });

  test('a renewed token carries the streams on', async () => {
    await on.stream('Q1');
    on.acme.desk.send('BE', [
      [923, 'U1'],
      [924, 1],
      [553, on.acme.clientKey],
      [554, on.acme.clientSecret],
    ]);
    await on.acme.desk.next('BF');
    await on.rig.services.store.tokens.revoke(on.acme.token);
    await on.acme.desk.settle();
    on.move();
    expect((await on.nextOf('Q1')).get(35)).toBe('S');
  });

  test('a pair that the client has lost: AG NOT_ENTITLED', async () => {
    await on.stream('Q1');
    await perform(on.rig.services, 'removeMargin', undefined, { clientId: on.acme.id, pair: '*', type: '*' });
    on.rig.services.margins.replace(await on.rig.services.store.margins.load());
    expect(pick(await on.acme.desk.next('AG'), 131, 658, 20011)).toEqual(['Q1', '6', 'NOT_ENTITLED']);
  });

  test('streams end with the session: a resent request begins none, and nothing of them is sent again', async () => {
    const first = await on.stream('Q1');
    on.move();
    await on.nextOf('Q1');
    const before = on.acme.desk;
    before.close();
    await expect.poll(() => [...on.rig.gateway.states()].some(({ compId }) => compId === on.acme.compId)).toBe(false);
    const again = await logonAgain(on.rig, on.acme);
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
    on.move();
    await again.desk.settle();
    expect([again.desk.count('S'), again.desk.count('Z'), again.desk.count('AG')]).toEqual([0, 0, 0]);
    on.acme = again;
    expect((await on.stream('Q1')).get(35)).toBe('S');
  });

  test('a request sent again with 43=Y begins no second stream; a resend gap-fills quotes and sends a fresh one', async () => {
    const first = await on.stream('Q1');
    const held = await quote(on.acme.desk, 'H1', on.acme.token);
    on.acme.desk.send('R', quoteRequest('Q1', on.acme.token, BOTH), {
      more: [
        [43, 'Y'],
        [122, '20281117-08:00:00.004'],
      ],
    });
    on.acme.desk.send('2', [
      [7, Number(first.get(34))],
      [16, 0],
    ]);
    // The Quote(S) of a hold is stored and sent again, that of a stream is not.
    const again = await on.acme.desk.next('S', (message) => message.get(43) === 'Y');
    expect(pick(again, 131, 117, 34)).toEqual(['H1', held.get(117), held.get(34)]);
    const [gap] = await on.answers('4');
    expect(pick(gap!, 34, 36, 123)).toEqual([first.get(34), held.get(34), 'Y']);
    const fresh = await on.nextOf('Q1');
    expect(pick(fresh, 35, 43, 117)).toEqual(['S', undefined, first.get(117)!.replace(/1$/, '2')]);
    expect(on.acme.desk.count('AG')).toBe(0);
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
