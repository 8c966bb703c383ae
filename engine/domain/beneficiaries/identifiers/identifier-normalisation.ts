/**
 * The written forms of an identifier: people group it with spaces, dashes of every kind, dots and slashes, and write letters small.
 * Letters are folded within ASCII only: Unicode's upper case would make an `I` of a dotless one, and another number of it.
 */

/** The identifier without spaces and dashes, and without the marks named (one string of single characters), in upper case. */
export function compact(value: string, marks = ''): string {
  let text = '';
  for (const character of value.replace(SPACES_AND_DASHES, '')) if (!marks.includes(character)) text += character;
  return text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** Sum of digit by weight; both run from the left, and the shorter one ends it. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  let sum = 0;
  const length = Math.min(digits.length, weights.length);
  for (let at = 0; at < length; at += 1) sum += Number(digits[at]) * weights[at]!;
  return sum;
}

/** All characters the same: no authority issues these, and their check digits are often right. */
export function isOneCharacter(text: string): boolean {
  return /^(.)\1*$/s.test(text);
}

export const WRONG_CHECK_DIGIT = 'wrong check digit';

const SPACES_AND_DASHES = /[\s\p{Pd}\u00ad\u2212]/gu;
