/** The levels of all providers, side by side: the book behind its best price. */

import { Ladder, type LadderSide } from '../domain/money/ladder.js';
import { exponentOf } from '../domain/money/money.js';
import { PAIRS } from '../domain/money/pair.js';
import { type CrossLegs, crossBid, crossOffer } from '../domain/money/rate.js';
import type { ProviderQuotes } from './provider-quotes.js';
import { MAX_PROVIDERS } from './quote-origins.js';
import { MAX_BOOK_LEVELS } from './tick-sink.js';

const PAIR_COUNT = PAIRS.length;
/** Minor units of a unit of base, by pair. */
const UNITS = Float64Array.from(PAIRS, ({ base }) => 10 ** exponentOf(base));

/** A ladder that has room for every level of a pair. */
const newBookLadder = (): Ladder => new Ladder(MAX_BOOK_LEVELS);

/** The ladder of a pair as it was read. It is that of this moment until a provider's price changes or one of its levels becomes too old. */
export class LadderReading {
  readonly ladder = newBookLadder();
  #changes = -1;
  #atMs = 0;
  #freshUntilMs = 0;

  /** It was filled at this number of changes. */
  taken(changes: number, nowMs: number, maxAgeMs: number): void {
    this.#changes = changes;
    this.#atMs = nowMs;
    this.#freshUntilMs = nowMs + maxAgeMs - Math.max(this.ladder.bid.oldestMs, this.ladder.offer.oldestMs);
  }

  /** Whether it is still that of this moment; then its levels have the age of this moment. */
  isStill(changes: number, nowMs: number): boolean {
    if (changes !== this.#changes || nowMs > this.#freshUntilMs) return false;
    const { bid, offer } = this.ladder;
    for (let i = 0; i < bid.count; i++) bid.ageMs[i] += nowMs - this.#atMs;
    for (let i = 0; i < offer.count; i++) offer.ageMs[i] += nowMs - this.#atMs;
    this.#atMs = nowMs;
    return true;
  }
}

/**
 * Fills ladders from the quotes of providers. A level without a size, and a provider with one level, carries any amount, which a pair's
 * maximum bounds; where the providers' sizes are firm, what is stated and no more. No allocation.
 */
export class BookDepth {
  readonly #quotes: ProviderQuotes;
  readonly #isFirm: boolean;
  readonly #next = new Uint8Array(MAX_PROVIDERS);
  readonly #first = newBookLadder();
  readonly #second = newBookLadder();
  // Of the side that was filled last: the provider's cell of each level, and its place there.
  readonly #cells = new Int32Array(MAX_BOOK_LEVELS);
  readonly #places = new Uint8Array(MAX_BOOK_LEVELS);
  /**
   * What is left of levels: `whole`, as the providers sent them; `published`, without what deals have taken; `own`, also without what deals of this
   * process have taken from another engine's book, which that engine does not know yet.
   */
  mode: 'whole' | 'published' | 'own' = 'published';

  constructor(quotes: ProviderQuotes, isFirm: boolean) {
    this.#quotes = quotes;
    this.#isFirm = isFirm;
  }

  /** What the first level of a provider's side carries, whole units of base. */
  firstLimit(cell: number, isBid: boolean): number {
    if (!this.#isFirm && !this.#quotes.hasLadders) return Number.POSITIVE_INFINITY;
    return this.#carries(cell, isBid, 0);
  }

  /** Every level of the pair that providers quote, in order of price. */
  fillDirect(pair: number, nowMs: number, maxAgeMs: number, out: Ladder): void {
    out.clear();
    if (!this.#quotes.findBest(pair, nowMs - maxAgeMs)) return;
    this.#fillSide(pair, nowMs, maxAgeMs, true, out.bid);
    this.#fillSide(pair, nowMs, maxAgeMs, false, out.offer);
  }

  /** The levels of a cross: those of its legs in step, each as far as both carry. Prices are rounded as those of a cross are. */
  fillCross(legs: CrossLegs, nowMs: number, maxAgeMs: number, out: Ladder): void {
    const first = this.#first;
    const second = this.#second;
    this.fillDirect(legs.first.index, nowMs, maxAgeMs, first);
    this.fillDirect(legs.second.index, nowMs, maxAgeMs, second);
    out.clear();
    crossSide(
      legs,
      legs.firstInverse ? first.offer : first.bid,
      legs.secondInverse ? second.offer : second.bid,
      true,
      out.bid,
    );
    crossSide(
      legs,
      legs.firstInverse ? first.bid : first.offer,
      legs.secondInverse ? second.bid : second.offer,
      false,
      out.offer,
    );
  }

  #fillSide(pair: number, nowMs: number, maxAgeMs: number, isBid: boolean, out: LadderSide): void {
    const quotes = this.#quotes;
    const next = this.#next;
    next.fill(0);
    for (;;) {
      let best = -1;
      let bestPrice = 0;
      for (let provider = 0; provider < quotes.providers; provider++) {
        const cell = provider * PAIR_COUNT + pair;
        // Of providers that are crossed against each other the newer alone makes the price, and so the ladder.
        if (quotes.isAlone && cell !== quotes.bidCell) continue;
        if (quotes.bid[cell] === 0 || quotes.receivedAtMs[cell] < nowMs - maxAgeMs) continue;
        if (next[provider] >= Math.max(1, quotes.levelsOf(cell, isBid))) continue;
        const price = quotes.levelPrice(cell, isBid, next[provider]);
        if (best >= 0 && (isBid ? price < bestPrice : price > bestPrice)) continue;
        // Of equal prices the newer, which makes the best price.
        if (price === bestPrice && quotes.arrival[cell] < quotes.arrival[best * PAIR_COUNT + pair]) continue;
        best = provider;
        bestPrice = price;
      }
      if (best < 0) return;
      const cell = best * PAIR_COUNT + pair;
      const level = next[best]++;
      const ageMs = nowMs - quotes.receivedAtMs[cell] + quotes.levelAgeMs(cell, isBid, level);
      const size = this.#carries(cell, isBid, level);
      if (ageMs > maxAgeMs) continue;
      if (out.count < MAX_BOOK_LEVELS) {
        this.#cells[out.count] = cell;
        this.#places[out.count] = level;
      }
      out.add(bestPrice, size, Math.max(0, ageMs));
      if (size === Number.POSITIVE_INFINITY) return;
    }
  }

  /** The levels of one side of a pair that providers quote, until the next call; `cellOf` and `placeOf` say whose they are. */
  side(pair: number, isBid: boolean, nowMs: number, maxAgeMs: number): LadderSide {
    const out = isBid ? this.#first.bid : this.#first.offer;
    out.count = 0;
    if (this.#quotes.findBest(pair, nowMs - maxAgeMs)) this.#fillSide(pair, nowMs, maxAgeMs, isBid, out);
    return out;
  }

  cellOf(level: number): number {
    return this.#cells[level];
  }

  placeOf(level: number): number {
    return this.#places[level];
  }

  // Rounded down to whole units.
  #carries(cell: number, isBid: boolean, level: number): number {
    const size = this.#stated(cell, isBid, level);
    const quotes = this.#quotes;
    if (!quotes.taken.isAny || this.mode === 'whole' || size === Number.POSITIVE_INFINITY) return size;
    if (this.mode === 'published' && quotes.isBook(cell)) return size;
    const taken = quotes.taken.of(cell, isBid, level);
    return taken <= 0 ? size : Math.max(0, size - Math.ceil(taken / UNITS[cell % PAIR_COUNT]));
  }

  #stated(cell: number, isBid: boolean, level: number): number {
    const quotes = this.#quotes;
    const size = quotes.levelSize(cell, isBid, level);
    const hasLevels = quotes.levelsOf(cell, isBid) > 0;
    if (quotes.isBook(cell)) return hasLevels ? size : Number.POSITIVE_INFINITY;
    if (this.#isFirm) return size;
    return hasLevels && size > 0 ? size : Number.POSITIVE_INFINITY;
  }
}

/** What a cross of best prices carries before another level of a leg begins; the columns are by pair index. */
export function crossLimit(
  { bid, offer, bidLimit, offerLimit }: Readonly<Record<'bid' | 'offer' | 'bidLimit' | 'offerLimit', Float64Array>>,
  legs: CrossLegs,
  isBid: boolean,
): number {
  const first = legs.first.index;
  const second = legs.second.index;
  const hitsBid1 = isBid !== legs.firstInverse;
  const hitsBid2 = isBid !== legs.secondInverse;
  const size1 = hitsBid1 ? bidLimit[first] : offerLimit[first];
  const size2 = hitsBid2 ? bidLimit[second] : offerLimit[second];
  if (size1 === Number.POSITIVE_INFINITY && size2 === size1) return size1;
  const price1 = hitsBid1 ? bid[first] : offer[first];
  const price2 = hitsBid2 ? bid[second] : offer[second];
  return wholeUnits(Math.min(firstCarries(legs, price1, size1), secondCarries(legs, price1, price2, size2)));
}

// What is missing from a whole unit only by its floating point is one.
const wholeUnits = (size: number): number => Math.floor(size + 1e-6);

// How much of a cross's base a level of a leg carries, not rounded; its size is in units of the leg's own base. Sizes are no money: a
// floating point number holds them.
function firstCarries({ first, firstInverse }: CrossLegs, price: number, size: number): number {
  return firstInverse ? (size * price) / 10 ** first.priceDigits : size;
}

function secondCarries(
  { first, firstInverse, second, secondInverse }: CrossLegs,
  price1: number,
  price2: number,
  size: number,
): number {
  const via = secondInverse ? (size * price2) / 10 ** second.priceDigits : size;
  const perBase = price1 / 10 ** first.priceDigits;
  return firstInverse ? via * perBase : via / perBase;
}

function crossSide(legs: CrossLegs, first: LadderSide, second: LadderSide, isBid: boolean, out: LadderSide): void {
  let i = 0;
  let j = 0;
  // Parts of the present levels that are taken already.
  let taken1 = 0;
  let taken2 = 0;
  while (i < first.count && j < second.count) {
    const price1 = first.price[i];
    const price2 = second.price[j];
    const price = isBid
      ? crossBid(legs, price1, price1, price2, price2)
      : crossOffer(legs, price1, price1, price2, price2);
    if (!(price > 0)) return;
    const whole1 = firstCarries(legs, price1, first.size[i]);
    const whole2 = secondCarries(legs, price1, price2, second.size[j]);
    const left1 = whole1 * (1 - taken1);
    const left2 = whole2 * (1 - taken2);
    const size = wholeUnits(Math.min(left1, left2));
    if (size > 0) out.add(price, size, Math.max(first.ageMs[i], second.ageMs[j]));
    if (left1 === Number.POSITIVE_INFINITY && left2 === Number.POSITIVE_INFINITY) return;
    if (left1 <= left2) {
      i++;
      taken1 = 0;
      taken2 += left1 / whole2;
    } else {
      j++;
      taken2 = 0;
      taken1 += left2 / whole1;
    }
  }
}
