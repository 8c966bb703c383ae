import { Decimal as Shared } from 'decimal.js';

/**
 * Decimals of the cold path: a constructor of our own, which no other settings reach. 40 digits are more than any price times any amount.
 */
export const Decimal = Shared.clone({ precision: 40, rounding: Shared.ROUND_HALF_EVEN, toExpNeg: -40, toExpPos: 60 });

export type Decimal = Shared;

/** A scaled price as a decimal. */
export function decimalFromScaled(scaled: number, digits: number): Decimal {
  return new Decimal(`${scaled}e-${digits}`);
}
