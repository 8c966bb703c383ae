/** What a conversion comes to at the rate that it tells itself: by whole numbers, and by nothing of the product's own arithmetic. */
import { expect } from 'vitest';
import type { Fields } from '../../rest/money-door.js';

/** Market convention, and decimals of a client's price in it. */
const PAIRS = [
  ['EUR', 'USD', 7],
  ['GBP', 'USD', 7],
  ['EUR', 'JPY', 5],
  ['USD', 'JPY', 5],
  ['USD', 'IDR', 5],
] as const;
const EXPONENTS: Readonly<Record<string, number>> = { JPY: 0 };

const tenTo = (power: number) => 10n ** BigInt(power);
const exponentOf = (currency: unknown) => EXPONENTS[String(currency)] ?? 2;

/** 1083.22 of USD is 108322n. */
export function minorOf(amount: unknown, currency: unknown): bigint {
  const [whole = '', decimals = ''] = String(amount).split('.');
  return BigInt(whole + decimals.padEnd(exponentOf(currency), '0'));
}

interface Converted {
  readonly sold: bigint;
  readonly bought: bigint;
  /** Kept by the house, in the currency whose amount was computed. */
  readonly margin: bigint;
  readonly marginCurrency: string;
}

/** `given` is the side that decides; the other one is rounded against the client. */
export function convertedAt(booking: Fields, given: 'sell' | 'buy', minor: bigint): Converted {
  const { sell_currency, buy_currency, instarem_fx_rate, fx_rate } = booking;
  const of = (rate: unknown) => other(String(sell_currency), String(buy_currency), rate, given, minor);
  const [ours, providers] = [of(instarem_fx_rate), of(fx_rate)];
  return given === 'sell'
    ? { sold: minor, bought: ours, margin: providers - ours, marginCurrency: String(buy_currency) }
    : { sold: ours, bought: minor, margin: ours - providers, marginCurrency: String(sell_currency) };
}

/** A booking that was read says what it comes to; returns that. */
export function expectConverted(booking: Fields, given: 'sell' | 'buy'): Converted {
  const currency = booking[`${given}_currency`];
  const expected = convertedAt(booking, given, minorOf(booking[`${given}_amount`], currency));
  expect(minorOf(booking.sell_amount, booking.sell_currency)).toBe(expected.sold);
  expect(minorOf(booking.buy_amount, booking.buy_currency)).toBe(expected.bought);
  return expected;
}

function other(sell: string, buy: string, rate: unknown, given: 'sell' | 'buy', minor: bigint): bigint {
  const straight = PAIRS.find(([base, quote]) => base === sell && quote === buy);
  const pair = straight ?? PAIRS.find(([base, quote]) => base === buy && quote === sell);
  if (pair === undefined) throw new Error(`no pair of ${sell} and ${buy}`);
  const [base, quote, digits] = pair;
  const price = straight ? scaled(String(rate), digits) : inverse(String(rate), digits);
  // quote minor / 10^q = base minor / 10^b x price / 10^digits
  const baseUnits = tenTo(exponentOf(base) + digits);
  const quoteUnits = price * tenTo(exponentOf(quote));
  const isBaseGiven = (given === 'sell' ? sell : buy) === base;
  const [above, below] = isBaseGiven ? [minor * quoteUnits, baseUnits] : [minor * baseUnits, quoteUnits];
  return given === 'sell' ? above / below : (above + below - 1n) / below;
}

function scaled(rate: string, digits: number): bigint {
  const [whole = '', decimals = ''] = rate.split('.');
  expect(decimals.length).toBeLessThanOrEqual(digits);
  return BigInt(whole + decimals.padEnd(digits, '0'));
}

/** Ten significant digits of an inverse are enough to know the price that it is the inverse of. */
function inverse(rate: string, digits: number): bigint {
  const [whole = '', decimals = ''] = Number(rate) < 1e-6 ? Number(rate).toFixed(16).split('.') : rate.split('.');
  const one = tenTo(decimals.length + digits);
  const shown = BigInt(whole + decimals);
  return (2n * one + shown) / (2n * shown);
}
