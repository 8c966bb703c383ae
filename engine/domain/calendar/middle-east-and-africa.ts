/** Holidays by rule: currencies of the Middle East and Africa. */
import { type Day, FRIDAY, MONDAY, SATURDAY, weekday } from './day.js';
import {
  CHRISTMAS,
  easter,
  GOOD_FRIDAY,
  type Holiday,
  LABOUR_DAY,
  NEW_YEAR,
  on,
  type Rule,
  since,
  sundayToMonday,
  together,
} from './rules.js';

/**
 * The religious feasts are listed. The afternoons before them and before Republic Day are free too, but money moves in the morning: those
 * days are good.
 */
export const TRY: Rule = together([
  NEW_YEAR,
  on(4, 23, 'National Sovereignty Day'),
  LABOUR_DAY,
  on(5, 19, 'Youth and Sports Day'),
  since(2017, on(7, 15, 'Democracy Day')),
  on(8, 30, 'Victory Day'),
  on(10, 29, 'Republic Day'),
]);

/**
 * Holidays with their eves, when banks in Tel Aviv close early or do not open. The list has the new year of the Hebrew calendar (1 Tishri);
 * all holidays of a year follow from it.
 */
export const ILS =
  (newYears: Rule): Rule =>
  (year) => {
    const newYear = newYears(year)[0]?.day;
    if (newYear === undefined) return [];
    // From Passover (15 Nisan) to the next new year it is always 163 days.
    const passover = newYear - 163;
    return [
      { day: passover - 30, name: 'Purim' },
      ...withEve(passover, 'Passover'),
      ...withEve(passover + 6, 'Last day of Passover'),
      ...withEve(independenceDay(passover + 20), 'Independence Day'),
      ...withEve(passover + 50, 'Shavuot'),
      { day: weekday(passover) === SATURDAY ? passover + 113 : passover + 112, name: "Tisha B'Av" },
      ...withEve(newYear, 'Rosh Hashanah'),
      { day: newYear + 1, name: 'Rosh Hashanah' },
      ...withEve(newYear + 9, 'Yom Kippur'),
      ...withEve(newYear + 14, 'Sukkot'),
      ...withEve(newYear + 21, 'Simchat Torah'),
    ];
  };

function withEve(day: Day, name: string): Holiday[] {
  return [
    { day: day - 1, name: `Eve of ${name}` },
    { day, name },
  ];
}

// 5 Iyar, moved so that neither it nor the memorial day before it touches the Sabbath.
function independenceDay(fifthOfIyar: Day): Day {
  if (weekday(fifthOfIyar) === FRIDAY) return fifthOfIyar - 1;
  if (weekday(fifthOfIyar) === SATURDAY) return fifthOfIyar - 2;
  return weekday(fifthOfIyar) === MONDAY ? fifthOfIyar + 1 : fifthOfIyar;
}

/** All others are listed as announced. */
export const AED: Rule = NEW_YEAR;

/** By the Public Holidays Act: one on a Sunday is kept on the Monday. */
export const ZAR: Rule = together([
  sundayToMonday(
    NEW_YEAR,
    on(3, 21, 'Human Rights Day'),
    on(4, 27, 'Freedom Day'),
    LABOUR_DAY,
    on(6, 16, 'Youth Day'),
    on(8, 9, "Women's Day"),
    on(9, 24, 'Heritage Day'),
    on(12, 16, 'Day of Reconciliation'),
    CHRISTMAS,
    on(12, 26, 'Day of Goodwill'),
  ),
  GOOD_FRIDAY,
  easter(1, 'Family Day'),
]);
