/**
 * Rules of pricing: what an operator has set for the prices of a pair, or of all (`*`), so that they follow the house's position and the age of the
 * newest tick. docs/risk.md has the definitions. Pips are whole thousandths here, so that nothing is rounded: a price has three decimals behind
 * the pip, or more.
 */
import { DEFAULT_VOLATILITY } from '../conversions/hold-period.js';
import { formatScaled } from '../money/money.js';
import type { Pair } from '../money/pair.js';

/** 0 switches a part off. A part that is absent is that of `*`, and off where `*` has none; a volatility is then DEFAULT_VOLATILITY. */
export interface PricingRule {
  /** In market convention, or `*`. */
  readonly pair: string;
  /** Thousandths of a pip for a million of base of the house's net position, and the most that it comes to. Both or none. */
  readonly skew?: number | undefined;
  readonly skewMax?: number | undefined;
  /** While the newest tick is older than so many ms, each side is wider by so many thousandths of a pip. Both or none. */
  readonly widenAfterMs?: number | undefined;
  readonly widenBy?: number | undefined;
  /** The least and the most of the client's spread, thousandths of a pip. */
  readonly spreadMin?: number | undefined;
  readonly spreadMax?: number | undefined;
  /** Volatility of a year by which holds are valued, hundredths of a percent. */
  readonly volatility?: number | undefined;
}

/** The parts in force of one pair, in units of its scaled price; a part that is off is 0. */
export interface PricingTerms {
  /** For a million of base. */
  readonly skew: number;
  readonly skewMax: number;
  readonly widenAfterMs: number;
  readonly widenBy: number;
  readonly spreadMin: number;
  readonly spreadMax: number;
  /** Hundredths of a percent. */
  readonly volatility: number;
}

export const NO_PRICING: PricingTerms = {
  skew: 0,
  skewMax: 0,
  widenAfterMs: 0,
  widenBy: 0,
  spreadMin: 0,
  spreadMax: 0,
  volatility: DEFAULT_VOLATILITY,
};

/** No tick is older: then there is no price. */
export const WIDEN_AFTER_MAX_MS = 600_000;

const PIP_DECIMALS = 3;

/** '2.5' is 2500: 0 to 9999.999, at most 3 decimals, no sign and no exponent; undefined where the text is not that. */
export function pipsFromText(text: string): number | undefined {
  const parts = /^(\d{1,4})(?:\.(\d{1,3}))?$/.exec(text);
  if (!parts) return undefined;
  return Number(parts[1]) * 1_000 + Number((parts[2] ?? '').padEnd(PIP_DECIMALS, '0'));
}

/** Pips as a decimal text without idle zeros; the sign of a negative number of thousandths is kept. */
export function formatPips(thousandths: number): string {
  const text = formatScaled(Math.abs(thousandths), PIP_DECIMALS).replace(/\.?0+$/, '');
  return thousandths < 0 ? `-${text}` : text;
}

const VOLATILITY_DECIMALS = 2;
const VOLATILITY_MAX = 10_000;

/** '7.5' percent is 750: 0 to 100, at most 2 decimals; undefined where the text is not that. */
export function volatilityFromText(text: string): number | undefined {
  const parts = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text);
  if (!parts) return undefined;
  const hundredths = Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(VOLATILITY_DECIMALS, '0'));
  return hundredths <= VOLATILITY_MAX ? hundredths : undefined;
}

/** Percent as a decimal text without idle zeros. */
export const formatVolatility = (hundredths: number): string =>
  formatScaled(hundredths, VOLATILITY_DECIMALS).replace(/\.?0+$/, '');

/** Scaled price units of a thousandth of a pip: a whole number, 1 or more. */
const unitsOfThousandth = ({ priceDigits, pipDigits }: Pair): number => 10 ** (priceDigits - pipDigits - PIP_DECIMALS);

/** Thousandths of a pip of so many units of the scaled price. */
export const thousandthsOf = (pair: Pair, units: number): number => units / unitsOfThousandth(pair);

/** What is in force for a pair: each part is that of its own rule, or else of the rule of all pairs. */
export function termsOf(pair: Pair, own: PricingRule | undefined, all: PricingRule | undefined): PricingTerms {
  if (own === undefined && all === undefined) return NO_PRICING;
  const unit = unitsOfThousandth(pair);
  const skewed = own?.skew === undefined ? all : own;
  const widened = own?.widenBy === undefined ? all : own;
  return {
    skew: (skewed?.skew ?? 0) * unit,
    skewMax: (skewed?.skewMax ?? 0) * unit,
    widenAfterMs: widened?.widenAfterMs ?? 0,
    widenBy: (widened?.widenBy ?? 0) * unit,
    spreadMin: (own?.spreadMin ?? all?.spreadMin ?? 0) * unit,
    spreadMax: (own?.spreadMax ?? all?.spreadMax ?? 0) * unit,
    volatility: own?.volatility ?? all?.volatility ?? DEFAULT_VOLATILITY,
  };
}

/**
 * The skew for a net position, whole units of the scaled price: above 0 where the house is long base, so that its offer gets better and its bid
 * worse. `netBase` is units of base, signed.
 */
export function skewOf({ skew, skewMax }: PricingTerms, netBase: number): number {
  const size = Math.min(skewMax, Math.floor((Math.abs(netBase) / 1e6) * skew));
  return netBase < 0 ? 0 - size : size;
}
