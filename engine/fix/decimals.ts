/** Amounts and prices as FIX writes them: text, never a binary fraction. */
import { minorToNumber } from '../domain/money.js';
import type { Pair } from '../domain/pair.js';
import { formatScaled } from '../domain/rate.js';
import { type Refusal, refuse } from '../domain/refusal.js';

/** What a number keeps exactly. */
const DIGITS_MAX = 15;

/** A Qty as the number that an operation takes, and only when that number reads the same. Refuses with BAD_AMOUNT. */
export function quantityOf(text: string): number | Refusal {
  const parts = /^0*(\d*)(?:\.(\d*?)0*)?$/.exec(text);
  const [, whole = '', decimals = ''] = parts ?? [];
  if (parts === null || !/\d/.test(text) || whole.length + decimals.length > DIGITS_MAX) {
    return refuse('BAD_AMOUNT', `Amount must be a plain decimal of at most ${DIGITS_MAX} digits, without sign`);
  }
  return Number(text);
}

/** Minor units as a Qty, without idle zeros: 25000000n in EUR is '250000'. */
export const quantityText = (minor: bigint, currency: string): string => String(minorToNumber(minor, currency));

/** A price with all the decimals that a client's price has, as W shows it. */
export const priceText = (scaled: number, { priceDigits }: Pair): string => formatScaled(scaled, priceDigits);

/** A provider's price, without idle zeros: it has fewer decimals than a client's. */
export const providerPriceText = (scaled: number, pair: Pair): string =>
  priceText(scaled, pair).replace(/0+$/, '').replace(/\.$/, '');
