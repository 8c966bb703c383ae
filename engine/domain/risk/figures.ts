/**
 * Risk figures: what the risk role computes from the positions of all shards and publishes to every process. Amounts of a currency are whole
 * minor units; values are whole minor units of the base currency (BASE_CURRENCY), made with decimals and kept as doubles: they are for limits,
 * bands and display, and never feed a ledger amount.
 */
import { Decimal } from '../money/decimal.js';
import { exponentOf } from '../money/money.js';
import { type Pair, pairOf } from '../money/pair.js';
import {
  averageRates,
  type DealSums,
  netBase,
  netByCurrency,
  netQuote,
  realisedProfit,
  totalPosition,
  unrealisedProfit,
  valueIn,
} from './position.js';

/** Minor units of the base currency. Margin is a part of realised and unrealised profit, not beside them. */
export interface Profit {
  readonly realised: number;
  readonly unrealised: number;
  readonly margin: number;
}

export interface PairFigures {
  /** `EUR/USD`. */
  readonly pair: string;
  /** Signed, minor units of base and of quote: positive is long. */
  readonly netBase: bigint;
  readonly netQuote: bigint;
  /** Units of quote for one of base, with the pair's price decimals; absent where nothing was dealt on that side. */
  readonly averageBought?: string | undefined;
  readonly averageSold?: string | undefined;
  /** The composite mid of the valuation, and its age when the positions were read; absent: the pair never had a price. */
  readonly mid?: string | undefined;
  readonly midAgeMs?: number | undefined;
  /** Net base in the base currency. Absent, as the profits: a rate that it needs was never known. */
  readonly value?: number | undefined;
  /** Since the first deal; and since the trading day began. */
  readonly profit?: Profit | undefined;
  readonly dayProfit?: Profit | undefined;
}

export interface CurrencyFigures {
  readonly currency: string;
  /** The net open position over all pairs and value dates, minor units: positive is long. */
  readonly net: bigint;
  /** The same in the base currency, at `rate`, units of the base currency for one unit, and its age when the positions were read. */
  readonly value?: number | undefined;
  readonly rate?: string | undefined;
  readonly rateAgeMs?: number | undefined;
  /** Of close-outs in the currency: charged to clients less credited, minor units; and in the base currency. No part of `net`. */
  readonly closeOut: bigint;
  readonly closeOutValue?: number | undefined;
}

export interface TotalFigures {
  /** Sums of the long and of the short positions without the base currency, and the larger of them: the shorthand method. */
  readonly long: number;
  readonly short: number;
  readonly total: number;
  /** Of all pairs; the realised profit has that of close-outs too. */
  readonly profit: Profit;
  readonly dayProfit: Profit;
  /** Age of the oldest rate of the valuation; absent: some currency has a position and never had a rate, and is left out of the sums. */
  readonly rateAgeMs?: number | undefined;
}

/** One limit of the house or of a client, and how much of it is used. */
export interface LimitFigures {
  /** `house`, or a client's id. */
  readonly subject: string;
  /** The limit's name, as CREDIT_LIMIT shows it; and its currency or value date where it is for one. */
  readonly limit: string;
  readonly of?: string | undefined;
  /** Minor units of the base currency. */
  readonly used: number;
  readonly most: number;
  readonly mark: 'within' | 'warned' | 'reached' | 'over';
}

/** A state other than ACTIVE. */
export interface StateFigures {
  readonly scope: 'house' | 'client' | 'pair';
  /** The client's id or the pair; `house` for the house. */
  readonly subject: string;
  readonly state: 'REDUCING' | 'HALTED';
  readonly by: string;
  readonly reason: string;
  readonly sinceMs: number;
}

/** One cover order, or why a pair outside its band has none. */
export interface CoverFigures {
  /** Of the cover record; '' where a cover is blocked before there is one. */
  readonly id: string;
  readonly pair: string;
  readonly side: 'buy' | 'sell';
  /** Minor units of base: ordered, and filled so far. */
  readonly amount: bigint;
  readonly filled: bigint;
  readonly provider: string;
  /** planned, sent, filled, partly-filled, rejected, unknown, resolved, suggested or blocked. */
  readonly status: string;
  readonly reason: string;
  readonly atMs: number;
}

export interface RiskFigures {
  /** When the reading of the positions began, epoch ms by the store's clock. */
  readonly atMs: number;
  readonly baseCurrency: string;
  /** The trading day, 'YYYYMMDD': it ends at 17:00 in New York; a weekend belongs to Monday. */
  readonly day: string;
  /** Pairs with deals, in order of their symbols; and currencies of those pairs. */
  readonly pairs: readonly PairFigures[];
  readonly currencies: readonly CurrencyFigures[];
  readonly total: TotalFigures;
  readonly limits: readonly LimitFigures[];
  readonly states: readonly StateFigures[];
  readonly covers: readonly CoverFigures[];
}

/** A mid, units of quote for one unit of base, and its age; undefined: none was ever known. */
export type MidOf = (pair: Pair) => { readonly mid: Decimal; readonly ageMs: number } | undefined;

/** Units of `into` for one unit of `currency`, at the mid of their pair; undefined: none was ever known. */
export function worthOf(currency: string, into: string, midOf: MidOf): { worth: Decimal; ageMs: number } | undefined {
  if (currency === into) return { worth: ONE, ageMs: 0 };
  const found = pairOf(currency, into);
  const known = found && midOf(found.pair);
  return known && { worth: found.inverse ? ONE.div(known.mid) : known.mid, ageMs: known.ageMs };
}
const ONE = new Decimal(1);

/** Profit when the trading day began, by pair and (of close-outs) by currency; null: it could not be valued then, and counts from the first valuation. */
export type DayStart = ReadonlyMap<string, Profit | null>;

export interface Valuation {
  readonly positions: Iterable<readonly [Pair, DealSums]>;
  /** Close-outs, by currency: charged less credited, minor units. */
  readonly closeOuts: ReadonlyMap<string, bigint>;
  readonly baseCurrency: string;
  readonly midOf: MidOf;
  readonly dayStart: DayStart;
}

/** The figures of one position: of the house, or of a client. */
export function valuePositions({ positions, closeOuts, baseCurrency, midOf, dayStart }: Valuation) {
  const dealt = [...positions].sort(([a], [b]) => (a.symbol < b.symbol ? -1 : 1));
  const known = new Map<string, ReturnType<typeof worthOf>>();
  const worth = (currency: string) => {
    if (!known.has(currency)) known.set(currency, worthOf(currency, baseCurrency, midOf));
    return known.get(currency);
  };
  const pairs = dealt.map(([pair, sums]) => pairFigures(pair, sums, midOf(pair), worth, baseCurrency, dayStart));
  const net = netByCurrency(dealt);
  const currencies = [...new Set([...net.keys(), ...closeOuts.keys()])]
    .map((currency) => {
      const amounts = [net.get(currency) ?? 0n, closeOuts.get(currency) ?? 0n] as const;
      return currencyFigures(currency, amounts, worth(currency), baseCurrency);
    })
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
  const closed = currencies.map((figures) => closeOutProfit(figures));
  const ages = [
    ...currencies.filter(({ net, closeOut }) => net !== 0n || closeOut !== 0n).map(({ rateAgeMs }) => rateAgeMs),
    ...pairs.filter(({ netBase: net }) => net !== 0n).map(({ midAgeMs }) => midAgeMs),
  ];
  const total: TotalFigures = {
    ...totalPosition(
      currencies.map(({ currency, value = 0 }) => [currency, value]),
      baseCurrency,
    ),
    profit: sumProfit([...pairs.map(({ profit }) => profit), ...closed]),
    dayProfit: sumProfit([
      ...pairs.map(({ dayProfit }) => dayProfit),
      ...currencies.map(({ currency }, i) => closed[i] && sinceDayBegan(closed[i], dayStart.get(currency))),
    ]),
    rateAgeMs: ages.includes(undefined) ? undefined : Math.max(0, ...(ages as number[])),
  };
  return { pairs, currencies, total };
}

/**
 * Realised and unrealised profit together, whole minor units of the base currency; undefined where a rate that it needs was never known. It is
 * for limits, in doubles, and within a unit for each pair of what `valuePositions` gives, in a tenth of its time.
 */
export function profitIn(
  { positions, closeOuts }: Pick<Valuation, 'positions' | 'closeOuts'>,
  baseCurrency: string,
  midOf: MidOf,
): number | undefined {
  const inMinor = (rate: Decimal | undefined, from: string, to: string): number =>
    rate === undefined ? Number.NaN : rate.toNumber() * 10 ** (exponentOf(to) - exponentOf(from));
  const worth = (currency: string): number =>
    inMinor(worthOf(currency, baseCurrency, midOf)?.worth, currency, baseCurrency);
  let profit = 0;
  for (const [pair, sums] of positions) {
    const net = Number(netBase(sums));
    const rest = net === 0 ? 0 : net * inMinor(midOf(pair)?.mid, pair.base, pair.quote);
    const earned = Number(netQuote(sums)) + rest;
    if (earned !== 0) profit += earned * worth(pair.quote);
  }
  for (const [currency, minor] of closeOuts) if (minor !== 0n) profit += Number(minor) * worth(currency);
  return Number.isNaN(profit) ? undefined : Math.round(profit);
}

function pairFigures(
  pair: Pair,
  sums: DealSums,
  known: ReturnType<MidOf>,
  worth: (currency: string) => ReturnType<typeof worthOf>,
  baseCurrency: string,
  dayStart: DayStart,
): PairFigures {
  const { base, quote, symbol, priceDigits } = pair;
  const [ofBase, ofQuote] = [worth(base), worth(quote)];
  const average = averageRates(pair, sums);
  const value = (minor: bigint | Decimal, currency: string, at: Decimal) =>
    whole(valueIn(minor, currency, baseCurrency, at));
  let profit: Profit | undefined;
  if (known && ofBase && ofQuote) {
    const margin = valueIn(sums.marginBase, base, baseCurrency, ofBase.worth);
    profit = {
      realised: value(realisedProfit(sums), quote, ofQuote.worth),
      unrealised: value(unrealisedProfit(pair, sums, known.mid), quote, ofQuote.worth),
      margin: whole(margin.add(valueIn(sums.marginQuote, quote, baseCurrency, ofQuote.worth))),
    };
  }
  return {
    pair: symbol,
    netBase: netBase(sums),
    netQuote: netQuote(sums),
    averageBought: average.bought?.toFixed(priceDigits),
    averageSold: average.sold?.toFixed(priceDigits),
    mid: known?.mid.toFixed(),
    midAgeMs: known?.ageMs,
    value: ofBase && value(netBase(sums), base, ofBase.worth),
    profit,
    dayProfit: profit && sinceDayBegan(profit, dayStart.get(symbol)),
  };
}

const NO_PROFIT: Profit = { realised: 0, unrealised: 0, margin: 0 };

/** What has changed since the trading day began; nothing where that is not known: null. */
export function sinceDayBegan(now: Profit, began: Profit | null = NO_PROFIT): Profit {
  if (began === null) return NO_PROFIT;
  return {
    realised: now.realised - began.realised,
    unrealised: now.unrealised - began.unrealised,
    margin: now.margin - began.margin,
  };
}

/** Of close-outs; undefined: none, or not valued. */
const closeOutProfit = ({ closeOut, closeOutValue }: CurrencyFigures): Profit | undefined =>
  closeOut === 0n || closeOutValue === undefined ? undefined : { ...NO_PROFIT, realised: closeOutValue };

/** What a trading day begins with: these profits. */
export function dayStartOf({ pairs, currencies }: Pick<RiskFigures, 'pairs' | 'currencies'>): DayStart {
  return new Map([
    ...pairs.map(({ pair, profit }) => [pair, profit ?? null] as const),
    ...currencies
      .filter(({ closeOut }) => closeOut !== 0n)
      .map((figures) => [figures.currency, closeOutProfit(figures) ?? null] as const),
  ]);
}

function currencyFigures(
  currency: string,
  [net, closeOut]: readonly [bigint, bigint],
  known: ReturnType<typeof worthOf>,
  baseCurrency: string,
): CurrencyFigures {
  return {
    currency,
    net,
    value: known && whole(valueIn(net, currency, baseCurrency, known.worth)),
    rate: known?.worth.toSignificantDigits(RATE_DIGITS).toFixed(),
    rateAgeMs: known?.ageMs,
    closeOut,
    closeOutValue: known && whole(valueIn(closeOut, currency, baseCurrency, known.worth)),
  };
}
const RATE_DIGITS = 12;

function sumProfit(all: readonly (Profit | undefined)[]): Profit {
  const sum = { realised: 0, unrealised: 0, margin: 0 };
  for (const one of all) {
    if (!one) continue;
    sum.realised += one.realised;
    sum.unrealised += one.unrealised;
    sum.margin += one.margin;
  }
  return sum;
}

/** Half-even, and without a negative zero. */
const whole = (value: Decimal): number => value.toDecimalPlaces(0).toNumber() || 0;
