import { compact, WRONG_CHECK_DIGIT, weightedSum } from './written.js';

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
