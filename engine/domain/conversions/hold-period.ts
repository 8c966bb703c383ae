/** How long a rate can be held, and what the longer holds add to the client's margin. */
export const HOLD_PERIODS = [
  { name: '5_mins', ms: 300_000 },
  { name: '15_mins', ms: 900_000 },
  { name: '1_hour', ms: 3_600_000 },
  { name: '4_hours', ms: 14_400_000 },
  { name: '8_hours', ms: 28_800_000 },
  { name: '24_hours', ms: 86_400_000 },
] as const;

export type HoldPeriod = (typeof HOLD_PERIODS)[number];
export type HoldPeriodName = HoldPeriod['name'];
export const HOLD_PERIOD_NAMES: readonly HoldPeriodName[] = HOLD_PERIODS.map(({ name }) => name);

/** The period of a hold whose request names none. */
export const DEFAULT_HOLD_PERIOD: HoldPeriodName = '15_mins';

/** What a period adds to the margin, in parts per million. */
export type HoldAddOns = Readonly<Record<HoldPeriodName, number>>;

export const DEFAULT_HOLD_ADD_ONS: HoldAddOns = {
  '5_mins': 0,
  '15_mins': 0,
  '1_hour': 200,
  '4_hours': 500,
  '8_hours': 800,
  '24_hours': 1_500,
};

/** A hold of at most this long has no add-on of a period, whatever the periods cost. */
const FREE_HOLD_MS = 60_000;

/** What a hold makes of a client's margin, in parts per million. */
export interface HoldMargin {
  readonly addOnPpm: number;
  /** The value of the hold as an option: what the house keeps of the margin is not below it. */
  readonly floorPpm: number;
}

export const NO_HOLD: HoldMargin = { addOnPpm: 0, floorPpm: 0 };

/** From this duration on a hold is valued as an option; a shorter one is part of dealing. */
const VALUED_FROM_S = 30;
const YEAR_S = 365.25 * 86_400;

/** Volatility of a year, in hundredths of a percent, where no rule of pricing sets another. */
export const DEFAULT_VOLATILITY = 1_000;

/**
 * The value of a hold, in parts per million of its amount: that of an option at the money, by Bachelier's formula 0.3989 x volatility x sqrt(T),
 * with T in years of 365.25 days, to the nearest. A two-way hold is two options. `ms` counts in whole seconds, rounded up; `volatility` is
 * hundredths of a percent, 0 for no value.
 */
export function holdFloorPpm(ms: number, volatility: number, isTwoWay: boolean): number {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < VALUED_FROM_S) return 0;
  const ppm = Math.round(0.3989 * volatility * 100 * Math.sqrt(seconds / YEAR_S));
  return isTwoWay ? 2 * ppm : ppm;
}

/** The period of this exact name, `4_hours`. */
export function holdPeriodOf(name: string): HoldPeriod | undefined {
  return HOLD_PERIODS.find((period) => period.name === name);
}

export interface HoldTerms {
  /** How long the hold lasts. */
  readonly ms: number;
  /** What it adds to the margin. */
  readonly addOnPpm: number;
}

/**
 * The terms of a hold of this duration: it costs what the shortest period that covers it costs. A duration above the
 * client's longest period becomes that period.
 */
export function holdTerms(ms: number, addOns: HoldAddOns, longest: HoldPeriodName = '24_hours'): HoldTerms {
  if (ms <= FREE_HOLD_MS) return { ms, addOnPpm: 0 };
  const covering = HOLD_PERIODS.find((period) => ms <= period.ms || period.name === longest) as HoldPeriod;
  return { ms: Math.min(ms, covering.ms), addOnPpm: addOns[covering.name] };
}

/** By how much the market may have moved when an offer is used, in parts per million of its price and in either direction. */
export const OFFER_TOLERANCE_PPM = 200;

/** Largest sum of a client's open holds, in whole US dollars, where neither the client nor HOLD_LIMIT_USD sets another. */
export const HOLD_LIMIT_USD = 10_000_000;
/** Largest sum of the open holds of a platform and its sub-clients, likewise, and how many there may be. */
export const PLATFORM_HOLD_LIMIT_USD = 10_000_000;
export const PLATFORM_HOLDS_MAX = 5_000;
/** The maximum of a hold without an amount, in whole US dollars, where neither the client nor HOLD_MAXIMUM_USD sets another. */
export const HOLD_MAXIMUM_USD = 500_000;
