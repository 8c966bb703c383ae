import { closedOn } from './calendar/calendar.js';
import { type Day, dateText, dayFromText, dayOf, SATURDAY, SUNDAY, weekday } from './calendar/day.js';
import type { Pair } from './pair.js';
import { isRefusal, type Refusal, refuse } from './refusal.js';

/**
 * On which days a conversion of this moment can settle: good days of both currencies, after today, up to spot.
 * 'YYYYMMDD' each.
 */
export interface ValueDates {
  readonly tradeDate: string;
  /** Ascending; the last one is spot. */
  readonly dates: readonly string[];
  readonly spot: string;
}

/**
 * The spot date of a pair. The trade date rolls at 17:00 in New York. Refuses with BAD_VALUE_DATE when a calendar that
 * is needed is not known that far: such a pair has no spot date, and none is guessed. Cheap: computed once per pair
 * and trade date.
 */
export function spotDate(pair: Pair, nowMs: number): { readonly date: string } | Refusal {
  return settlement(pair, nowMs).spot;
}

/** All value dates that can be asked for now, or why there is none. As cheap as spotDate. */
export function valueDates(pair: Pair, nowMs: number): ValueDates | Refusal {
  return settlement(pair, nowMs).dates;
}

/** Business days from trade to spot: 1 for a few pairs, else 2. */
export function spotLagDays(pair: Pair): number {
  return NEXT_DAY_PAIRS.has(pair.symbol) ? 1 : 2;
}

/** The trade date, 'YYYYMMDD', of a moment: the day in New York, the next one from 17:00, Monday at a weekend. */
export function tradeDate(nowMs: number): string {
  return dateText(tradeDay(nowMs));
}

/**
 * Can the pair settle on this 'YYYYMMDD'? Undefined when it can; else BAD_VALUE_DATE with the reason (past, weekend,
 * the holiday's name, beyond spot) and the next date that is good.
 */
export function checkValueDate(pair: Pair, date: string, nowMs: number): Refusal | undefined {
  const day = dayFromText(date);
  if (day === undefined) return refuse('BAD_VALUE_DATE', `${date.slice(0, 8)} is no date: send YYYYMMDD`);
  const found = valueDates(pair, nowMs);
  if (isRefusal(found)) return found;
  if (found.dates.includes(date)) return undefined;
  const next = found.dates.find((good) => good > date) ?? found.spot;
  return refuse('BAD_VALUE_DATE', `${date} ${whyNot(pair, day, found)}: use ${next}`);
}

function whyNot(pair: Pair, day: Day, { tradeDate: today, spot }: ValueDates): string {
  const date = dateText(day);
  if (date <= today) return 'is past or today';
  if (date > spot) return `is beyond spot ${spot}, and there are no forwards`;
  return `is no good day, ${firstClosed(day, [pair.base, pair.quote, 'USD'])?.reason}`;
}

// The market's convention; USD/RUB, the fourth of them, is not offered.
const NEXT_DAY_PAIRS: ReadonlySet<string> = new Set(['USD/CAD', 'USD/TRY', 'USD/PHP']);

// No two currencies are closed on more consecutive days; beyond it a calendar is wrong.
const MAX_DAYS_TO_SPOT = 30;

interface Settlement {
  readonly tradeDay: Day;
  readonly spot: { readonly date: string } | Refusal;
  readonly dates: ValueDates | Refusal;
}

// One entry per pair, of the latest trade date asked for.
const SETTLEMENTS: Settlement[] = [];

function settlement(pair: Pair, nowMs: number): Settlement {
  const today = tradeDay(nowMs);
  const cached = SETTLEMENTS[pair.index];
  if (cached?.tradeDay === today) return cached;
  const dates = countDays(pair, today);
  const spot = isRefusal(dates) ? dates : { date: dates.spot };
  const computed = { tradeDay: today, spot, dates };
  SETTLEMENTS[pair.index] = computed;
  return computed;
}

/**
 * Counts the pair's lag in days that are good in its currencies other than USD. The last day must be good in USD too,
 * for crosses as well, because their dollar legs settle then; on the days between, a US holiday counts, but not with
 * the peso.
 */
function countDays(pair: Pair, today: Day): ValueDates | Refusal {
  const both = [pair.base, pair.quote];
  const counting = both.includes('MXN')
    ? [...new Set([...both, 'USD'])]
    : both.filter((currency) => currency !== 'USD');
  const settling = [...new Set([...both, 'USD'])];
  const dates: string[] = [];
  let left = spotLagDays(pair);
  for (let day = today + 1; day <= today + MAX_DAYS_TO_SPOT; day++) {
    const closed = firstClosed(day, counting);
    if (closed?.unknown) return refuse('BAD_VALUE_DATE', `No spot date for ${pair.symbol}: ${closed.reason}`);
    if (closed) continue;
    left--;
    const unsettled = firstClosed(day, settling);
    if (unsettled?.unknown) return refuse('BAD_VALUE_DATE', `No spot date for ${pair.symbol}: ${unsettled.reason}`);
    if (unsettled) continue;
    dates.push(dateText(day));
    if (left <= 0) return { tradeDate: dateText(today), dates, spot: dateText(day) };
  }
  return refuse('BAD_VALUE_DATE', `No spot date for ${pair.symbol} within ${MAX_DAYS_TO_SPOT} days`);
}

function firstClosed(day: Day, currencies: readonly string[]) {
  for (const currency of currencies) {
    const closed = closedOn(currency, day);
    if (closed) return closed;
  }
  return undefined;
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

function tradeDay(nowMs: number): Day {
  const asked = Math.floor(nowMs / MINUTE_MS);
  if (asked !== minute) {
    dayOfMinute = tradeDayOf(nowMs);
    minute = asked;
  }
  return dayOfMinute;
}

function tradeDayOf(nowMs: number): Day {
  const part: Record<string, number> = {};
  for (const { type, value } of NEW_YORK.formatToParts(nowMs)) part[type] = Number(value);
  let day = dayOf(part.year, part.month, part.day);
  if (part.hour >= ROLL_HOUR) day += 1;
  if (weekday(day) === SATURDAY) day += 1;
  return weekday(day) === SUNDAY ? day + 1 : day;
}
