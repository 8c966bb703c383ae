import { PAIRS, type Pair } from './pair.js';
import { type Refusal, refuse } from './refusal.js';

/** How a pair stands at an engine. */

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

/** Trading in a pair, or in all (`*`), that an operator has stopped: there is no price, and nothing new is dealt. */
export interface Halt {
  /** In market convention, or `*`. */
  readonly pair: string;
  /** Who halted it. */
  readonly by: string;
  readonly reason: string;
  readonly sinceMs: number;
}

/** By Pair.index. */
export function haltedPairs(halts: readonly Halt[]): ReadonlySet<number> {
  const halted = new Set(halts.map(({ pair }) => pair));
  return new Set(PAIRS.filter(({ symbol }) => halted.has('*') || halted.has(symbol)).map(({ index }) => index));
}

/** The reason stays with the operator; a desk learns only that the pair is halted. */
export function pairHalted({ symbol }: Pair): Refusal {
  return refuse('MARKET_CLOSED', `${symbol} is halted: try again when it is resumed`);
}
