import { type Day, dateText, dayOf, SATURDAY, SUNDAY, weekday } from './calendar/day.js';

/** The trade date, 'YYYYMMDD', of a moment: the day in New York, the next one from 17:00, Monday at a weekend. */
export function tradeDate(nowMs: number): string {
  return dateText(tradeDay(nowMs));
}

/** The trade date of a moment as a day. */
export function tradeDay(nowMs: number): Day {
  const asked = Math.floor(nowMs / MINUTE_MS);
  if (asked !== minute) {
    dayOfMinute = tradeDayOf(nowMs);
    minute = asked;
  }
  return dayOfMinute;
}

// New York moves by whole minutes only, so a minute has one trade date.
const NEW_YORK = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  hourCycle: 'h23',
});
const ROLL_HOUR = 17;
const MINUTE_MS = 60_000;
let minute = Number.NaN;
let dayOfMinute: Day = 0;

function tradeDayOf(nowMs: number): Day {
  const part: Record<string, number> = {};
  for (const { type, value } of NEW_YORK.formatToParts(nowMs)) part[type] = Number(value);
  let day = dayOf(part.year, part.month, part.day);
  if (part.hour >= ROLL_HOUR) day += 1;
  if (weekday(day) === SATURDAY) day += 1;
  return weekday(day) === SUNDAY ? day + 1 : day;
}
