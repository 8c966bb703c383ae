import { compact, WRONG_CHECK_DIGIT } from './written.js';

/** Organization code of China, GB 11714: eight digits or letters and a check digit of mod 11, X for 10. */
export function orgCodeFault(value: string): string | undefined {
  const code = compact(value);
  if (!/^[\dA-Z]{8}[\dX]$/.test(code)) return 'an organization code has 8 digits or letters and a check digit or X';
  let sum = 0;
  for (let at = 0; at < WEIGHTS.length; at += 1) sum += Number.parseInt(code[at]!, 36) * WEIGHTS[at]!;
  const check = (11 - (sum % 11)) % 11;
  return (check === 10 ? 'X' : String(check)) === code[8] ? undefined : WRONG_CHECK_DIGIT;
}

const WEIGHTS = [3, 7, 9, 10, 5, 8, 4, 2];
