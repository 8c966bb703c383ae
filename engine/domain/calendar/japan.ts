import { dayOf, MONDAY, SUNDAY, weekday } from './day.js';
import { type Holiday, NEW_YEAR, nth, on, type Rule, since, together, until } from './rules.js';

/**
 * National holidays of Japan by the Act on National Holidays, and the days that banks close at the turn of the year.
 */
export const JPY: Rule = (year) => {
  const national = [...NATIONAL(year)].sort((a, b) => a.day - b.day);
  const days = new Set(national.map(({ day }) => day));
  return [...national, ...substitutes(national, days), ...between(national, days), ...BANKS_CLOSED(year)];
};

// 2020 and 2021, when the Olympic Games moved some of these, are not among the known years.
const NATIONAL: Rule = together([
  NEW_YEAR,
  nth(2, MONDAY, 1, 'Coming of Age Day'),
  on(2, 11, 'Foundation Day'),
  since(2020, on(2, 23, "Emperor's Birthday")),
  (year) => [{ day: dayOf(year, 3, equinox(year, 20.8431)), name: 'Vernal Equinox' }],
  on(4, 29, 'Showa Day'),
  on(5, 3, 'Constitution Day'),
  on(5, 4, 'Greenery Day'),
  on(5, 5, "Children's Day"),
  nth(3, MONDAY, 7, 'Marine Day'),
  since(2016, on(8, 11, 'Mountain Day')),
  nth(3, MONDAY, 9, 'Respect for the Aged Day'),
  (year) => [{ day: dayOf(year, 9, equinox(year, 23.2488)), name: 'Autumnal Equinox' }],
  nth(2, MONDAY, 10, 'Sports Day'),
  on(11, 3, 'Culture Day'),
  on(11, 23, 'Labour Thanksgiving Day'),
  until(2018, on(12, 23, "Emperor's Birthday")),
]);

const BANKS_CLOSED: Rule = together([on(1, 2, 'Bank holiday'), on(1, 3, 'Bank holiday'), on(12, 31, 'Bank holiday')]);

// Date in March or September; good from 1980 to 2099. The law leaves the day to the observatory, which announces what
// this computes.
function equinox(year: number, in1980: number): number {
  return Math.floor(in1980 + 0.242194 * (year - 1980)) - Math.floor((year - 1980) / 4);
}

// For a holiday on a Sunday, the next day that is not a holiday.
function substitutes(national: readonly Holiday[], days: ReadonlySet<number>): Holiday[] {
  return national
    .filter(({ day }) => weekday(day) === SUNDAY)
    .map(({ day, name }) => {
      let free = day + 1;
      while (days.has(free)) free++;
      return { day: free, name: `${name} (observed)` };
    });
}

// A day between two holidays is one too.
function between(national: readonly Holiday[], days: ReadonlySet<number>): Holiday[] {
  return national
    .filter(({ day }) => days.has(day + 2) && !days.has(day + 1))
    .map(({ day }) => ({ day: day + 1, name: "Citizens' Holiday" }));
}
