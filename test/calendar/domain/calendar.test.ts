import { describe, expect, test } from 'vitest';
import { closedOn, isGoodDay } from '../../../engine/domain/calendar/calendar.js';
import { dateText, dayFromText, dayOf, weekday } from '../../../engine/domain/calendar/day.js';
import { easterSunday, orthodoxEasterSunday } from '../../../engine/domain/calendar/rules.js';
import { CURRENCIES } from '../../../engine/domain/money/money.js';

describe('Easter', () => {
  test.each([
    // year   western     orthodox
    [2014, '20140420', '20140420'],
    [2016, '20160327', '20160501'],
    [2017, '20170416', '20170416'],
    [2025, '20250420', '20250420'],
    [2026, '20260405', '20260412'],
    [2027, '20270328', '20270502'],
    [2028, '20280416', '20280416'],
    [2038, '20380425', '20380425'],
  ])('of %i', (year, western, orthodox) => {
    expect(dateText(easterSunday(year))).toBe(western);
    expect(dateText(orthodoxEasterSunday(year))).toBe(orthodox);
  });
});

// The weekdays on which no money moves, read off the published calendars.
describe('closed weekdays', () => {
  test.each([
    ['EUR', 2026, '0101 0403 0406 0501 1225'],
    ['EUR', 2027, '0101 0326 0329'],
    // Juneteenth of 2027 falls on a Saturday: the Reserve Banks are open on the Friday.
    ['USD', 2027, '0101 0118 0215 0531 0705 0906 1011 1111 1125'],
    ['USD', 2026, '0101 0119 0216 0525 0619 0907 1012 1111 1126 1225'],
    ['GBP', 2027, '0101 0326 0329 0503 0531 0830 1227 1228'],
    ['CAD', 2026, '0101 0216 0403 0518 0701 0803 0907 0930 1012 1111 1225 1228'],
    ['CHF', 2017, '0102 0414 0417 0501 0525 0605 0801 1225 1226'],
    ['JPY', 2026, '0101 0102 0112 0211 0223 0320 0429 0504 0505 0506 0720 0811 0921 0922 0923 1012 1103 1123 1231'],
    ['JPY', 2027, '0101 0111 0211 0223 0322 0429 0503 0504 0505 0719 0811 0920 0923 1011 1103 1123 1231'],
    ['JPY', 2017, '0102 0103 0109 0320 0503 0504 0505 0717 0811 0918 1009 1103 1123'],
    ['NZD', 2027, '0101 0104 0125 0201 0208 0326 0329 0426 0607 0625 1025 1227 1228'],
    ['HKD', 2025, '0101 0129 0130 0131 0404 0418 0421 0501 0505 0701 1001 1007 1029 1225 1226'],
    // Ching Ming on a Sunday beside Easter Monday: the Tuesday is free too.
    ['HKD', 2026, '0101 0217 0218 0219 0403 0406 0407 0501 0525 0619 0701 1001 1019 1225'],
    ['HKD', 2027, '0101 0208 0209 0326 0329 0405 0513 0609 0701 0916 1001 1008 1227'],
    ['ZAR', 2026, '0101 0403 0406 0427 0501 0616 0810 0924 1104 1216 1225'],
    ['DKK', 2026, '0101 0402 0403 0406 0514 0515 0525 0605 1224 1225 1231'],
    ['RON', 2026, '0101 0102 0106 0107 0410 0413 0501 0601 1130 1201 1225'],
    ['SEK', 2026, '0101 0106 0403 0406 0501 0514 0619 1224 1225 1231'],
    ['BRL', 2026, '0101 0216 0217 0403 0421 0501 0604 0907 1012 1102 1120 1225'],
    ['ILS', 2026, '0303 0401 0402 0407 0408 0421 0422 0521 0723 0921'],
    ['TRY', 2026, '0101 0320 0423 0501 0519 0527 0528 0529 0715 1029'],
  ])('%s %i', (currency, year, dates) => {
    const closed: string[] = [];
    for (let day = dayOf(year, 1, 1); day <= dayOf(year, 12, 31); day++) {
      const found = closedOn(currency, day);
      if (found && found.reason !== 'weekend' && weekday(day) !== 0) closed.push(dateText(day).slice(4));
    }
    expect(closed.join(' ')).toBe(dates);
  });
});

describe('what is known', () => {
  test('every offered currency except AED knows all days from 16 November 2026 to the end of January', () => {
    const unknown: string[] = [];
    for (const { code } of CURRENCIES) {
      for (let day = dayOf(2026, 11, 16); day <= dayOf(2027, 1, 29); day++) {
        if (closedOn(code, day)?.unknown) unknown.push(`${code} ${dateText(day)}`);
      }
    }
    // The cabinet may move National Day within its week, and moved it in 2025.
    expect(unknown).toEqual(['AED 20261202', 'AED 20261203', 'AED 20261204']);
  });

  test('a weekday beyond it is not good', () => {
    expect(closedOn('CNY', dayOf(2027, 1, 29))).toBeUndefined();
    expect(closedOn('CNY', dayOf(2027, 2, 1))).toEqual({
      reason: 'CNY holidays are known until 2027-01-29 only',
      unknown: true,
    });
    expect(isGoodDay('EUR', '20281229')).toBe(true);
    expect(isGoodDay('EUR', '20290102')).toBe(false);
    expect(isGoodDay('EUR', '2028-12-29')).toBe(false);
    expect(() => isGoodDay('QQQ', '20261120')).toThrow('no calendar: QQQ');
  });
});

// Second opinions: the calendars that the runtime carries.
describe('moons', () => {
  test('the Hebrew calendar agrees for every year that is known', () => {
    const hebrew = new Intl.DateTimeFormat('en-u-ca-hebrew', { month: 'long', day: 'numeric', timeZone: 'UTC' });
    const names: Record<string, string> = {
      '15 Nisan': 'Passover',
      '21 Nisan': 'Last day of Passover',
      '6 Sivan': 'Shavuot',
      '1 Tishri': 'Rosh Hashanah',
      '2 Tishri': 'Rosh Hashanah',
      '10 Tishri': 'Yom Kippur',
      '15 Tishri': 'Sukkot',
      '22 Tishri': 'Simchat Torah',
    };
    let checked = 0;
    for (let day = dayOf(2025, 1, 1); day <= dayOf(2028, 12, 31); day++) {
      const name = names[hebrew.format(day * 86_400_000)];
      if (name === undefined || weekday(day) >= 5) continue;
      expect(closedOn('ILS', day)?.reason, dateText(day)).toBe(weekday(day) === 0 ? 'weekend' : `${name} (ILS)`);
      checked++;
    }
    expect(checked).toBeGreaterThan(15);
  });

  test('the Chinese calendar agrees, but for the new year of 2027, whose new moon is four minutes before midnight', () => {
    const chinese = new Intl.DateTimeFormat('en-u-ca-chinese', { month: 'numeric', day: 'numeric', timeZone: 'UTC' });
    const names: Record<string, string> = {
      '1/1': "Lunar New Year's Day (HKD)",
      '4/8': "Buddha's Birthday (HKD)",
      '5/5': 'Tuen Ng Festival (HKD)',
      '8/16': 'Day after Mid-Autumn Festival (HKD)',
      '9/9': 'Chung Yeung Festival (HKD)',
    };
    for (let day = dayOf(2025, 1, 1); day <= dayOf(2028, 12, 31); day++) {
      const name = names[chinese.format(day * 86_400_000)];
      if (name === undefined || weekday(day) === 0 || weekday(day) === 6 || dateText(day) === '20270207') continue;
      expect(closedOn('HKD', day)?.reason, dateText(day)).toBe(name);
    }
  });
});

test.each(['20260230', '20261301', '2026', '', '00000000', '20261120 '])('%j is no date', (text) => {
  expect(dayFromText(text)).toBeUndefined();
});
