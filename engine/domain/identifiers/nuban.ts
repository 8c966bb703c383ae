import { compact, WRONG_CHECK_DIGIT } from './written.js';

/**
 * NUBAN, account in Nigeria: nine digits and a check digit of weights 3-7-3 over the bank's code and the nine. A code of six digits takes
 * part in full, as the Central Bank's standard of 2020 writes every code; the three zeros it puts before a code of three add nothing.
 */
export function nubanFault(bankCode: string, account: string): string | undefined {
  const bank = compact(bankCode);
  const digits = compact(account);
  if (!/^(\d{3}|\d{6})$/.test(bank)) return 'the code of a bank has 3 or 6 digits';
  if (!/^\d{10}$/.test(digits)) return 'a NUBAN has 10 digits';
  let sum = 0;
  const counted = bank + digits.slice(0, 9);
  for (let at = 0; at < counted.length; at += 1) sum += Number(counted[at]) * (at % 3 === 1 ? 7 : 3);
  return (10 - (sum % 10)) % 10 === Number(digits[9]) ? undefined : WRONG_CHECK_DIGIT;
}
