import { compact, WRONG_CHECK_DIGIT, weightedSum } from './written.js';

/** CLABE, account in Mexico: bank (3), place (3), account (11), check digit of weights 3-7-1, each product mod 10. */
export function clabeFault(value: string): string | undefined {
  const digits = compact(value);
  if (!/^\d{18}$/.test(digits)) return 'a CLABE has 18 digits';
  return (10 - (weightedSum(digits, WEIGHTS) % 10)) % 10 === Number(digits[17]) ? undefined : WRONG_CHECK_DIGIT;
}

const WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7];
