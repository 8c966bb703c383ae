import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../engine/domain/core/refusal.js';
import { PAIRS } from '../../engine/domain/money/pair.js';
import { clientBid, clientOffer } from '../../engine/domain/money/rate.js';
import { TradingStates } from '../../engine/domain/risk/trading-state.js';
import { MarginTable, Pricing } from '../../engine/rates/pricing.js';
import { NEAREST_FIRST } from '../support/margin-rules.js';
import { bookWithClock, indexOf } from './clock.js';

const EURUSD = PAIRS[indexOf('EUR/USD')];

describe('the nearest rule wins', () => {
  test.each(NEAREST_FIRST.map((rule, i) => [rule.slice(0, 3).join(' '), i] as const))('%s', (_rule, i) => {
    const margins = new MarginTable();
    const left = NEAREST_FIRST.slice(i).map(([clientId, pair, type, marginPpm]) => ({
      clientId,
      pair,
      type,
      marginPpm,
    }));
    margins.replace(left.reverse());
    expect(margins.find('acme', 'EUR/USD', 'SCHEDULED1')).toBe(i + 1);
  });

  test('does not offer a pair without a rule; notifies a replaced sheet', () => {
    const margins = new MarginTable();
    let changes = 0;
    margins.onChange(() => changes++);
    margins.replace([{ clientId: 'acme', pair: 'EUR/USD', type: 'PREFUNDING', marginPpm: 0 }]);
    expect(margins.find('acme', 'EUR/USD', 'PREFUNDING')).toBe(0);
    expect(margins.find('acme', 'EUR/USD', 'SCHEDULED2')).toBeUndefined();
    expect(margins.find('other', 'EUR/USD', 'PREFUNDING')).toBeUndefined();
    expect(changes).toBe(1);
  });
});

test('a quote is the price less the margin, or a refusal', () => {
  const states = new TradingStates();
  const { book, clock } = bookWithClock();
  const margins = new MarginTable();
  const pricing = new Pricing(book, margins, states, () => 50_000);
  expect(pricing.quote('acme', EURUSD, 'PREFUNDING')).toMatchObject({ refusal: 'NOT_ENTITLED' });
  margins.replace([{ clientId: '*', pair: '*', type: '*', marginPpm: 2_500 }]);
  expect(pricing.quote('acme', EURUSD, 'PREFUNDING')).toMatchObject({ refusal: 'RATE_UNAVAILABLE', retryAfterS: 2 });

  book.tick(book.registerProvider('A'), EURUSD.index, 13_944_000, 13_945_600, 1e6, 2e6, 77, 0);
  clock.ms += 1_500;
  const quote = pricing.quote('acme', EURUSD, 'PREFUNDING');
  expect(isRefusal(quote)).toBe(false);
  expect(quote).toEqual({
    pair: EURUSD,
    bid: clientBid(13_944_000, 2_500),
    offer: clientOffer(13_945_600, 2_500),
    providerBid: 13_944_000,
    providerOffer: 13_945_600,
    bidSize: 1e6,
    offerSize: 2e6,
    bidLimit: Number.POSITIVE_INFINITY,
    offerLimit: Number.POSITIVE_INFINITY,
    bidMarginPpm: 2_500,
    offerMarginPpm: 2_500,
    rulePpm: 2_500,
    bands: [{ above: 0, marginPpm: 2_500 }],
    sourceTimeUs: 77,
    ageMs: 1_500,
    validUntilMs: 53_500,
  });
  clock.ms += 4_000;
  expect(pricing.quote('acme', EURUSD, 'PREFUNDING')).toMatchObject({ refusal: 'RATE_UNAVAILABLE' });
});

test.each([
  ['takes all of a small bid', 1, 2],
  ['makes an offer larger than any price', 10_000, 20_000],
])('a margin that %s leaves no price', (_what, bid, offer) => {
  const { book } = bookWithClock();
  const margins = new MarginTable();
  margins.replace([{ clientId: '*', pair: '*', type: '*', marginPpm: 999_999 }]);
  book.tick(book.registerProvider('A', { trusted: true }), EURUSD.index, bid, offer, 0, 0, 0, 0);
  expect(new Pricing(book, margins, new TradingStates()).quote('acme', EURUSD, 'PREFUNDING')).toMatchObject({
    refusal: 'RATE_UNAVAILABLE',
  });
});

describe('margins by size', () => {
  const margins = new MarginTable();
  margins.replace([
    { clientId: '*', pair: '*', type: '*', marginPpm: 5_000 },
    { clientId: '*', pair: '*', type: '*', above: 2_000_000, marginPpm: 4_000 },
    { clientId: 'acme', pair: 'EUR/USD', type: '*', above: 3_000_000, marginPpm: 1_000 },
    { clientId: 'acme', pair: 'EUR/USD', type: '*', marginPpm: 2_000 },
    { clientId: 'acme', pair: 'EUR/USD', type: '*', above: 1_000_000, marginPpm: 1_500 },
    { clientId: 'acme', pair: '*', type: '*', above: 1_000_000, marginPpm: 3_000 },
    { clientId: 'none', pair: 'USD/JPY', type: '*', marginPpm: 1 },
  ]);

  test.each([
    // client pair       units          margin
    ['acme', 'EUR/USD', 1, 2_000],
    ['acme', 'EUR/USD', 1_000_000, 2_000],
    ['acme', 'EUR/USD', 1_000_000.01, 1_500],
    ['acme', 'EUR/USD', 3_000_000, 1_500],
    ['acme', 'EUR/USD', 4_000_000, 1_000],
    // The client's own rule of a size, and everyone's below it.
    ['acme', 'USD/JPY', 1_000_000, 5_000],
    ['acme', 'USD/JPY', 2_500_000, 3_000],
    ['other', 'USD/JPY', 2_000_000, 5_000],
    ['other', 'USD/JPY', 2_000_001, 4_000],
  ])('%s, %s, %d units: %d', (client, pair, units, marginPpm) => {
    expect(margins.find(client, pair, 'PREFUNDING', units)).toBe(marginPpm);
    const wins = margins.places(client, pair, 'PREFUNDING', units).find((place) => place.marginPpm !== undefined);
    expect(wins?.marginPpm).toBe(marginPpm);
  });

  test('a client has its bands, of which each differs from the one before', () => {
    expect(margins.bands('acme', 'EUR/USD', 'PREFUNDING')).toEqual([
      { above: 0, marginPpm: 2_000 },
      { above: 1_000_000, marginPpm: 1_500 },
      { above: 3_000_000, marginPpm: 1_000 },
    ]);
    expect(margins.bands('acme', 'USD/JPY', 'PREFUNDING')).toEqual([
      { above: 0, marginPpm: 5_000 },
      { above: 1_000_000, marginPpm: 3_000 },
    ]);
    // A rule for every amount is nearer than one of a size further off.
    expect(margins.bands('none', 'USD/JPY', 'PREFUNDING')).toEqual([{ above: 0, marginPpm: 1 }]);
  });

  test('a rule of a size alone does not offer a pair', () => {
    const alone = new MarginTable();
    alone.replace([{ clientId: 'acme', pair: 'EUR/USD', type: '*', above: 1_000, marginPpm: 1 }]);
    expect(alone.find('acme', 'EUR/USD', 'PREFUNDING')).toBeUndefined();
    expect(alone.bands('acme', 'EUR/USD', 'PREFUNDING')).toBeUndefined();
  });
});
