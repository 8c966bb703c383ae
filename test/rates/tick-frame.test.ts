import { expect, test } from 'vitest';
import type { LadderSide } from '../../engine/domain/money/ladder.js';
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

const levelsOf = (text: string) => {
  const found = scan(text);
  if (typeof found === 'string') return found;
  const of = ({ count, price, size }: LadderSide) =>
    [...price.subarray(0, count)].map((scaled, i) => `${size[i]}@${scaled / 1e7}`).join(' ');
  const { bid, offer, bidSize, offerSize, ladder } = found;
  return [bid / 1e7, bidSize, offer / 1e7, offerSize, ladder && of(ladder.bid), ladder && of(ladder.offer)];
};
const SHOWN = [1.08431, 1_000_000, 1.08433, 500_000, '1000000@1.08431 2000000@1.08429', '500000@1.08433'];

test.each([
  [
    'levels beside the price of the first',
    '{"op":"tick","s":"EUR/USD","b":"1.08431","a":"1.08433","bs":1,"as":2,"bids":[["1.08431",1000000],["1.08429",2000000]],"asks":[["1.08433",500000]],"n":7}',
    SHOWN,
  ],
  [
    'levels alone, blanks, bare prices, sizes as text',
    '{"s":"EURUSD", "asks" : [ [1.08433 , "500000"] ] ,"bids":[[1.08431,"1000000.00"],\n["1.08429", 2000000]]}',
    SHOWN,
  ],
  [
    'levels without a size',
    '{"s":"EURUSD","bids":[["1.08431"],["1.08429",null]],"asks":[["1.08433"]]}',
    [1.08431, 0, 1.08433, 0, '0@1.08431 0@1.08429', '0@1.08433'],
  ],
  [
    'ten levels of more',
    `{"s":"EURUSD","bids":[${Array.from({ length: 12 }, (_, i) => `[1.08${31 - i},1]`)}],"asks":[[2,1]]}`,
    [
      1.0831,
      1,
      2,
      1,
      Array.from({ length: 10 }, (_, i) => `1@${Number((1.0831 - i / 1e4).toFixed(4))}`).join(' '),
      '1@2',
    ],
  ],
  [
    'one side of levels, and the price',
    '{"s":"EURUSD","b":1.1,"a":1.2,"bids":[[1,2]]}',
    [1.1, 0, 1.2, 0, undefined, undefined],
  ],
  ['one side of levels', '{"s":"EURUSD","bids":[[1,2]]}', 'malformed'],
  ['no level', '{"s":"EURUSD","bids":[],"asks":[[1,2]]}', 'withdrawal'],
  [
    'a level of nothing',
    '{"s":"EURUSD","bids":[[1.2,0],[1.1,7],[1.05,"0.5"]],"asks":[[2,0.00],[3,1]]}',
    [1.1, 7, 3, 1, '7@1.1', '1@3'],
  ],
  ['levels of nothing', '{"s":"EURUSD","bids":[[1.2,"0"]],"asks":[[1,2]]}', 'withdrawal'],
  ['a size below zero', '{"s":"EURUSD","bids":[[1.2,-5]],"asks":[[1,2]]}', 'malformed'],
  ['a size with an exponent', '{"s":"EURUSD","bids":[[1.2,1E6]],"asks":[[1,2]]}', 'malformed'],
  ['a size of no text', '{"s":"EURUSD","bids":[[1.2,""]],"asks":[[1,2]]}', 'malformed'],
  ['an empty level', '{"s":"EURUSD","bids":[[]],"asks":[[1,2]]}', 'malformed'],
  ['a level of three', '{"s":"EURUSD","bids":[[1,2,3]],"asks":[[1,2]]}', 'malformed'],
  ['a level that is a list', '{"s":"EURUSD","bids":[[[1],2]],"asks":[[1,2]]}', 'other'],
  ['a list that does not end', '{"s":"EURUSD","asks":[[1,2]],"bids":[[1,2]', 'other'],
  ['text for a list', '{"s":"EURUSD","asks":"[[1,2]]","bids":"[[1,2]]"}', 'malformed'],
])('%s', (_name, text, levels) => {
  expect(levelsOf(text)).toEqual(levels);
});
