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
