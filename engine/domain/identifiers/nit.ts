import { compact, WRONG_CHECK_DIGIT } from './written.js';

/** NIT, tax number of Colombia: 7 to 15 digits and one of mod 11 over primes. Takes the written form (spaces, dots, commas, dashes). */
export function nitFault(value: string): string | undefined {
  const digits = compact(value, '.,');
  if (!/^\d{8,16}$/.test(digits)) return 'a NIT has 8 to 16 digits with its check digit';
  return checkDigit(digits.slice(0, -1)) === digits.at(-1) ? undefined : WRONG_CHECK_DIGIT;
}

/** From the right. */
const WEIGHTS = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71];

function checkDigit(base: string): string {
  let sum = 0;
  for (let at = 0; at < base.length; at += 1) sum += Number(base[base.length - 1 - at]) * WEIGHTS[at]!;
  const remainder = sum % 11;
  return String(remainder < 2 ? remainder : 11 - remainder);
}
