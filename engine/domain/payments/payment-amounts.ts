/** What leaves the account, what is on its way and what the house keeps, all in minor units of the payment's currency. */

import { isRefusal, type Refusal, refuse } from '../core/refusal.js';
import { Decimal } from '../money/decimal.js';
import { formatMinor, MAX_MINOR } from '../money/money.js';
import { corridorOf, deliveredUnit } from './corridors/corridor-of.js';
import { type FeeTerms, feeFor } from './fee.js';
import type { FeePayer, Payment, PaymentFacts } from './payment.js';

export interface PaymentAmounts {
  /** What the payment is for. */
  readonly amount: bigint;
  /** What leaves the account: transit and fees together. */
  readonly total: bigint;
  /** What is delivered to the beneficiary. */
  readonly transit: bigint;
  /** The fee, what was to be deducted, and what is less than a unit of delivery. */
  readonly fees: bigint;
}

interface PaymentTerms {
  readonly feePayer: FeePayer;
  readonly fee: FeeTerms;
  /** Taken out of what is delivered. */
  readonly deduct: bigint;
  /** What is delivered is a multiple of this: 100n where the ledger has two decimals and the method none. */
  readonly unit: bigint;
}

/**
 * Of a payment as it was agreed, where `minor` of its currency is what was given: to be paid, or to leave the account. Refuses with
 * BAD_AMOUNT (nothing would be delivered) and AMOUNT_ABOVE_LIMIT (more than an account can hold).
 */
export function amountsGiven(facts: PaymentFacts, minor: bigint): PaymentAmounts | Refusal {
  const { given, feePayer, feeFixed, feePpm, deduct, country, currency, method } = facts;
  const fee = { fixedMinor: BigInt(feeFixed), ppm: feePpm };
  const terms = { feePayer, fee, deduct: BigInt(deduct), unit: deliveredUnit(country, currency, method) };
  return given.kind === 'source' ? amountsWithin(minor, terms) : amountsOf(minor, terms);
}

/**
 * As amountsGiven, and what is delivered is within the limits of corridor and method: AMOUNT_BELOW_MIN, AMOUNT_ABOVE_LIMIT. For the moment
 * at which the amount becomes known: the creation, or the conversion of a source amount.
 */
export function amountsWithinLimits(facts: PaymentFacts, minor: bigint): PaymentAmounts | Refusal {
  const amounts = amountsGiven(facts, minor);
  if (isRefusal(amounts)) return amounts;
  const { country, currency, method } = facts;
  const delivered = new Decimal(formatMinor(amounts.transit, currency));
  const { min, methods } = corridorOf(country, currency) ?? {};
  const max = methods?.[method]?.max;
  if (min !== undefined && delivered.lessThan(min))
    return refuse('AMOUNT_BELOW_MIN', `A payment by ${method} delivers at least ${min} ${currency}: send more`);
  if (max !== undefined && delivered.greaterThan(max))
    return refuse('AMOUNT_ABOVE_LIMIT', `A payment by ${method} delivers at most ${max} ${currency}: send less`);
  return amounts;
}

/**
 * In minor units: what left the account is both together. As agreed while the payment awaits its funds; undefined where they
 * depend on a conversion. They do not change when the payment ends: its status shows what was refunded.
 */
export function feeAndDelivered(payment: Payment): { readonly fee: bigint; readonly delivered: bigint } | undefined {
  const { toTransit, toFees, given, sourceCurrency, currency } = payment;
  if (toTransit !== '') return { fee: BigInt(toFees), delivered: BigInt(toTransit) };
  if (given.kind === 'source' && sourceCurrency !== currency) return undefined;
  const amounts = amountsGiven(payment, BigInt(given.minor));
  return isRefusal(amounts) ? undefined : { fee: amounts.fees, delivered: amounts.transit };
}

/** Of an amount to pay. OUR: the fee is on top. Refuses with BAD_AMOUNT (nothing would be delivered) and AMOUNT_ABOVE_LIMIT. */
function amountsOf(amount: bigint, terms: PaymentTerms): PaymentAmounts | Refusal {
  const charged = feeFor(terms.fee, amount);
  const total = terms.feePayer === 'OUR' ? amount + charged : amount;
  return checked(amount, total, charged, terms);
}

/**
 * Of all that leaves an account. OUR: the amount is the largest that leaves room for its fee, and the fee is the rest. Refuses as
 * amountsOf does.
 */
function amountsWithin(total: bigint, terms: PaymentTerms): PaymentAmounts | Refusal {
  const { feePayer, fee } = terms;
  if (feePayer === 'BEN') return amountsOf(total, terms);
  const { fixedMinor, ppm } = fee;
  let amount = ((total - fixedMinor) * 1_000_000n) / (1_000_000n + BigInt(ppm));
  // Rounding up the fee may have taken one unit too much.
  while (amount > 0n && amount + feeFor(fee, amount) > total) amount--;
  return checked(amount, total, total - amount, terms);
}

function checked(
  amount: bigint,
  total: bigint,
  charged: bigint,
  { deduct, unit }: PaymentTerms,
): PaymentAmounts | Refusal {
  const left = total - charged - deduct;
  // What the method cannot deliver stays with the house.
  const transit = left > 0n ? left - (left % unit) : 0n;
  if (amount <= 0n || transit <= 0n)
    return refuse('BAD_AMOUNT', 'Fee and deduction leave nothing to deliver: send more');
  if (total > MAX_MINOR)
    return refuse('AMOUNT_ABOVE_LIMIT', 'Amount and fee above 999,999,999,999,999 minor units: send less');
  return { amount, total, transit, fees: total - transit };
}
