import { type Day, dayOf } from './day.js';

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
