import { describe, expect, test } from 'vitest';
import { calendarOf, closedOn, holidaysBetween } from '../../../engine/domain/calendar/calendar.js';
import { dateText, dayFromText, dayOf, weekday } from '../../../engine/domain/calendar/day.js';
import { CURRENCIES } from '../../../engine/domain/money/money.js';

// The weekdays on which money rests by the published lists, each as its publisher has it.
describe('days by list', () => {
  test.each([
    ['CNY', 2025, '0101 0128 0129 0130 0131 0203 0204 0404 0501 0502 0505 0602 1001 1002 1003 1006 1007 1008'],
    ['CNY', 2026, '0101 0102 0216 0217 0218 0219 0220 0223 0406 0501 0504 0505 0619 0925 1001 1002 1005 1006 1007'],
    [
      'IDR',
      2025,
      '0101 0127 0128 0129 0328 0331 0401 0402 0403 0404 0407 0418 0501 0512 0513 0529 0530 0606 0609 0627 0818 0905 1225 1226',
    ],
    [
      'IDR',
      2026,
      '0101 0116 0216 0217 0318 0319 0320 0323 0324 0403 0501 0514 0515 0527 0528 0601 0616 0817 0825 1224 1225',
    ],
    ['IDR', 2027, '0101 0105 0205 0308 0309 0310 0311 0312 0315 0325 0326 0506 0517 0518 0519 0520 0601 0817 1224'],
    ['INR', 2025, '0219 0226 0314 0331 0401 0410 0414 0418 0501 0512 0815 0827 0908 1002 1021 1022 1105 1225'],
    [
      'INR',
      2026,
      '0115 0126 0219 0303 0319 0326 0331 0401 0403 0414 0501 0528 0626 0826 0914 1002 1020 1110 1124 1225',
    ],
    ['KRW', 2025, '0101 0127 0128 0129 0130 0303 0501 0505 0506 0603 0606 0815 1003 1006 1007 1008 1009 1225'],
    ['KRW', 2026, '0101 0216 0217 0218 0302 0501 0505 0525 0603 0717 0817 0924 0925 1005 1009 1225'],
    ['KRW', 2027, '0101 0208 0209 0301 0503 0505 0513 0719 0816 0914 0915 0916 1004 1011 1227'],
    ['KRW', 2028, '0126 0127 0128 0301 0412 0501 0502 0505 0606 0717 0815 1002 1003 1004 1005 1009 1225'],
    ['MYR', 2025, '0101 0129 0130 0211 0318 0331 0401 0501 0512 0602 0627 0901 0905 0915 0916 1020 1225'],
    ['MYR', 2026, '0101 0202 0217 0218 0320 0323 0501 0527 0601 0602 0617 0825 0831 0916 1109 1225'],
    ['MYR', 2027, '0101 0122 0201 0208 0224 0310 0311 0517 0520 0607 0816 0831 0916 1028'],
    ['PHP', 2025, '0101 0129 0401 0409 0417 0418 0501 0512 0606 0612 0821 0825 1031 1208 1224 1225 1230 1231'],
    ['PHP', 2026, '0101 0217 0320 0402 0403 0409 0501 0527 0612 0821 0831 1102 1130 1208 1224 1225 1230 1231'],
    ['PHP', 2027, '0101 0325 0326 0409 0830 1101 1102 1130 1208 1224 1230 1231'],
    ['SGD', 2025, '0101 0129 0130 0331 0418 0501 0512 1020 1225'],
    ['SGD', 2026, '0101 0217 0218 0403 0501 0527 0601 0810 1109 1225'],
    ['SGD', 2027, '0101 0208 0310 0326 0517 0520 0809 1028'],
    ['THB', 2025, '0101 0212 0407 0414 0415 0501 0505 0512 0602 0603 0710 0728 0811 0812 1013 1023 1205 1210 1231'],
    ['THB', 2026, '0101 0102 0303 0406 0413 0414 0415 0501 0504 0601 0603 0728 0729 0812 1013 1023 1207 1210 1231'],
    ['TRY', 2025, '0101 0331 0401 0423 0501 0519 0606 0609 0715 1029'],
    ['TRY', 2027, '0101 0309 0310 0311 0423 0517 0518 0519 0715 0830 1029'],
    ['TRY', 2028, '0228 0501 0505 0508 0519 0830'],
    ['AED', 2025, '0101 0331 0401 0605 0606 0627 0905 1201 1202'],
    ['HUF', 2025, '0101 0418 0421 0501 0502 0609 0820 1023 1024 1224 1225 1226'],
    ['HUF', 2028, '0315 0414 0417 0501 0605 1023 1101 1225 1226'],
  ])('%s %i', (currency, year, dates) => {
    const found = holidaysBetween(currency, `${year}0101`, `${year}1231`).map(({ date }) => date.slice(4));
    expect([...found].sort().join(' ')).toBe(dates);
  });

  test('does not list a holiday on a weekend: National Day of Indonesia on a Sunday in 2025', () => {
    expect(holidaysBetween('IDR', '20250816', '20250818')).toEqual([
      { date: '20250818', name: 'Independence Day (collective leave)' },
    ]);
    expect(holidaysBetween('ILS', '20260522', '20260523')).toEqual([]);
  });

  test('one day, and a range without one', () => {
    expect(holidaysBetween('JPY', '20261123', '20261123')).toEqual([
      { date: '20261123', name: 'Labour Thanksgiving Day' },
    ]);
    expect(holidaysBetween('JPY', '20261124', '20261123')).toEqual([]);
    expect(holidaysBetween('EUR', '20300101', '20301231')).toEqual([]);
  });

  test('agrees with the reason for which a day is closed', () => {
    for (const { code } of CURRENCIES) {
      for (const { date, name } of holidaysBetween(code, '20250101', '20281231')) {
        expect(closedOn(code, dayFromText(date)!)).toEqual({ reason: `${name} (${code})`, unknown: false });
      }
    }
  });
});

describe('the last known day of each calendar', () => {
  const AS_LONG_AS_THE_RULES = '20281231';
  // All others go by rule. Each of these ends before the first holiday that its authority has not announced.
  const EARLIER: Readonly<Record<string, string>> = {
    CNY: '20270129',
    IDR: '20271231',
    INR: '20270228',
    MYR: '20271231',
    PHP: '20271231',
    SGD: '20280218',
    THB: '20270219',
    AED: '20270305',
  };

  test.each(CURRENCIES.map(({ code }) => code))('%s', (code) => {
    const calendar = calendarOf(code);
    expect(calendar).toMatchObject({
      currency: code,
      knownFrom: '20250101',
      knownUntil: EARLIER[code] ?? AS_LONG_AS_THE_RULES,
    });
    expect(calendar.source.length).toBeGreaterThan(10);
  });

  test('the gaps: days for which no holiday is announced or denied', () => {
    const gaps = CURRENCIES.flatMap(({ code }) =>
      calendarOf(code).gaps.map(({ from, until }) => `${code} ${from}-${until}`),
    );
    expect(gaps).toEqual([
      'HUF 20271224-20271224',
      'AED 20260525-20260529',
      'AED 20260615-20260619',
      'AED 20260824-20260828',
      'AED 20261202-20261204',
      'MYR 20270608-20270608',
      'PHP 20270306-20270314',
      'PHP 20270513-20270521',
    ]);
    expect(closedOn('AED', dayOf(2026, 12, 2))).toEqual({
      reason: 'whether 2026-12-02 is a holiday is not known for AED',
      unknown: true,
    });
  });

  test('from the first day to the last nothing else is unknown', () => {
    for (const { code } of CURRENCIES) {
      const { knownFrom, knownUntil, gaps } = calendarOf(code);
      for (let day = dayFromText(knownFrom)!; day <= dayFromText(knownUntil)!; day++) {
        const date = dateText(day);
        const inGap = gaps.some(({ from, until }) => date >= from && date <= until);
        const rests = weekday(day) === 0 || weekday(day) === 6;
        expect(closedOn(code, day)?.unknown ?? false, `${code} ${date}`).toBe(inGap && !rests);
      }
    }
  });
});
