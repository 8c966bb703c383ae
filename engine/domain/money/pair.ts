/** The pairs of the offered currencies, and the state of each. */

/** A currency pair in market convention: its price is units of `quote` for one unit of `base`. */
export interface Pair {
  /** Position in PAIRS; the rate book's arrays are indexed by it. */
  readonly index: number;
  /** `EUR/USD`, as in Symbol(55). */
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** Decimals that providers quote. */
  readonly marketDigits: number;
  /** Decimals of a client's price. */
  readonly priceDigits: number;
  /** Decimal place of one pip: 4 for EUR/USD, 2 for USD/JPY. */
  readonly pipDigits: number;
  /** Smallest and largest amount of one conversion, in whole units of base. */
  readonly minAmount: string;
  readonly maxAmount: string;
}

/**
 * The market's order of precedence, each with its typical price of one US dollar. The earlier currency is the base.
 * The typical price only chooses how many digits a price needs and how large an amount may be: the order of magnitude
 * matters, the value does not.
 */
const PRECEDENCE: readonly (readonly [code: string, perUsd: number])[] = [
  ['EUR', 0.87],
  ['GBP', 0.76],
  ['AUD', 1.52],
  ['NZD', 1.7],
  ['USD', 1],
  ['CAD', 1.38],
  ['CHF', 0.83],
  ['SGD', 1.31],
  ['ILS', 3.5],
  ['AED', 3.67],
  ['PLN', 3.8],
  ['RON', 4.4],
  ['MYR', 4.3],
  ['BRL', 5.5],
  ['DKK', 6.5],
  ['CNY', 7.15],
  ['CNH', 7.15],
  ['HKD', 7.8],
  ['NOK', 10.2],
  ['SEK', 9.8],
  ['ZAR', 17.8],
  ['MXN', 18.6],
  ['CZK', 21.5],
  ['TRY', 41],
  ['THB', 33],
  ['PHP', 57],
  ['INR', 87],
  ['HUF', 345],
  ['JPY', 148],
  ['KRW', 1400],
  ['IDR', 16400],
];

// A pip is the fourth decimal, but for these quote currencies; EUR/CZK is quoted coarser than USD/CZK.
const PIP_OF_QUOTE: Readonly<Record<string, number>> = { JPY: 2, HUF: 2, KRW: 2, IDR: 2, THB: 3, PHP: 3 };
const PIP_OF_PAIR: Readonly<Record<string, number>> = { 'EUR/CZK': 3 };

/** Every pair of two offered currencies, in market convention. */
export const PAIRS: readonly Pair[] = buildPairs();

const BY_SYMBOL = new Map(PAIRS.map((pair) => [pair.symbol, pair]));

/** The pair of this exact symbol, `EUR/USD`; the inverse `USD/EUR` is no symbol. */
export function pairBySymbol(symbol: string): Pair | undefined {
  return BY_SYMBOL.get(symbol);
}

/** The pair of two currencies; `inverse` when a/b is against market convention. */
export function pairOf(a: string, b: string): { pair: Pair; inverse: boolean } | undefined {
  const straight = BY_SYMBOL.get(`${a}/${b}`);
  if (straight) return { pair: straight, inverse: false };
  const inverse = BY_SYMBOL.get(`${b}/${a}`);
  return inverse && { pair: inverse, inverse: true };
}

function buildPairs(): readonly Pair[] {
  return PRECEDENCE.flatMap((base, place) => PRECEDENCE.slice(place + 1).map((quote) => ({ base, quote }))).map(
    ({ base: [base, basePerUsd], quote: [quote, quotePerUsd] }, index) => {
      const symbol = `${base}/${quote}`;
      const pipDigits = PIP_OF_PAIR[symbol] ?? PIP_OF_QUOTE[quote] ?? 4;
      const marketDigits = Math.max(pipDigits + 1, digitsThatCount(quotePerUsd / basePerUsd));
      return {
        index,
        symbol,
        base,
        quote,
        marketDigits,
        priceDigits: marketDigits + 2,
        pipDigits,
        ...amounts(basePerUsd),
      };
    },
  );
}

// Providers quote tenths of a pip (`pipDigits + 1`). A price that is small against its pip (ZAR/JPY 8.3, HUF/JPY 0.43)
// gets decimals until five figures count; else a margin of a few hundredths of a percent would vanish in the rounding.
function digitsThatCount(typicalPrice: number): number {
  return 4 - Math.floor(Math.log10(typicalPrice));
}

// One unit to five million units of a currency that is worth about a dollar; a zero more for each zero of the currency.
function amounts(perUsd: number): { minAmount: string; maxAmount: string } {
  const zeros = '0'.repeat(Math.max(0, Math.floor(Math.log10(perUsd))));
  return { minAmount: `1${zeros}`, maxAmount: `5000000${zeros}` };
}

/** `unavailable`: no provider has a fresh price for the pair. `halted`: by an operator. `closed`: the market is. */
export const PAIR_STATES = ['ready', 'unavailable', 'halted', 'closed'] as const;
export type PairState = (typeof PAIR_STATES)[number];

export interface PairStatus {
  readonly pair: string;
  readonly state: PairState;
  /** Of its price; absent: it has none. */
  readonly ageMs?: number | undefined;
  /** Those that have a fresh price for it, also while it is halted; none of a cross. */
  readonly providers: readonly string[];
}
