/**
 * What deals have taken from the levels of providers whose sizes are firm. A deal takes its amount when it is drafted, so that no other deal is
 * priced by the same amount; it is given back where the deal is refused, and a level is whole again with its provider's next tick of the pair.
 */

import { isRefusal } from '../domain/core/refusal.js';
import { baseMinorOf, convert } from '../domain/money/conversion.js';
import { Ladder, type LadderSide, sizePrice } from '../domain/money/ladder.js';
import { exponentOf } from '../domain/money/money.js';
import { PAIRS, type Pair } from '../domain/money/pair.js';
import type { CrossLegs } from '../domain/money/rate.js';
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
  /** Scaled. */
  readonly price: number;
}

/** What a deal has taken; `Takes.giveBack` ends it. */
export type Reservation = readonly TakenLevel[];

/** Of the rate book. */
interface TakesBook {
  readonly maxAgeMs: number;
  readonly isFirm: boolean;
  /** The number of the relay's last message, and who has published it; 0: this process runs the feed. */
  readonly position: number;
  readonly source: number;
  readonly now: () => number;
  /** Providers quote the pair: it is no cross. */
  isDirect(pair: number): boolean;
}

/** What is taken from levels that have a price: for another process, whose levels have other places. */
export interface TakenAtPrice {
  readonly pair: number;
  readonly isBid: boolean;
  /** Scaled. */
  readonly price: number;
  /** Minor units of base, below 0: given back. */
  readonly minor: number;
}

/** Taken here from the book of another engine, whose messages up to `behind` do not have it; undefined: it has not answered yet. */
interface Pending extends TakenAtPrice {
  readonly sinceMs: number;
  readonly publisher: number;
  behind: number | undefined;
}

/** Notifies the engine that publishes the relay. Resolves to the number of its last message without the takes; undefined: no answer. */
export type NotifyTakes = (publisher: number, takes: readonly TakenAtPrice[]) => Promise<number | undefined>;

/** Most takes that await the answer of the engine with the feed. */
const PENDING_MAX = 1_000;

export class Takes {
  readonly #quotes: ProviderQuotes;
  readonly #depth: BookDepth;
  readonly #book: TakesBook;
  readonly #changed: (pair: number) => void;
  readonly #ladder = new Ladder(MAX_BOOK_LEVELS);
  /** Set in a process whose book may follow the relay. */
  notify: NotifyTakes | undefined;
  #pending: readonly Pending[] = [];
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
    for (const { arrival: _, price: __, ...taken } of levels) this.add(taken);
    this.#notifyOf(levels);
    return levels;
  }

  giveBack(levels: Reservation = []): void {
    for (const { arrival, price: _, ...taken } of levels)
      if (this.#quotes.arrival[taken.provider * PAIR_COUNT + taken.pair] === arrival)
        this.add({ ...taken, minor: -taken.minor });
    this.#notifyOf(levels.map((taken) => ({ ...taken, minor: -taken.minor })));
  }

  /** What deals of another process have taken: as far as there are levels of the prices. */
  addAtPrice(takes: readonly TakenAtPrice[]): void {
    if (!this.#book.isFirm) return;
    for (const { pair, isBid, price, minor } of takes) {
      let left = minor;
      // As they were sent: what is given back was taken from them.
      this.#depth.mode = minor > 0 ? 'published' : 'whole';
      const side = this.#depth.side(pair, isBid, this.#book.now(), this.#book.maxAgeMs);
      this.#depth.mode = 'published';
      for (const one of this.#placesOf(side, pair, price)) {
        const there = this.#quotes.taken.of(one.provider * PAIR_COUNT + pair, isBid, one.level);
        const part = minor > 0 ? Math.min(left, one.most) : Math.max(left, -there);
        if (part !== 0) this.add({ provider: one.provider, pair, isBid, level: one.level, minor: part });
        left -= part;
      }
    }
  }

  /** The other engine's book has sent new levels of the pair: what its message does not have is taken from them again. */
  again(provider: number, pair: number): void {
    if (this.#pending.length === 0) return;
    const { position, source, now, maxAgeMs } = this.#book;
    const isDue = ({ publisher, behind, sinceMs }: Pending): boolean =>
      publisher === source && (behind === undefined ? now() - sinceMs < maxAgeMs : position <= behind);
    this.#pending = this.#pending.filter(isDue);
    for (const one of this.#pending) {
      if (one.pair !== pair) continue;
      this.#depth.mode = 'whole';
      const side = this.#depth.side(pair, one.isBid, now(), maxAgeMs);
      this.#depth.mode = 'published';
      const cell = provider * PAIR_COUNT + pair;
      let left = one.minor;
      for (const { level, most } of this.#placesOf(side, pair, one.price)) {
        const part = one.minor > 0 ? Math.min(left, most) : left;
        this.#quotes.taken.add(cell, { isBid: one.isBid, level, minor: part });
        left -= part;
      }
    }
  }

  /** What deals here have taken from another engine's levels of the pair and its legs, which it may not know yet; undefined: nothing. */
  own(pair: number): readonly Taken[] | undefined {
    if (this.#pending.length === 0) return undefined;
    const pairs = this.#book.isDirect(pair)
      ? [pair]
      : CROSS_PLANS[pair].flatMap((legs) => [legs.first.index, legs.second.index]);
    const taken: Taken[] = [];
    for (const one of new Set(pairs))
      for (let provider = 0; provider < this.#quotes.providers; provider++) {
        const cell = provider * PAIR_COUNT + one;
        if (!this.#quotes.isBook(cell)) continue;
        for (const kept of this.#quotes.taken.kept(cell)) taken.push({ provider, pair: one, ...kept });
      }
    return taken.length === 0 ? undefined : taken;
  }

  /** The levels of a pair without what deals here have taken from another engine's book. */
  left(pair: number, published: Ladder): Ladder {
    const { source } = this.#book;
    if (source === 0 || !this.#quotes.taken.isAny) return published;
    return this.#fill(pair, 'own');
  }

  #notifyOf(levels: readonly TakenLevel[]): void {
    const { source: publisher, now } = this.#book;
    const takes = levels.filter(({ provider, pair }) => this.#quotes.isBook(provider * PAIR_COUNT + pair));
    if (publisher === 0 || this.notify === undefined || takes.length === 0) return;
    const pending: Pending[] = takes.map(({ pair, isBid, price, minor }) => {
      return { pair, isBid, price, minor, sinceMs: now(), publisher, behind: undefined };
    });
    this.#pending = [...this.#pending, ...pending].slice(-PENDING_MAX);
    const sent = takes.map(({ pair, isBid, price, minor }) => ({ pair, isBid, price, minor }));
    // Without an answer they are taken here alone, until the levels are too old.
    this.notify(publisher, sent).then(
      (behind) => {
        for (const one of pending) one.behind = behind;
      },
      () => {},
    );
  }

  #placesOf(side: LadderSide, pair: number, price: number) {
    const unit = 10 ** exponentOf(PAIRS[pair].base);
    const places: { provider: number; level: number; most: number }[] = [];
    for (let i = 0; i < side.count; i++)
      if (side.price[i] === price)
        places.push({
          provider: Math.floor(this.#depth.cellOf(i) / PAIR_COUNT),
          level: this.#depth.placeOf(i),
          most: side.size[i] * unit,
        });
    return places;
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
    const ladder = this.#fill(pair, mode);
    return sizePrice(isBid ? ladder.bid : ladder.offer, PAIRS[pair], baseMinor)?.price;
  }

  /** Until the next call. */
  #fill(pair: number, mode: BookDepth['mode']): Ladder {
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
    return ladder;
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
      levels.push({
        provider,
        pair: pair.index,
        isBid,
        level: this.#depth.placeOf(i),
        minor: taken,
        arrival,
        price: side.price[i],
      });
    }
    return isBase === isBid ? conversion.buyMinor : conversion.sellMinor;
  }
}
