import { compact, WRONG_CHECK_DIGIT, weightedSum } from './written.js';

/**
 * US routing number: nine digits, the first two of the twelve districts (01 to 12), of thrift institutions (21 to 32), sum of 3-7-1 a
 * multiple of ten. Numbers of the Treasury (00), of electronic use only (61 to 72) and of traveller's cheques (80) are not accounts'.
 */
export function abaFault(value: string): string | undefined {
  const digits = compact(value);
  if (!/^\d{9}$/.test(digits)) return 'a routing number has 9 digits';
  if (!/^(0[1-9]|1[0-2]|2[1-9]|3[0-2])/.test(digits)) return 'no bank has a routing number with these first two digits';
  return weightedSum(digits, WEIGHTS) % 10 === 0 ? undefined : WRONG_CHECK_DIGIT;
}

const WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1];
