import { PAIRS } from '../domain/money/pair.js';
import { type CrossLegs, crossLegs } from '../domain/money/rate.js';

/** How each pair is priced through another currency when no provider quotes it: through USD, then EUR. By pair index. */
export const CROSS_PLANS: readonly (readonly CrossLegs[])[] = PAIRS.map((pair) =>
  ['USD', 'EUR'].map((via) => crossLegs(pair, via)).filter((legs) => legs !== undefined),
);

/** When a pair's newest tick was received, of a cross its older leg's, monotonic ms; -Infinity: it has no price. By pair index. */
export function newestTickAtMs(
  pair: number,
  isDirect: Uint8Array,
  quotes: { newestAtMs(pair: number): number },
): number {
  if (isDirect[pair] === 1) return quotes.newestAtMs(pair);
  for (const { first, second } of CROSS_PLANS[pair])
    if (isDirect[first.index] === 1 && isDirect[second.index] === 1)
      return Math.min(quotes.newestAtMs(first.index), quotes.newestAtMs(second.index));
  return Number.NEGATIVE_INFINITY;
}

/** The pairs that a pair is a leg of, counted only while they are watched: the prices that a tick recomputes. */
export class WatchedCrosses {
  readonly #watchers = new Uint32Array(PAIRS.length);
  readonly #ofLeg: number[][] = PAIRS.map(() => []);

  isWatched(pair: number): boolean {
    return this.#watchers[pair] > 0;
  }

  ofLeg(leg: number): readonly number[] {
    return this.#ofLeg[leg];
  }

  watch(pair: number): void {
    this.#watchers[pair]++;
    if (this.#watchers[pair] > 1) return;
    for (const leg of legsOf(pair)) this.#ofLeg[leg].push(pair);
  }

  /** True when the pair is no longer watched. */
  unwatch(pair: number): boolean {
    if (this.#watchers[pair] === 0) return false;
    this.#watchers[pair]--;
    if (this.#watchers[pair] > 0) return false;
    for (const leg of legsOf(pair)) this.#ofLeg[leg].splice(this.#ofLeg[leg].indexOf(pair), 1);
    return true;
  }
}

function legsOf(pair: number): readonly number[] {
  return CROSS_PLANS[pair].flatMap((legs) => [legs.first.index, legs.second.index]);
}
