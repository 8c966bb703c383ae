import { compact, WRONG_CHECK_DIGIT } from './written.js';

/**
 * Unified social credit code of China, GB 32100: authority, kind, place (6 digits), organization code (9), check character of mod 31. The
 * alphabet leaves out I, O, S, V and Z.
 */
export function usccFault(value: string): string | undefined {
  const code = compact(value);
  if (!/^[\dANY]\d{7}[\dA-HJ-NP-RTUWXY]{10}$/.test(code))
    return 'a social credit code has 18 digits and letters, the first 8 digits';
  let sum = 0;
  for (let at = 0; at < WEIGHTS.length; at += 1) sum += ALPHABET.indexOf(code[at]!) * WEIGHTS[at]!;
  return ALPHABET[(31 - (sum % 31)) % 31] === code[17] ? undefined : WRONG_CHECK_DIGIT;
}

const ALPHABET = '0123456789ABCDEFGHJKLMNPQRTUWXY';
/** Powers of 3 mod 31. */
const WEIGHTS = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28];
