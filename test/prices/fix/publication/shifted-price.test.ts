/** Streams of prices whose margins the rules of pricing change. */
import { beforeEach, describe, expect, test } from 'vitest';
import { formatMargin, formatScaled } from '../../../../engine/domain/money/money.js';
import { pairBySymbol } from '../../../../engine/domain/money/pair.js';
import { clientBid, clientOffer } from '../../../../engine/domain/money/rate.js';
import { type Bench, bench, HeldDesk, type Published } from './held-desk.js';

const { index: EURUSD } = pairBySymbol('EUR/USD')!;
const [BID, OFFER] = [10_815_000, 10_816_000];
const SKEW = { pair: 'EUR/USD', skew: 1_000, skewMax: 20_000 };

let on: Bench;
let desk: HeldDesk;
beforeEach(() => {
  on = bench();
  desk = new HeldDesk(() => on.nowMs);
  on.tick('EUR/USD', '1.08150', '1.08160');
});

const flush = (of = desk): Published[] => {
  on.publication.flush();
  return of.received.splice(0);
};
const pricesAt = (bidPpm: number, offerPpm: number) =>
  [clientBid(BID, bidPpm), clientOffer(OFFER, offerPpm)].map((price) => formatScaled(price, 7));
const at = (id: string) => on.publication.streamedPrice(id, 'acme');
/** Millions of base. */
const longBy = (millions: number) => on.shifts.setPosition(() => millions * 1e6);
const effective = (rulePpm = 2_500) => {
  const { bidPpm, offerPpm } = on.shifts.margin(EURUSD, BID, OFFER, rulePpm);
  return [bidPpm, offerPpm] as const;
};

describe('a skew', () => {
  test('that changes is a new price of every stream of the pair at once, W and X, and of no other pair', () => {
    on.tick('GBP/USD', '1.27010', '1.27030');
    on.margins.set('other', 100);
    const other = new HeldDesk();
    on.ask(desk, { incremental: true, symbols: ['EUR/USD', 'GBP/USD'] });
    on.ask(other, { clientId: 'other' });
    flush();
    flush(other);
    on.shifts.replace([SKEW]);
    on.publication.flush();
    expect([desk.received, other.received]).toEqual([[], []]);
    longBy(5);
    const [own] = effective();
    expect(own).toBe(2_500 + 462);
    const [shown, ...more] = flush();
    expect([shown!.type, shown!.get(55), more]).toEqual(['X', 'EUR/USD', []]);
    expect(shown!.all(270)).toEqual(pricesAt(2_962, 2_038));
    const [others] = flush(other);
    expect([others!.type, others!.all(270)]).toEqual(['W', pricesAt(562, 0)]);
    longBy(5);
    expect([...flush(), ...flush(other)]).toEqual([]);
  });

  test('follows each price of a batch: those before the change keep the old one', () => {
    on.ask(desk, {});
    flush();
    on.shifts.replace([SKEW]);
    on.tick('EUR/USD', '1.08151', '1.08161');
    longBy(-3);
    on.tick('EUR/USD', '1.08150', '1.08160');
    const [before, changed, after] = flush();
    expect(before!.all(270)).toEqual(
      [clientBid(10_815_100, 2_500), clientOffer(10_816_100, 2_500)].map((price) => formatScaled(price, 7)),
    );
    expect(changed!.all(270)).not.toEqual(before!.all(270));
    expect(after!.all(270)).toEqual(pricesAt(...effective()));
  });

  test('reaches a stream that begins, one that catches up, and one of another margin', () => {
    on.shifts.replace([SKEW]);
    longBy(2);
    on.ask(desk, {});
    expect(flush()[0]!.all(270)).toEqual(pricesAt(...effective()));
    desk.congested = true;
    longBy(3);
    flush();
    desk.congested = false;
    on.publication.drained(desk.session);
    expect(desk.received.splice(0)[0]!.all(270)).toEqual(pricesAt(...effective()));
    on.margins.set('acme', 4_000);
    on.publication.marginsChanged();
    expect(flush()[0]!.all(270)).toEqual(pricesAt(...effective(4_000)));
  });

  test('of a pair without a price sends nothing', () => {
    on.ask(desk, {});
    flush();
    on.withdraw('EUR/USD');
    expect(flush()).toHaveLength(1);
    on.shifts.replace([SKEW]);
    longBy(5);
    expect(flush()).toEqual([]);
    on.tick('EUR/USD', '1.08150', '1.08160');
    expect(flush()[0]!.all(270)).toEqual(pricesAt(...effective()));
  });
});

describe('a streamed price', () => {
  test('is dealt as it was shown, while fresh and for half a second after the margin has moved', () => {
    on.ask(desk, {});
    const plain = flush()[0]!.get(299)!;
    on.shifts.replace([SKEW]);
    longBy(5);
    const [skewed] = flush();
    const found = at(skewed!.get(299)!)!;
    expect([found.bid, found.offer].map((price) => formatScaled(price, 7))).toEqual(skewed!.all(270));
    expect(found.bidBand).toMatchObject({ rulePpm: 2_500, skewPpm: 462, marginPpm: 2_962 });
    expect(found.offerBand).toMatchObject({ rulePpm: 2_500, skewPpm: -462, marginPpm: 2_038 });
    on.nowMs += 500;
    expect(at(plain)).toMatchObject({ bid: clientBid(BID, 2_500), isCurrent: false, bidBand: { rulePpm: 2_500 } });
    on.nowMs += 1;
    expect(at(plain)).toBeUndefined();
    expect(at(skewed!.get(299)!)).toMatchObject({ isCurrent: true });
    on.shifts.replace([]);
    expect(at(skewed!.get(299)!)).toMatchObject({ bid: found.bid, isCurrent: false });
  });

  test('that was replaced by a skew once it was too old is not dealt', () => {
    on.ask(desk, {});
    const id = flush()[0]!.get(299)!;
    on.shifts.replace([SKEW]);
    on.nowMs += 4_900;
    longBy(5);
    on.nowMs += 101;
    expect(at(id)).toBeUndefined();
  });
});

describe('MarginPercent(20003)', () => {
  test.each([
    ['both sides: the larger one', {}, Math.max],
    ['the bid', { offer: false }, (bid: number) => bid],
    ['the offer', { bid: false }, (_bid: number, offer: number) => offer],
  ] as const)('%s', (_what, sides, of) => {
    on.ask(desk, { ...sides, discloseMargin: true, sourceTime: true });
    expect(flush()[0]!.get(20003)).toBe('0.25');
    on.shifts.replace([{ ...SKEW, spreadMin: 62_345 }]);
    flush();
    for (const millions of [1, 7, -4, 0, 19]) {
      longBy(millions);
      const [shown] = flush();
      expect(shown!.get(20003)).toBe(formatMargin(of(...effective())));
      expect(shown!.get(20017)).toBeDefined();
      // The formula of a margin gives the price from it, to the last digit.
      if (!('bid' in sides) && 'offer' in sides) expect(shown!.get(270)).toBe(pricesAt(...effective())[0]);
    }
  });
});

describe('a ladder', () => {
  beforeEach(() => {
    on.quote('EUR/USD', '1.08150x1000000 1.08100x1000000', '1.08160x1000000 1.08200x2000000');
    on.bands.set('acme', [{ above: 1_500_000, marginPpm: 100 }]);
  });

  test('has the effective margin of each band, and is dealt as it was shown', () => {
    on.ask(desk, { isLadder: true, discloseMargin: true });
    const [plain] = flush();
    on.shifts.replace([SKEW]);
    longBy(5);
    const [shown, ...more] = flush();
    expect(more).toEqual([]);
    expect(shown!.get(20003)).toBe('0.2962');
    expect(shown!.all(270)[0]).toBe(pricesAt(2_962, 0)[0]);
    const offers = shown!.all(269).flatMap((side, i) => (side === '1' ? [shown!.all(299)[i]!] : []));
    expect(offers.map((id) => at(id)!.offerBand.marginPpm)).toEqual([2_038, 2_038, 0]);
    for (const [i, id] of shown!.all(299).entries()) {
      const found = at(id)!;
      const side = shown!.all(269)[i] === '0' ? found.bid : found.offer;
      expect(formatScaled(side, 7)).toBe(shown!.all(270)[i]);
    }
    expect(at(plain!.get(299)!)).toMatchObject({ bidBand: { marginPpm: 2_500 } });
    on.shifts.setPosition(undefined);
    expect(flush()[0]!.all(270)).toEqual(plain!.all(270));
  });
});

test('wider prices begin with a sweep, and end with the tick that confirms the price', () => {
  on.ask(desk, {});
  flush();
  on.shifts.replace([{ pair: '*', widenAfterMs: 1_000, widenBy: 5_000 }]);
  on.nowMs += 1_001;
  on.shifts.sweep();
  expect(flush()[0]!.all(270)).toEqual(pricesAt(2_962, 2_962));
  on.tick('EUR/USD', '1.08150', '1.08160');
  expect(flush()[0]!.all(270)).toEqual(pricesAt(2_500, 2_500));
});
