import { type Day, dayFromText, FRIDAY, MONDAY, SATURDAY, weekday } from './day.js';
import {
  CHRISTMAS,
  easter,
  GOOD_FRIDAY,
  type Holiday,
  LABOUR_DAY,
  listed,
  NEW_YEAR,
  on,
  type Rule,
  since,
  sundayToMonday,
  together,
} from './rules.js';

/**
 * The afternoons before the feasts and before Republic Day are free too, but money moves in the morning: those days
 * are good.
 */
export const TRY: Rule = together([
  NEW_YEAR,
  on(4, 23, 'National Sovereignty Day'),
  LABOUR_DAY,
  on(5, 19, 'Youth and Sports Day'),
  since(2017, on(7, 15, 'Democracy Day')),
  on(8, 30, 'Victory Day'),
  on(10, 29, 'Republic Day'),
  // Computed by the Directorate of Religious Affairs.
  listed('Ramadan Feast', '20250330 20250331 20250401 20260320 20260321 20260322'),
  listed('Ramadan Feast', '20270309 20270310 20270311 20280226 20280227 20280228'),
  listed('Sacrifice Feast', '20250606 20250607 20250608 20250609 20260527 20260528 20260529 20260530'),
  listed('Sacrifice Feast', '20270516 20270517 20270518 20270519 20280505 20280506 20280507 20280508'),
]);

/** The new year of the Hebrew calendar (1 Tishri); from it and the one before follow all holidays of a year. */
const ROSH_HASHANAH = '20250923 20260912 20271002 20280921';

/** Holidays with their eves, when banks in Tel Aviv close early or do not open. */
export const ILS: Rule = (year) => {
  const date = ROSH_HASHANAH.split(' ').find((text) => text.startsWith(String(year)));
  if (date === undefined) return [];
  const newYear = dayFromText(date) as Day;
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

/**
 * As announced. Eids come with the moon; the cabinet may move any other holiday to the beginning or end of its week, and
 * moved National Day in 2025. So weeks whose announcement is not at hand are not among the known ones.
 */
export const AED: Rule = together([
  NEW_YEAR,
  listed('Eid al-Fitr', '20250331 20250401 20260319 20260320'),
  listed('Arafah Day', '20250605'),
  listed('Eid al-Adha', '20250606'),
  listed('Islamic New Year', '20250627'),
  listed("Prophet's Birthday", '20250905'),
  listed('National Day', '20251201 20251202'),
]);

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
  listed('Election Day', '20140507 20160803 20261104'),
  listed('Public holiday', '20161227'),
]);
