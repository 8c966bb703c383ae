/** Countries: those there are, those of SEPA, territories, and the currencies that cross any border by SWIFT. */
import { COUNTRY_CODES } from '../../data/directories.js';

/** The officially assigned codes of ISO 3166-1. */
export function isCountry(code: string): boolean {
  return COUNTRY_CODES.has(code) && code !== 'XK';
}

/** Where a payee may be paid: also XK, by which banks name Kosovo (SWIFT's registries of BICs and of IBANs). */
export const isPayeeCountry = (code: string): boolean => COUNTRY_CODES.has(code);

export const isoCountries = (): string[] => [...COUNTRY_CODES].filter(isCountry);

/** Whose own money is the euro: there it is the currency of a payment that names none. */
const EURO_COUNTRIES: ReadonlySet<string> = new Set(
  'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM VA YT'.split(' '),
);

/** The schemes' countries and territories (EPC409-09). */
const OTHER_SEPA_COUNTRIES: ReadonlySet<string> = new Set(
  'AL CH CZ DK GB GG GI HU IM IS JE LI MD MK NO PL RO RS SE'.split(' '),
);

/** Kosovo's own money is the euro, and it is not in SEPA. */
const EURO_OUTSIDE_SEPA = 'XK';

export const isEuroCountry = (code: string): boolean => EURO_COUNTRIES.has(code) || code === EURO_OUTSIDE_SEPA;
export const isSepaCountry = (code: string): boolean => EURO_COUNTRIES.has(code) || OTHER_SEPA_COUNTRIES.has(code);

/** Territories by the country whose banks serve them, often by a BIC of that country (ISO 3166-1 lists them beside it). */
const TERRITORIES: Readonly<Record<string, string>> = {
  AU: 'CC CX HM NF',
  DK: 'FO GL',
  FI: 'AX',
  FR: 'BL GF GP MF MQ NC PF PM RE TF WF YT',
  GB: 'AI BM FK GG GI GS IM IO JE KY MS PN SH TC VG',
  NL: 'AW BQ CW SX',
  NO: 'BV SJ',
  NZ: 'CK NU TK',
  US: 'AS GU MP PR UM VI',
};
const PARENTS: ReadonlyMap<string, string> = new Map(
  Object.entries(TERRITORIES).flatMap(([parent, all]) =>
    all.split(' ').map((territory) => [territory, parent] as const),
  ),
);

/** Of a territory the country that it belongs to; undefined: it is none. */
export const parentOf = (country: string): string | undefined => PARENTS.get(country);

/** What is sent by SWIFT to a country that has no corridor in that currency. */
export const SWIFT_CURRENCIES: readonly string[] = [
  'AUD',
  'CAD',
  'CHF',
  'DKK',
  'EUR',
  'GBP',
  'HKD',
  'JPY',
  'NOK',
  'NZD',
  'SEK',
  'SGD',
  'USD',
];
