import { expect, test } from 'vitest';
import { pairOfSymbol } from '../../engine/rates/feeds/symbol-bytes.js';
import { TickFrame } from '../../engine/rates/feeds/tick-frame.js';
import { indexOf } from './clock.js';

function scan(text: string) {
  const frame = new TickFrame();
  const kind = frame.scan(Buffer.from(text));
  return kind === 'tick' ? frame : kind;
}

const TICK = {
  pair: indexOf('EUR/USD'),
  bid: 10_843_100,
  offer: 10_843_300,
  bidSize: 0,
  offerSize: 0,
  sourceTimeUs: 0,
  sequence: 0,
};

test.each([
  [
    'canonical',
    '{"op":"tick","s":"EUR/USD","b":"1.08431","a":"1.08433","bs":1000000,"as":2000000,"q":"77812","t":1763625600123456789,"n":912}',
    { bidSize: 1e6, offerSize: 2e6, sourceTimeUs: 1_763_625_600_123_456, sequence: 912 },
  ],
  [
    'bare prices, no op',
    '{"s":"EURUSD","b":1.08431,"a":1.08433,"t":1763625600123456789}',
    { sourceTimeUs: 1_763_625_600_123_456 },
  ],
  [
    't as text',
    '{"s":"EURUSD","b":1.08431,"a":1.08433,"t":"1763625600123456789"}',
    { sourceTimeUs: 1_763_625_600_123_456 },
  ],
  [
    'any order, blanks, unknown keys',
    ' { "a" : "1.08433" ,\n"x":null, "flags":true, "b":"1.08431", "s":"EUR.USD" } ',
    {},
  ],
  ['a bid is not rounded up, an offer not down', '{"s":"EUR/USD","b":"1.08431009","a":"1.08432991"}', {}],
  [
    'sizes as text with decimals',
    '{"s":"EUR/USD","b":"1.08431","a":"1.08433","bs":"5.00","as":"7.9"}',
    { bidSize: 5, offerSize: 7 },
  ],
  [
    'sizes and times that are none',
    '{"s":"EUR/USD","b":"1.08431","a":"1.08433","bs":-1,"as":"x","t":"soon","n":null}',
    {},
  ],
])('%s', (_name, text, more) => {
  expect(scan(text)).toMatchObject({ ...TICK, ...more });
});

test.each([
  ['{"s":"EUR/USD","b":"1.08431"}', 'malformed'],
  ['{"s":"EUR/USD","b":"1,08431","a":"1.08433"}', 'malformed'],
  ['{"s":"EUR/USD","b":1e0,"a":"1.08433"}', 'malformed'],
  ['{"s":"EUR/USD","b":"","a":"1.08433"}', 'malformed'],
  ['{"s":"EUR/USD","b":"--1.0","a":"1.08433"}', 'malformed'],
  ['{"s":"EUR/USD","b":"-","a":"1.08433"}', 'malformed'],
  ['{"s":"EURUSDX","b":"1.08431","a":"1.08433"}', 'unknown-pair'],
  ['{"s":"USD/EUR","b":"1.08431","a":"1.08433"}', 'unknown-pair'],
  ['{"s":"XAU/USD","b":"1.08431","a":"1.08433"}', 'unknown-pair'],
  ['{"op":"stale","s":"EUR/USD"}', 'other'],
  ['{"op":"subscribed","symbols":["EUR/USD"]}', 'other'],
  ['{"s":"EUR\\/USD","b":"1.08431","a":"1.08433"}', 'other'],
  ['[{"s":"EUR/USD"}]', 'other'],
  ['{"s":"EUR/USD","b":"1.08431","a":"1.08433"', 'other'],
  ['{"s":"EUR/USD","b":"1.08431","a":"1.08433"}}', 'other'],
  ['{"s":"EUR/USD" "b":"1.08431"}', 'other'],
  ['{"s":"EUR/USD","b":,"a":"1.08433"}', 'other'],
  ['', 'other'],
  ['{}', 'other'],
])('%s is %s', (text, kind) => {
  expect(scan(text)).toBe(kind);
});

test.each([
  ['nanoseconds', '1763625600123456789', 1_763_625_600_123_456],
  ['microseconds', '1763625600123456', 1_763_625_600_123_456],
  ['milliseconds', '1763625600123', 1_763_625_600_123_000],
  ['in quotes', '"1763625600123"', 1_763_625_600_123_000],
  ['nanoseconds since 1970 of a test', '2000000', 2_000],
  ['a date', '"2025-11-20T08:00:00Z"', 0],
])('t in %s', (_name, t, sourceTimeUs) => {
  expect(scan(`{"s":"EUR/USD","b":"1.08431","a":"1.08433","t":${t}}`)).toMatchObject({ ...TICK, sourceTimeUs });
});

test('rejects every truncated frame without throwing', () => {
  const whole = '{"op":"tick","s":"EUR/USD","b":"1.08431","a":"1.08433","bs":1000000,"t":1763625600123456789,"n":912}';
  for (let end = 0; end < whole.length; end++) expect(typeof scan(whole.slice(0, end))).toBe('string');
});

test.each([
  ['EURUSD', true],
  ['EUR/USD', true],
  ['EUR.USD', true],
  ['EUR-USD', true],
  ['EUR USD', false],
  ['eurusd', false],
  ['USDEUR', false],
  ['EUR', false],
  ['ÉURUSD', false],
])('symbol %s', (symbol, known) => {
  expect(pairOfSymbol(symbol) === indexOf('EUR/USD')).toBe(known);
});
