/** Holidays by rule: currencies of Europe. */
import { FRIDAY, MONDAY } from './day.js';
import {
  BOXING_DAY,
  CHRISTMAS,
  EASTER_MONDAY,
  easter,
  firstFrom,
  GOOD_FRIDAY,
  LABOUR_DAY,
  NEW_YEAR,
  nth,
  on,
  orthodoxEaster,
  type Rule,
  since,
  together,
  until,
  weekendToNextFree,
} from './rules.js';

const MAUNDY_THURSDAY = easter(-3, 'Maundy Thursday');
const ASCENSION = easter(39, 'Ascension Day');
const WHIT_MONDAY = easter(50, 'Whit Monday');
const CORPUS_CHRISTI = easter(60, 'Corpus Christi');
const CHRISTMAS_EVE = on(12, 24, 'Christmas Eve');
const SECOND_CHRISTMAS_DAY = on(12, 26, 'Second day of Christmas');

/** The closing days of TARGET, the settlement system of the euro. */
export const EUR: Rule = together([NEW_YEAR, GOOD_FRIDAY, EASTER_MONDAY, LABOUR_DAY, CHRISTMAS, SECOND_CHRISTMAS_DAY]);

/** Bank holidays in England and Wales, in the known years: those of one year only fell between. */
export const GBP: Rule = together([
  weekendToNextFree(NEW_YEAR),
  GOOD_FRIDAY,
  EASTER_MONDAY,
  nth(1, MONDAY, 5, 'Early May bank holiday'),
  nth(-1, MONDAY, 5, 'Spring bank holiday'),
  nth(-1, MONDAY, 8, 'Summer bank holiday'),
  weekendToNextFree(CHRISTMAS, BOXING_DAY),
]);

/** The closing days of Swiss Interbank Clearing. */
export const CHF: Rule = together([
  NEW_YEAR,
  on(1, 2, "St Berchtold's Day"),
  GOOD_FRIDAY,
  EASTER_MONDAY,
  LABOUR_DAY,
  ASCENSION,
  WHIT_MONDAY,
  on(8, 1, 'National Day'),
  CHRISTMAS,
  on(12, 26, "St Stephen's Day"),
]);

export const CZK: Rule = together([
  NEW_YEAR,
  since(2016, GOOD_FRIDAY),
  EASTER_MONDAY,
  LABOUR_DAY,
  on(5, 8, 'Liberation Day'),
  on(7, 5, 'SS Cyril and Methodius'),
  on(7, 6, 'Jan Hus Day'),
  on(9, 28, 'Statehood Day'),
  on(10, 28, 'Independence Day'),
  on(11, 17, 'Freedom and Democracy Day'),
  CHRISTMAS_EVE,
  CHRISTMAS,
  SECOND_CHRISTMAS_DAY,
]);

/** Danish banking holidays, which are more than the public ones; Great Prayer Day was abolished from 2024. */
export const DKK: Rule = together([
  NEW_YEAR,
  MAUNDY_THURSDAY,
  GOOD_FRIDAY,
  EASTER_MONDAY,
  until(2023, easter(26, 'Great Prayer Day')),
  ASCENSION,
  easter(40, 'Day after Ascension'),
  WHIT_MONDAY,
  on(6, 5, 'Constitution Day'),
  CHRISTMAS_EVE,
  CHRISTMAS,
  SECOND_CHRISTMAS_DAY,
  on(12, 31, "New Year's Eve"),
]);

/** Public holidays; the rest days by decree are listed. */
export const HUF: Rule = together([
  NEW_YEAR,
  on(3, 15, 'National Day'),
  since(2017, GOOD_FRIDAY),
  EASTER_MONDAY,
  LABOUR_DAY,
  WHIT_MONDAY,
  on(8, 20, "St Stephen's Day"),
  on(10, 23, 'Republic Day'),
  on(11, 1, 'All Saints'),
  CHRISTMAS,
  SECOND_CHRISTMAS_DAY,
]);

/** Christmas Eve is a public holiday from 2025. */
export const PLN: Rule = together([
  NEW_YEAR,
  on(1, 6, 'Epiphany'),
  EASTER_MONDAY,
  LABOUR_DAY,
  on(5, 3, 'Constitution Day'),
  CORPUS_CHRISTI,
  on(8, 15, 'Assumption'),
  on(11, 1, 'All Saints'),
  on(11, 11, 'Independence Day'),
  since(2025, CHRISTMAS_EVE),
  CHRISTMAS,
  SECOND_CHRISTMAS_DAY,
]);

export const RON: Rule = together([
  NEW_YEAR,
  on(1, 2, "Day after New Year's Day"),
  since(2024, on(1, 6, 'Epiphany')),
  since(2024, on(1, 7, 'St John the Baptist')),
  since(2017, on(1, 24, 'Unification Day')),
  since(2018, orthodoxEaster(-2, 'Orthodox Good Friday')),
  orthodoxEaster(1, 'Orthodox Easter Monday'),
  LABOUR_DAY,
  since(2017, on(6, 1, "Children's Day")),
  orthodoxEaster(50, 'Orthodox Whit Monday'),
  on(8, 15, 'Assumption'),
  on(11, 30, 'St Andrew'),
  on(12, 1, 'National Day'),
  CHRISTMAS,
  SECOND_CHRISTMAS_DAY,
]);

export const SEK: Rule = together([
  NEW_YEAR,
  on(1, 6, 'Epiphany'),
  GOOD_FRIDAY,
  EASTER_MONDAY,
  LABOUR_DAY,
  ASCENSION,
  on(6, 6, 'National Day'),
  firstFrom(FRIDAY, 6, 19, 'Midsummer Eve'),
  CHRISTMAS_EVE,
  CHRISTMAS,
  SECOND_CHRISTMAS_DAY,
  on(12, 31, "New Year's Eve"),
]);

export const NOK: Rule = together([
  NEW_YEAR,
  MAUNDY_THURSDAY,
  GOOD_FRIDAY,
  EASTER_MONDAY,
  LABOUR_DAY,
  ASCENSION,
  on(5, 17, 'Constitution Day'),
  WHIT_MONDAY,
  CHRISTMAS_EVE,
  CHRISTMAS,
  SECOND_CHRISTMAS_DAY,
]);
