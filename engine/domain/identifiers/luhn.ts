import { compact, WRONG_CHECK_DIGIT } from './written.js';

/** Card number, ISO/IEC 7812: 12 to 19 digits, the last one Luhn's. Takes the written form. */
export function luhnFault(value: string): string | undefined {
  const digits = compact(value);
  if (!/^\d{12,19}$/.test(digits)) return 'a card number has 12 to 19 digits';
  return luhnSum(digits) % 10 === 0 ? undefined : WRONG_CHECK_DIGIT;
}

/** From the right, every second digit doubled and its digits added. */
function luhnSum(digits: string): number {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]);
    sum += at % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0);
  }
  return sum;
}
