/**
 * What deals have taken from the levels of providers whose sizes are firm. A deal takes its amount when it is drafted, so that no other deal is
 * priced by the same amount; it is given back where the deal is refused, and a level is whole again with its provider's next tick of the pair.
 */
import { baseMinorOf, convert } from '../domain/conversion.js';
import { Ladder, sizePrice } from '../domain/ladder.js';
import { exponentOf } from '../domain/money.js';
import { PAIRS, type Pair } from '../domain/pair.js';
import type { CrossLegs } from '../domain/rate.js';
import { isRefusal } from '../domain/refusal.js';
import type { BookDepth } from './book-depth.js';
import { CROSS_PLANS } from './crosses.js';
import type { ProviderQuotes } from './provider-quotes.js';
import { MAX_BOOK_LEVELS } from './tick-sink.js';

const PAIR_COUNT = PAIRS.length;

/** What is taken from a level, or given back where it is below 0: an input of the book, as a tick is. */
export interface Taken {
  readonly provider: number;
  readonly pair: number;
  readonly isBid: boolean;
  readonly level: number;
  /** Minor units of base. */
  readonly minor: number;
}

interface TakenLevel extends Taken {
  /** Of the tick that brought the level. */
  readonly arrival: number;
}

/** What a deal has taken; `Takes.giveBack` ends it. */
export type Reservation = readonly TakenLevel[];

/** Of the rate book. */
interface TakesBook {
  readonly maxAgeMs: number;
  readonly isFirm: boolean;
  readonly now: () => number;
  /** Providers quote the pair: it is no cross. */
  isDirect(pair: number): boolean;
}

export class Takes {
  readonly #quotes: ProviderQuotes;
  readonly #depth: BookDepth;
  readonly #book: TakesBook;
  readonly #changed: (pair: number) => void;
  readonly #ladder = new Ladder(MAX_BOOK_LEVELS);
  /** Called around each input: for the day record. */
  around: ((taken: Taken, apply: () => void) => void) | undefined;

  /** `changed` is called with the index of a pair whose levels have changed. */
  constructor(book: TakesBook, quotes: ProviderQuotes, depth: BookDepth, changed: (pair: number) => void) {
    this.#book = book;
    this.#quotes = quotes;
    this.#depth = depth;
    this.#changed = changed;
  }

  /**
   * Takes an amount, minor units of base, from the best levels; of a cross from those of both legs. Undefined: the sizes are not firm, or there is
   * no price. What the levels do not carry is not taken.
   */
  take(pair: number, isBid: boolean, baseMinor: bigint): Reservation | undefined {
    if (!this.#book.isFirm) return undefined;
    const levels: TakenLevel[] = [];
    if (this.#book.isDirect(pair)) this.#collect(PAIRS[pair], isBid, true, baseMinor, levels);
    else {
      const legs = this.#legs(pair);
      if (legs === undefined) return undefined;
      const { first, firstInverse, second, secondInverse } = legs;
      const via = this.#collect(first, isBid !== firstInverse, !firstInverse, baseMinor, levels);
      if (via !== undefined) this.#collect(second, isBid !== secondInverse, !secondInverse, via, levels);
    }
    for (const taken of levels) this.add(taken);
    return levels;
  }

  giveBack(levels: Reservation | undefined): void {
    for (const { arrival, ...taken } of levels ?? [])
      if (this.#quotes.arrival[taken.provider * PAIR_COUNT + taken.pair] === arrival)
        this.add({ ...taken, minor: -taken.minor });
  }

  /** One input. */
  add(taken: Taken): void {
    if (this.around) this.around(taken, () => this.#add(taken));
    else this.#add(taken);
  }

  /** Deals have taken what carried the amount at this provider's price: without them the levels would still give it. */
  isTaken(pair: number, isBid: boolean, baseMinor: bigint, providerPrice: number): boolean {
    if (!this.#book.isFirm || !this.#quotes.taken.isAny) return false;
    const gives = (mode: 'whole' | 'own') => {
      const price = this.#priceFor(pair, isBid, baseMinor, mode);
      return price !== undefined && (isBid ? price >= providerPrice : price <= providerPrice);
    };
    return !gives('own') && gives('whole');
  }

  #priceFor(pair: number, isBid: boolean, baseMinor: bigint, mode: BookDepth['mode']): number | undefined {
    const { maxAgeMs } = this.#book;
    const nowMs = this.#book.now();
    const ladder = this.#ladder;
    const isDirect = this.#book.isDirect(pair);
    const legs = isDirect ? undefined : this.#legs(pair);
    this.#depth.mode = mode;
    ladder.clear();
    if (legs !== undefined) this.#depth.fillCross(legs, nowMs, maxAgeMs, ladder);
    else if (isDirect) this.#depth.fillDirect(pair, nowMs, maxAgeMs, ladder);
    this.#depth.mode = 'published';
    return sizePrice(isBid ? ladder.bid : ladder.offer, PAIRS[pair], baseMinor)?.price;
  }

  #add(taken: Taken): void {
    this.#quotes.changes++;
    this.#quotes.taken.add(taken.provider * PAIR_COUNT + taken.pair, taken);
    this.#changed(taken.pair);
  }

  #legs(pair: number): CrossLegs | undefined {
    return CROSS_PLANS[pair].find(
      ({ first, second }) => this.#book.isDirect(first.index) && this.#book.isDirect(second.index),
    );
  }

  /** The levels that carry an amount of a pair's base or quote, minor units. Returns what it comes to in the other currency. */
  #collect(pair: Pair, isBid: boolean, isBase: boolean, minor: bigint, levels: TakenLevel[]): bigint | undefined {
    this.#depth.mode = 'own';
    const side = this.#depth.side(pair.index, isBid, this.#book.now(), this.#book.maxAgeMs);
    this.#depth.mode = 'published';
    const price = sizePrice(side, pair, isBase ? minor : { numerator: minor, denominator: 1n })?.price;
    if (price === undefined) return undefined;
    const sell = isBid ? pair.base : pair.quote;
    const amount = { side: isBase === isBid ? ('sell' as const) : ('buy' as const), minor };
    const conversion = convert({ pair, sell, price, providerPrice: price, amount });
    if (isRefusal(conversion)) return undefined;
    const baseMinor = baseMinorOf(pair, sell, conversion);
    const unit = 10 ** exponentOf(pair.base);
    let left = Number(baseMinor);
    for (let i = 0; i < side.count && left > 0 && side.size[i] !== Number.POSITIVE_INFINITY; i++) {
      const taken = Math.min(left, side.size[i] * unit);
      left -= taken;
      if (taken === 0) continue;
      const cell = this.#depth.cellOf(i);
      const provider = Math.floor(cell / PAIR_COUNT);
      const arrival = this.#quotes.arrival[cell];
      levels.push({ provider, pair: pair.index, isBid, level: this.#depth.placeOf(i), minor: taken, arrival });
    }
    return isBase === isBid ? conversion.buyMinor : conversion.sellMinor;
  }
}
