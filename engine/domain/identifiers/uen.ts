import { compact, WRONG_CHECK_DIGIT, weightedSum } from './written.js';

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
