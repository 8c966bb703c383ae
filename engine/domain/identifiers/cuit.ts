import { compact, WRONG_CHECK_DIGIT, weightedSum } from './written.js';

/** CUIT and CUIL, tax and social numbers of Argentina: prefix of the kind of holder, eight digits, check digit of mod 11. */
export function cuitFault(value: string): string | undefined {
  const digits = compact(value, '.');
  if (!/^\d{11}$/.test(digits)) return 'a CUIT or CUIL has 11 digits';
  if (!PREFIXES.has(digits.slice(0, 2))) return 'no holder has these first two digits';
  return checkDigit(digits) === digits[10] ? undefined : WRONG_CHECK_DIGIT;
}

/** 20 to 27 persons, 30 to 34 companies, 50 to 55 holders abroad. */
const PREFIXES: ReadonlySet<string> = new Set(['20', '23', '24', '25', '26', '27', '30', '33', '34', '50', '51', '55']);

const WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/** 10 does not fit into a digit and is written 9. */
function checkDigit(digits: string): string {
  const check = (11 - (weightedSum(digits, WEIGHTS) % 11)) % 11;
  return check === 10 ? '9' : String(check);
}
