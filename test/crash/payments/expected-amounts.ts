/** The split of a payment's debit, computed independently from the request and the fee rules. */
import type { CrashClient } from '../clients.js';
import type { PaymentOrder } from './payment-orders.js';

export interface Split {
  readonly amount: bigint;
  readonly total: bigint;
  readonly transit: bigint;
  readonly fees: bigint;
}

/**
 * `given` is the amount in minor units; of a source amount, converted to the payment's currency. For OUR the fee is on top of a destination
 * amount; of a source amount it is the rest beside the largest amount that leaves room for it.
 */
export function splitOf(order: PaymentOrder, fees: CrashClient['fees'], given: bigint): Split {
  const { currency, feePayer, deduct } = order;
  const { fixed, ppm } = fees[currency]!;
  const feeOf = (amount: bigint): bigint =>
    fixed + (amount * ppm) / 1_000_000n + ((amount * ppm) % 1_000_000n > 0n ? 1n : 0n);
  const isWithin = order.given.kind === 'source' && feePayer === 'OUR';
  const amount = isWithin ? largest(given, (tried) => tried + feeOf(tried) <= given) : given;
  const total = isWithin || feePayer === 'BEN' ? given : given + feeOf(given);
  const charged = feePayer === 'BEN' ? feeOf(amount) : total - amount;
  return { amount, total, transit: total - charged - deduct, fees: charged + deduct };
}

/** The largest number up to `most` for which it holds; it holds for every smaller one. */
function largest(most: bigint, holds: (tried: bigint) => boolean): bigint {
  let low = 0n;
  let high = most;
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (holds(middle)) low = middle;
    else high = middle - 1n;
  }
  return low;
}
