/** The offered currencies: the rule of each, the spans of days for which it is known, and who published it. */
import { listedHolidays } from '../data/holidays.js';
import * as americas from './americas.js';
import * as asiaPacific from './asia-pacific.js';
import { type Day, dayFromText, FRIDAY, SATURDAY, SUNDAY } from './day.js';
import * as europe from './europe.js';
import { JPY } from './japan.js';
import * as south from './middle-east-and-africa.js';
import { listed, type Rule, together } from './rules.js';
import * as southEast from './south-east-asia.js';

export interface Known {
  readonly rule: Rule;
  readonly weekend: readonly number[];
  /** First and last day of each, ascending. */
  readonly spans: readonly (readonly [Day, Day])[];
  readonly source: string;
}

const WEEKEND = [SATURDAY, SUNDAY];
// Rules were checked for these years; those between had too many single days to be worth listing.
const BY_RULE = '20140101-20171231 20250101-20281231';

// Where the lists were read, and under which licence: NOTICE, "Settlement calendars".
export const CALENDARS: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['EUR', known(europe.EUR, 'ECB, TARGET closing days')],
  ['GBP', known(europe.GBP, 'Banking and Financial Dealings Act 1971')],
  ['USD', known(americas.USD, 'Federal Reserve Banks, holiday schedule')],
  ['CAD', known(americas.CAD, 'Bank of Canada and Ontario holidays')],
  ['CHF', known(europe.CHF, 'Swiss Interbank Clearing, closing days')],
  ['CZK', known(europe.CZK, 'Act 245/2000 on public holidays')],
  ['DKK', known(europe.DKK, 'Danmarks Nationalbank, banking holidays')],
  // No other weekday before 2029 stands alone between holidays, and only such days were ever given by decree.
  [
    'HUF',
    known(
      europe.HUF,
      'Labour Code; rest-day decrees 11/2024 and 10/2025 NGM (a decree or act for 2027 may add 24 December)',
      '20161201-20171231 20250101-20271223 20271225-20281231',
    ),
  ],
  ['PLN', known(europe.PLN, 'Act on days off work')],
  ['RON', known(europe.RON, 'Labour Code, article 139', '20160101-20171231 20250101-20281231')],
  ['SEK', known(europe.SEK, 'Act 1989:253 on public holidays, and bank practice')],
  ['NOK', known(europe.NOK, 'Act on public holidays, and bank practice')],
  ['BRL', known(americas.BRL, 'ANBIMA, national holidays')],
  ['MXN', known(americas.MXN, 'CNBV, bank holidays')],
  ['ZAR', known(south.ZAR, 'Public Holidays Act 36 of 1994; election day 2026 by proclamation')],
  ['AUD', known(asiaPacific.AUD, 'NSW Public Holidays Act 2010')],
  ['NZD', known(asiaPacific.NZD, 'Holidays Act 2003')],
  ['JPY', known(JPY, 'Act on National Holidays; Banking Act, order, article 5')],
  ['HKD', known(asiaPacific.HKD, 'General Holidays Ordinance (Cap. 149)', '20250101-20281231')],
  // Renminbi outside China is delivered in Hong Kong.
  ['CNH', known(asiaPacific.HKD, 'General Holidays Ordinance (Cap. 149)', '20250101-20281231')],
  // The week of the Spring Festival of 2027 is the first that waits for the notice.
  ['CNY', byList('CNY')],
  ['IDR', known(southEast.IDR, 'Joint decrees of three ministers for 2025, 2026 and 2027', '20250101-20271231')],
  // Those of January and February are on the same date each year; the moon's begin in March.
  ['INR', byList('INR')],
  ['KRW', byList('KRW')],
  [
    'MYR',
    known(
      southEast.MYR,
      'Cabinet Division, federal and Kuala Lumpur holidays of 2025, 2026 and 2027 (8 June 2027, in place of a Sunday, is not certain)',
      '20250101-20270607 20270609-20271231',
    ),
  ],
  [
    'PHP',
    known(
      southEast.PHP,
      'Proclamations 727 (2024), 839, 878, 911, 1006 (2025), 1189, 1264, 1427 (2026); the Eids of 2027 are not proclaimed',
      '20250101-20270305 20270315-20270512 20270522-20271231',
    ),
  ],
  [
    'SGD',
    // New years of 2028 by the Holidays Act; then comes a feast that is not announced.
    known(
      southEast.SGD,
      'Ministry of Manpower, public holidays of 2025, 2026 and 2027; Holidays Act 1998',
      '20161201-20170331 20250101-20280218',
    ),
  ],
  [
    'THB',
    // New Year's Day is in every list; the next holiday is Makha Bucha.
    known(
      southEast.THB,
      'Bank of Thailand, holidays of financial institutions of 2025 and 2026; that of 2027 is not at hand',
      '20250101-20270219',
    ),
  ],
  ['TRY', known(south.TRY, 'Act 2429; Diyanet, computed religious days', '20161201-20170531 20250101-20281231')],
  // Banks rest on Friday and Saturday.
  [
    'ILS',
    {
      ...known(
        south.ILS,
        'Hebrew calendar; Bank of Israel practice (an election day, which rests too, is not listed: autumn 2026)',
        '20250101-20281231',
      ),
      weekend: [FRIDAY, ...WEEKEND],
    },
  ],
  [
    'AED',
    known(
      south.AED,
      'Cabinet resolution 27 of 2024; MoHRE announcements (none at hand for summer 2026, National Day 2026 and Eid al-Fitr 2027)',
      '20250101-20260524 20260530-20260614 20260620-20260823 20260829-20261201 20261205-20270305',
    ),
  ],
]);

function known(rule: Rule, source: string, years: string = BY_RULE): Known {
  const spans = years.split(' ').map((span) => {
    const [from, until] = span.split('-');
    return [dayFromText(from ?? '') ?? Number.NaN, dayFromText(until ?? '') ?? Number.NaN] as const;
  });
  return { rule, weekend: WEEKEND, spans, source };
}

/** The currencies whose holidays are a data file. */
function byList(currency: string): Known {
  const { source, known: days, holidays } = listedHolidays(currency);
  return known(together(holidays.map(([name, dates]) => listed(name, dates))), source, days);
}
