/**
 * When a field is required, as data: evaluated for one payment here, and published to integrators as a schema. What is known beforehand (method,
 * client) decides a part of a condition; the rest depends on the payment.
 */
import type { PaymentMethod } from '../payment-details.js';
import type { Field } from './field.js';
import type { AccountType } from './words.js';

/** Amounts from which more fields are required; in US dollars, by the last known rate. */
export const THRESHOLDS_USD = { identity: 1_000, purpose: 10_000 } as const;
export type Threshold = keyof typeof THRESHOLDS_USD;

export type When =
  | { readonly method: PaymentMethod }
  | { readonly remitter: AccountType }
  | { readonly beneficiary: AccountType }
  /** The client pays for another person, by its own record. */
  | { readonly onBehalf: true }
  /** The amount reaches a threshold. */
  | { readonly worth: Threshold }
  | { readonly submitted: Field }
  | { readonly purpose: readonly string[] }
  /** The account is an IBAN. */
  | { readonly iban: true }
  | { readonly not: When }
  | { readonly all: readonly When[] }
  | { readonly any: readonly When[] };

/** What of a payment, and around it, decides. */
export interface Circumstances {
  readonly method: PaymentMethod | undefined;
  readonly remitter: AccountType | undefined;
  readonly beneficiary: AccountType | undefined;
  readonly onBehalf: boolean;
  readonly isIban: boolean;
  readonly purpose: string | undefined;
  reaches(threshold: Threshold): boolean;
  isSubmitted(field: Field): boolean;
}

export const ALWAYS: When = { all: [] };

export function holds(when: When, circumstances: Circumstances): boolean {
  if ('all' in when) return when.all.every((one) => holds(one, circumstances));
  if ('any' in when) return when.any.some((one) => holds(one, circumstances));
  if ('not' in when) return !holds(when.not, circumstances);
  if ('submitted' in when) return circumstances.isSubmitted(when.submitted);
  if ('worth' in when) return circumstances.reaches(when.worth);
  if ('method' in when) return circumstances.method === when.method;
  if ('remitter' in when) return circumstances.remitter === when.remitter;
  if ('beneficiary' in when) return circumstances.beneficiary === when.beneficiary;
  if ('purpose' in when) return circumstances.purpose !== undefined && when.purpose.includes(circumstances.purpose);
  if ('iban' in when) return circumstances.isIban;
  return circumstances.onBehalf;
}

/** What is settled before anything of the payment itself is known; what is not stays undefined. */
export interface Settled {
  readonly method: PaymentMethod;
  readonly onBehalf: boolean;
  readonly beneficiary?: AccountType | undefined;
  readonly isIban?: boolean | undefined;
  /** Thresholds that cannot be measured count as reached. */
  readonly reached: readonly Threshold[];
}

/** What is left of a condition: true and false where everything is settled. */
export function simplified(when: When, settled: Settled): When | boolean {
  if ('not' in when) {
    const inner = simplified(when.not, settled);
    return typeof inner === 'boolean' ? !inner : { not: inner };
  }
  if ('all' in when) {
    const left = when.all.map((one) => simplified(one, settled)).filter((one) => one !== true);
    if (left.includes(false)) return false;
    const open = left as When[];
    return open.length === 0 ? true : open.length === 1 ? open[0]! : { all: open };
  }
  if ('any' in when) {
    const left = when.any.map((one) => simplified(one, settled)).filter((one) => one !== false);
    if (left.includes(true)) return true;
    const open = left as When[];
    return open.length === 0 ? false : open.length === 1 ? open[0]! : { any: open };
  }
  if ('method' in when) return when.method === settled.method;
  if ('onBehalf' in when) return settled.onBehalf;
  if ('beneficiary' in when) return settled.beneficiary === undefined ? when : settled.beneficiary === when.beneficiary;
  if ('iban' in when) return settled.isIban ?? when;
  if ('worth' in when) return settled.reached.includes(when.worth) ? true : when;
  return when;
}
