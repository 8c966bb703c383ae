import { describe, expect, test } from 'vitest';
import { PAIRS, pairBySymbol } from '../../../engine/domain/money/pair.js';
import { clientBid, clientOffer } from '../../../engine/domain/money/rate.js';
import { EffectiveMargin, marginParts, type PriceShift } from '../../../engine/domain/prices/effective-margin.js';
import {
  formatPips,
  NO_PRICING,
  pipsFromText,
  skewOf,
  termsOf,
  thousandthsOf,
} from '../../../engine/domain/prices/pricing-rule.js';
import { random as seeded } from '../../domain/random.js';

const EURUSD = pairBySymbol('EUR/USD')!;
const NONE: PriceShift = { skew: 0, widening: 0, spreadMin: 0, spreadMax: 0 };
const [BID, OFFER] = [10_843_100, 10_843_300];
const PIP = 1_000;

const pricesOf = (shift: PriceShift, rulePpm: number, bid = BID, offer = OFFER) => {
  const parts = marginParts(bid, offer, shift, rulePpm);
  return {
    parts,
    bid: clientBid(bid, parts.bid.marginPpm),
    offer: clientOffer(offer, parts.offer.marginPpm),
  };
};

test('without a shift the margin of both sides is the rule’s own', () => {
  const { parts } = pricesOf(NONE, 2_500);
  const own = { rulePpm: 2_500, skewPpm: 0, wideningPpm: 0, spreadPpm: 0, marginPpm: 2_500 };
  expect(parts).toEqual({ bid: own, offer: own });
  expect(pricesOf(NONE, 999_999).parts.bid.marginPpm).toBe(999_999);
});

test('a house that is long base has a better offer and a worse bid by the skew; a short one the reverse', () => {
  const flat = pricesOf(NONE, 2_500);
  const long = pricesOf({ ...NONE, skew: 5 * PIP }, 2_500);
  expect(Math.abs(flat.bid - long.bid - 5 * PIP)).toBeLessThanOrEqual(20);
  expect(Math.abs(flat.offer - long.offer - 5 * PIP)).toBeLessThanOrEqual(40);
  const short = pricesOf({ ...NONE, skew: -5 * PIP }, 2_500);
  expect(short.bid).toBeGreaterThan(flat.bid);
  expect(short.offer).toBeGreaterThan(flat.offer);
});

test('no price is better than the provider’s: a margin ends at 0', () => {
  const { parts, offer } = pricesOf({ ...NONE, skew: 50 * PIP }, 100);
  expect(parts.offer).toMatchObject({ rulePpm: 100, marginPpm: 0 });
  expect(offer).toBe(OFFER);
});

test('old ticks make both sides worse', () => {
  const [flat, wide] = [pricesOf(NONE, 0), pricesOf({ ...NONE, widening: 2 * PIP }, 0)];
  expect(Math.abs(flat.bid - wide.bid - 2 * PIP)).toBeLessThanOrEqual(10);
  expect(Math.abs(wide.offer - flat.offer - 2 * PIP)).toBeLessThanOrEqual(10);
});

test('the bounds of the spread hold, and where they exclude each other the least does', () => {
  const least = pricesOf({ ...NONE, spreadMin: 20 * PIP }, 100);
  expect(least.offer - least.bid).toBeGreaterThanOrEqual(20 * PIP);
  expect(least.offer - least.bid).toBeLessThanOrEqual(20 * PIP + 50);
  const most = pricesOf({ ...NONE, spreadMax: 20 * PIP }, 5_000);
  expect(most.offer - most.bid).toBeLessThanOrEqual(20 * PIP);
  expect(most.offer - most.bid).toBeGreaterThanOrEqual(20 * PIP - 50);
  // The provider's own spread is wider than the most.
  const own = pricesOf({ ...NONE, spreadMax: 100 }, 5_000);
  expect([own.bid, own.offer]).toEqual([BID, OFFER]);
  const both = pricesOf({ ...NONE, spreadMin: 30 * PIP, spreadMax: 20 * PIP }, 100);
  expect(both.offer - both.bid).toBeGreaterThanOrEqual(30 * PIP);
});

test('one side at 0 leaves the rest of a narrower spread to the other', () => {
  const { parts, bid, offer } = pricesOf({ ...NONE, skew: 40 * PIP, spreadMax: 10 * PIP }, 1_000);
  expect(parts.offer.marginPpm).toBe(0);
  expect(offer - bid).toBeLessThanOrEqual(10 * PIP);
  expect(offer - bid).toBeGreaterThanOrEqual(10 * PIP - 50);
});

describe('random prices, margins and shifts', () => {
  const random = seeded(15);
  const below = (n: number) => Math.floor(random() * n);

  test('margins are whole, 0 or more, their parts add up, and the bounds hold', () => {
    const margin = new EffectiveMargin();
    for (let i = 0; i < 4_000; i++) {
      const bid = 1_000 + below(10 ** (3 + below(7)));
      const offer = bid + below(1 + Math.floor(bid / 50));
      const units = () => (below(2) === 0 ? 0 : below(1 + Math.floor(bid / 100)));
      const shift = {
        skew: units() * (below(2) === 0 ? 1 : -1),
        widening: units(),
        spreadMin: units(),
        spreadMax: units(),
      };
      const rulePpm = below(2) === 0 ? below(20_000) : below(1_000_000);
      const parts = marginParts(bid, offer, shift, rulePpm);
      const what = JSON.stringify({ bid, offer, shift, rulePpm, parts });
      for (const side of [parts.bid, parts.offer]) {
        expect(Number.isInteger(side.marginPpm) && side.marginPpm >= 0 && side.marginPpm < 1_000_000, what).toBe(true);
        const sum = Math.max(0, rulePpm + side.skewPpm + side.wideningPpm);
        if (sum < 999_999) expect(sum + side.spreadPpm, what).toBe(side.marginPpm);
      }
      margin.compute(
        bid,
        offer,
        parts.bid.skewPpm + parts.bid.wideningPpm,
        parts.offer.skewPpm + parts.offer.wideningPpm,
        shift.spreadMin,
        shift.spreadMax,
        rulePpm,
      );
      expect([margin.bidPpm, margin.offerPpm], what).toEqual([parts.bid.marginPpm, parts.offer.marginPpm]);
      const clients = [clientBid(bid, margin.bidPpm), clientOffer(offer, margin.offerPpm)] as const;
      expect(clients[0] <= bid && clients[1] >= offer, what).toBe(true);
      const spread = clients[1] - clients[0];
      const isAtMost = margin.bidPpm === 999_998 || margin.offerPpm === 999_998;
      if (!isAtMost && rulePpm < 500_000) expect(spread, what).toBeGreaterThanOrEqual(shift.spreadMin);
      if (shift.spreadMax > 0 && shift.spreadMin === 0 && rulePpm < 500_000 && shift.spreadMax >= offer - bid)
        expect(spread, what).toBeLessThanOrEqual(shift.spreadMax);
    }
  });
});

describe('rules', () => {
  test.each([
    ['0', 0],
    ['2.5', 2_500],
    ['9999.999', 9_999_999],
    ['0.001', 1],
    ['1.0005', undefined],
    ['-1', undefined],
    ['1e3', undefined],
    ['', undefined],
    ['10000', undefined],
  ])('%s pips', (text, thousandths) => {
    expect(pipsFromText(text)).toBe(thousandths);
    if (thousandths !== undefined) expect(pipsFromText(formatPips(thousandths))).toBe(thousandths);
  });

  test('a thousandth of a pip is a whole unit of every pair’s price', () => {
    expect(thousandthsOf(EURUSD, 1)).toBe(1);
    for (const pair of PAIRS) expect(Number.isInteger(termsOf(pair, RULE, undefined).skew), pair.symbol).toBe(true);
  });

  const RULE = { pair: 'EUR/USD', skew: 1, skewMax: 3_000, spreadMin: 0 };
  test('a part that the pair’s rule does not set is that of all pairs; skew and bound go together', () => {
    const all = { pair: '*', skew: 9, skewMax: 9, widenAfterMs: 500, widenBy: 7, spreadMin: 4, spreadMax: 8 };
    expect(termsOf(EURUSD, RULE, all)).toEqual({
      ...{ skew: 1, skewMax: 3_000, widenAfterMs: 500, widenBy: 7 },
      ...{ spreadMin: 0, spreadMax: 8, volatility: 1_000 },
    });
    expect(termsOf(EURUSD, undefined, undefined)).toBe(NO_PRICING);
    expect(termsOf(EURUSD, { pair: 'EUR/USD', volatility: 0 }, { ...all, volatility: 800 }).volatility).toBe(0);
    expect(termsOf(EURUSD, RULE, { ...all, volatility: 800 }).volatility).toBe(800);
  });

  test('the skew grows with the position up to its bound', () => {
    const terms = { ...NO_PRICING, skew: 500, skewMax: 3_000 };
    expect(skewOf(terms, 2_000_000)).toBe(1_000);
    expect(skewOf(terms, -2_000_000)).toBe(-1_000);
    expect(skewOf(terms, 60_000_000)).toBe(3_000);
    expect(skewOf(terms, -0.1)).toBe(0);
  });
});
