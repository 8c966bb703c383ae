/** QuoteCancel(Z) of a desk: ends a stream of quotes, or all of them and every hold of the session. */
import { describe, expect, test } from 'vitest';
import { startTrader } from '../../../fix/trader.js';
import type { Received } from '../../../support/desk.js';
import { openHolds, quote } from './quoting.js';
import { pick, Streaming } from './streaming.js';

const on = Streaming.begin();

describe('QuoteCancel(Z) of the desk', () => {
  const STATUS = [131, 117, 55, 297, 58, 20011];

  test('298=1 ends one stream, named by any of its quotes', async () => {
    const first = await on.stream('Q1');
    await on.stream('Q2');
    on.move();
    const second = await on.nextOf('Q1');
    await on.nextOf('Q2');
    on.cancel({ 131: 'Q1', 117: first.get(117) }, [[50, 'TRADER7']]);
    const report = await on.nextOf('Q1');
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
    on.move();
    expect((await on.nextOf('Q2')).get(35)).toBe('S');
    expect(
      on.acme.desk.received.filter((message) => message.get(131) === 'Q1' && message.get(35) === 'S'),
    ).toHaveLength(2);
    // Its id may be used again.
    expect((await on.stream('Q1')).get(117)).not.toContain(first.get(117)!.split('.')[0]);
    on.cancel({ 131: 'Q1', 117: '*' });
    expect(pick(await on.nextOf('Q1'), 35, 297)).toEqual(['AI', '6']);
  });

  test('298=4 and 117=* ends all streams and releases all holds of the session', async () => {
    const held = [
      await quote(on.acme.desk, 'H1', on.acme.token),
      await quote(on.acme.desk, 'H2', on.acme.token, { 54: undefined }),
    ];
    const streamed = [await on.stream('Q1'), await on.stream('Q2', { 54: 1 })];
    const other = await startTrader(on.rig, on.nameOf('other'));
    await quote(other.desk, 'H1', other.token);
    await on.stream('Q1', {}, [], other);
    on.cancel({ 117: '*', 298: 4 });
    const reports: Received[] = [];
    for (let i = 0; i < 4; i++) reports.push(await on.acme.desk.next('AI'));
    const reported = reports.map((report) => pick(report, 131, 117, 55, 297, 20011));
    expect(reported.slice(0, 2).concat(reported.slice(2).sort())).toEqual(
      [...streamed, ...held].map((one) => [one.get(131), one.get(117), 'EUR/USD', '6', undefined]),
    );
    expect(await openHolds(on.rig, on.acme)).toEqual([]);
    expect([...on.rig.gateway.states()].find(({ compId }) => compId === on.acme.compId)!.streams).toBe(0);
    for (const [id, one] of Object.entries(held)) {
      on.acme.order({ 11: `O${id}`, 54: 1, 40: 'D', 117: one.get(117), 38: 250_000 });
      expect(pick(await on.acme.report(`O${id}`), 20011)).toEqual(['HOLD_EXPIRED']);
    }
    expect(await openHolds(on.rig, other)).toHaveLength(1);
    on.move();
    expect((await on.nextOf('Q1', other)).get(35)).toBe('S');
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
    on.cancel(fields);
    const report = await on.acme.desk.next('AI');
    const { 131: id, 117: quoteId } = fields;
    expect(pick(report, 131, 117, 55, 297, 20011)).toEqual([id, quoteId, '[N/A]', status, code]);
    expect(report.get(58)).toMatch(/\w/);
  });

  test('refused: a quote of another stream, a hold, no QuoteReqID(131), a value of 298 that FIX has not', async () => {
    const [one, other] = [await on.stream('Q1'), await on.stream('Q2')];
    on.cancel({ 131: 'Q1', 117: other.get(117) });
    expect(pick(await on.nextOf('Q1'), 297, 55, 20011)).toEqual(['5', 'EUR/USD', 'HOLD_MISMATCH']);
    const held = await quote(on.acme.desk, 'H1', on.acme.token);
    on.cancel({ 131: 'H1', 117: held.get(117) });
    expect(pick(await on.nextOf('H1'), 297, 20011)).toEqual(['9', 'HOLD_NOT_FOUND']);
    expect(await openHolds(on.rig, on.acme)).toHaveLength(1);
    on.cancel({ 117: one.get(117) });
    on.cancel({ 131: 'Q1', 117: one.get(117), 298: 7 });
    const rejects = (await on.answers('3')).map((reject) => pick(reject, 371, 373));
    expect(rejects).toEqual([
      ['131', '1'],
      ['298', '5'],
    ]);
    on.move();
    expect((await on.nextOf('Q1')).get(35)).toBe('S');
  });

  test('without the right to trade: j 380=6', async () => {
    const reader = await startTrader(on.rig, on.nameOf('reader'), { rights: ['rates'], money: {} });
    on.cancel({ 117: '*', 298: 4 }, [], reader);
    expect(pick(await reader.desk.next('j'), 372, 380, 20011)).toEqual(['Z', '6', 'NOT_ENTITLED']);
  });
});
