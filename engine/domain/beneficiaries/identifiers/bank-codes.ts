/** Codes of banks and their branches: routing number, BIC, BSB, IFSC, sort code, and the CLABE, which contains the bank. */
import { BSB_RUNS, CLABE_BANKS, CLABE_PLACES, COUNTRY_CODES, IFSC_DIRECTORY } from '../../data/directories.js';
import { compact, WRONG_CHECK_DIGIT, weightedSum } from './identifier-normalisation.js';
import { numberRuns } from './number-runs.js';

/**
 * US routing number: nine digits, the first two of the twelve districts (01 to 12), of thrift institutions (21 to 32), sum of 3-7-1 a
 * multiple of ten. Numbers of the Treasury (00), of electronic use only (61 to 72) and of traveller's cheques (80) are not accounts'.
 */
export function abaFault(value: string): string | undefined {
  const digits = compact(value);
  if (!/^\d{9}$/.test(digits)) return 'a routing number has 9 digits';
  if (!/^(0[1-9]|1[0-2]|2[1-9]|3[0-2])/.test(digits)) return 'no bank has a routing number with these first two digits';
  return weightedSum(digits, ABA_WEIGHTS) % 10 === 0 ? undefined : WRONG_CHECK_DIGIT;
}

const ABA_WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1];

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

/** BSB, branch of a bank in Australia: six digits. Takes the written form (062-000). */
export function bsbFault(value: string): string | undefined {
  return /^\d{6}$/.test(compact(value)) ? undefined : 'a BSB has 6 digits';
}

/** Whether the directory has a right BSB. It is of a day in the past and branches open and close: a warning, not a refusal. */
export function bsbDirectoryFault(value: string): string | undefined {
  return isInDirectory(Number(compact(value))) ? undefined : 'not in the BSB directory';
}

const isInDirectory = numberRuns(BSB_RUNS);

/** IFSC, branch of a bank in India: four letters of a known bank, 0, six letters or digits. */
export function ifscFault(value: string): string | undefined {
  const ifsc = compact(value);
  if (!/^[A-Z]{4}0[A-Z\d]{6}$/.test(ifsc)) return 'an IFSC has four letters, 0, and six letters or digits';
  return BANKS.has(ifsc.slice(0, 4)) ? undefined : 'no bank has an IFSC with these four letters';
}

/** Whether the directory has a well-formed IFSC. It is of a day in the past and branches open every week: a warning, not a refusal. */
export function ifscDirectoryFault(value: string): string | undefined {
  const ifsc = compact(value);
  const branches = BANKS.get(ifsc.slice(0, 4));
  const branch = ifsc.slice(5);
  const isKnown = /^\d+$/.test(branch)
    ? branches?.digits(Number(branch))
    : branches?.letters(Number.parseInt(branch, 36));
  return isKnown ? undefined : 'not in the IFSC directory';
}

interface Branches {
  readonly digits: (branch: number) => boolean;
  readonly letters: (branch: number) => boolean;
}

const BANKS: ReadonlyMap<string, Branches> = new Map(
  IFSC_DIRECTORY.trim()
    .split('\n')
    .map((line) => {
      const [digits, letters] = line.slice(5).split('|');
      return [line.slice(0, 4), { digits: numberRuns(digits!), letters: numberRuns(letters ?? '') }];
    }),
);

/** Sort code, branch of a bank in the United Kingdom: six digits. Takes the written form (20-00-00). */
export function sortCodeFault(value: string): string | undefined {
  return /^\d{6}$/.test(compact(value)) ? undefined : 'a sort code has 6 digits';
}

/** CLABE, account in Mexico: known bank (3), known place (3), account (11), check digit of weights 3-7-1. */
export function clabeFault(value: string): string | undefined {
  const digits = compact(value);
  if (!/^\d{18}$/.test(digits)) return 'a CLABE has 18 digits';
  if ((10 - (weightedSum(digits, CLABE_WEIGHTS) % 10)) % 10 !== Number(digits[17])) return WRONG_CHECK_DIGIT;
  if (!CLABE_BANKS.has(Number(digits.slice(0, 3)))) return 'no bank has these first three digits';
  return CLABE_PLACES.has(Number(digits.slice(3, 6))) ? undefined : 'no place has digits four to six';
}

const CLABE_WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7];
