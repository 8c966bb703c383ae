import { ecuadorianFault as ciFault, isProvince } from './ci.js';
import { compact, WRONG_CHECK_DIGIT, weightedSum } from './written.js';

/** RUC, tax number of Peru, Ecuador and Paraguay. Takes the written form (spaces, dots, dashes). */
export function rucFault(value: string, country: 'PE' | 'EC' | 'PY'): string | undefined {
  const ruc = compact(value, '.');
  if (country === 'PE') return peruvianFault(ruc);
  return country === 'EC' ? ecuadorianFault(ruc) : paraguayanFault(ruc);
}

/** Kind of holder, eight digits, check digit of mod 11. */
function peruvianFault(ruc: string): string | undefined {
  if (!/^\d{11}$/.test(ruc)) return 'a RUC has 11 digits';
  if (!PERUVIAN_KINDS.has(ruc.slice(0, 2))) return 'no kind of holder has these first two digits';
  return (11 - (weightedSum(ruc, PERUVIAN) % 11)) % 10 === Number(ruc[10]) ? undefined : WRONG_CHECK_DIGIT;
}

const PERUVIAN_KINDS: ReadonlySet<string> = new Set(['10', '15', '16', '17', '20']);
const PERUVIAN = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/** The third digit tells the kind: 0 to 5 a person, 6 a public body or a person, 9 a company, some with the check digit of a public body. */
function ecuadorianFault(ruc: string): string | undefined {
  if (!/^\d{13}$/.test(ruc)) return 'a RUC has 13 digits';
  if (!isProvince(ruc)) return 'no province has these first two digits';
  if (ruc[2]! < '6') return personFault(ruc);
  if (ruc[2] === '6') return publicBodyFault(ruc) && personFault(ruc);
  return ruc[2] === '9' ? publicBodyFault(ruc) && companyFault(ruc) : 'the third digit is 7 or 8';
}

function personFault(ruc: string): string | undefined {
  return ruc.endsWith('000') ? NO_ESTABLISHMENT : ciFault(ruc.slice(0, 10));
}

function publicBodyFault(ruc: string): string | undefined {
  if (ruc.endsWith('0000')) return NO_ESTABLISHMENT;
  return weightedSum(ruc, PUBLIC_BODY) % 11 === 0 ? undefined : WRONG_CHECK_DIGIT;
}

function companyFault(ruc: string): string | undefined {
  if (ruc.endsWith('000')) return NO_ESTABLISHMENT;
  return weightedSum(ruc, COMPANY) % 11 === 0 ? undefined : WRONG_CHECK_DIGIT;
}

const NO_ESTABLISHMENT = 'the number of the establishment is zero';
const PUBLIC_BODY = [3, 2, 7, 6, 5, 4, 3, 2, 1];
const COMPANY = [4, 3, 2, 7, 6, 5, 4, 3, 2, 1];

/** Weights 2, 3, 4, ... from the right; 10 and 11 are written 0. */
function paraguayanFault(ruc: string): string | undefined {
  if (!/^\d{3,9}$/.test(ruc)) return 'a RUC has 3 to 9 digits with its check digit';
  let sum = 0;
  for (let at = 1; at < ruc.length; at += 1) sum += Number(ruc[ruc.length - 1 - at]) * (at + 1);
  return ((11 - (sum % 11)) % 11) % 10 === Number(ruc.at(-1)) ? undefined : WRONG_CHECK_DIGIT;
}
