/** Holidays by rule: currencies of Asia and the Pacific, without Japan. */
import { MONDAY } from './day.js';
import {
  BOXING_DAY,
  CHRISTMAS,
  EASTER_MONDAY,
  firstFrom,
  GOOD_FRIDAY,
  LABOUR_DAY,
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

/** Sydney. */
export const AUD: Rule = together([
  weekendToMonday(NEW_YEAR),
  weekendToMonday(on(1, 26, 'Australia Day')),
  GOOD_FRIDAY,
  EASTER_MONDAY,
  on(4, 25, 'Anzac Day'),
  nth(2, MONDAY, 6, "Sovereign's Birthday"),
  nth(1, MONDAY, 8, 'Bank Holiday'),
  nth(1, MONDAY, 10, 'Labour Day'),
  weekendToNextFree(CHRISTMAS, BOXING_DAY),
]);

/** Wellington and Auckland; Matariki is listed. */
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
  nth(4, MONDAY, 10, 'Labour Day'),
  weekendToNextFree(CHRISTMAS, BOXING_DAY),
]);

/**
 * Hong Kong general holidays, by the General Holidays Ordinance (Cap. 149): one that falls on a Sunday is observed on the
 * next day that is not a holiday. The festivals of the Chinese calendar are listed.
 */
export const HKD = (festivals: Rule): Rule =>
  sundayToNextFree(
    NEW_YEAR,
    festivals,
    GOOD_FRIDAY,
    EASTER_MONDAY,
    LABOUR_DAY,
    on(7, 1, 'HKSAR Establishment Day'),
    on(10, 1, 'National Day'),
    CHRISTMAS,
    BOXING_DAY,
  );
