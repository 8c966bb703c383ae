import { CLABE_BANKS, CLABE_PLACES } from './clabe-places.js';
import { compact, WRONG_CHECK_DIGIT, weightedSum } from './written.js';

/** CLABE, account in Mexico: known bank (3), known place (3), account (11), check digit of weights 3-7-1. */
export function clabeFault(value: string): string | undefined {
  const digits = compact(value);
  if (!/^\d{18}$/.test(digits)) return 'a CLABE has 18 digits';
  if ((10 - (weightedSum(digits, WEIGHTS) % 10)) % 10 !== Number(digits[17])) return WRONG_CHECK_DIGIT;
  if (!CLABE_BANKS.has(Number(digits.slice(0, 3)))) return 'no bank has these first three digits';
  return CLABE_PLACES.has(Number(digits.slice(3, 6))) ? undefined : 'no place has digits four to six';
}

const WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7];
