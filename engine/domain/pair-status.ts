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
