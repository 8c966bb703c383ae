import { type Day, dayFromText, MONDAY } from './day.js';
import {
  BOXING_DAY,
  CHRISTMAS,
  EASTER_MONDAY,
  firstFrom,
  GOOD_FRIDAY,
  LABOUR_DAY,
  listed,
  NEW_YEAR,
  nth,
  on,
  type Rule,
  since,
  sundayToNextFree,
  together,
  weekendToMonday,
  weekendToNextFree,
} from './rules.js';

/** Sydney. Anzac Day is not moved from a weekend by law; New South Wales gave the Monday in 2026 and 2027. */
export const AUD: Rule = together([
  weekendToMonday(NEW_YEAR),
  weekendToMonday(on(1, 26, 'Australia Day')),
  GOOD_FRIDAY,
  EASTER_MONDAY,
  on(4, 25, 'Anzac Day'),
  listed('Anzac Day (observed)', '20260427 20270426'),
  nth(2, MONDAY, 6, "Sovereign's Birthday"),
  nth(1, MONDAY, 8, 'Bank Holiday'),
  nth(1, MONDAY, 10, 'Labour Day'),
  weekendToNextFree(CHRISTMAS, BOXING_DAY),
]);

/** Wellington and Auckland. */
export const NZD: Rule = together([
  weekendToNextFree(NEW_YEAR, on(1, 2, "Day after New Year's Day")),
  // The Monday nearest to 22 January, and to 29 January.
  firstFrom(MONDAY, 1, 19, 'Wellington Anniversary'),
  firstFrom(MONDAY, 1, 26, 'Auckland Anniversary'),
  since(2014, weekendToMonday(on(2, 6, 'Waitangi Day'))),
  GOOD_FRIDAY,
  EASTER_MONDAY,
  since(2014, weekendToMonday(on(4, 25, 'Anzac Day'))),
  nth(1, MONDAY, 6, "Sovereign's Birthday"),
  // Te Kahui o Matariki Public Holiday Act 2022, schedule 1.
  listed('Matariki', '20220624 20230714 20240628 20250620 20260710 20270625 20280714'),
  nth(4, MONDAY, 10, 'Labour Day'),
  weekendToNextFree(CHRISTMAS, BOXING_DAY),
]);

/**
 * Hong Kong general holidays, by the General Holidays Ordinance (Cap. 149): one that falls on a Sunday is kept on the
 * next day that is not a holiday.
 */
export const HKD: Rule = sundayToNextFree(
  NEW_YEAR,
  lunar('newYear', 0, "Lunar New Year's Day"),
  lunar('newYear', 1, 'Second day of Lunar New Year'),
  lunar('newYear', 2, 'Third day of Lunar New Year'),
  GOOD_FRIDAY,
  EASTER_MONDAY,
  lunar('chingMing', 0, 'Ching Ming Festival'),
  LABOUR_DAY,
  lunar('buddha', 0, "Buddha's Birthday"),
  lunar('dragonBoat', 0, 'Tuen Ng Festival'),
  on(7, 1, 'HKSAR Establishment Day'),
  lunar('midAutumn', 1, 'Day after Mid-Autumn Festival'),
  on(10, 1, 'National Day'),
  lunar('doubleNinth', 0, 'Chung Yeung Festival'),
  CHRISTMAS,
  BOXING_DAY,
);

/** Days of the Chinese calendar; source: Hong Kong Observatory, Gregorian-Lunar Calendar Conversion Table. */
const LUNAR = {
  newYear: '20250129 20260217 20270206 20280126',
  chingMing: '20250404 20260405 20270405 20280404',
  buddha: '20250505 20260524 20270513 20280502',
  dragonBoat: '20250531 20260619 20270609 20280528',
  midAutumn: '20251006 20260925 20270915 20281003',
  doubleNinth: '20251029 20261018 20271008 20281026',
};

function lunar(which: keyof typeof LUNAR, daysAfter: number, name: string): Rule {
  return (year) => {
    const date = LUNAR[which].split(' ').find((text) => text.startsWith(String(year)));
    return date === undefined ? [] : [{ day: (dayFromText(date) as Day) + daysAfter, name }];
  };
}
