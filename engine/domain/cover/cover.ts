/**
 * Cover: deals of the house with a provider that reduce a position. Pure rules: when a pair is covered, by how much and at which worst price,
 * and what a report of the provider adds to an order. docs/risk.md has the definitions.
 */

import { isRefusal } from '../core/refusal.js';
import { Decimal } from '../money/decimal.js';
import { exponentOf, formatMinor, formatScaled, parseAmount } from '../money/money.js';
import { type Pair, pairBySymbol } from '../money/pair.js';

/** How a pair is covered. Amounts are whole units of the pair's base currency, up to 12 digits. */
export interface CoverRule {
  /** `EUR/USD`. */
  readonly pair: string;
  /** A net position from -band to band is not covered. */
  readonly band: number;
  /** Percent of the net position that an order covers, 1 to 100. */
  readonly ratio: number;
  /** The smallest and the largest order; and amounts are multiples of `step`. */
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** From one order of the pair to the next, ms. */
  readonly everyMs: number;
  /** The worst price: so many pips from the mid, up to two decimals. */
  readonly worst: string;
  /** The oldest price of the pair to deal on, ms. */
  readonly quoteAgeMs: number;
  /** A limit order has the worst price as its Price(44); a market order is sent while the price is no worse. */
  readonly order: 'limit' | 'market';
  readonly timeInForce: 'IOC' | 'FOK';
  /** In the order in which they are tried. */
  readonly providers: readonly string[];
}

export type CoverSide = 'buy' | 'sell';

/** What an order says; never changed once it is stored. Amounts are minor units of base. */
export interface CoverOrder {
  /** Also its ClOrdID(11). */
  readonly id: string;
  readonly pair: string;
  /** Of the house, in base. */
  readonly side: CoverSide;
  readonly amount: bigint;
  readonly order: CoverRule['order'];
  readonly timeInForce: CoverRule['timeInForce'];
  /** In decimals: Price(44) of a limit order, and what a market order may not be worse than. */
  readonly worst: string;
  readonly provider: string;
  /** Spot at its creation, YYYYMMDD. */
  readonly valueDate: string;
  /** The net position that it covers, and when it was read. */
  readonly net: bigint;
  readonly netAtMs: number;
  readonly createdAtMs: number;
}

/** One execution as it is booked, or what a report of the whole order adds. Minor units. */
export interface CoverFill {
  /** ExecID(17), or `cum:<filled>` of what no execution report has reported. */
  readonly execId: string;
  readonly base: bigint;
  readonly quote: bigint;
  /** In decimals. */
  readonly price: string;
}

/** What is booked of an order. */
export interface CoverFilled {
  readonly pair: string;
  /** Minor units. */
  readonly filled: bigint;
  readonly quote: bigint;
  readonly fills: readonly CoverFill[];
}

/**
 * What to deal for a net position, minor units of base; positive is long, which is sold. Undefined within the band; `below-minimum` where it
 * is outside and the rule allows no order that small.
 */
export function coverAmount(
  rule: CoverRule,
  net: bigint,
): { readonly side: CoverSide; readonly amount: bigint } | 'below-minimum' | undefined {
  const pair = pairBySymbol(rule.pair);
  if (pair === undefined) return undefined;
  const unit = 10n ** BigInt(exponentOf(pair.base));
  const [band, step, min, max] = [rule.band, rule.step, rule.min, rule.max].map((units) => BigInt(units) * unit);
  const size = net < 0n ? -net : net;
  if (size <= band!) return undefined;
  let amount = (size * BigInt(rule.ratio)) / 100n;
  if (amount > max!) amount = max!;
  amount -= amount % step!;
  return amount < min! || amount === 0n ? 'below-minimum' : { side: net > 0n ? 'sell' : 'buy', amount };
}

/** The worst price of an order: `worst` pips beyond the mid, rounded towards the mid to the decimals that providers quote. */
export function worstPrice(pair: Pair, { worst }: CoverRule, side: CoverSide, mid: Decimal): Decimal {
  const away = new Decimal(worst).div(new Decimal(10).pow(pair.pipDigits));
  return side === 'buy'
    ? mid.add(away).toDecimalPlaces(pair.marketDigits, Decimal.ROUND_FLOOR)
    : mid.sub(away).toDecimalPlaces(pair.marketDigits, Decimal.ROUND_CEIL);
}

/** Whether a price of that side, scaled by the pair's price digits, is no worse. */
export function isWithinWorst(pair: Pair, side: CoverSide, worst: string, bid: number, offer: number): boolean {
  const price = new Decimal(formatScaled(side === 'buy' ? offer : bid, pair.priceDigits));
  return side === 'buy' ? price.lte(worst) : price.gte(worst);
}

/** What a provider says of an order: texts of its fields, undefined where it has none. */
export interface ProviderReport {
  readonly execId: string;
  /** ExecType(150) and OrdStatus(39). */
  readonly execType?: string | undefined;
  readonly ordStatus?: string | undefined;
  /** OrdRejReason(103). */
  readonly reason?: string | undefined;
  readonly symbol?: string | undefined;
  readonly side?: string | undefined;
  readonly currency?: string | undefined;
  /** LastQty(32) and LastPx(31) of a fill. */
  readonly lastQty?: string | undefined;
  readonly lastPx?: string | undefined;
  /** CumQty(14) and AvgPx(6). */
  readonly cumQty?: string | undefined;
  readonly avgPx?: string | undefined;
}

/**
 * What a report adds to what is booked; undefined: nothing, the report was booked or its amount is contained in what was. CumQty(14) decides,
 * because a report that was lost is contained in the next one: then the difference is booked at the price that AvgPx(6) leaves for it.
 * `malformed`: the amounts make no sense, and nothing can be booked by them.
 */
export function addedFill(order: CoverFilled, report: ProviderReport): CoverFill | 'malformed' | undefined {
  const pair = pairBySymbol(order.pair)!;
  if (order.fills.some(({ execId }) => execId === report.execId)) return undefined;
  const last = minorOf(report.lastQty, pair);
  const cum = report.cumQty === undefined && last !== undefined ? order.filled + last : minorOf(report.cumQty, pair);
  if (cum === undefined) return 'malformed';
  if (cum <= order.filled) return undefined;
  const base = cum - order.filled;
  const before = notionalOf(order, pair);
  if (last === base) {
    if (!isPrice(report.lastPx)) return 'malformed';
    return fillAt(pair, order, report.execId, base, before, new Decimal(report.lastPx));
  }
  if (!isPrice(report.avgPx)) return 'malformed';
  const price = new Decimal(report.avgPx).mul(String(cum)).sub(before).div(String(base));
  if (price.lte(0)) return 'malformed';
  return fillAt(pair, order, `cum:${cum}`, base, before, price.toSignificantDigits(PRICE_DIGITS));
}

/**
 * Why a report contradicts the order or what is booked of it, for the operator: nothing can be booked by it, and what is booked may be wrong.
 * Undefined: it does not. `order` has the report's fill already where one was added.
 */
export function contradictionOf(
  order: CoverFilled & Pick<CoverOrder, 'side' | 'amount'>,
  report: ProviderReport,
): string | undefined {
  const { execType = '', symbol, side, currency, cumQty, lastQty } = report;
  const pair = pairBySymbol(order.pair)!;
  const amounts = [cumQty, lastQty].map((text) => minorOf(text, pair) ?? 0n);
  const hasAmount = amounts.some((amount) => amount > 0n);
  const change = CHANGES[execType];
  if (change !== undefined && (hasAmount || order.filled > 0n)) return `${change} ${report.execId.slice(0, 40)}`;
  if (!hasAmount) return undefined;
  if (
    symbol !== undefined &&
    !symbol
      .replace(/[^A-Za-z]/g, '')
      .toUpperCase()
      .startsWith(pair.base + pair.quote)
  )
    return `has another Symbol(55), ${symbol.slice(0, 20)}`;
  if (side !== undefined && side !== SIDE[order.side]) return `has another Side(54), ${side.slice(0, 2)}`;
  if (currency !== undefined && currency !== pair.base) return `has another Currency(15), ${currency.slice(0, 3)}`;
  const most = amounts.find((amount) => amount > order.amount);
  return most === undefined ? undefined : `has more than the order, ${formatMinor(most, pair.base)}`;
}

/** The same of a report that ends an order, once its fill is booked. */
export function endContradictionOf(
  order: CoverFilled,
  { cumQty, ordStatus, reason }: ProviderReport,
): string | undefined {
  const pair = pairBySymbol(order.pair)!;
  const cum = minorOf(cumQty, pair);
  if (!isEnd(ordStatus) || cum === undefined || cum === order.filled) return undefined;
  // Of an order that it does not know a provider can say no amount.
  if (ordStatus === REJECTED && (reason === UNKNOWN_ORDER || reason === DUPLICATE_ORDER)) return undefined;
  return `ends with CumQty(14) ${formatMinor(cum, pair.base)}`;
}

/** OrdStatus(39) of an order on which nothing more can happen: filled, done for day, canceled, stopped, rejected, suspended, calculated, expired. */
const ENDED = new Set(['2', '3', '4', '7', '8', '9', 'B', 'C']);
export const isEnd = (ordStatus = ''): boolean => ENDED.has(ordStatus);
export const REJECTED = '8';
/** OrdRejReason(103). */
export const UNKNOWN_ORDER = '5';
export const DUPLICATE_ORDER = '6';
/** ExecType(150) of what changes an execution that was reported. */
const CHANGES: Readonly<Record<string, string>> = { H: 'cancels an execution,', G: 'corrects an execution,' };
const SIDE = { buy: '1', sell: '2' } as const;

/**
 * What an operator's settlement adds to what is booked: `total` minor units of base at an average price. Both amounts may be below 0.
 * Undefined: nothing.
 */
export function settlingFill(order: CoverFilled, total: bigint, price: string): CoverFill | undefined {
  const { base, quote } = pairBySymbol(order.pair)!;
  const amount = new Decimal(price).mul(String(total)).mul(quoteShift(base, quote));
  const change = {
    base: total - order.filled,
    quote: BigInt(amount.toDecimalPlaces(0, Decimal.ROUND_HALF_EVEN).toFixed(0)) - order.quote,
  };
  if (change.base === 0n && change.quote === 0n) return undefined;
  return { execId: `${BY_HAND}${order.fills.length + 1}`, ...change, price: new Decimal(price).toFixed() };
}
const BY_HAND = 'hand:';

/** CumQty(14) and AvgPx(6) of executions that a provider reports one by one. */
export function sumOf(
  fills: readonly (readonly [quantity: string, price: string])[],
): { cumQty: string; avgPx: string } | undefined {
  if (!fills.every(([quantity, price]) => isPrice(quantity) && isPrice(price))) return undefined;
  const cumQty = fills.reduce((sum, [quantity]) => sum.add(quantity), NOTHING);
  const notional = fills.reduce((sum, [quantity, price]) => sum.add(new Decimal(quantity).mul(price)), NOTHING);
  return { cumQty: cumQty.toFixed(), avgPx: notional.div(cumQty).toSignificantDigits(AVERAGE_DIGITS).toFixed() };
}

/** The quote amount of all fills together is rounded once: so it is that of the provider's sum, however many reports it has taken. */
function fillAt(
  { base: baseCurrency, quote: quoteCurrency }: Pair,
  order: CoverFilled,
  execId: string,
  base: bigint,
  before: Decimal,
  price: Decimal,
): CoverFill {
  const total = before
    .add(price.mul(String(base)))
    .mul(quoteShift(baseCurrency, quoteCurrency))
    .toDecimalPlaces(0, Decimal.ROUND_HALF_EVEN);
  return { execId, base, quote: BigInt(total.toFixed(0)) - order.quote, price: price.toFixed() };
}

/** Minor units of base x price, of all that is booked. A settlement by hand has an average price: then the amount that it has left counts. */
function notionalOf({ fills, quote: booked }: CoverFilled, { base, quote }: Pair): Decimal {
  if (fills.some(({ execId }) => execId.startsWith(BY_HAND)))
    return new Decimal(String(booked)).div(quoteShift(base, quote));
  return fills.reduce((sum, fill) => sum.add(new Decimal(fill.price).mul(String(fill.base))), NOTHING);
}

/** From minor units of base x price to minor units of quote. */
const quoteShift = (base: string, quote: string): Decimal => new Decimal(10).pow(exponentOf(quote) - exponentOf(base));

const NOTHING = new Decimal(0);
const PRICE_DIGITS = 15;
const AVERAGE_DIGITS = 20;

function isPrice(text: string | undefined): text is string {
  return text !== undefined && /^\d{1,12}(\.\d{1,20})?$/.test(text) && new Decimal(text).gt(0);
}

/** Decimals beyond the currency's must be zeros. */
function minorOf(text: string | undefined, { base }: Pair): bigint | undefined {
  if (text === undefined) return undefined;
  const plain = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  const minor = parseAmount(plain, base);
  return isRefusal(minor) ? undefined : minor;
}
