import { compact, WRONG_CHECK_DIGIT, weightedSum } from './written.js';

/** DNI: Argentina 7 or 8 digits, no check digit; Peru 8 digits and, where written, a check digit or letter. */
export function dniFault(value: string, country: 'AR' | 'PE'): string | undefined {
  const dni = compact(value, '.');
  return country === 'AR' ? argentineFault(dni) : peruvianFault(dni);
}

function argentineFault(dni: string): string | undefined {
  return /^\d{7,8}$/.test(dni) ? undefined : 'a DNI has 7 or 8 digits';
}

function peruvianFault(dni: string): string | undefined {
  if (!/^\d{8}[\dA-K]?$/.test(dni)) return 'a DNI has 8 digits and at most a check digit or letter';
  if (dni.length === 8) return undefined;
  const remainder = weightedSum(dni, WEIGHTS) % 11;
  return dni[8] === CHECK_DIGITS[remainder] || dni[8] === CHECK_LETTERS[remainder] ? undefined : WRONG_CHECK_DIGIT;
}

const WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2];
const CHECK_DIGITS = '65432110987';
const CHECK_LETTERS = 'KJIHGFEDCBA';
