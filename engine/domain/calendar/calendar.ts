/** On which days the money of an offered currency moves, and up to when that is known. */
import { CALENDARS, type Known } from './currencies.js';
import { type Day, dateText, dayFromText, isoText, weekday, yearOf } from './day.js';
import type { Rule } from './rules.js';

export interface Calendar {
  readonly currency: string;
  /** 'YYYYMMDD': no day after `knownUntil`, nor within a gap, is known, so none is good. */
  readonly knownFrom: string;
  readonly knownUntil: string;
  readonly gaps: readonly Gap[];
  /** Where the holidays come from. */
  readonly source: string;
}

/** Days between, whose holidays are not announced: first and last, 'YYYYMMDD'. */
export interface Gap {
  readonly from: string;
  readonly until: string;
}

/** Why money does not move on a day. `unknown`: the calendar does not cover the day. */
export interface Closed {
  readonly reason: string;
  readonly unknown: boolean;
}

/** A day of a working week on which no money of a currency moves; `date` is 'YYYYMMDD'. */
export interface RestDay {
  readonly date: string;
  readonly name: string;
}

/** Undefined when the day is good for the currency; else why it is not. `currency` must be an offered one. */
export function closedOn(currency: string, day: Day): Closed | undefined {
  const known = entry(currency);
  if (known.weekend.includes(weekday(day))) return { reason: 'weekend', unknown: false };
  if (!isKnown(known, day)) return { reason: whyUnknown(currency, known, day), unknown: true };
  const name = holidaysOf(currency, yearOf(day), known.rule).get(day);
  return name === undefined ? undefined : { reason: `${name} (${currency})`, unknown: false };
}

/**
 * Does money of this offered currency move on this 'YYYYMMDD'? False for a day that is not known, and for no date at
 * all.
 */
export function isGoodDay(currency: string, date: string): boolean {
  const day = dayFromText(date);
  return day !== undefined && closedOn(currency, day) === undefined;
}

/**
 * The calendar of an offered currency. It begins in 2025: the years 2014 to 2017, which some know too, are there for
 * recorded days.
 */
export function calendarOf(currency: string): Calendar {
  const { spans, source } = entry(currency);
  const promised = spans.filter(([from]) => from >= FIRST_DAY);
  const gaps = promised.slice(1).map(([from], index) => {
    const [, before] = promised[index] as readonly [Day, Day];
    return { from: dateText(before + 1), until: dateText(from - 1) };
  });
  return {
    currency,
    knownFrom: dateText(Math.min(...promised.map(([from]) => from))),
    knownUntil: dateText(lastKnown(spans)),
    gaps,
    source,
  };
}

/**
 * The known holidays from one 'YYYYMMDD' to another, both included, that fall on no weekend of the currency. A text
 * that is no date is no bound.
 */
export function holidaysBetween(currency: string, from: string, to: string): RestDay[] {
  const known = entry(currency);
  const first = dayFromText(from) ?? Number.NEGATIVE_INFINITY;
  const last = dayFromText(to) ?? Number.POSITIVE_INFINITY;
  const found: RestDay[] = [];
  for (const span of known.spans) {
    for (let day = Math.max(span[0], first); day <= Math.min(span[1], last); day++) {
      const name = holidaysOf(currency, yearOf(day), known.rule).get(day);
      if (name !== undefined && !known.weekend.includes(weekday(day))) found.push({ date: dateText(day), name });
    }
  }
  return found;
}

/** The last known day of each calendar as epoch ms, by currency. */
export function calendarEnds(): (readonly [currency: string, ms: number])[] {
  return [...CALENDARS].map(([currency, { spans }]) => [currency, Date.parse(isoText(lastKnown(spans)))] as const);
}

const FIRST_DAY = dayFromText('20250101') ?? Number.NaN;

function isKnown({ spans }: Known, day: Day): boolean {
  return spans.some(([from, until]) => day >= from && day <= until);
}

function whyUnknown(currency: string, { spans }: Known, day: Day): string {
  const last = lastKnown(spans);
  return day > last
    ? `${currency} holidays are known until ${isoText(last)} only`
    : `whether ${isoText(day)} is a holiday is not known for ${currency}`;
}

function lastKnown(spans: Known['spans']): Day {
  return Math.max(...spans.map(([, until]) => until));
}

function entry(currency: string): Known {
  const found = CALENDARS.get(currency);
  if (!found) throw new RangeError(`no calendar: ${currency}`);
  return found;
}

// Only known years are looked up, so this stays small.
const HOLIDAYS = new Map<string, ReadonlyMap<Day, string>>();

function holidaysOf(currency: string, year: number, rule: Rule): ReadonlyMap<Day, string> {
  const key = `${currency}${year}`;
  let holidays = HOLIDAYS.get(key);
  if (!holidays) {
    holidays = new Map(rule(year).map(({ day, name }) => [day, name]));
    HOLIDAYS.set(key, holidays);
  }
  return holidays;
}
