/** Numbers of companies in Asia and the Pacific; most have check digits. The passport has the same form everywhere. */
import { compact, WRONG_CHECK_DIGIT, weightedSum } from './identifier-normalisation.js';

/** ABN, business number of Australia: 11 digits; with one taken from the first digit the weighted sum is a multiple of 89. */
export function abnFault(value: string): string | undefined {
  const digits = compact(value);
  if (!/^[1-9]\d{10}$/.test(digits)) return 'an ABN has 11 digits';
  return (weightedSum(digits, ABN) - ABN[0]!) % 89 === 0 ? undefined : WRONG_CHECK_DIGIT;
}

/** ACN, company number of Australia: nine digits, the last a check digit of mod 10. */
export function acnFault(value: string): string | undefined {
  const digits = compact(value);
  if (!/^\d{9}$/.test(digits)) return 'an ACN has 9 digits';
  return (10 - (weightedSum(digits, ACN) % 10)) % 10 === Number(digits[8]) ? undefined : WRONG_CHECK_DIGIT;
}

const ABN = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];
const ACN = [8, 7, 6, 5, 4, 3, 2, 1];

/** Corporate number of Japan: a check digit (9 less the sum mod 9), then twelve digits. Takes the written form. */
export function jpCorporateFault(value: string): string | undefined {
  const digits = compact(value);
  if (!/^\d{13}$/.test(digits)) return 'a corporate number has 13 digits';
  let sum = 0;
  for (let at = 1; at < digits.length; at += 1) sum += Number(digits[at]) * (at % 2 === 0 ? 1 : 2);
  return 9 - (sum % 9) === Number(digits[0]) ? undefined : WRONG_CHECK_DIGIT;
}

/** Organization code of China, GB 11714: eight digits or letters and a check digit of mod 11, X for 10. */
export function orgCodeFault(value: string): string | undefined {
  const code = compact(value);
  if (!/^[\dA-Z]{8}[\dX]$/.test(code)) return 'an organization code has 8 digits or letters and a check digit or X';
  let sum = 0;
  for (let at = 0; at < ORG_CODE_WEIGHTS.length; at += 1) sum += Number.parseInt(code[at]!, 36) * ORG_CODE_WEIGHTS[at]!;
  const check = (11 - (sum % 11)) % 11;
  return (check === 10 ? 'X' : String(check)) === code[8] ? undefined : WRONG_CHECK_DIGIT;
}

const ORG_CODE_WEIGHTS = [3, 7, 9, 10, 5, 8, 4, 2];

/** Passport number: 6 to 12 letters and digits, no check digit outside the machine-readable zone. */
export function passportFault(value: string): string | undefined {
  return /^[A-Z\d]{6,12}$/.test(compact(value)) ? undefined : 'a passport number has 6 to 12 letters and digits';
}

/**
 * UEN, entity number of Singapore: a business (8 digits and a letter), a local company (year of founding, 5 digits, letter), or another
 * entity (letter of the century, year, kind, 4 digits, letter). `year` is this year: nothing is founded in a later one.
 */
export function uenFault(value: string, year: number): string | undefined {
  const uen = compact(value);
  if (/^\d{8}[A-Z]$/.test(uen))
    return BUSINESS_LETTERS[weightedSum(uen, BUSINESS) % 11] === uen[8] ? undefined : WRONG_CHECK_LETTER;
  if (/^\d{9}[A-Z]$/.test(uen)) return companyFault(uen, year);
  if (/^[RST]\d{2}[A-Z]{2}\d{4}[A-Z\d]$/.test(uen)) return otherFault(uen, year);
  return 'not a UEN: 8 or 9 digits and a letter, or R, S or T and nine digits and letters';
}

const WRONG_CHECK_LETTER = WRONG_CHECK_DIGIT;

const BUSINESS = [10, 4, 9, 3, 8, 2, 7, 1];
const BUSINESS_LETTERS = 'XMKECAWLJDB';

function companyFault(uen: string, year: number): string | undefined {
  if (Number(uen.slice(0, 4)) > year) return LATER_YEAR;
  return COMPANY_LETTERS[weightedSum(uen, COMPANY) % 11] === uen[9] ? undefined : WRONG_CHECK_LETTER;
}

const LATER_YEAR = 'founded in a later year';
const COMPANY = [10, 8, 6, 4, 9, 7, 5, 3, 1];
const COMPANY_LETTERS = 'ZKCMDNERGWH';

function otherFault(uen: string, year: number): string | undefined {
  if (CENTURY[uen[0]!]! + Number(uen.slice(1, 3)) > year) return LATER_YEAR;
  if (!KINDS.has(uen.slice(3, 5))) return 'no kind of entity has these two letters';
  let sum = 0;
  for (let at = 0; at < OTHER.length; at += 1) sum += OTHER_CHARACTERS.indexOf(uen[at]!) * OTHER[at]!;
  return OTHER_CHARACTERS[(sum + 6) % 11] === uen[9] ? undefined : WRONG_CHECK_LETTER;
}

const CENTURY: Readonly<Record<string, number>> = { R: 1800, S: 1900, T: 2000 };
const OTHER = [4, 3, 5, 3, 10, 2, 2, 5, 7];
const OTHER_CHARACTERS = 'ABCDEFGHJKLMNPQRSTUVWX0123456789';

/** Kinds of entity in a UEN of the third form, from the lists of the agencies that issue them. */
const KINDS: ReadonlySet<string> = new Set(
  `BN CC CD CH CL CM CP CS CX DP EC FB FC FM FN FS GA GB GS HC HS LC LL LP MB MC MD MH MM MQ NB NR PA PB PF RF RP SM SS TC TU UF VC VH XL`.split(
    ' ',
  ),
);

/**
 * Unified social credit code of China, GB 32100: authority, kind, place (6 digits), organization code (9), check character of mod 31. The
 * alphabet leaves out I, O, S, V and Z.
 */
export function usccFault(value: string): string | undefined {
  const code = compact(value);
  if (!/^[\dANY]\d{7}[\dA-HJ-NP-RTUWXY]{10}$/.test(code))
    return 'a social credit code has 18 digits and letters, the first 8 digits';
  let sum = 0;
  for (let at = 0; at < USCC_WEIGHTS.length; at += 1) sum += ALPHABET.indexOf(code[at]!) * USCC_WEIGHTS[at]!;
  return ALPHABET[(31 - (sum % 31)) % 31] === code[17] ? undefined : WRONG_CHECK_DIGIT;
}

const ALPHABET = '0123456789ABCDEFGHJKLMNPQRTUWXY';
/** Powers of 3 mod 31. */
const USCC_WEIGHTS = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28];
