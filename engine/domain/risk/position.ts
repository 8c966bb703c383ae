/**
 * The house's position: what it has dealt with clients (and, in cover, with providers), seen from the house, and the profit and loss on it.
 * Pure arithmetic over sums in minor units; docs/risk.md has the definitions.
 */
import { Decimal } from '../money/decimal.js';
import { exponentOf } from '../money/money.js';
import { type Pair, pairBySymbol } from '../money/pair.js';

/** The sums of the deals of one pair, minor units, each 0 or above but where deals were taken back after their date was folded. */
export interface DealSums {
  /** Where the house bought base: base received, quote paid. */
  readonly baseBought: bigint;
  readonly quotePaid: bigint;
  /** Where it sold base: base given, quote received. */
  readonly baseSold: bigint;
  readonly quoteReceived: bigint;
  /** The margin, in base and in quote: a part of the amounts above, not beside them. */
  readonly marginBase: bigint;
  readonly marginQuote: bigint;
}

export const NO_DEALS: DealSums = {
  baseBought: 0n,
  quotePaid: 0n,
  baseSold: 0n,
  quoteReceived: 0n,
  marginBase: 0n,
  marginQuote: 0n,
};

export function addSums(a: DealSums, b: DealSums): DealSums {
  return {
    baseBought: a.baseBought + b.baseBought,
    quotePaid: a.quotePaid + b.quotePaid,
    baseSold: a.baseSold + b.baseSold,
    quoteReceived: a.quoteReceived + b.quoteReceived,
    marginBase: a.marginBase + b.marginBase,
    marginQuote: a.marginQuote + b.marginQuote,
  };
}

/** The deals of each pair, over value dates and shards. Throws RangeError for a pair that is not offered any more: nothing is left out. */
export function dealsByPair(lines: Iterable<DealSums & { readonly pair: string }>): Map<Pair, DealSums> {
  const all = new Map<Pair, DealSums>();
  for (const line of lines) {
    const pair = pairBySymbol(line.pair);
    if (pair === undefined) throw new RangeError(`a position in ${line.pair}, which is not offered`);
    const before = all.get(pair);
    all.set(pair, before === undefined ? line : addSums(before, line));
  }
  return all;
}

/** Of each currency what close-outs have charged to clients less what they have credited, minor units. */
export function closeOutsByCurrency(
  lines: Iterable<{ readonly currency: string; readonly charged: bigint; readonly credited: bigint }>,
): Map<string, bigint> {
  const all = new Map<string, bigint>();
  for (const { currency, charged, credited } of lines)
    all.set(currency, (all.get(currency) ?? 0n) + charged - credited);
  return all;
}

/** Positive: the house is long, negative: it is short. Minor units. */
export const netBase = ({ baseBought, baseSold }: DealSums): bigint => baseBought - baseSold;
export const netQuote = ({ quotePaid, quoteReceived }: DealSums): bigint => quoteReceived - quotePaid;

/** Units of quote for one unit of base; undefined where nothing was dealt on that side. */
export function averageRates(pair: Pair, sums: DealSums): { bought: Decimal | undefined; sold: Decimal | undefined } {
  const scale = new Decimal(10).pow(exponentOf(pair.base) - exponentOf(pair.quote));
  const rate = (quote: bigint, base: bigint) =>
    base > 0n ? new Decimal(quote.toString()).div(base.toString()).mul(scale) : undefined;
  return { bought: rate(sums.quotePaid, sums.baseBought), sold: rate(sums.quoteReceived, sums.baseSold) };
}

/**
 * What bought and sold amounts that match have earned, in minor units of quote: matched x (average sold - average bought). The method is that
 * of average rates, over all deals of the pair.
 */
export function realisedProfit({ baseBought, quotePaid, baseSold, quoteReceived }: DealSums): Decimal {
  if (baseBought <= 0n || baseSold <= 0n) return new Decimal(0);
  const matched = new Decimal((baseBought < baseSold ? baseBought : baseSold).toString());
  const sold = new Decimal(quoteReceived.toString()).div(baseSold.toString());
  return matched.mul(sold).sub(matched.mul(quotePaid.toString()).div(baseBought.toString()));
}

/**
 * What closing the rest at `mid` would earn, in minor units of quote: the rest at the mid less the rest at its average rate. With
 * `realisedProfit` it is net quote plus net base at the mid, whatever the order of the deals. `mid`: units of quote for one unit of base.
 */
export function unrealisedProfit(pair: Pair, sums: DealSums, mid: Decimal): Decimal {
  return totalProfit(pair, sums, mid).sub(realisedProfit(sums));
}

/** Realised and unrealised together, in minor units of quote. */
export function totalProfit({ base, quote }: Pair, sums: DealSums, mid: Decimal): Decimal {
  const restAtMid = new Decimal(netBase(sums).toString()).mul(mid).mul(shift(base, quote));
  return restAtMid.add(netQuote(sums).toString());
}

/** From minor units of one currency to those of another: a power of ten. */
function shift(from: string, to: string): Decimal {
  return new Decimal(10).pow(exponentOf(to) - exponentOf(from));
}

/** An amount in minor units of `currency` at `worth`, units of `into` for one unit of it: minor units of `into`. */
export function valueIn(minor: bigint | Decimal, currency: string, into: string, worth: Decimal): Decimal {
  return new Decimal(minor.toString()).mul(worth).mul(shift(currency, into));
}

/** The net open position of each currency, minor units: over all pairs and value dates. */
export function netByCurrency(positions: Iterable<readonly [Pair, DealSums]>): Map<string, bigint> {
  const net = new Map<string, bigint>();
  const add = (currency: string, minor: bigint) => net.set(currency, (net.get(currency) ?? 0n) + minor);
  for (const [{ base, quote }, sums] of positions) {
    add(base, netBase(sums));
    add(quote, netQuote(sums));
  }
  return net;
}

/**
 * The total net open position by the shorthand method (Basel Committee, MAR40.36): the larger of the sum of the long positions and the sum of
 * the short ones, without the base currency, in which there is no risk. `values`: signed, by currency, all in one unit.
 */
export function totalPosition(
  values: Iterable<readonly [currency: string, value: number]>,
  baseCurrency: string,
): { readonly long: number; readonly short: number; readonly total: number } {
  let [long, short] = [0, 0];
  for (const [currency, value] of values) {
    if (currency === baseCurrency) continue;
    if (value > 0) long += value;
    else short -= value;
  }
  return { long, short, total: Math.max(long, short) };
}
