/** MarketDepth(264)=0 and the amounts that a desk deals, over the door. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../../../engine/domain/core/refusal.js';
import { clientBid } from '../../../../engine/domain/money/rate.js';
import { perform } from '../../../../engine/service/perform.js';
import { type Rig, startRig } from '../../../fix/rig.js';
import { logonAgain, startTrader, type Trader } from '../../../fix/trader.js';
import { indexOf, quoteLadder } from '../../../rates/clock.js';
import type { Received } from '../../../support/desk.js';

const MONEY = { EUR: '10000000', USD: '10000000' };
let rig: Rig;
beforeAll(async () => {
  const began = Date.now();
  rig = await startRig({ now: () => Date.parse('2026-11-20T08:00:00Z') + Date.now() - began });
  quote();
});
afterAll(() => rig.stop());

function quote(bids = '1.10000x1000000 1.09900x1000000', offers = '1.10100x1000000 1.10300x1000000') {
  const provider = rig.services.book.registerProvider('test');
  quoteLadder(rig.services.book, provider, ['EUR/USD', bids, offers], rig.services.now() * 1000);
}

const must = async (name: Parameters<typeof perform>[1], input: object): Promise<void> => {
  const done = await perform(rig.services, name, undefined, input);
  if (isRefusal(done)) throw new Error(done.text);
};

function stream({ desk, token }: Trader, id: string, depth: 0 | 1, updates: 0 | 1 = 0): Promise<Received> {
  desk.send('V', [
    [262, id],
    [263, 1],
    [264, depth],
    [265, updates],
    [267, 2],
    [269, 0],
    [269, 1],
    [146, 1],
    [55, 'EUR/USD'],
    [20001, token],
  ]);
  return desk.next(['W', 'Y'], (message) => message.get(262) === id);
}
const all = (message: Received, tag: number) => message.all(tag);
const scaled = (provider: number) => (clientBid(provider, 2_500) / 1e7).toFixed(7);

/** Of SecurityList(y). */
async function listed({ desk }: Trader): Promise<string> {
  desk.send('x', [
    [320, `L${++lists}`],
    [559, 4],
  ]);
  return (await desk.next('y', (message) => message.get(320) === `L${lists}`)).get(58)!.split(';').at(-1)!;
}
let lists = 0;

test('without the option 264=0 is the first band, as 264=1; with it every band, from the next logon on', async () => {
  const acme = await startTrader(rig, 'ladders', { money: MONEY });
  for (const [id, depth] of [
    ['top', 1],
    ['full', 0],
  ] as const) {
    const shown = await stream(acme, id, depth);
    expect(all(shown, 269)).toEqual(['0', '1']);
    expect(all(shown, 271)).toEqual(['1000000', '1000000']);
    expect(all(shown, 290)).toEqual([]);
  }
  expect(await listed(acme)).toBe('depth=1');
  await must('changeCompId', { compId: acme.compId, depth: 'ladder' });
  acme.desk.send('5', []);
  await acme.desk.next('5');
  await acme.desk.untilClosed();
  const again = await logonAgain(rig, acme);
  expect(await listed(again)).toBe('depth=10');

  const full = await stream(again, 'full', 0, 1);
  expect(all(full, 270).slice(0, 2)).toEqual([scaled(11_000_000), scaled(10_995_000)]);
  expect(all(full, 271)).toEqual(['1000000', '2000000', '1000000', '2000000']);
  expect(all(full, 290)).toEqual(['1', '2', '1', '2']);
  expect(all(await stream(again, 'top', 1), 290)).toEqual([]);

  const second = all(full, 299)[1];
  again.order({ 11: 'band', 54: 2, 38: 2_000_000, 40: 'D', 117: second, 44: scaled(10_995_000) });
  const report = await again.report('band');
  expect([report.get(150), report.get(31), report.get(20004)]).toEqual(['F', scaled(10_995_000), '1.0995']);
  again.order({ 11: 'beyond', 54: 2, 38: '2000000.01', 40: 'D', 117: second });
  const beyond = await again.report('beyond');
  expect([beyond.get(150), beyond.get(103), beyond.get(20011)]).toEqual(['8', '3', 'AMOUNT_ABOVE_LIMIT']);

  quote('1.10000x1000000 1.09950x1000000');
  const changed = await again.desk.next('X');
  expect(all(changed, 279)).toEqual(['1', '1', '1', '1']);
  expect(all(changed, 278)).toEqual(['EUR/USD.B.1', 'EUR/USD.B.2', 'EUR/USD.O.1', 'EUR/USD.O.2']);
  expect(all(changed, 270)[1]).toBe(scaled(10_997_500));
});

test('the first band of a stream is not dealt beyond its size', async () => {
  quote();
  const acme = await startTrader(rig, 'tops', { money: MONEY });
  const id = all(await stream(acme, 'top', 1), 299)[0];
  acme.order({ 11: 'small', 54: 2, 38: 1_000_000, 40: 'D', 117: id });
  expect((await acme.report('small')).get(150)).toBe('F');
  acme.order({ 11: 'large', 54: 2, 38: 1_000_001, 40: 'D', 117: id });
  expect((await acme.report('large')).get(20011)).toBe('AMOUNT_ABOVE_LIMIT');
});

test('market and limit orders and quotes have the price of their size, and are rejected where the book ends', async () => {
  quote();
  const acme = await startTrader(rig, 'sizes', { money: MONEY });
  acme.order({ 11: 'market', 54: 2, 38: 2_000_000 });
  const market = await acme.report('market');
  expect([market.get(31), market.get(20004)]).toEqual([scaled(10_995_000), '1.0995']);
  acme.order({ 11: 'limit', 54: 2, 38: 2_000_000, 40: 2, 44: scaled(11_000_000) });
  expect((await acme.report('limit')).get(20011)).toBe('LIMIT_NOT_MET');
  for (const [id, type] of [
    ['end1', { 40: 1 }],
    ['end2', { 40: 2, 44: '9' }],
  ] as const) {
    acme.order({ 11: id, 54: 2, 38: '2000000.01', ...type });
    const end = await acme.report(id);
    expect([end.get(150), end.get(103), end.get(20011)]).toEqual(['8', '3', 'INSUFFICIENT_LIQUIDITY']);
  }
  for (const [id, quoteType, quantity] of [
    ['R1', 0, 2_000_000],
    ['R2', 1, 400_000],
    ['R3', 1, 3_000_000],
  ] as const) {
    const utc = new Date(rig.services.now() + 60_000).toISOString().replaceAll('-', '').replace('T', '-').slice(0, 21);
    acme.desk.send('R', [
      [131, id],
      [146, 1],
      [55, 'EUR/USD'],
      [537, quoteType],
      [54, 2],
      [38, quantity],
      [15, 'EUR'],
      [62, utc],
      [20001, acme.token],
    ]);
    const answer = await acme.desk.next(['S', 'AG'], (message) => message.get(131) === id);
    if (id === 'R1') expect([answer.get(132), answer.get(20004)]).toEqual([scaled(10_995_000), '1.0995']);
    if (id === 'R2') expect(answer.get(132)).toBe(scaled(11_000_000));
    if (id === 'R3') expect([answer.get(658), answer.get(20011)]).toEqual(['3', 'INSUFFICIENT_LIQUIDITY']);
  }
  expect(rig.services.book.isDirect(indexOf('EUR/USD'))).toBe(true);
});
