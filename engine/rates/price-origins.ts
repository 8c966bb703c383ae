/** What the price of a pair is made of: one quote for each side, or of a cross one for each leg. */

import { PAIRS, type Pair } from '../domain/money/pair.js';
import { ORIGIN_KEYS, type OriginKeys } from '../domain/money/price-columns.js';
import { type CrossLegs, crossLegs } from '../domain/money/rate.js';
import type { ProofLeg } from '../domain/prices/price-proof.js';
import type { ProviderQuotes } from './provider-quotes.js';
import type { SideOrigin, TickOrigin } from './quote-origins.js';

const PAIR_COUNT = PAIRS.length;

// Of each side the keys of its one or two legs, then those of their runners-up.
const SIDE_KEYS = ORIGIN_KEYS / 2;
const LEGS_MAX = 2;

/** One leg of a price: the only one, or one of the two of a cross. */
export interface PriceLeg extends ProofLeg {
  /** Since the quote was received, ms. */
  readonly ageMs: number;
}

/** Of each pair which providers make its price. Nothing is allocated per tick; `legs` allocates. */
export class PriceOrigins implements OriginKeys {
  readonly #quotes: ProviderQuotes;
  readonly #maxAgeMs: number;
  readonly #now: () => number;
  readonly #bidCell = new Int32Array(PAIR_COUNT).fill(-1);
  readonly #offerCell = new Int32Array(PAIR_COUNT).fill(-1);
  /** Undefined: the pair is quoted by providers. */
  readonly #legs: (CrossLegs | undefined)[] = new Array(PAIR_COUNT).fill(undefined);

  constructor(quotes: ProviderQuotes, maxAgeMs: number, now: () => number) {
    this.#quotes = quotes;
    this.#maxAgeMs = maxAgeMs;
    this.#now = now;
  }

  /** The pair's price is that of these cells. */
  direct(pair: number, bidCell: number, offerCell: number): void {
    this.#bidCell[pair] = bidCell;
    this.#offerCell[pair] = offerCell;
    this.#legs[pair] = undefined;
  }

  cross(pair: number, legs: CrossLegs): void {
    this.#legs[pair] = legs;
  }

  /** The ORIGIN_KEYS of the pair's present price; allocates. */
  now(pair: number): Float64Array {
    const keys = new Float64Array(ORIGIN_KEYS);
    this.write(pair, this.#now(), keys);
    return keys;
  }

  /** Writes the ORIGIN_KEYS of the pair's present price, for `legs`. `nowMs` is of the book's clock: by it a runner-up is fresh. */
  write(pair: number, nowMs: number, out: Float64Array, at = 0): void {
    const oldestMs = nowMs - this.#maxAgeMs;
    const legs = this.#legs[pair];
    this.#writeSide(pair, legs, true, oldestMs, out, at);
    this.#writeSide(pair, legs, false, oldestMs, out, at + SIDE_KEYS);
  }

  #writeSide(
    pair: number,
    legs: CrossLegs | undefined,
    isBid: boolean,
    oldestMs: number,
    out: Float64Array,
    at: number,
  ): void {
    if (legs === undefined) {
      this.#writeLeg(pair, isBid, oldestMs, out, at);
      out[at + 1] = 0;
      out[at + LEGS_MAX + 1] = 0;
      return;
    }
    this.#writeLeg(legs.first.index, isBid !== legs.firstInverse, oldestMs, out, at);
    this.#writeLeg(legs.second.index, isBid !== legs.secondInverse, oldestMs, out, at + 1);
  }

  #writeLeg(pair: number, isBid: boolean, oldestMs: number, out: Float64Array, at: number): void {
    const quotes = this.#quotes;
    const cell = isBid ? this.#bidCell[pair] : this.#offerCell[pair];
    out[at] = quotes.origins.keyOf(cell, isBid);
    // With one provider there is no other.
    out[at + LEGS_MAX] =
      quotes.providers === 1 ? 0 : quotes.origins.keyOf(quotes.findRunnerUp(cell, isBid, oldestMs), isBid);
  }

  /** The legs of a side of a price, by its keys: of `pair` itself one, of a cross two. Without those whose quotes are no longer kept. */
  legs(pair: Pair, isBid: boolean, keys: Float64Array, at = 0): readonly PriceLeg[] {
    const legs: PriceLeg[] = [];
    const { origins } = this.#quotes;
    const from = at + (isBid ? 0 : SIDE_KEYS);
    for (let i = 0; i < LEGS_MAX; i++) {
      const key = keys[from + i]!;
      const found = origins.find(key);
      if (found === undefined) continue;
      const leg = PAIRS[origins.pairOf(key)]!;
      const runnerUp = origins.find(keys[from + LEGS_MAX + i]!) ?? found.runnerUp;
      const { provider, quoteId, price, sourceTimeUs, receivedAtMs } = found;
      legs.push({
        provider,
        quoteId,
        price,
        sourceTimeUs,
        ageMs: Math.max(0, this.#now() - receivedAtMs),
        pair: leg,
        isBid: leg === pair ? isBid : hitsBid(pair, leg, isBid),
        runnerUp: runnerUp && { provider: runnerUp.provider, price: runnerUp.price },
      });
    }
    return legs;
  }

  /** Fills what the relay carries of both sides of a pair that providers quote. */
  fill(pair: number, nowMs: number, { bid, offer }: Pick<TickOrigin, 'bid' | 'offer'>): void {
    const oldestMs = nowMs - this.#maxAgeMs;
    this.#fillSide(this.#bidCell[pair], true, oldestMs, bid);
    this.#fillSide(this.#offerCell[pair], false, oldestMs, offer);
  }

  #fillSide(cell: number, isBid: boolean, oldestMs: number, out: SideOrigin): void {
    const quotes = this.#quotes;
    if (cell < 0) return;
    quotes.origins.fill(cell, isBid, out);
    const second = quotes.findRunnerUp(cell, isBid, oldestMs);
    if (second < 0) return;
    out.runnerUp = isBid ? quotes.bid[second] : quotes.offer[second];
    out.runnerUpBy = quotes.origins.nameOf(second);
  }
}

/** Whether a side of a cross hits the bid of a leg: it does not where that leg has the currency of the cross on its other side. */
function hitsBid(cross: Pair, leg: Pair, isBid: boolean): boolean {
  for (const via of ['USD', 'EUR']) {
    const legs = crossLegs(cross, via);
    if (legs?.first === leg) return isBid !== legs.firstInverse;
    if (legs?.second === leg) return isBid !== legs.secondInverse;
  }
  return isBid;
}
