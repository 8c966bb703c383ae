import { compact, WRONG_CHECK_DIGIT, weightedSum } from './written.js';

/** RUT, tax number of Chile (7 or 8 digits and one of mod 11, K for 10) and of Uruguay (12 digits). Takes the written form. */
export function rutFault(value: string, country: 'CL' | 'UY'): string | undefined {
  const rut = compact(value, '.');
  const national = rut.startsWith(country) ? rut.slice(2) : rut;
  return country === 'CL' ? chileanFault(national) : uruguayanFault(national);
}

function chileanFault(rut: string): string | undefined {
  if (!/^\d{7,8}[\dK]$/.test(rut)) return 'a RUT has 7 or 8 digits and a check digit or K';
  return chileanCheck(rut.slice(0, -1)) === rut.at(-1) ? undefined : WRONG_CHECK_DIGIT;
}

/** Weights 2 to 7 from the right, and again. */
function chileanCheck(digits: string): string {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) sum += Number(digits[digits.length - 1 - at]) * ((at % 6) + 2);
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? 'K' : String(check);
}

/** Office of registration (01 to 22), six digits, 001, check digit. */
function uruguayanFault(rut: string): string | undefined {
  if (!/^\d{12}$/.test(rut)) return 'a RUT has 12 digits';
  if (rut < '01' || rut.slice(0, 2) > '22') return 'no office has these first two digits';
  if (rut.slice(2, 8) === '000000') return 'digits 3 to 8 are all zero';
  if (rut.slice(8, 11) !== '001') return 'digits 9 to 11 are not 001';
  return (11 - (weightedSum(rut, URUGUAYAN) % 11)) % 11 === Number(rut[11]) ? undefined : WRONG_CHECK_DIGIT;
}

const URUGUAYAN = [4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
