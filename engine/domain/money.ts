import { exponentOf } from './currency.js';
import { type Refusal, refuse } from './refusal.js';

/** The largest amount and the largest balance of a client, in minor units. */
export const MAX_MINOR = 999_999_999_999_999n;

/**
 * An amount from outside, as whole minor units of a known currency. A number counts by its shortest text. 0 is
 * allowed; whether it makes sense is the operation's matter. Refuses with BAD_AMOUNT: no plain decimal, a sign or an
 * exponent, more decimals than the currency has, more than 15 digits.
 */
export function parseAmount(amount: string | number, currency: string): bigint | Refusal {
  const parts = /^(\d{1,15})(?:\.(\d+))?$/.exec(String(amount));
  if (!parts)
    return refuse('BAD_AMOUNT', 'Amount must be a plain decimal of at most 15 digits, without sign or exponent');
  const [, whole = '', decimals = ''] = parts;
  const exponent = exponentOf(currency);
  if (decimals.length > exponent) {
    return refuse(
      'BAD_AMOUNT',
      `Amount has ${decimals.length} decimals and ${currency} has ${exponent}: round it first`,
    );
  }
  const minor = BigInt(whole + decimals.padEnd(exponent, '0'));
  return minor <= MAX_MINOR ? minor : refuse('BAD_AMOUNT', 'Amount above 999,999,999,999,999 minor units: send less');
}

/** An amount that a command moves: as parseAmount, and above 0. */
export function parsePositive(amount: string | number, currency: string): bigint | Refusal {
  const minor = parseAmount(amount, currency);
  return minor === 0n ? refuse('BAD_AMOUNT', 'Amount must be above 0') : minor;
}

/** Minor units as a decimal text with all the currency's decimals: 27108773n in USD is '271087.73'. */
export function formatMinor(minor: bigint, currency: string): string {
  const exponent = exponentOf(currency);
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, '0');
  const sign = minor < 0n ? '-' : '';
  return exponent === 0 ? sign + digits : `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/**
 * Minor units as the JSON number that reads the same, without idle zeros: 27108770n in USD is 271087.7. A number keeps
 * 15 digits; throws RangeError rather than lose one.
 */
export function minorToNumber(minor: bigint, currency: string): number {
  if (minor > MAX_MINOR || minor < -MAX_MINOR) throw new RangeError(`${minor} minor units do not fit a JSON number`);
  const text = formatMinor(minor, currency);
  return Number(text);
}
