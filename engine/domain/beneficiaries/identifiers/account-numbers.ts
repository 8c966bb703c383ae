/** Numbers of accounts and cards: NUBAN of Nigeria, accounts of New Zealand, and the Luhn digit of a card. */
import { compact, WRONG_CHECK_DIGIT } from './identifier-normalisation.js';

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

/**
 * Account in New Zealand: bank (2), branch (4), account (7 or 8), suffix (1 to 4), by the specification of Inland Revenue for withholding
 * tax certificates: branches of each bank, and the algorithm that the bank's check digit follows. Takes the written form; where that is
 * in four parts, each is padded with zeros.
 */
export function nzAccountFault(value: string): string | undefined {
  const account = nzAccount(value);
  if (account === undefined) return 'an account has bank (2), branch (4), account (7 or 8) and suffix (2 or 3)';
  const bank = BANKS.get(account.slice(0, 2));
  if (bank === undefined) return 'no bank has these first two digits';
  const branch = Number(account.slice(2, 6));
  if (!bank.branches.some(([first, last]) => branch >= first && branch <= last)) return 'the bank has no such branch';
  return isRight(account, bank.algorithm) ? undefined : WRONG_CHECK_DIGIT;
}

/** The 18 digits of an account: parts of 2, 4, 8 and 4. Without parts to go by, 7 digits of account come before a suffix of 2 or 3. */
export function nzAccount(value: string): string | undefined {
  const parts = value.trim().split(/[\s\p{Pd}]+/u);
  if (parts.length === LENGTHS.length && parts.every((part, at) => isPart(part, LENGTHS[at]!))) {
    return parts.map((part, at) => part.padStart(LENGTHS[at]!, '0')).join('');
  }
  const digits = compact(value);
  if (!/^\d{15,18}$/.test(digits)) return undefined;
  const base = digits.length < 17 ? 13 : 14;
  return digits.slice(0, 6) + digits.slice(6, base).padStart(8, '0') + digits.slice(base).padStart(4, '0');
}

function isPart(part: string, longest: number): boolean {
  return /^\d+$/.test(part) && part.length <= longest;
}

const LENGTHS = [2, 4, 8, 4];

type Algorithm = 'A' | 'D' | 'E' | 'F' | 'G' | 'X';

/** A is B for an account from 00990000 on: the branch does not count. E and G add up the digits of each product, twice. */
function isRight(account: string, algorithm: Algorithm): boolean {
  const { weights, modulus } = RULES[algorithm === 'A' && account.slice(6, 14) >= '00990000' ? 'B' : algorithm];
  let sum = 0;
  for (let at = 0; at < weights.length; at += 1) {
    const product = weights[at]! * Number(account[at]);
    sum += algorithm === 'E' || algorithm === 'G' ? digitSum(digitSum(product)) : product;
  }
  return sum % modulus === 0;
}

function digitSum(number: number): number {
  return Math.floor(number / 10) + (number % 10);
}

/** By digit: bank, branch, account, suffix. No bank follows algorithm C any more. */
const RULES: Readonly<Record<Algorithm | 'B', { readonly weights: readonly number[]; readonly modulus: number }>> = {
  A: { weights: [0, 0, 6, 3, 7, 9, 0, 0, 10, 5, 8, 4, 2, 1], modulus: 11 },
  B: { weights: [0, 0, 0, 0, 0, 0, 0, 0, 10, 5, 8, 4, 2, 1], modulus: 11 },
  D: { weights: [0, 0, 0, 0, 0, 0, 0, 7, 6, 5, 4, 3, 2, 1], modulus: 11 },
  E: { weights: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 4, 3, 2, 0, 0, 0, 1], modulus: 11 },
  F: { weights: [0, 0, 0, 0, 0, 0, 0, 1, 7, 3, 1, 7, 3, 1], modulus: 10 },
  G: { weights: [0, 0, 0, 0, 0, 0, 0, 1, 3, 7, 1, 3, 7, 1, 0, 3, 7, 1], modulus: 10 },
  X: { weights: [], modulus: 1 },
};

interface Bank {
  readonly algorithm: Algorithm;
  readonly branches: readonly (readonly [number, number])[];
}

/** Bank, algorithm, branches. */
const BANKS: ReadonlyMap<string, Bank> = new Map(
  `01 A 1-999 1100-1199 1800-1899
   02 A 1-999 1200-1299
   03 A 1-999 1300-1399 1500-1599 1700-1799 1900-1999 7350-7399
   04 A 2020-2024
   06 A 1-999 1400-1499
   08 D 6500-6599
   09 E 0-0
   10 A 5165-5169
   11 A 5000-6499 6600-8999
   12 A 3000-3299 3400-3499 3600-3699
   13 A 4900-4999
   14 A 4700-4799
   15 A 3900-3999
   16 A 4400-4499
   17 A 3300-3399
   18 A 3500-3599
   19 A 4600-4649
   20 A 4100-4199
   21 A 4800-4899
   22 A 4000-4049
   23 A 3700-3799
   24 A 4300-4349
   25 F 2500-2599
   26 G 2600-2699
   27 A 3800-3849
   28 G 2100-2149
   29 G 2150-2299
   30 A 2900-2949
   31 X 2800-2849
   33 F 6700-6799
   35 A 2400-2499
   38 A 9000-9499
   88 X 8800-8805`
    .split('\n')
    .map((line) => {
      const [bank, algorithm, ...ranges] = line.trim().split(' ');
      return [bank!, { algorithm: algorithm as Algorithm, branches: ranges.map(range) }];
    }),
);

function range(text: string): readonly [number, number] {
  const [first, last] = text.split('-').map(Number);
  return [first!, last!];
}

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
