import { compact, isOneCharacter, WRONG_CHECK_DIGIT } from './written.js';

/** CPF, tax number of a person in Brazil: nine digits and two of mod 11, not all equal. Takes the written form (spaces, dots, dashes). */
export function cpfFault(value: string): string | undefined {
  const digits = compact(value, '.');
  if (!/^\d{11}$/.test(digits)) return 'a CPF has 11 digits';
  if (isOneCharacter(digits)) return 'all digits are equal';
  return digits.endsWith(twoCheckDigits(digits.slice(0, 9))) ? undefined : WRONG_CHECK_DIGIT;
}

function twoCheckDigits(base: string): string {
  const first = checkDigit(base);
  return first + checkDigit(base + first);
}

/** Weights 2, 3, 4, ... from the right. */
function checkDigit(digits: string): string {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) sum += Number(digits[at]) * (digits.length + 1 - at);
  const remainder = sum % 11;
  return String(remainder < 2 ? 0 : 11 - remainder);
}
