/** Holidays by rule: currencies of the Americas. */
import { MONDAY, THURSDAY } from './day.js';
import {
  BOXING_DAY,
  CHRISTMAS,
  easter,
  firstFrom,
  GOOD_FRIDAY,
  LABOUR_DAY,
  NEW_YEAR,
  nth,
  on,
  type Rule,
  since,
  sundayToMonday,
  together,
  weekendToMonday,
  weekendToNextFree,
} from './rules.js';

/**
 * Holidays of the Federal Reserve Banks. One that falls on a Saturday is not kept: the Banks are open on the Friday
 * before.
 */
export const USD: Rule = together([
  sundayToMonday(
    NEW_YEAR,
    since(2022, on(6, 19, 'Juneteenth')),
    on(7, 4, 'Independence Day'),
    on(11, 11, 'Veterans Day'),
    CHRISTMAS,
  ),
  nth(3, MONDAY, 1, 'Martin Luther King Day'),
  nth(3, MONDAY, 2, "Presidents' Day"),
  nth(-1, MONDAY, 5, 'Memorial Day'),
  nth(1, MONDAY, 9, 'Labor Day'),
  nth(2, MONDAY, 10, 'Columbus Day'),
  nth(4, THURSDAY, 11, 'Thanksgiving Day'),
]);

/** Toronto. */
export const CAD: Rule = together([
  weekendToMonday(NEW_YEAR),
  nth(3, MONDAY, 2, 'Family Day'),
  GOOD_FRIDAY,
  // The Monday before 25 May.
  firstFrom(MONDAY, 5, 18, 'Victoria Day'),
  weekendToMonday(on(7, 1, 'Canada Day')),
  nth(1, MONDAY, 8, 'Civic Holiday'),
  nth(1, MONDAY, 9, 'Labour Day'),
  since(2021, weekendToMonday(on(9, 30, 'Truth and Reconciliation Day'))),
  nth(2, MONDAY, 10, 'Thanksgiving Day'),
  weekendToMonday(on(11, 11, 'Remembrance Day')),
  weekendToNextFree(CHRISTMAS, BOXING_DAY),
]);

export const MXN: Rule = together([
  NEW_YEAR,
  nth(1, MONDAY, 2, 'Constitution Day'),
  nth(3, MONDAY, 3, 'Birthday of Benito Juarez'),
  easter(-3, 'Maundy Thursday'),
  GOOD_FRIDAY,
  LABOUR_DAY,
  on(9, 16, 'Independence Day'),
  on(11, 2, 'All Souls'),
  nth(3, MONDAY, 11, 'Revolution Day'),
  on(12, 12, 'Our Lady of Guadalupe'),
  CHRISTMAS,
]);

/** The banking calendar of the whole country. */
export const BRL: Rule = together([
  NEW_YEAR,
  easter(-48, 'Carnival Monday'),
  easter(-47, 'Carnival Tuesday'),
  GOOD_FRIDAY,
  on(4, 21, 'Tiradentes'),
  LABOUR_DAY,
  easter(60, 'Corpus Christi'),
  on(9, 7, 'Independence Day'),
  on(10, 12, 'Our Lady of Aparecida'),
  on(11, 2, 'All Souls'),
  on(11, 15, 'Republic Day'),
  since(2024, on(11, 20, 'Black Awareness Day')),
  CHRISTMAS,
]);
