import { type Day, dayFromText, dayOf, MONDAY, SATURDAY, SUNDAY, weekday } from './day.js';

export interface Holiday {
  readonly day: Day;
  readonly name: string;
}

/** The holidays of one year by one rule. */
export type Rule = (year: number) => readonly Holiday[];

/** The same date each year, whatever the weekday. */
export function on(month: number, date: number, name: string): Rule {
  return (year) => [{ day: dayOf(year, month, date), name }];
}

/** The nth (1 to 4) weekday of a month; -1 is the last one. */
export function nth(n: number, dayOfWeek: number, month: number, name: string): Rule {
  return (year) => {
    if (n < 0) {
      const last = dayOf(year, month + 1, 0);
      return [{ day: last - ((weekday(last) - dayOfWeek + 7) % 7), name }];
    }
    const first = dayOf(year, month, 1);
    return [{ day: first + ((dayOfWeek - weekday(first) + 7) % 7) + 7 * (n - 1), name }];
  };
}

/** The first such weekday on or after a date. */
export function firstFrom(dayOfWeek: number, month: number, date: number, name: string): Rule {
  return (year) => {
    const from = dayOf(year, month, date);
    return [{ day: from + ((dayOfWeek - weekday(from) + 7) % 7), name }];
  };
}

/** Days after Easter Sunday, negative before it. */
export function easter(offset: number, name: string): Rule {
  return (year) => [{ day: easterSunday(year) + offset, name }];
}

export function orthodoxEaster(offset: number, name: string): Rule {
  return (year) => [{ day: orthodoxEasterSunday(year) + offset, name }];
}

export const GOOD_FRIDAY = easter(-2, 'Good Friday');
export const EASTER_MONDAY = easter(1, 'Easter Monday');
export const NEW_YEAR = on(1, 1, "New Year's Day");
export const LABOUR_DAY = on(5, 1, 'Labour Day');
export const CHRISTMAS = on(12, 25, 'Christmas Day');
export const BOXING_DAY = on(12, 26, 'Boxing Day');

/** Days known by date only, 'YYYYMMDD' each. */
export function listed(name: string, dates: string): Rule {
  const holidays = dates.split(' ').map((date) => {
    const day = dayFromText(date);
    if (day === undefined) throw new RangeError(`${name}: ${date} is no date`);
    return { day, name };
  });
  return (year) => holidays.filter(({ day }) => day >= dayOf(year, 1, 1) && day <= dayOf(year, 12, 31));
}

/** Valid from this year on. */
export function since(first: number, rule: Rule): Rule {
  return (year) => (year >= first ? rule(year) : []);
}

/** Valid up to and with this year. */
export function until(last: number, rule: Rule): Rule {
  return (year) => (year <= last ? rule(year) : []);
}

/** On a Sunday: kept on the Monday after, whether or not that is a holiday too. */
export function sundayToMonday(...rules: readonly Rule[]): Rule {
  return (year) =>
    together(rules)(year).map((holiday) => (weekday(holiday.day) === SUNDAY ? later(holiday, 1) : holiday));
}

/** On a Saturday or Sunday: kept on the Monday after. */
export function weekendToMonday(...rules: readonly Rule[]): Rule {
  return (year) => together(rules)(year).map((holiday) => later(holiday, daysOfWeekendLeft(holiday.day)));
}

/**
 * On a Saturday or Sunday: kept on the next working day that no other of these rules has taken (Christmas and Boxing
 * Day).
 */
export function weekendToNextFree(...rules: readonly Rule[]): Rule {
  return toNextFree(daysOfWeekendLeft, rules);
}

/** On a Sunday: kept on the next day that no other of these rules has taken; one on a Saturday stays there. */
export function sundayToNextFree(...rules: readonly Rule[]): Rule {
  return toNextFree((day) => (weekday(day) === SUNDAY ? 1 : 0), rules);
}

function toNextFree(daysToMove: (day: Day) => number, rules: readonly Rule[]): Rule {
  return (year) => {
    const holidays = together(rules)(year);
    const taken = new Set(holidays.map(({ day }) => day));
    return holidays.map((holiday) => {
      let move = daysToMove(holiday.day);
      if (move === 0) return holiday;
      while (taken.has(holiday.day + move)) move++;
      taken.add(holiday.day + move);
      return later(holiday, move);
    });
  };
}

/** All holidays of several rules, in their order. */
export function together(rules: readonly Rule[]): Rule {
  return (year) => rules.flatMap((rule) => rule(year));
}

function later({ day, name }: Holiday, days: number): Holiday {
  return days === 0 ? { day, name } : { day: day + days, name: `${name} (observed)` };
}

function daysOfWeekendLeft(day: Day): number {
  const isWeekend = weekday(day) === SATURDAY || weekday(day) === SUNDAY;
  return isWeekend ? (MONDAY - weekday(day) + 7) % 7 : 0;
}

/** Western Easter Sunday (the anonymous Gregorian computation, Nature 1876; Meeus, Astronomical Algorithms). */
export function easterSunday(year: number): Day {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - epact - (inCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  const days = epact + toSunday - 7 * late + 114;
  return dayOf(year, Math.floor(days / 31), (days % 31) + 1);
}

/** Orthodox Easter Sunday: the Julian computation (Meeus), 13 days behind the Gregorian calendar from 1900 to 2099. */
export function orthodoxEasterSunday(year: number): Day {
  const moon = (19 * (year % 19) + 15) % 30;
  const toSunday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7;
  const days = moon + toSunday + 114;
  return dayOf(year, Math.floor(days / 31), (days % 31) + 1) + 13;
}
