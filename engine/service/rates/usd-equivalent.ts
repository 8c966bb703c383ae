import { usdWorth } from '../../rates/usd-worth.js';
import type { Services } from '../core/services.js';

/**
 * About how many US dollars an amount is, in units of its currency: what the thresholds of a payment's checks are compared with, and
 * nothing else. Undefined where nobody has told us what the currency is worth: then a threshold counts as reached.
 */
export function usdEquivalent({ book }: Pick<Services, 'book'>, amount: number, currency: string): number | undefined {
  return usdWorth(book, currency)?.mul(amount).toNumber();
}
