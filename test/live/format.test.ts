/** Prices, ages and amounts as the page shows them: no digit is rounded away, and the pips are in the dealer's place. */
import { expect, test } from 'vitest';
import { type Pair, pairBySymbol } from '../../engine/domain/money/pair.js';
import { scaledFromText } from '../../engine/domain/money/rate.js';
import {
  ageText,
  bytesText,
  dayText,
  groupedText,
  marginsText,
  microsText,
  priceParts,
  priceText,
  spreadText,
  timeText,
  wordsText,
} from '../../rest/live/page/format.js';
import { scaleOf, timeline } from '../../rest/live/page/scale.js';

const pair = (symbol: string): Pair => pairBySymbol(symbol)!;
const scaled = (symbol: string, text: string) => scaledFromText(text, pair(symbol).priceDigits, 'down');

test.each([
  ['EUR/USD', '1.0854300', '1.08', '54', '3', '00'],
  ['EUR/USD', '1.0832356', '1.08', '32', '3', '56'],
  ['EUR/USD', '0.0001234', '0.00', '01', '2', '34'],
  ['USD/JPY', '151.23400', '151.', '23', '4', '00'],
  ['USD/JPY', '9.05012', '9.', '05', '0', '12'],
  ['USD/THB', '33.125671', '33.1', '25', '6', '71'],
  ['HUF/JPY', '0.4312345', '0.', '43', '123', '45'],
  ['USD/IDR', '16400.25100', '16400.', '25', '1', '00'],
])('%s %s is %s, %s, %s, %s', (symbol, text, lead, pips, beyond, own) => {
  const price = scaled(symbol, text);
  expect(priceParts(price, pair(symbol))).toEqual({ lead, pips, beyond, own });
  expect(Number(priceText(price, pair(symbol)))).toBe(Number(text));
});

test.each([
  ['EUR/USD', '1.08431', '1.08434', '0.3'],
  ['EUR/USD', '1.08431', '1.08711', '28.0'],
  ['USD/JPY', '151.234', '151.241', '0.7'],
  ['USD/INR', '59.80', '60.42', '6,200'],
])('the spread of %s %s / %s is %s pips', (symbol, bid, offer, pips) => {
  expect(spreadText(scaled(symbol, bid), scaled(symbol, offer), pair(symbol))).toBe(pips);
});

test('ages, sizes and durations in the unit that says most', () => {
  expect([0, 999, 1_000, 59_999, 60_000, 7_200_000, 172_800_000].map(ageText)).toEqual([
    '<1 s',
    '<1 s',
    '1 s',
    '59 s',
    '1 min',
    '2 h',
    '2 d',
  ]);
  expect([48, 1_250, 33_000, 3_400_000].map(microsText)).toEqual(['48 µs', '1.3 ms', '33 ms', '3.4 s']);
  expect([0, 999, 14_200, 2_100_000].map(bytesText)).toEqual(['0 B', '999 B', '14 kB', '2.1 MB']);
});

test('amounts are grouped as text, so that no digit is lost', () => {
  expect(['1000.00', '999', '1234567', '999999999999999', '9999999999999.99'].map(groupedText)).toEqual([
    '1,000.00',
    '999',
    '1,234,567',
    '999,999,999,999,999',
    '9,999,999,999,999.99',
  ]);
  const both = (ppm: number, offerMarginPpm = ppm) => marginsText({ bidMarginPpm: ppm, offerMarginPpm });
  expect([0, 2_500, 1_200, 10_000].map((ppm) => both(ppm))).toEqual(['0 %', '0.25 %', '0.12 %', '1 %']);
  expect(both(2_962, 2_038)).toBe('0.2962 % bid, 0.2038 % offer');
});

test('times of today without their day, words for codes', () => {
  const now = Date.UTC(2026, 10, 20, 15, 0, 0);
  expect(timeText(now - 3_600_000, now)).toBe('14:00:00');
  expect(timeText(now - 24 * 3_600_000, now)).toBe('11-19 15:00:00');
  expect(dayText('2026-11-05')).toBe('5 Nov');
  expect(wordsText('COMPLIANCE_APPROVED')).toBe('Compliance approved');
});

test('a chart has room for all its values, and marks to read them by', () => {
  const log = scaleOf([38, 940, 12_000], true);
  expect(log.marks).toEqual([10, 100, 1_000, 10_000, 100_000]);
  expect([log.bottom, log.top]).toEqual([10, 100_000]);
  const linear = scaleOf([1.5, 2.5], false);
  expect(linear.marks).toEqual([1.5, 2, 2.5]);
  expect(linear.bottom).toBeLessThan(1.5);
  expect(linear.top).toBeGreaterThan(2.5);
  expect(scaleOf([2, 2], false).marks).toEqual([2]);
});

test('draws each point at its time, a gap for a missing one, and no old ones', () => {
  const at = (...seconds: number[]) => seconds.map((s) => [s * 1_000, s] as const);
  const seen = (points: readonly (readonly [number, number])[], nowS: number) =>
    timeline(points, nowS * 1_000, 1_000, 60).map((point) => point?.[1] ?? null);
  expect(seen(at(100, 101, 102), 102)).toEqual([100, 101, 102]);
  // A little early or late is no gap.
  expect(seen(at(100, 101.3, 101.9, 103.1), 103.2)).toEqual([100, 100, 101.9, 103.1]);
  expect(seen(at(100, 101, 106, 107), 107)).toEqual([100, 101, 101, null, null, null, 106, 107]);
  expect(seen(at(10, 11, 100, 101), 101)).toEqual([100, 101]);
  // Nothing has been measured for a while.
  expect(seen(at(100), 104)).toEqual([100, 100, null, null, null]);
  expect(seen(at(10), 101)).toEqual([]);
});
