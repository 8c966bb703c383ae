/** When a conversion settles: its type, the spot date of its pair, and the days between. */
import { type Closed, closedOn } from '../calendar/calendar.js';
import {
  type Day,
  dateText,
  dayAt,
  dayFromIsoText,
  dayFromText,
  dayOf,
  isoText,
  SATURDAY,
  SUNDAY,
  weekday,
} from '../calendar/day.js';
import { isRefusal, type Refusal, refuse } from '../core/refusal.js';
import type { Pair } from './pair.js';

/** When a conversion settles: at once, 24 hours or 48 hours later. BookFxType(20005), `type` over REST. */
export const BOOK_FX_TYPES = ['PREFUNDING', 'SCHEDULED1', 'SCHEDULED2'] as const;

export type BookFxType = (typeof BOOK_FX_TYPES)[number];

/** The type of a rate whose request names none. */
export const DEFAULT_BOOK_FX_TYPE: BookFxType = 'PREFUNDING';

/** Exact names only; the lock's SCHEDULE1 and SCHEDULE2 are renamed at the REST door. */
export function isBookFxType(text: string): text is BookFxType {
  return (BOOK_FX_TYPES as readonly string[]).includes(text);
}

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

/** All value dates that a request may name now, or why there is none. As cheap as spotDate. */
export function valueDates(pair: Pair, nowMs: number): ValueDates | Refusal {
  return settlement(pair, nowMs).dates;
}

/** Business days from trade to spot: 1 for a few pairs, else 2. */
export function spotLagDays(pair: Pair): number {
  return NEXT_DAY_PAIRS.has(pair.symbol) ? 1 : 2;
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
  const reason = whyNot(pair, day, found, dateText);
  return reason === undefined ? undefined : refuse('BAD_VALUE_DATE', reason);
}

/** The same for a conversion's settlement date, 'YYYY-MM-DD': BAD_SETTLEMENT_DATE, with dates in that form. */
export function checkSettlementDate(pair: Pair, date: string, nowMs: number): Refusal | undefined {
  const day = dayFromIsoText(date);
  if (day === undefined) return refuse('BAD_SETTLEMENT_DATE', `${date.slice(0, 10)} is no date: send YYYY-MM-DD`);
  const found = valueDates(pair, nowMs);
  if (isRefusal(found)) return refuse('BAD_SETTLEMENT_DATE', found.text);
  const reason = whyNot(pair, day, found, isoText);
  return reason === undefined ? undefined : refuse('BAD_SETTLEMENT_DATE', reason);
}

function whyNot(pair: Pair, day: Day, found: ValueDates, text: (day: Day) => string): string | undefined {
  const date = dateText(day);
  if (found.dates.includes(date)) return undefined;
  const show = (good: string) => text(dayFromText(good) as Day);
  const next = show(found.dates.find((good) => good > date) ?? found.spot);
  if (date <= found.tradeDate) return `${show(date)} is past or today: use ${next}`;
  if (date > found.spot) {
    return `${show(date)} is beyond spot ${show(found.spot)}, and there are no forwards: use ${next}`;
  }
  return `${show(date)} is no good day, ${firstClosed(day, [pair.base, pair.quote, 'USD'])?.reason}: use ${next}`;
}

/**
 * When a conversion booked now settles, epoch ms: 12 h for PREFUNDING; SCHEDULED1 and 2 after 24 h and 48 h, at the
 * same time of the next day (UTC) that is good in both currencies. Refuses with BAD_SETTLEMENT_DATE when a calendar
 * that is needed is not known that far.
 */
export function settlesAtMs(
  type: BookFxType,
  sellCurrency: string,
  buyCurrency: string,
  nowMs: number,
): number | Refusal {
  if (type === 'PREFUNDING') return nowMs + PREFUNDING_MS;
  const earliest = nowMs + (type === 'SCHEDULED1' ? DAY_MS : 2 * DAY_MS);
  for (let closedDays = 0; closedDays <= MAX_CLOSED_DAYS; closedDays++) {
    const at = earliest + closedDays * DAY_MS;
    const day = dayAt(at);
    const closed = firstClosed(day, [sellCurrency, buyCurrency]);
    if (closed?.unknown) {
      return refuse('BAD_SETTLEMENT_DATE', `No settlement date for ${type}: ${closed.reason}`);
    }
    if (closed) continue;
    return at;
  }
  return refuse('BAD_SETTLEMENT_DATE', `${sellCurrency} and ${buyCurrency} share no good day soon`);
}

/** A date, 'YYYYMMDD', at the time of day (UTC) of another moment: when a scheduled conversion of that date settles. Epoch ms. */
export function dateSettlesAtMs(date: string, timeOfDayOfMs: number): number {
  return (dayFromText(date) as Day) * DAY_MS + (timeOfDayOfMs % DAY_MS);
}

// The market's convention; USD/RUB, the fourth of them, is not offered.
const NEXT_DAY_PAIRS: ReadonlySet<string> = new Set(['USD/CAD', 'USD/TRY', 'USD/PHP']);

// No two currencies are closed on more consecutive days; beyond it a calendar is wrong.
const MAX_DAYS_TO_SPOT = 30;
const MAX_CLOSED_DAYS = 20;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A conversion that settles at once has an expiry so much later. */
export const PREFUNDING_MS = 12 * HOUR_MS;

interface Settlement {
  readonly tradeDay: Day;
  readonly spot: { readonly date: string } | Refusal;
  readonly dates: ValueDates | Refusal;
}

// One entry per pair, of the latest requested trade date.
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

// Where one rests for certain, it does not matter what is unknown of another.
function firstClosed(day: Day, currencies: readonly string[]): Closed | undefined {
  let unknown: Closed | undefined;
  for (const currency of currencies) {
    const closed = closedOn(currency, day);
    if (closed && !closed.unknown) return closed;
    unknown ??= closed;
  }
  return unknown;
}

/** The trade date, 'YYYYMMDD', of a moment: the day in New York, the next one from 17:00, Monday at a weekend. */
export function tradeDate(nowMs: number): string {
  const day = tradeDay(nowMs);
  if (day !== shown.day) shown = { day, text: dateText(day) };
  return shown.text;
}

let shown: { readonly day: Day; readonly text: string } = { day: Number.NaN, text: '' };

/**
 * The period of the trade dates `from` to `to`, 'YYYYMMDD' each: its first and its last millisecond. Of a day at a weekend, which is no trade
 * date, the period ends before it begins. Undefined where there is no such day.
 */
export function tradeDatePeriod(
  from: string,
  to: string,
): { readonly fromMs: number; readonly toMs: number } | undefined {
  const [first, last] = [dayFromText(from), dayFromText(to)];
  if (first === undefined || last === undefined) return undefined;
  return { fromMs: firstMomentOf(first), toMs: firstMomentOf(last + 1) - 1 };
}

/** The first moment whose trade date is this day or a later one. */
function firstMomentOf(day: Day): number {
  // Such a day begins at most four days before its midnight in UTC, and within it.
  let [before, at] = [(day - 4) * MINUTES_OF_DAY, (day + 1) * MINUTES_OF_DAY];
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2);
    if (tradeDayOf(middle * MINUTE_MS) >= day) at = middle;
    else before = middle;
  }
  return at * MINUTE_MS;
}

/** The trade date of a moment as a day. */
function tradeDay(nowMs: number): Day {
  const current = Math.floor(nowMs / MINUTE_MS);
  if (current !== minute) {
    dayOfMinute = tradeDayOf(nowMs);
    minute = current;
  }
  return dayOfMinute;
}

/** Made at the first use, which takes 15 ms: a start need not wait for it. */
let newYork: Intl.DateTimeFormat | undefined;
const inNewYork = () =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/New_York',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    hourCycle: 'h23',
  });
const ROLL_HOUR = 17;
// New York moves by whole minutes only, so a minute has one trade date.
const MINUTE_MS = 60_000;
const MINUTES_OF_DAY = 24 * 60;
let minute = Number.NaN;
let dayOfMinute: Day = 0;

function tradeDayOf(nowMs: number): Day {
  const part: Record<string, number> = {};
  newYork ??= inNewYork();
  for (const { type, value } of newYork.formatToParts(nowMs)) part[type] = Number(value);
  let day = dayOf(part.year, part.month, part.day);
  if (part.hour >= ROLL_HOUR) day += 1;
  if (weekday(day) === SATURDAY) day += 1;
  return weekday(day) === SUNDAY ? day + 1 : day;
}
