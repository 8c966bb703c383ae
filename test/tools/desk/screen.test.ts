import { expect, test } from 'vitest';
import { Latency } from '../../../engine/tools/desk/latency.js';
import { Quotes, updatesPerSecond } from '../../../engine/tools/desk/quotes.js';
import {
  age,
  PLAIN,
  plainLine,
  shownRows,
  splitAtPip,
  spreadInPips,
  TERMINAL,
  table,
} from '../../../engine/tools/desk/screen.js';

const NOON = Date.UTC(2026, 10, 20, 12);

test.each([
  // price        pip digits   big figure  pips  fraction
  ['1.0788760', 4, ['1.07', '88', '760']],
  ['157.32456', 2, ['157.', '32', '456']],
  ['16412.25', 2, ['16412.', '25', '']],
  ['33.41250', 3, ['33.4', '12', '50']],
  ['7.1', 4, ['7.1', '', '']],
  ['', 4, ['', '', '']],
])('%s with its pip in decimal %i is split into big figure, pips, fraction', (price, pipDigits, parts) => {
  expect(splitAtPip(price, pipDigits)).toEqual(parts);
});

test.each([
  // symbol     bid          offer        pips
  ['EUR/USD', '1.0788760', '1.0843509', '54.8'],
  ['EUR/USD', '1.0815800', '1.0815800', '0.0'],
  ['USD/JPY', '157.32456', '157.33456', '1.0'],
  ['EUR/USD', '1.0788760', '', ''],
])('%s %s to %s is %s pips', (symbol, bid, offer, pips) => {
  const quotes = new Quotes([symbol]);
  expect(spreadInPips(quotes.take({ symbol, bid, offer, at: NOON })!)).toBe(pips);
});

test.each([
  [320, '0.3 s'],
  [-5, '0.0 s'],
  [12_900, '12 s'],
  [300_000, '5 min'],
])('%i ms is %s old', (ms, text) => {
  expect(age(ms)).toBe(text);
});

test('a table has a line per pair, in the order asked for, with columns that line up', () => {
  const quotes = new Quotes(['EUR/USD', 'USD/JPY', 'GBP/USD']);
  quotes.take({ symbol: 'EUR/USD', bid: '1.0788760', offer: '1.0843509', latencyMs: 0.4, at: NOON });
  quotes.take({ symbol: 'USD/JPY', bid: '', offer: '', at: NOON - 7_000 });
  expect(table(quotes.rows(), NOON + 300, PLAIN)).toEqual([
    'pair                bid         offer  spread     age  upd/s  p50 ms  p99 ms',
    'EUR/USD       1.0788760     1.0843509    54.8   0.3 s    0.0     0.4     0.4',
    'USD/JPY       withdrawn     withdrawn           7.3 s    0.0                ',
    'GBP/USD             ...           ...                    0.0                ',
  ]);
});

test.each([
  // pairs, window's lines, shown
  [3, 24, 3],
  [21, 24, 21],
  [22, 24, 20],
  [100, 24, 20],
  [100, 0, 100],
  [100, 2, 1],
])('of %i pairs a window of %i lines shows %i, with a line that tells of the others', (pairs, lines, shown) => {
  expect(shownRows(pairs, lines)).toBe(shown);
});

test('on a terminal the pips are bold and the fraction is faint, at the same width', () => {
  const quotes = new Quotes(['EUR/USD']);
  quotes.take({ symbol: 'EUR/USD', bid: '1.0788760', offer: '1.0843509', at: NOON });
  const [, painted] = table(quotes.rows(), NOON, TERMINAL);
  const [, plain] = table(quotes.rows(), NOON, PLAIN);
  expect(painted).toContain('1.07\x1b[1m88\x1b[22m\x1b[2m760\x1b[22m');
  expect(painted!.replace(/\x1b\[\d+m/g, '')).toBe(plain);
});

test('a line of a pipe says what is there and what was withdrawn', () => {
  const quotes = new Quotes(['EUR/USD']);
  const line = (bid: string, offer: string) => plainLine(quotes.take({ symbol: 'EUR/USD', bid, offer, at: NOON })!);
  expect(line('1.0788760', '1.0843509')).toBe(
    '2026-11-20T12:00:00.000Z EUR/USD bid 1.0788760 offer 1.0843509 spread 54.8',
  );
  expect(line('', '')).toBe('2026-11-20T12:00:00.000Z EUR/USD bid withdrawn offer withdrawn');
});

test('one side alone leaves the other as it was', () => {
  const quotes = new Quotes(['EUR/USD']);
  quotes.take({ symbol: 'EUR/USD', bid: '1.08', offer: '1.09', at: NOON });
  expect(quotes.take({ symbol: 'EUR/USD', bid: '1.07', at: NOON })).toMatchObject({
    bid: '1.07',
    offer: '1.09',
    updates: 2,
  });
  expect(quotes.take({ symbol: 'EUR/ABC', bid: '1.07', at: NOON })).toBeUndefined();
});

test('updates a second are those of the last five full seconds', () => {
  const quotes = new Quotes(['EUR/USD']);
  for (let second = 0; second < 20; second++) {
    for (let i = 0; i < second; i++) quotes.take({ symbol: 'EUR/USD', bid: '1', at: NOON });
    quotes.secondPassed();
  }
  expect(updatesPerSecond(quotes.rows()[0]!)).toBe((15 + 16 + 17 + 18 + 19) / 5);
});

test('percentiles are within four percent, whatever the magnitude', () => {
  const latency = new Latency();
  expect(latency.percentile(0.5)).toBeUndefined();
  for (let ms = 1; ms <= 1000; ms++) latency.record(ms);
  latency.record(Number.NaN);
  expect(latency.count).toBe(1000);
  for (const [share, ms] of [
    [0.5, 500],
    [0.99, 990],
    [1, 1000],
  ] as const) {
    expect(Math.abs(latency.percentile(share)! - ms) / ms).toBeLessThan(0.04);
  }
});
