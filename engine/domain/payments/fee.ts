import { exponentOf } from '../money/money.js';
import type { PaymentMethod } from './payment-details.js';

/** What a payment costs its client: a fixed part and a part of the amount, zero unless the operator has set it. */

export interface FeeTerms {
  /** Minor units of the payment's currency. */
  readonly fixedMinor: bigint;
  /** Parts per million of the payment's amount. */
  readonly ppm: number;
}

export const NO_FEE: FeeTerms = { fixedMinor: 0n, ppm: 0 };

/** In minor units; the part of the amount is rounded up, never in the client's favour. */
export function feeFor({ fixedMinor, ppm }: FeeTerms, amountMinor: bigint): bigint {
  return fixedMinor + (amountMinor * BigInt(ppm) + 999_999n) / 1_000_000n;
}

export interface FeeScope {
  /** Country of the beneficiary, `US`, its currency with it, `US-USD`, a currency anywhere, `*-USD`, or `*`. */
  readonly corridor: string;
  readonly method: PaymentMethod | '*';
}

export interface FeeRule extends FeeScope {
  /** Decimal text, in units of whatever currency the payment is in. */
  readonly fixed: string;
  /** Parts per million of the payment's amount, 0 to FEE_PPM_MAX. */
  readonly ppm: number;
}

export interface PaidWhere {
  readonly country: string;
  readonly currency: string;
  readonly method: PaymentMethod;
}

export const FEE_CORRIDOR = /^(\*|[A-Z]{2})(-[A-Z]{3})?$/;
export const FEE_PPM_MAX = 1_000_000;
export const FEE_FIXED = /^\d{1,12}(\.\d{1,3})?$/;

/** One rule has one name, and there is one rule of a name. */
export const feeRuleName = ({ corridor, method }: FeeScope): string => `${corridor}/${method}`;

/** The nearest rule's terms: the country before the currency, both before the method; no rule is no fee. */
export function feeTermsFor(rules: ReadonlyMap<string, FeeRule>, { country, currency, method }: PaidWhere): FeeTerms {
  if (rules.size === 0) return NO_FEE;
  for (const corridor of [`${country}-${currency}`, country, `*-${currency}`, '*']) {
    const rule = rules.get(feeRuleName({ corridor, method })) ?? rules.get(feeRuleName({ corridor, method: '*' }));
    if (rule) return { fixedMinor: fixedMinor(rule.fixed, currency), ppm: rule.ppm };
  }
  return NO_FEE;
}

/** '0.5' percent is 5,000 parts per million. From 0 to 100, at most 4 decimals; undefined when the text is no such percent. */
export function feePpmFromText(percent: string): number | undefined {
  const parts = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(percent);
  if (!parts) return undefined;
  const ppm = Number(parts[1]) * 10_000 + Number((parts[2] ?? '').padEnd(4, '0'));
  return ppm <= FEE_PPM_MAX ? ppm : undefined;
}

/** Up to a whole minor unit, where the rule has more decimals than the currency: 0.5 is 1 yen. */
function fixedMinor(fixed: string, currency: string): bigint {
  const [whole = '', decimals = ''] = fixed.split('.');
  const exponent = exponentOf(currency);
  const kept = BigInt(whole + decimals.slice(0, exponent).padEnd(exponent, '0'));
  return /[1-9]/.test(decimals.slice(exponent)) ? kept + 1n : kept;
}
