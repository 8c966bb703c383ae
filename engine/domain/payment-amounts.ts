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
}

/** Of an amount to pay. OUR: the fee is on top. Refuses with BAD_AMOUNT (nothing would be delivered) and AMOUNT_ABOVE_LIMIT. */
export function amountsOf(amount: bigint, { feePayer, fee, deduct }: PaymentTerms): PaymentAmounts | Refusal {
  const charged = feeFor(fee, amount);
  const total = feePayer === 'OUR' ? amount + charged : amount;
  return checked({ amount, total, transit: total - charged - deduct, fees: charged + deduct });
}

/**
 * Of all that leaves an account. OUR: the amount is the largest that leaves room for its fee, and the fee is the rest. Refuses as
 * amountsOf does.
 */
export function amountsWithin(total: bigint, terms: PaymentTerms): PaymentAmounts | Refusal {
  const { feePayer, fee, deduct } = terms;
  if (feePayer === 'BEN') return amountsOf(total, terms);
  const { fixedMinor, ppm } = fee;
  let amount = ((total - fixedMinor) * 1_000_000n) / (1_000_000n + BigInt(ppm));
  // Rounding up the fee may have taken one unit too much.
  while (amount > 0n && amount + feeFor(fee, amount) > total) amount--;
  const charged = total - amount;
  return checked({ amount, total, transit: amount - deduct, fees: charged + deduct });
}

function checked(amounts: PaymentAmounts): PaymentAmounts | Refusal {
  if (amounts.amount <= 0n || amounts.transit <= 0n)
    return refuse('BAD_AMOUNT', 'Fee and deduction leave nothing to deliver: send more');
  if (amounts.total > MAX_MINOR || amounts.fees > MAX_MINOR)
    return refuse('AMOUNT_ABOVE_LIMIT', 'Amount and fee above 999,999,999,999,999 minor units: send less');
  return amounts;
}
