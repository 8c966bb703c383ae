/** The offered currencies: the rule of each, the spans of days for which it is known, and its publisher. */
import { listedHolidays } from '../data/data-file.js';
import * as americas from './americas.js';
import * as asiaPacific from './asia-pacific.js';
import { type Day, dayFromText, FRIDAY, SATURDAY, SUNDAY } from './day.js';
import * as europe from './europe.js';
import { JPY } from './japan.js';
import * as south from './middle-east-and-africa.js';
import { listed, type Rule, together } from './rules.js';

export interface Known {
  readonly rule: Rule;
  readonly weekend: readonly number[];
  /** First and last day of each, ascending. */
  readonly spans: readonly (readonly [Day, Day])[];
  readonly source: string;
}

const WEEKEND = [SATURDAY, SUNDAY];
// The rules were checked for these years; those between had too many single days to be worth listing.
const BY_RULE = '20140101-20171231 20250101-20281231';

// Where the lists were read, and under which licence: NOTICE, "Settlement calendars". A calendar with listed days has its source and its
// known days in its data file.
export const CALENDARS: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['EUR', known(europe.EUR, 'ECB, TARGET closing days')],
  ['GBP', known(europe.GBP, 'Banking and Financial Dealings Act 1971')],
  ['USD', known(americas.USD, 'Federal Reserve Banks, holiday schedule')],
  ['CAD', known(americas.CAD, 'Bank of Canada and Ontario holidays')],
  ['CHF', known(europe.CHF, 'Swiss Interbank Clearing, closing days')],
  ['CZK', known(europe.CZK, 'Act 245/2000 on public holidays')],
  ['DKK', known(europe.DKK, 'Danmarks Nationalbank, banking holidays')],
  // No other weekday before 2029 is a single day between holidays, and only such days were ever given by decree.
  ['HUF', withListed('HUF', besides(europe.HUF))],
  ['PLN', known(europe.PLN, 'Act on days off work')],
  ['RON', known(europe.RON, 'Labour Code, article 139', '20160101-20171231 20250101-20281231')],
  ['SEK', known(europe.SEK, 'Act 1989:253 on public holidays, and bank practice')],
  ['NOK', known(europe.NOK, 'Act on public holidays, and bank practice')],
  ['BRL', known(americas.BRL, 'ANBIMA, national holidays')],
  ['MXN', known(americas.MXN, 'CNBV, bank holidays')],
  ['ZAR', withListed('ZAR', besides(south.ZAR))],
  ['AUD', withListed('AUD', besides(asiaPacific.AUD))],
  ['NZD', withListed('NZD', besides(asiaPacific.NZD))],
  ['JPY', known(JPY, 'Act on National Holidays; Banking Act, order, article 5')],
  ['HKD', withListed('HKD', asiaPacific.HKD)],
  // Renminbi outside China is delivered in Hong Kong.
  ['CNH', withListed('HKD', asiaPacific.HKD)],
  // The week of the Spring Festival of 2027 is the first that depends on the notice.
  ['CNY', withListed('CNY')],
  ['IDR', withListed('IDR')],
  // Those of January and February are on the same date each year; the lunar ones begin in March.
  ['INR', withListed('INR')],
  ['KRW', withListed('KRW')],
  ['MYR', withListed('MYR')],
  ['PHP', withListed('PHP')],
  // New years of 2028 by the Holidays Act; the next holiday is not announced.
  ['SGD', withListed('SGD')],
  // New Year's Day is in every list; the next holiday is Makha Bucha.
  ['THB', withListed('THB')],
  ['TRY', withListed('TRY', besides(south.TRY))],
  // Banks close on Friday and Saturday.
  ['ILS', { ...withListed('ILS', south.ILS), weekend: [FRIDAY, ...WEEKEND] }],
  ['AED', withListed('AED', besides(south.AED))],
]);

function known(rule: Rule, source: string, years: string = BY_RULE): Known {
  const spans = years.split(' ').map((span) => {
    const [from, until] = span.split('-');
    return [dayFromText(from ?? '') ?? Number.NaN, dayFromText(until ?? '') ?? Number.NaN] as const;
  });
  return { rule, weekend: WEEKEND, spans, source };
}

/** A currency with a data file: its listed days alone, or what a rule makes of them. */
function withListed(currency: string, ruleOf: (listed: Rule) => Rule = (days) => days): Known {
  const { source, known: days, holidays } = listedHolidays(currency);
  return known(ruleOf(together(holidays.map(([name, dates]) => listed(name, dates)))), source, days);
}

function besides(rule: Rule): (listed: Rule) => Rule {
  return (days) => together([rule, days]);
}
