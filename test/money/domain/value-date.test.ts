import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PAIRS, type Pair, pairBySymbol } from '../../../engine/domain/money/pair.js';
import {
  checkValueDate,
  spotDate,
  spotLagDays,
  tradeDate,
  tradeDatePeriod,
  valueDates,
} from '../../../engine/domain/money/value-date.js';

const FRIDAY_NOON = Date.parse('2026-11-20T12:00:00Z');

describe('spot dates that a provider quoted at the year end of 2016', () => {
  const observed = readFileSync(new URL('../../data/domain/spot-value-dates-observed.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',') as [string, string, string]);

  test.each(observed.filter(([symbol]) => pairBySymbol(symbol) && symbol !== 'EUR/CAD'))(
    '%s traded at %s: %s',
    (symbol, at, spot) => {
      expect(spotDate(pair(symbol), Date.parse(at))).toEqual({ date: spot.replaceAll('-', '') });
    },
  );

  test('only these were not comparable', () => {
    // USD/PMRS is no currency pair and USD/RUB is not offered. For EUR/CAD that provider did not count Canada's
    // holiday on 2 January; by the rule that fits all others it is the 4th.
    expect(observed.map(([symbol]) => symbol).filter((symbol) => !pairBySymbol(symbol))).toEqual([
      'USD/PMRS',
      'USD/RUB',
    ]);
    expect(spotDate(pair('EUR/CAD'), Date.parse('2016-12-30T11:05:36Z'))).toEqual({ date: '20170104' });
  });
});

describe('the trade date', () => {
  test.each([
    // New York is five hours behind UTC in winter, four in summer.
    ['2026-11-20T21:59:59.999Z', '20261120'],
    ['2026-11-19T22:00:00.000Z', '20261120'],
    ['2026-11-20T22:00:00.000Z', '20261123'],
    ['2026-11-22T23:30:00.000Z', '20261123'],
    ['2026-07-15T20:59:59.999Z', '20260715'],
    ['2026-07-15T21:00:00.000Z', '20260716'],
    ['2026-07-16T03:59:00.000Z', '20260716'],
    ['2026-12-31T22:00:00.000Z', '20270101'],
  ])('at %s is %s', (at, date) => expect(tradeDate(Date.parse(at))).toBe(date));

  test.each<[from: string, to: string, begins: string, ends: string]>([
    ['20261120', '20261120', '2026-11-19T22:00:00.000Z', '2026-11-20T21:59:59.999Z'],
    // Of a Monday the weekend before it.
    ['20261123', '20261123', '2026-11-20T22:00:00.000Z', '2026-11-23T21:59:59.999Z'],
    ['20261119', '20261123', '2026-11-18T22:00:00.000Z', '2026-11-23T21:59:59.999Z'],
    // New York's clocks are set back between the two.
    ['20261102', '20261102', '2026-10-30T21:00:00.000Z', '2026-11-02T21:59:59.999Z'],
    // No trade date.
    ['20261122', '20261122', '2026-11-20T22:00:00.000Z', '2026-11-20T21:59:59.999Z'],
  ])('from %s to %s begins at %s and ends at %s', (from, to, begins, ends) => {
    const { fromMs, toMs } = tradeDatePeriod(from, to)!;
    expect([fromMs, toMs].map((ms) => new Date(ms).toISOString())).toEqual([begins, ends]);
  });

  test('no such day', () => expect(tradeDatePeriod('20261131', '20261201')).toBeUndefined());
});

describe('spot', () => {
  test.each([
    // symbol    traded (UTC)             spot         why
    ['EUR/USD', '2026-11-20T12:00:00Z', '20261124', 'two days over a weekend'],
    ['EUR/USD', '2026-11-20T22:00:00Z', '20261125', 'Monday has begun at 17:00 in New York'],
    ['USD/CAD', '2026-11-20T12:00:00Z', '20261123', 'one day'],
    ['USD/TRY', '2026-11-20T12:00:00Z', '20261123', 'one day'],
    ['USD/PHP', '2026-11-20T12:00:00Z', '20261123', 'one day'],
    ['EUR/CAD', '2026-11-20T12:00:00Z', '20261124', 'the short lag is that of the dollar'],
    ['USD/JPY', '2026-11-20T12:00:00Z', '20261125', 'Labour Thanksgiving on the 23rd'],
    ['USD/INR', '2026-11-20T12:00:00Z', '20261125', 'Guru Nanak Jayanti on the 24th'],
    ['USD/ILS', '2026-11-19T12:00:00Z', '20261124', 'banks rest on Friday'],
    ['EUR/USD', '2026-11-24T12:00:00Z', '20261127', 'not on Thanksgiving'],
    ['EUR/GBP', '2026-11-24T12:00:00Z', '20261127', 'nor crosses'],
    ['EUR/USD', '2026-11-25T12:00:00Z', '20261127', 'but Thanksgiving counts on the way'],
    ['USD/MXN', '2026-11-25T12:00:00Z', '20261130', 'not with the peso'],
    ['USD/BRL', '2025-11-18T12:00:00Z', '20251121', 'Black Awareness Day'],
    ['EUR/USD', '2026-12-23T12:00:00Z', '20261228', 'Christmas'],
    ['GBP/USD', '2026-12-23T12:00:00Z', '20261229', 'Boxing Day kept on Monday'],
    ['USD/CNH', '2026-02-16T12:00:00Z', '20260223', 'three days of new year in Hong Kong, then the weekend'],
    ['USD/CNY', '2026-02-13T12:00:00Z', '20260225', 'Spring Festival'],
    ['USD/AED', '2026-11-20T12:00:00Z', '20261124', 'a week from Monday to Friday'],
    // One day: the count stops on the other currency's holidays, and the last day on New York's.
    ['USD/CAD', '2026-11-10T12:00:00Z', '20261112', 'both rest on the 11th'],
    ['USD/CAD', '2026-11-25T12:00:00Z', '20261127', 'Thanksgiving in New York'],
    ['USD/CAD', '2026-12-24T12:00:00Z', '20261229', 'Boxing Day kept on Monday in Toronto'],
    ['USD/TRY', '2026-10-28T12:00:00Z', '20261030', 'Republic Day'],
    ['USD/PHP', '2026-12-23T12:00:00Z', '20261228', 'two days of Christmas in Manila'],
    ['USD/PHP', '2026-12-29T12:00:00Z', '20270104', 'Rizal Day, the last of the year and the first'],
    ['USD/MXN', '2026-09-03T12:00:00Z', '20260908', 'Labor Day does not count for the peso'],
    ['EUR/USD', '2026-09-04T12:00:00Z', '20260908', 'for the euro it does'],
    ['MXN/JPY', '2026-09-03T12:00:00Z', '20260908', 'nor in a cross'],
    ['USD/ILS', '2026-11-18T12:00:00Z', '20261123', 'Friday rests, and Sunday in New York'],
    ['USD/ILS', '2026-09-17T12:00:00Z', '20260923', 'Friday, and Yom Kippur with its eve'],
    ['EUR/USD', '2026-12-30T12:00:00Z', '20270104', 'the year end'],
    ['USD/JPY', '2026-12-29T12:00:00Z', '20270104', 'the bank holidays of Tokyo'],
    ['USD/CHF', '2025-12-30T12:00:00Z', '20260105', 'St Berchtold'],
    ['EUR/DKK', '2026-12-29T12:00:00Z', '20270104', "New Year's Eve in Copenhagen"],
    ['USD/KRW', '2026-12-30T12:00:00Z', '20270104', 'Seoul is open on the last day'],
    ['USD/SGD', '2026-12-30T12:00:00Z', '20270104', 'and Singapore'],
    ['USD/THB', '2026-12-29T12:00:00Z', '20270104', 'Bangkok is not'],
    ['USD/HKD', '2026-12-23T12:00:00Z', '20261228', 'Christmas in Hong Kong'],
    ['USD/INR', '2027-01-22T12:00:00Z', '20270127', 'Republic Day on the 26th'],
    ['USD/IDR', '2027-03-03T12:00:00Z', '20270305', 'before nine days of feasts'],
    ['USD/IDR', '2027-03-04T12:00:00Z', '20270316', 'and over them'],
    ['USD/AED', '2026-12-04T12:00:00Z', '20261208', 'after National Day'],
    ['USD/AED', '2026-12-30T12:00:00Z', '20270104', 'the year end'],
  ])('%s at %s: %s, %s', (symbol, at, spot) => {
    expect(spotDate(pair(symbol), Date.parse(at))).toEqual({ date: spot });
  });

  test('rejects a date beyond the known days', () => {
    expect(spotDate(pair('USD/AED'), Date.parse('2027-03-04T12:00:00Z'))).toEqual({
      refusal: 'BAD_VALUE_DATE',
      text: 'No spot date for USD/AED: AED holidays are known until 2027-03-05 only',
    });
    expect(spotDate(pair('USD/AED'), Date.parse('2026-12-01T12:00:00Z'))).toEqual({
      refusal: 'BAD_VALUE_DATE',
      text: 'No spot date for USD/AED: whether 2026-12-02 is a holiday is not known for AED',
    });
    expect(spotDate(pair('EUR/USD'), Date.parse('2028-12-29T12:00:00Z'))).toMatchObject({ refusal: 'BAD_VALUE_DATE' });
    expect(spotDate(pair('EUR/USD'), Date.parse('2020-05-05T12:00:00Z'))).toMatchObject({ refusal: 'BAD_VALUE_DATE' });
  });

  test('every pair has one on 20 November 2026, after the trade date and not late', () => {
    for (const each of PAIRS) {
      const found = valueDates(each, FRIDAY_NOON);
      if ('refusal' in found) throw new Error(found.text);
      expect(found.tradeDate).toBe('20261120');
      expect(found.dates.at(-1)).toBe(found.spot);
      expect(found.spot >= '20261123' && found.spot <= '20261127', each.symbol).toBe(true);
      expect([...found.dates]).toEqual([...found.dates].sort());
    }
  });

  test('an unknown day of one currency does not matter on a holiday of the other', () => {
    // Christmas Eve of 2027 waits for a decree in Hungary; in the Philippines it is free.
    expect(spotDate(pair('PHP/HUF'), Date.parse('2027-12-22T12:00:00Z'))).toEqual({ date: '20271227' });
    expect(spotDate(pair('EUR/HUF'), Date.parse('2027-12-22T12:00:00Z'))).toMatchObject({ refusal: 'BAD_VALUE_DATE' });
  });

  test('every pair has one on every trade date from now to the end of January, but AED around National Day', () => {
    const none = new Map<string, string[]>();
    for (let at = FRIDAY_NOON; at < Date.parse('2027-01-27T12:00:00Z'); at += 86_400_000) {
      const symbols = PAIRS.filter((each) => 'refusal' in spotDate(each, at)).map(({ symbol }) => symbol);
      if (symbols.length > 0) none.set(tradeDate(at), symbols);
    }
    const allOfAed = PAIRS.filter(({ symbol }) => symbol.includes('AED')).map(({ symbol }) => symbol);
    expect(Object.fromEntries(none)).toEqual({
      // Bucharest rests on 30 November and 1 December.
      '20261126': ['AED/RON'],
      '20261127': ['AED/RON', 'AED/PHP'],
      '20261130': allOfAed,
      '20261201': allOfAed,
      '20261202': allOfAed,
      // The 4th is a Friday, which is free in Tel Aviv whatever is announced.
      '20261203': allOfAed.filter((symbol) => symbol !== 'ILS/AED'),
    });
  });

  test('is computed once per trade date', () => {
    const first = spotDate(pair('EUR/USD'), FRIDAY_NOON);
    expect(spotDate(pair('EUR/USD'), FRIDAY_NOON + 3_600_000)).toBe(first);
    expect(spotDate(pair('EUR/USD'), FRIDAY_NOON + 4 * 86_400_000)).not.toBe(first);
  });

  test('lags', () => {
    expect(PAIRS.filter((each) => spotLagDays(each) === 1).map(({ symbol }) => symbol)).toEqual([
      'USD/CAD',
      'USD/TRY',
      'USD/PHP',
    ]);
  });
});

describe('a requested value date', () => {
  test.each([
    // symbol    date        refusal, or undefined
    ['EUR/USD', '20261124', undefined],
    ['EUR/USD', '20261123', undefined],
    ['EUR/USD', '20261120', '20261120 is past or today: use 20261123'],
    ['EUR/USD', '20261119', '20261119 is past or today: use 20261123'],
    ['EUR/USD', '20261122', '20261122 is no good day, weekend: use 20261123'],
    ['EUR/USD', '20261125', '20261125 is beyond spot 20261124, and there are no forwards: use 20261124'],
    ['USD/JPY', '20261123', '20261123 is no good day, Labour Thanksgiving Day (JPY): use 20261124'],
    ['USD/CAD', '20261124', '20261124 is beyond spot 20261123, and there are no forwards: use 20261123'],
    ['EUR/USD', '20261131', '20261131 is no date: send YYYYMMDD'],
    ['EUR/USD', '2026-11-24', '2026-11- is no date: send YYYYMMDD'],
    ['EUR/USD', '', ' is no date: send YYYYMMDD'],
  ])('%s on %s: %s', (symbol, date, text) => {
    expect(checkValueDate(pair(symbol), date, FRIDAY_NOON)).toEqual(text && { refusal: 'BAD_VALUE_DATE', text });
  });

  test('on a US holiday between trade and spot', () => {
    expect(checkValueDate(pair('EUR/GBP'), '20261126', Date.parse('2026-11-25T12:00:00Z'))?.text).toBe(
      '20261126 is no good day, Thanksgiving Day (USD): use 20261127',
    );
  });
});

function pair(symbol: string): Pair {
  const found = pairBySymbol(symbol);
  if (!found) throw new Error(`no pair ${symbol}`);
  return found;
}
