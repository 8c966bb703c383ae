/** A QuoteRequest(R) without Side(54): one hold of both sides, which the side of one order uses up. */
import { describe, expect, test } from 'vitest';
import { settleDue } from '../../../../engine/roles/conversions/settle-due.js';
import { perform } from '../../../../engine/service/perform.js';
import { startTrader } from '../../../fix/trader.js';
import type { Received } from '../../../support/desk.js';
import { bookOverRest, openHolds, quote } from './quoting.js';
import { pick, Streaming } from './streaming.js';

const BOTH = { 54: undefined };

const on = Streaming.begin();
const twoWay = (id: string, changes: object = {}) => quote(on.acme.desk, id, on.acme.token, { ...BOTH, ...changes });
const caller = () => ({ clientId: on.acme.id, keyId: on.acme.clientKey, rights: new Set(['trade', 'read'] as const) });

describe('Quote(S) has both sides and no direction', () => {
  test.each([
    [{ 38: 250_000, 15: 'EUR' }, '250000', { side: 'sell', minor: '25000000' }],
    [{ 38: 271_087.73, 15: 'USD' }, '271087.73', { side: 'buy', minor: '27108773' }],
  ])('%j', async (changes, size, amount) => {
    const answer = await twoWay('Q1', changes);
    expect(pick(answer, 35, 537, 132, 133, 134, 135)).toEqual(['S', '1', '1.0788760', '1.0843509', size, size]);
    expect(pick(answer, 188, 190, 189, 191)).toEqual(['1.0788760', '1.0843509', '0', '0']);
    expect(pick(answer, 54, 20004, 20013, 20014, 20015, 20016)).toEqual(Array(6).fill(undefined));
    const [held] = await openHolds(on.rig, on.acme);
    expect(held).toMatchObject({ id: answer.get(117), sellCurrency: 'EUR', amount, status: 'open' });
    expect(held!.opposite).toMatchObject({ price: 10_843_509, providerPrice: 10_816_400, marginPpm: 2_500 });
  });

  test('a longer hold adds to the margin of both sides', async () => {
    const answer = await twoWay('Q1', { 62: '20281118-08:00:00.004' });
    // 0.25 percent and 0.15 for the period are below the value of a two-way hold of 24 hours, 2 x 0.2087.
    expect(pick(answer, 20003, 132, 133)).toEqual(['0.4174', '1.0770655', '1.0861737']);
    const shorter = await twoWay('Q2', { 62: '20281117-16:00:00.004' });
    expect(pick(shorter, 20003, 132, 133)).toEqual(['0.33', '1.0780108', '1.0852212']);
  });

  test('a request sent again gets the same quote', async () => {
    const first = await twoWay('Q1');
    on.rig.tick('EUR/USD', '1.09158', '1.09164');
    const again = await quote(on.acme.desk, 'Q1', on.acme.token, BOTH, [[97, 'Y']]);
    const body = ({ text }: Received) => text.replace(/^.*\|131=/, '131=').replace(/10=\d{3}\|$/, '');
    expect(body(again)).toBe(body(first));
    expect(await openHolds(on.rig, on.acme)).toHaveLength(1);
  });
});

describe('the Side(54) of the order decides, at the price of the request', () => {
  test.each([
    // 54   38        15     31           buys               sells
    [1, 250_000, 'EUR', '1.0843509', 'EUR', '250000.00', 'USD', '271087.73', '1.08164'],
    [2, 250_000, 'EUR', '1.0788760', 'USD', '269719.00', 'EUR', '250000.00', '1.08158'],
    [1, 100_000, 'USD', '1.0843509', 'EUR', '92221.06', 'USD', '100000.00', '1.08164'],
    [2, 100_000, 'USD', '1.0788760', 'USD', '100000.00', 'EUR', '92689.06', '1.08158'],
  ])('54=%d %d %s', async (side, amount, currency, price, buy, bought, sell, sold, provider) => {
    const quoted = await twoWay('Q1', { 38: amount, 15: currency });
    on.rig.tick('EUR/USD', '1.09158', '1.09164');
    const id = quoted.get(117);
    const order = { 40: 'D', 117: id, 38: amount, 15: currency, 44: price };
    on.acme.order({ 11: 'O1', 54: side, ...order });
    const report = await on.acme.report('O1');
    expect(pick(report, 150, 31, 20006, 20013, 20015, 20014, 20016, 20004)).toEqual([
      'F',
      price,
      id,
      buy,
      bought,
      sell,
      sold,
      provider,
    ]);
    expect(await openHolds(on.rig, on.acme)).toEqual([]);
    // Any second use: of the same side, of the other, and over REST.
    for (const [again, other] of [
      ['O2', side],
      ['O3', 3 - side],
    ] as const) {
      on.acme.order({ 11: again, 54: other, ...order, 44: undefined });
      expect(pick(await on.acme.report(again), 150, 103, 20011)).toEqual(['8', '6', 'HOLD_USED']);
    }
    expect(await bookOverRest(on.rig, on.acme, id!)).toBe('HOLD_USED');
  });

  test('of two orders at once, one of each side, one is filled', async () => {
    const id = (await twoWay('Q1', { 38: 1000 })).get(117);
    const before = await on.acme.money();
    on.acme.order({ 11: 'A', 54: 1, 40: 'D', 117: id });
    on.acme.order({ 11: 'B', 54: 2, 40: 'D', 117: id });
    const outcomes = [await on.acme.report('A'), await on.acme.report('B')].map((report) => pick(report, 39, 20011));
    expect(outcomes.sort()).toEqual([
      ['2', undefined],
      ['8', 'HOLD_USED'],
    ]);
    expect((await on.acme.money()).journal).toBe(before.journal + 1);
  });

  test.each([
    ['another amount', { 38: 250_001 }, 'HOLD_MISMATCH'],
    ['the amount in the other currency', { 15: 'USD' }, 'HOLD_MISMATCH'],
    ['another pair', { 55: 'EUR/GBP' }, 'HOLD_MISMATCH'],
    ['another date', { 64: '20281120' }, 'HOLD_MISMATCH'],
    ['another type', { 20005: 'SCHEDULED1' }, 'HOLD_MISMATCH'],
    ['the price of the other side', { 44: '1.0788760' }, 'PRICE_MISMATCH'],
  ])('%s is refused, and the hold stays', async (_what, changes, code) => {
    on.rig.tick('EUR/GBP', '0.86', '0.8601');
    await perform(on.rig.services, 'openAccount', undefined, { clientId: on.acme.id, currency: 'GBP' });
    await on.rig.services.store.clients.setScheduledLimit(on.acme.id, '1000000');
    const id = (await twoWay('Q1')).get(117);
    on.acme.order({ 11: 'O1', 54: 1, 40: 'D', 117: id, 38: 250_000, ...changes });
    expect(pick(await on.acme.report('O1'), 39, 103, 20011)).toEqual(['8', '99', code]);
    expect(await openHolds(on.rig, on.acme)).toHaveLength(1);
  });
});

describe('it counts once, by its larger side', () => {
  test('in dollars: an amount of dollars counts as itself, one of euros as what they are worth', async () => {
    await twoWay('Q1', { 38: 250_000, 15: 'EUR' });
    await quote(on.acme.desk, 'Q2', on.acme.token, { 38: 250_000, 15: 'EUR' });
    await twoWay('Q3', { 38: 100_000, 15: 'USD' });
    const usd = (await openHolds(on.rig, on.acme)).map((hold) => hold.usd);
    expect(usd.sort()).toEqual(['10000000', '27040250', '27040250']);
  });

  test('of a pair without dollars the side with more of its base', async () => {
    on.rig.tick('EUR/GBP', '0.8600', '0.8700');
    on.rig.tick('GBP/USD', '1.25', '1.25');
    const usdOf = async (id: string, side: number | undefined): Promise<number> => {
      const answer = await quote(on.acme.desk, id, on.acme.token, { 55: 'EUR/GBP', 38: 86_000, 15: 'GBP', 54: side });
      const held = await openHolds(on.rig, on.acme);
      return Number(held.find((hold) => hold.id === answer.get(117))!.usd);
    };
    const [sold, bought, both] = [await usdOf('Q1', 2), await usdOf('Q2', 1), await usdOf('Q3', undefined)];
    expect(sold).toBeGreaterThan(bought);
    expect(both).toBe(sold);
  });

  test('against the limits by number and by worth', async () => {
    for (let i = 0; i < 50; i++) expect((await twoWay(`Q${i}`, { 38: 100 })).get(35)).toBe('S');
    expect(pick(await twoWay('Q50', { 38: 100 }), 35, 658, 20011)).toEqual(['AG', '3', 'HOLD_LIMIT']);
    const other = await startTrader(on.rig, on.nameOf('rich'));
    await on.rig.services.store.clients.change(other.id, { holdLimitUsd: 300_000 });
    expect((await quote(other.desk, 'Q1', other.token, BOTH)).get(35)).toBe('S');
    const answer = await quote(other.desk, 'Q2', other.token, { ...BOTH, 38: 50_000 });
    expect(pick(answer, 35, 658, 20011)).toEqual(['AG', '3', 'HOLD_LIMIT']);
  });
});

test.each([
  ['below the minimum on one side', { 38: '1.08', 15: 'USD' }, '99', 'AMOUNT_BELOW_MIN'],
  ['above the maximum on one side', { 38: '5400000', 15: 'USD' }, '3', 'AMOUNT_ABOVE_LIMIT'],
  ['a side that is neither', { 54: 5 }, '99', 'BAD_SIDE'],
])('refused with nothing held: %s', async (_what, changes, reason, code) => {
  expect(pick(await twoWay('Q1', changes), 35, 658, 20011)).toEqual(['AG', reason, code]);
  expect(await openHolds(on.rig, on.acme)).toEqual([]);
  // The other side alone would be held.
  if (code === 'BAD_SIDE') return;
  const sides = [
    (await twoWay('Q2', { ...changes, 54: 1 })).get(35),
    (await twoWay('Q3', { ...changes, 54: 2 })).get(35),
  ];
  expect(sides.sort()).toEqual(['AG', 'S']);
});

describe('its end', () => {
  test('is released, asked about and reported like every hold', async () => {
    const id = (await twoWay('Q1')).get(117)!;
    const ask = async (msgType: 'a' | 'AJ', symbol = 'EUR/USD'): Promise<Received> => {
      const own =
        msgType === 'a'
          ? ([[649, 'S1']] as const)
          : ([
              [693, 'J1'],
              [694, 6],
            ] as const);
      on.acme.desk.send(msgType, [...own, [117, id], [55, symbol], [20001, on.acme.token]]);
      return on.acme.desk.next('AI');
    };
    expect(pick(await ask('a'), 131, 297)).toEqual(['Q1', '0']);
    expect(pick(await ask('a', 'EUR/GBP'), 297, 20011)).toEqual(['5', 'HOLD_MISMATCH']);
    expect(pick(await ask('AJ'), 131, 297)).toEqual(['Q1', '6']);
    on.acme.order({ 11: 'O1', 54: 1, 40: 'D', 117: id, 38: 250_000 });
    expect(pick(await on.acme.report('O1'), 39, 103, 20011)).toEqual(['8', '8', 'HOLD_EXPIRED']);
  });

  test('expires, and is withdrawn when the market closes', async () => {
    const expiring = (await twoWay('Q1')).get(117);
    await on.rig.skip(30_100);
    await settleDue(on.rig.services, 100);
    expect(pick(await on.acme.desk.next('AI'), 131, 117, 297)).toEqual(['Q1', expiring, '7']);
    await on.rig.skip(-30_100);
    const withdrawn = (await twoWay('Q2')).get(117);
    on.isOpen = false;
    expect(pick(await on.acme.desk.next('AI'), 131, 117, 297)).toEqual(['Q2', withdrawn, '4']);
  });
});

test('the operator sees both prices, and may revoke it', async () => {
  const id = (await twoWay('Q1')).get(117)!;
  const listed = await perform(on.rig.services, 'listHolds', undefined, { clientId: on.acme.id });
  expect(listed).toMatchObject({ holds: [{ id, price: 10_788_760, opposite: { price: 10_843_509 } }] });
  await perform(on.rig.services, 'revokeHold', undefined, { clientId: on.acme.id, holdId: id });
  expect(pick(await on.acme.desk.next('AI'), 117, 297)).toEqual([id, '4']);
});

test('the other door reads it, and reconciliation agrees after its booking', async () => {
  const id = (await twoWay('Q1')).get(117)!;
  const read = await perform(on.rig.services, 'readHeldRate', caller(), { holdId: id });
  expect(read).toMatchObject({ hold: { id, opposite: { price: 10_843_509 }, status: 'open' } });
  expect(await bookOverRest(on.rig, on.acme, id)).toMatch(/^BFX/);
  const { differences } = (await perform(on.rig.services, 'reconcile', undefined, {})) as { differences: unknown[] };
  expect(differences).toEqual([]);
});
