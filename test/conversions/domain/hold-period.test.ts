import { describe, expect, test } from 'vitest';
import {
  DEFAULT_HOLD_ADD_ONS,
  DEFAULT_HOLD_PERIOD,
  DEFAULT_VOLATILITY,
  HOLD_PERIODS,
  holdFloorPpm,
  holdPeriodOf,
  holdTerms,
} from '../../../engine/domain/conversions/hold-period.js';
import { formatMargin } from '../../../engine/domain/money/money.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('the periods, how long they last, and what they add in percent', () => {
  expect(HOLD_PERIODS.map(({ name, ms }) => [name, ms, formatMargin(DEFAULT_HOLD_ADD_ONS[name])])).toEqual([
    ['5_mins', 5 * MINUTE, '0'],
    ['15_mins', 15 * MINUTE, '0'],
    ['1_hour', HOUR, '0.02'],
    ['4_hours', 4 * HOUR, '0.05'],
    ['8_hours', 8 * HOUR, '0.08'],
    ['24_hours', 24 * HOUR, '0.15'],
  ]);
  expect(DEFAULT_HOLD_PERIOD).toBe('15_mins');
});

test('finds a period by its exact name only', () => {
  expect(holdPeriodOf('4_hours')).toEqual({ name: '4_hours', ms: 4 * HOUR });
  for (const wrong of ['', '4_HOURS', '2_hours', 'toString']) expect(holdPeriodOf(wrong)).toBeUndefined();
});

describe('a hold costs what the shortest period that covers it costs', () => {
  test.each([
    // asked, ms       add-on  lasts, when not as asked
    [1, 0],
    [30_000, 0],
    [15 * MINUTE, 0],
    [15 * MINUTE + 1, 200],
    [HOUR, 200],
    [HOUR + 1, 500],
    [4 * HOUR, 500],
    [5 * HOUR, 800],
    [8 * HOUR, 800],
    [8 * HOUR + 1, 1_500],
    [24 * HOUR, 1_500],
    [24 * HOUR + 1, 1_500, 24 * HOUR],
    [1e15, 1_500, 24 * HOUR],
  ])('%i ms', (asked, addOnPpm, ms = asked) => {
    expect(holdTerms(asked, DEFAULT_HOLD_ADD_ONS)).toEqual({ ms, addOnPpm });
  });

  test('up to 60 s nothing, although the shortest period costs something', () => {
    const dear = { '5_mins': 7, '15_mins': 8, '1_hour': 9, '4_hours': 10, '8_hours': 11, '24_hours': 12 };
    expect(holdTerms(MINUTE, dear)).toEqual({ ms: MINUTE, addOnPpm: 0 });
    expect(holdTerms(MINUTE + 1, dear)).toEqual({ ms: MINUTE + 1, addOnPpm: 7 });
    expect(holdTerms(5 * MINUTE + 1, dear)).toEqual({ ms: 5 * MINUTE + 1, addOnPpm: 8 });
  });

  test.each([
    // longest    asked        lasts       add-on
    ['5_mins', 2 * MINUTE, 2 * MINUTE, 0],
    ['5_mins', HOUR, 5 * MINUTE, 0],
    ['1_hour', 8 * HOUR, HOUR, 200],
    ['4_hours', 2 * HOUR, 2 * HOUR, 500],
    ['24_hours', 48 * HOUR, 24 * HOUR, 1_500],
  ] as const)('a client of %s at most who asks for %i ms holds %i ms', (longest, asked, ms, addOnPpm) => {
    expect(holdTerms(asked, DEFAULT_HOLD_ADD_ONS, longest)).toEqual({ ms, addOnPpm });
  });
});

describe('the value of a hold', () => {
  test.each([
    [0, 0],
    [29_000, 0],
    // A duration counts in whole seconds, rounded up: some ms pass between a request and its price.
    [29_001, 39],
    [30_000, 39],
    [MINUTE, 55],
    [5 * MINUTE, 123],
    [15 * MINUTE, 213],
    [HOUR, 426],
    [4 * HOUR, 852],
    [8 * HOUR, 1_205],
    [24 * HOUR, 2_087],
  ])('%i ms at 10 percent: %i ppm, two-way twice that', (ms, ppm) => {
    expect(holdFloorPpm(ms, DEFAULT_VOLATILITY, false)).toBe(ppm);
    expect(holdFloorPpm(ms, DEFAULT_VOLATILITY, true)).toBe(2 * ppm);
    expect(holdFloorPpm(ms, 0, true)).toBe(0);
  });

  test('is in proportion to the volatility', () => {
    expect(holdFloorPpm(HOUR, 2_000, false)).toBe(852);
    expect(holdFloorPpm(HOUR, 750, false)).toBe(320);
  });
});
