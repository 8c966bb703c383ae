import { COUNTRY_CODES } from './country-codes.js';
import { compact } from './written.js';

/**
 * BIC, ISO 9362: 8 or 11 characters, the country at 5 and 6; `country` is the one it has to be. Takes the written form. The standard
 * allows digits among the first four characters and SWIFT has never issued any: they pass, with `bicPartyFault` as a warning.
 */
export function bicFault(value: string, country?: string): string | undefined {
  const bic = compact(value);
  if (bic.length !== 8 && bic.length !== 11) return 'a BIC has 8 or 11 characters';
  if (!/^[A-Z\d]{4}[A-Z]{2}[A-Z\d]+$/.test(bic)) return 'not a BIC: four characters, country, two characters, branch';
  if (!COUNTRY_CODES.has(bic.slice(4, 6))) return 'no such country at characters 5 and 6';
  if (country !== undefined && bic.slice(4, 6) !== country) return `the country of this BIC is not ${country}`;
  return undefined;
}

/** What is unusual about the first four characters of a right BIC. */
export function bicPartyFault(value: string): string | undefined {
  return /\d/.test(compact(value).slice(0, 4)) ? 'a digit among the first four characters' : undefined;
}
