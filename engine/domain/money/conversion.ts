/**
 * Amounts of a conversion, in whole minor units and exact: integers only, one division for each amount, rounded where
 * it says so and never in the client's favour.
 */

import { type Refusal, refuse } from '../core/refusal.js';
import { exponentOf, formatMinor, MAX_MINOR } from './money.js';
import type { Pair } from './pair.js';

/** What of a pair decides its amounts. */
export type ConvertedPair = Pick<Pair, 'base' | 'quote' | 'priceDigits'>;

export interface ConversionRequest {
  readonly pair: ConvertedPair;
  /** The currency of the pair that is sold; the other one is bought. */
  readonly sell: string;
  /**
   * The side that is hit, the client's and the provider's: the bid when base is sold, the offer when quote is sold.
   * Market convention, scaled by the pair's price digits, above 0.
   */
  readonly price: number;
  readonly providerPrice: number;
  /** The amount that is given; the other one is computed. */
  readonly amount: { readonly side: 'sell' | 'buy'; readonly minor: bigint };
}

/** Every amount is 15 digits at most. */
export interface Conversion {
  readonly sellMinor: bigint;
  readonly buyMinor: bigint;
  /** What stays with the house, 0 or more, in the currency whose amount was computed. */
  readonly marginMinor: bigint;
  readonly marginCurrency: string;
}

/**
 * Sell amount given: the bought amount is rounded down. Buy amount given: the sold amount is rounded up. The margin is
 * the distance to the same amount at the provider's price, rounded the same way. Refuses with BAD_AMOUNT (nothing to
 * convert), AMOUNT_BELOW_MIN (it buys nothing) and AMOUNT_ABOVE_LIMIT (more than 15 digits). Throws RangeError for a
 * price that no client may get: not above 0, or better than the provider's.
 */
export function convert({ pair, sell, price, providerPrice, amount }: ConversionRequest): Conversion | Refusal {
  const sellsBase = sell === pair.base;
  if (!sellsBase && sell !== pair.quote) throw new RangeError(`${sell} is not of ${pair.base}/${pair.quote}`);
  if (!(price > 0 && (sellsBase ? price <= providerPrice : price >= providerPrice && providerPrice > 0)))
    throw new RangeError(
      `${pair.base}/${pair.quote}: no client gets ${price} where the provider gives ${providerPrice}`,
    );
  const given = amount.minor;
  if (given <= 0n) return refuse('BAD_AMOUNT');
  if (given > MAX_MINOR) return tooLarge();

  const sellGiven = amount.side === 'sell';
  const computes = sellGiven === sellsBase ? intoQuote : intoBase;
  const computed = computes(pair, given, price, sellGiven);
  const atProvider = price === providerPrice ? computed : computes(pair, given, providerPrice, sellGiven);
  const marginMinor = sellGiven ? atProvider - computed : computed - atProvider;
  if (computed === 0n) return refuse('AMOUNT_BELOW_MIN', 'Amount so small that it buys nothing: send more');
  if (computed > MAX_MINOR || marginMinor > MAX_MINOR) return tooLarge();
  return {
    sellMinor: sellGiven ? given : computed,
    buyMinor: sellGiven ? computed : given,
    marginMinor,
    marginCurrency: sellGiven === sellsBase ? pair.quote : pair.base,
  };
}

/**
 * The rule for a request that gives both amounts: convert the buy amount, then check here whether it requires more than the
 * sell amount, the most that the client will pay. Within it, the computed amount is sold. Refuses with RATE_MOVED.
 */
export function checkSellAtMost(sell: string, sellMinor: bigint, mostMinor: bigint): Refusal | undefined {
  if (sellMinor <= mostMinor) return undefined;
  const needed = formatMinor(sellMinor, sell);
  return refuse('RATE_MOVED', `The rate needs ${needed} ${sell}, more than the sell amount given: nothing was booked`);
}

/** The amount by which a conversion counts against its pair's limits, in minor units of base. */
export function baseMinorOf(pair: ConvertedPair, sell: string, { sellMinor, buyMinor }: Conversion): bigint {
  return sell === pair.base ? sellMinor : buyMinor;
}

/** Refuses with AMOUNT_BELOW_MIN or AMOUNT_ABOVE_LIMIT what the pair is not dealt in; the limits are in units of base. */
export function checkDealtSize(
  { base, minAmount, maxAmount }: Pick<Pair, 'base' | 'minAmount' | 'maxAmount'>,
  baseMinor: bigint,
): Refusal | undefined {
  const unit = POWER_OF_TEN[exponentOf(base)];
  if (baseMinor < BigInt(minAmount) * unit) return refuse('AMOUNT_BELOW_MIN', `Amount below pair minimum ${minAmount}`);
  if (baseMinor > BigInt(maxAmount) * unit) return refuse('AMOUNT_ABOVE_LIMIT', `Amount above pair limit ${maxAmount}`);
  return undefined;
}

// quote minor / 10^q = base minor / 10^b x price / 10^digits, solved for the one or the other.
function intoQuote({ base, quote, priceDigits }: ConvertedPair, minor: bigint, price: number, down: boolean): bigint {
  const numerator = minor * BigInt(price) * POWER_OF_TEN[exponentOf(quote)];
  return divide(numerator, POWER_OF_TEN[exponentOf(base) + priceDigits], down);
}

function intoBase({ base, quote, priceDigits }: ConvertedPair, minor: bigint, price: number, down: boolean): bigint {
  const numerator = minor * POWER_OF_TEN[exponentOf(base) + priceDigits];
  return divide(numerator, BigInt(price) * POWER_OF_TEN[exponentOf(quote)], down);
}

// Both above 0.
function divide(numerator: bigint, denominator: bigint, down: boolean): bigint {
  return down ? numerator / denominator : (numerator + denominator - 1n) / denominator;
}

function tooLarge(): Refusal {
  return refuse('AMOUNT_ABOVE_LIMIT', 'Amount above 999,999,999,999,999 minor units: send less');
}

const POWER_OF_TEN: readonly bigint[] = Array.from({ length: 20 }, (_, power) => 10n ** BigInt(power));
