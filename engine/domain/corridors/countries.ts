/** Countries: those there are, those of SEPA, those with IBANs, and the currencies that cross any border by SWIFT. */
import { countrySpecs } from 'ibantools';
import { COUNTRY_CODES } from '../data/directories.js';

/** The officially assigned codes of ISO 3166-1. */
export function isCountry(code: string): boolean {
  return COUNTRY_CODES.has(code) && code !== 'XK';
}

export const isoCountries = (): string[] => [...COUNTRY_CODES].filter(isCountry);

/** Whose own money is the euro: there it is the currency of a payment that names none. */
const EURO_COUNTRIES: ReadonlySet<string> = new Set(
  'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM VA YT'.split(' '),
);

/** The schemes' countries and territories (EPC409-09). */
const OTHER_SEPA_COUNTRIES: ReadonlySet<string> = new Set(
  'AL CH CZ DK GB GG GI HU IM IS JE LI MD MK NO PL RO RS SE'.split(' '),
);

export const isEuroCountry = (code: string): boolean => EURO_COUNTRIES.has(code);
export const isSepaCountry = (code: string): boolean => EURO_COUNTRIES.has(code) || OTHER_SEPA_COUNTRIES.has(code);

/** Territories whose accounts have the IBANs of another country. */
const IBANS_OF: Readonly<Record<string, string>> = {
  AX: 'FI',
  BL: 'FR',
  GF: 'FR',
  GG: 'GB',
  GP: 'FR',
  IM: 'GB',
  JE: 'GB',
  MF: 'FR',
  MQ: 'FR',
  NC: 'FR',
  PF: 'FR',
  PM: 'FR',
  RE: 'FR',
  TF: 'FR',
  WF: 'FR',
  YT: 'FR',
};

/** The country that an account's IBAN names; undefined: no IBANs there. */
export function ibanCountryOf(country: string): string | undefined {
  if (IBANS_OF[country]) return IBANS_OF[country];
  return countrySpecs[country]?.IBANRegistry ? country : undefined;
}

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
