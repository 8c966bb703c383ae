import { Decimal as Shared } from 'decimal.js';

/**
 * Decimals of the cold path: a constructor of our own, so that nobody's settings reach it. 40 digits are more than any
 * price times any amount.
 */
export const Decimal = Shared.clone({ precision: 40, rounding: Shared.ROUND_HALF_EVEN, toExpNeg: -40, toExpPos: 60 });

export type Decimal = Shared;

/** A price that is held as a whole number, as the decimal it stands for. */
export function decimalFromScaled(scaled: number, digits: number): Decimal {
  return new Decimal(`${scaled}e-${digits}`);
}
