/** A pair that an operator has halted, as desks see it. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../../../engine/domain/core/refusal.js';
import { perform } from '../../../../engine/service/perform.js';
import { type Rig, startRig } from '../../../fix/rig.js';
import { logonAgain, startTrader, type Trader } from '../../../fix/trader.js';
import type { Received } from '../../../support/desk.js';

let rig: Rig;
beforeAll(async () => {
  const began = Date.now();
  rig = await startRig({ now: () => Date.parse('2026-11-20T08:00:00Z') + Date.now() - began });
  rig.tick('EUR/USD', '1.08158', '1.08164');
  rig.tick('GBP/USD', '1.26158', '1.26164');
});
afterAll(() => rig.stop());
afterEach(async () => {
  for (const { name } of await rig.services.store.tradingStates.list()) await resume(name);
});

async function halt(pair: string): Promise<void> {
  const done = await perform(rig.services, 'haltPair', undefined, { pair, reason: 'news' });
  if (isRefusal(done)) throw new Error(done.text);
  await expect.poll(() => rig.services.book.haltedPairs).toBeGreaterThan(0);
}

async function resume(pair: string): Promise<void> {
  const done = await perform(rig.services, 'resumePair', undefined, { pair });
  if (isRefusal(done)) throw new Error(done.text);
  await expect.poll(() => rig.services.book.haltedPairs).toBe(0);
}

const pick = (message: Received, ...tags: number[]) => tags.map((tag) => message.get(tag));
const statusOf = (desk: Trader['desk'], status: string) =>
  desk.next('f', (message) => message.get(326) === status && message.get(55) === 'EUR/USD');

function askQuote({ desk, token }: Trader, id: string, symbol = 'EUR/USD', type = 1): Promise<Received> {
  const base = symbol.slice(0, 3);
  desk.send('R', [
    [131, id],
    [146, 1],
    [55, symbol],
    [537, type],
    [54, 1],
    [38, 1000],
    [15, base],
    [62, new Date(rig.services.now() + 60_000).toISOString().replaceAll('-', '').replace('T', '-').slice(0, 21)],
    [20001, token],
  ]);
  return desk.next(['S', 'AG'], (message) => message.get(131) === id);
}

describe('while a pair is halted', () => {
  test('streams lose its price, f says so, and both come back when it is resumed', async () => {
    const acme = await startTrader(rig, 'streams');
    acme.desk.send('e', [
      [324, 'S1'],
      [55, 'EUR/USD'],
      [263, 1],
    ]);
    expect(pick(await acme.desk.next('f'), 324, 326)).toEqual(['S1', '17']);
    acme.desk.stream('M1', ['EUR/USD', 'GBP/USD'], acme.token);
    await acme.desk.next('W', (message) => message.get(55) === 'GBP/USD');
    const first = await acme.desk.next('W', (message) => message.get(55) === 'EUR/USD');
    expect(first.all(276)).toEqual(['A', 'A']);

    await halt('EUR/USD');
    const withdrawn = await acme.desk.next('W', (message) => message.get(55) === 'EUR/USD');
    expect(withdrawn.all(276)).toEqual(['B', 'B']);
    expect(pick(await statusOf(acme.desk, '2'), 324, 55, 58)).toEqual(['S1', 'EUR/USD', 'Halted']);
    rig.tick('EUR/USD', '1.08258', '1.08264');
    rig.tick('GBP/USD', '1.26258', '1.26264');
    await acme.desk.next('W', (message) => message.get(55) === 'GBP/USD');

    await resume('EUR/USD');
    const back = await acme.desk.next('W', (message) => message.get(55) === 'EUR/USD');
    expect(back.all(276)).toEqual(['A', 'A']);
    expect(pick(await statusOf(acme.desk, '3'), 324, 55, 58)).toEqual(['S1', 'EUR/USD', 'Resumed']);
    expect(pick(await statusOf(acme.desk, '17'), 324, 55)).toEqual(['S1', 'EUR/USD']);
    acme.desk.close();
  });

  test('a halted pair is neither quoted nor booked by any message; other pairs continue', async () => {
    const acme = await startTrader(rig, 'refused');
    acme.desk.stream('M1', ['EUR/USD'], acme.token);
    const shown = (await acme.desk.next('W')).all(299)[0]!;
    const held = await askQuote(acme, 'R1');
    expect(held.get(35)).toBe('S');
    await halt('EUR/USD');
    await acme.desk.next('W');

    const codes: Record<string, (string | undefined)[]> = {};
    for (const [id, type] of [
      ['R2', 1],
      ['R3', 0],
    ] as const)
      codes[id] = pick(await askQuote(acme, id, 'EUR/USD', type), 35, 658, 20011, 58);
    const orders = {
      market: { 40: 1 },
      limit: { 40: 2, 44: '1.2' },
      held: { 40: 'D', 117: held.get(117) },
      streamed: { 40: 'D', 117: shown },
    };
    for (const [id, order] of Object.entries(orders)) {
      acme.order({ 11: id, ...order });
      codes[id] = pick(await acme.report(id), 39, 103, 20011, 58);
    }
    const said = 'EUR/USD is halted: try again when it is resumed';
    const rejected = ['8', '2', 'TRADING_HALTED', said];
    const refused = ['AG', '2', 'TRADING_HALTED', said];
    expect(codes).toEqual({
      R2: refused,
      R3: refused,
      market: rejected,
      limit: rejected,
      held: rejected,
      streamed: rejected,
    });
    expect((await askQuote(acme, 'R4', 'GBP/USD')).get(35)).toBe('S');
    expect((await acme.money()).journal).toBe(2);
    acme.desk.close();
  });

  test('what a desk holds in it is withdrawn, once; what it holds elsewhere stays', async () => {
    const acme = await startTrader(rig, 'holds');
    const held = await askQuote(acme, 'R1');
    const other = await askQuote(acme, 'R2', 'GBP/USD');
    await halt('EUR/USD');
    const report = await acme.desk.next('AI');
    expect(pick(report, 131, 117, 297, 20011)).toEqual(['R1', held.get(117), '4', 'TRADING_HALTED']);
    await resume('EUR/USD');
    acme.order({ 11: 'A1', 40: 'D', 117: held.get(117) });
    expect(pick(await acme.report('A1'), 39, 20011)).toEqual(['8', 'HOLD_EXPIRED']);
    acme.order({ 11: 'A2', 55: 'GBP/USD', 15: 'GBP', 40: 'D', 117: other.get(117) });
    expect((await acme.report('A2')).get(20011)).not.toBe('HOLD_EXPIRED');
    expect(acme.desk.count('AI')).toBe(1);
    acme.desk.close();
  });

  test('reports the hold of a desk that was logged out at its next logon', async () => {
    const acme = await startTrader(rig, 'away');
    await askQuote(acme, 'R1');
    acme.desk.send('5', []);
    await acme.desk.untilClosed();
    await halt('*');
    const back = await logonAgain(rig, acme);
    expect(pick(await back.desk.next('AI'), 131, 297)).toEqual(['R1', '4']);
    back.desk.close();
  });
});
