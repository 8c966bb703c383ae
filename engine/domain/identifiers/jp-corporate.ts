import { compact, WRONG_CHECK_DIGIT } from './written.js';

/** Corporate number of Japan: a check digit (9 less the sum mod 9), then twelve digits. Takes the written form. */
export function jpCorporateFault(value: string): string | undefined {
  const digits = compact(value);
  if (!/^\d{13}$/.test(digits)) return 'a corporate number has 13 digits';
  let sum = 0;
  for (let at = 1; at < digits.length; at += 1) sum += Number(digits[at]) * (at % 2 === 0 ? 1 : 2);
  return 9 - (sum % 9) === Number(digits[0]) ? undefined : WRONG_CHECK_DIGIT;
}
