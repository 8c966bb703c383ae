/** In a sandbox words in the beneficiary's name say what becomes of a payment. rest/README.md has them for integrators. */
import type { Payment } from '../../domain/payment.js';

export const COMPLIANCE_WORDS = ['INFO REQUESTED', 'COMPLIANCE REJECTED', 'COMPLIANCE VERIFICATION'] as const;
/** A longer one comes before the shorter one that it holds. */
export const PAYOUT_WORDS = [
  'RETURNED LATE',
  'RETURNED',
  'ERROR ALWAYS',
  'ERROR',
  'SLOW',
  'DEEMED PAID',
  'TIMED OUT',
] as const;

/** The first of the words that the name has, in any case, with spaces, dashes or underscores alike. */
export function wordIn<Word extends string>(words: readonly Word[], { details }: Payment): Word | undefined {
  const name = ` ${(details.beneficiary.name ?? '').toUpperCase().replace(/[\s_-]+/g, ' ')} `;
  return words.find((word) => name.includes(` ${word} `));
}
