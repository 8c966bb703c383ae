import { compact } from './identifier-normalisation.js';
import type { ModulusRow, UkModulusTable } from './uk-modulus-table.js';

export { parseUkModulusTable, type UkModulusTable } from './uk-modulus-table.js';

/**
 * Whether an account can be at a sort code, by the published rules for validating account numbers and the table of weights that the
 * operator supplies; a sort code outside the table says nothing, nor does a missing table. Digits are named as there: the sort code is
 * u v w x y z, the account a b c d e f g h.
 */
export function ukModulusFault(sortCode: string, account: string, table?: UkModulusTable): string | undefined {
  const digits = compact(sortCode) + compact(account);
  if (!/^\d{14}$/.test(digits)) return 'a sort code has 6 digits and an account 8';
  const [first, second] = table ? rowsOf(table, digits.slice(0, 6)) : [];
  if (!table || !first) return undefined;
  return isPossible(first, second, digits, table)
    ? undefined
    : 'no account at this sort code has this number (modulus check)';
}

const [A, B, C, G, H] = [6, 7, 8, 12, 13];

function rowsOf(table: UkModulusTable, sortCode: string): readonly ModulusRow[] {
  return table.rows.filter(({ from, to }) => sortCode >= from && sortCode <= to);
}

function isPossible(first: ModulusRow, second: ModulusRow | undefined, digits: string, table: UkModulusTable): boolean {
  if (first.exception === 6 && isForeignCurrency(digits)) return true;
  const passes = (row: ModulusRow) => passesRow(row, digits, table);

  if (!second) return passes(first) || (first.exception === 14 && passesShifted(first, digits, table));
  if (isEitherOf(first, second)) return passes(first) || passes(second);
  if (second.exception === 3 && '69'.includes(digits[C]!)) return passes(first);
  return passes(first) && passes(second);
}

/** Exception 6: such an account cannot be checked. */
function isForeignCurrency(digits: string): boolean {
  return '45678'.includes(digits[A]!) && digits[G] === digits[H];
}

/** Exceptions that come in pairs: one check is enough. */
function isEitherOf(first: ModulusRow, second: ModulusRow): boolean {
  return PAIRS.some(([one, other]) => first.exception === one && second.exception === other);
}

const PAIRS = [
  [2, 9],
  [10, 11],
  [12, 13],
] as const;

/** Exception 14: an account that ends in 0, 1 or 9 may have it left out, and a 0 before the rest. */
function passesShifted(row: ModulusRow, digits: string, table: UkModulusTable): boolean {
  if (!'019'.includes(digits[H]!)) return false;
  return passesRow(row, `${digits.slice(0, 6)}0${digits.slice(6, 13)}`, table);
}

function passesRow(row: ModulusRow, written: string, { substitutes }: UkModulusTable): boolean {
  const digits = (sortCodeFor(row, written.slice(0, 6), substitutes) ?? written.slice(0, 6)) + written.slice(6);
  const remainder = total(row, digits) % (row.method === 'MOD11' ? 11 : 10);
  if (row.exception === 4) return remainder === Number(digits.slice(G));
  if (row.exception === 5) return isExceptionFive(row, remainder, digits);
  return remainder === 0;
}

function sortCodeFor({ exception }: ModulusRow, sortCode: string, substitutes: ReadonlyMap<string, string>) {
  if (exception === 5) return substitutes.get(sortCode);
  if (exception === 8) return '090126';
  return exception === 9 ? '309634' : undefined;
}

/** Exception 5: each of the two checks has a check digit of its own in the account, g of modulus 11 and h of the double alternate. */
function isExceptionFive({ method }: ModulusRow, remainder: number, digits: string): boolean {
  if (method === 'DBLAL') return (10 - remainder) % 10 === Number(digits[H]);
  return remainder !== 1 && (11 - remainder) % 11 === Number(digits[G]);
}

/** Digit by weight, summed; of the double alternate the digits of each product; 27 more for exception 1. */
function total(row: ModulusRow, digits: string): number {
  const weights = weightsFor(row, digits);
  let sum = row.exception === 1 ? 27 : 0;
  for (let at = 0; at < weights.length; at += 1) {
    const product = weights[at]! * Number(digits[at]);
    sum += row.method === 'DBLAL' ? Math.floor(product / 10) + (product % 10) : product;
  }
  return sum;
}

function weightsFor({ exception, weights }: ModulusRow, digits: string): readonly number[] {
  if (exception === 2 && digits[A] !== '0') return digits[G] === '9' ? EXCEPTION_2_G_9 : EXCEPTION_2;
  const isEmptied =
    digits[G] === '9' && (exception === 7 || (exception === 10 && ['09', '99'].includes(digits.slice(A, B + 1))));
  return isEmptied ? weights.map((weight, at) => (at <= B ? 0 : weight)) : weights;
}

const EXCEPTION_2 = [0, 0, 1, 2, 5, 3, 6, 4, 8, 7, 10, 9, 3, 1];
const EXCEPTION_2_G_9 = [0, 0, 0, 0, 0, 0, 0, 0, 8, 7, 10, 9, 3, 1];
