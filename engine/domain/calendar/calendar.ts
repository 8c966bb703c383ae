/** The calendar of each offered currency: on which days its money moves, and up to when that is known. */
import * as americas from './americas.js';
import * as asiaPacific from './asia-pacific.js';
import { type Day, dateText, dayFromText, FRIDAY, SATURDAY, SUNDAY, weekday, yearOf } from './day.js';
import * as europe from './europe.js';
import { JPY } from './japan.js';
import * as byList from './listed.js';
import * as south from './middle-east-and-africa.js';
import type { Rule } from './rules.js';

export interface Calendar {
  readonly currency: string;
  /** 'YYYYMMDD': no day after it is known, so none is good. */
  readonly knownUntil: string;
  /** Where the holidays come from. */
  readonly source: string;
}

/** Why money does not move on a day. `unknown`: nobody here knows whether it does. */
export interface Closed {
  readonly reason: string;
  readonly unknown: boolean;
}

/** Undefined when the day is good for the currency; else why it is not. `currency` must be an offered one. */
export function closedOn(currency: string, day: Day): Closed | undefined {
  const { spans, weekend, rule, knownUntil } = entry(currency);
  if (weekend.includes(weekday(day))) return { reason: 'weekend', unknown: false };
  if (!spans.some(([from, to]) => day >= from && day <= to)) {
    return { reason: `${currency} holidays are known until ${knownUntil} only`, unknown: true };
  }
  const name = holidaysOf(currency, yearOf(day), rule).get(day);
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

/** The calendar of an offered currency. */
export function calendarOf(currency: string): Calendar {
  const { knownUntil, source } = entry(currency);
  return { currency, knownUntil, source };
}

interface Entry {
  readonly rule: Rule;
  readonly weekend: readonly number[];
  readonly spans: readonly (readonly [Day, Day])[];
  readonly knownUntil: string;
  readonly source: string;
}

const WEEKEND = [SATURDAY, SUNDAY];
// Rules were checked for these years; those between had too many single days to be worth listing.
const BY_RULE = '20140101-20171231 20250101-20281231';

const CALENDARS: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  ['EUR', known(europe.EUR, 'ECB, TARGET closing days')],
  ['GBP', known(europe.GBP, 'Banking and Financial Dealings Act 1971')],
  ['USD', known(americas.USD, 'Federal Reserve Banks, holiday schedule')],
  ['CAD', known(americas.CAD, 'Bank of Canada and Ontario holidays')],
  ['CHF', known(europe.CHF, 'Swiss Interbank Clearing, closing days')],
  ['CZK', known(europe.CZK, 'Act 245/2000 on public holidays')],
  ['DKK', known(europe.DKK, 'Danmarks Nationalbank, banking holidays')],
  // Rest days of 2016 and of 2028 are not in the list.
  ['HUF', known(europe.HUF, 'Labour Code and rest-day decrees', '20161201-20171231 20250101-20271223')],
  ['PLN', known(europe.PLN, 'Act on days off work')],
  ['RON', known(europe.RON, 'Labour Code, article 139', '20160101-20171231 20250101-20281231')],
  ['SEK', known(europe.SEK, 'Act 1989:253 on public holidays, and bank practice')],
  ['NOK', known(europe.NOK, 'Act on public holidays, and bank practice')],
  ['BRL', known(americas.BRL, 'ANBIMA, national holidays')],
  ['MXN', known(americas.MXN, 'CNBV, bank holidays')],
  ['ZAR', known(south.ZAR, 'Public Holidays Act 36 of 1994')],
  ['AUD', known(asiaPacific.AUD, 'NSW Public Holidays Act 2010')],
  ['NZD', known(asiaPacific.NZD, 'Holidays Act 2003')],
  ['JPY', known(JPY, 'Act on National Holidays; Banking Act, order, article 5')],
  ['HKD', known(asiaPacific.HKD, 'General Holidays Ordinance (Cap. 149)', '20250101-20281231')],
  // Renminbi outside China is delivered in Hong Kong.
  ['CNH', known(asiaPacific.HKD, 'General Holidays Ordinance (Cap. 149)', '20250101-20281231')],
  ['CNY', known(byList.CNY, 'State Council notices for 2025 and 2026', '20250101-20270115')],
  ['IDR', known(byList.IDR, 'Joint ministerial decree for 2026', '20260801-20261231')],
  ['INR', known(byList.INR, 'Holidays in Mumbai for 2026', '20260901-20270131')],
  // Whether Constitution Day (17 July) was a holiday in 2026 is not certain here.
  ['KRW', known(byList.KRW, 'Act on Public Holidays', '20250101-20260630 20260801-20270430')],
  ['MYR', known(byList.MYR, 'Federal holidays for 2026', '20260901-20270115')],
  ['PHP', known(byList.PHP, 'Proclamation for 2026', '20260901-20261231')],
  ['SGD', known(byList.SGD, 'Ministry of Manpower lists', '20161201-20170331 20250101-20270228')],
  ['THB', known(byList.THB, 'Bank of Thailand list for 2026', '20260901-20261231')],
  ['TRY', known(south.TRY, 'Act 2429 and Diyanet', '20161201-20170531 20250101-20270228')],
  // Banks rest on Friday and Saturday.
  [
    'ILS',
    {
      ...known(south.ILS, 'Hebrew calendar; Bank of Israel practice', '20250101-20281231'),
      weekend: [FRIDAY, ...WEEKEND],
    },
  ],
  // Between the feasts of summer and National Day nothing is announced.
  ['AED', known(south.AED, 'Cabinet resolution 27 of 2024', '20260901-20261201')],
]);

function known(rule: Rule, source: string, years: string = BY_RULE): Entry {
  const spans = years.split(' ').map((span) => {
    const [from, to] = span.split('-');
    return [dayFromText(from ?? '') ?? Number.NaN, dayFromText(to ?? '') ?? Number.NaN] as const;
  });
  return { rule, weekend: WEEKEND, spans, knownUntil: dateText(Math.max(...spans.map(([, to]) => to))), source };
}

function entry(currency: string): Entry {
  const found = CALENDARS.get(currency);
  if (!found) throw new RangeError(`no calendar: ${currency}`);
  return found;
}

// Only known years are asked for, so this stays small.
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
