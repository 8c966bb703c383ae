/** What leaves the account, what is on its way and what the house keeps, all in minor units of the payment's currency. */
import { type FeeTerms, feeFor } from './fee.js';
import { MAX_MINOR } from './money.js';
import type { FeePayer } from './payment.js';
import { type Refusal, refuse } from './refusal.js';

export interface PaymentAmounts {
  /** What the payment is for. */
  readonly amount: bigint;
  /** What leaves the account: transit and fees together. */
  readonly total: bigint;
  /** What is delivered to the beneficiary. */
  readonly transit: bigint;
  /** The fee, and what was to be deducted. */
  readonly fees: bigint;
}

export interface PaymentTerms {
  readonly feePayer: FeePayer;
  readonly fee: FeeTerms;
  /** Taken out of what is delivered. */
  readonly deduct: bigint;
  /** What is delivered is a multiple of this: 100n where the ledger has two decimals and the corridor none. */
  readonly unit: bigint;
}

/** Of an amount to pay. OUR: the fee is on top. Refuses with BAD_AMOUNT (nothing would be delivered) and AMOUNT_ABOVE_LIMIT. */
export function amountsOf(amount: bigint, terms: PaymentTerms): PaymentAmounts | Refusal {
  const charged = feeFor(terms.fee, amount);
  const total = terms.feePayer === 'OUR' ? amount + charged : amount;
  return checked(amount, total, charged, terms);
}

/**
 * Of all that leaves an account. OUR: the amount is the largest that leaves room for its fee, and the fee is the rest. Refuses as
 * amountsOf does.
 */
export function amountsWithin(total: bigint, terms: PaymentTerms): PaymentAmounts | Refusal {
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
  // What the corridor cannot deliver stays with the house.
  const transit = left > 0n ? left - (left % unit) : 0n;
  if (amount <= 0n || transit <= 0n)
    return refuse('BAD_AMOUNT', 'Fee and deduction leave nothing to deliver: send more');
  if (total > MAX_MINOR)
    return refuse('AMOUNT_ABOVE_LIMIT', 'Amount and fee above 999,999,999,999,999 minor units: send less');
  return { amount, total, transit, fees: total - transit };
}
