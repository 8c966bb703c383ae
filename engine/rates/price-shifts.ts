import { PAIRS } from '../domain/money/pair.js';
import {
  EffectiveMargin,
  type MarginParts,
  marginParts,
  type PriceShift,
  type PriceShiftColumns,
  ppmOf,
} from '../domain/prices/effective-margin.js';
import { NO_PRICING, type PricingRule, type PricingTerms, skewOf, termsOf } from '../domain/prices/pricing-rule.js';
import { PairListeners } from './book-price.js';

const PAIR_COUNT = PAIRS.length;

/** Units of base that the house is net long of a pair; below 0: short. */
export type NetBase = (pair: number) => number;

interface ShiftedBook {
  /** Called where the price of a pair has changed, and where a tick may have confirmed it. */
  onChange(listener: (pair: number) => void): () => void;
  onDepthChange(listener: (pair: number) => void): () => void;
  /** Ms since a provider whose price is fresh has last quoted the pair, of a cross its older leg; Infinity: none has. */
  newestTickAgeMs(pair: number): number;
}

/**
 * What the rules of pricing change on the margins of each pair now, by Pair.index, in units of its scaled price. The skew changes with the
 * figures of the house's position, the widening where a sweep, a tick or a reader finds another age. Streams read the columns on the
 * tick path: nothing is allocated there, and without a rule nothing is computed.
 */
export class PriceShifts implements PriceShiftColumns {
  /** 1: something of the pair's shift is not 0. */
  readonly isOn = new Uint8Array(PAIR_COUNT);
  readonly skew = new Float64Array(PAIR_COUNT);
  readonly widening = new Float64Array(PAIR_COUNT);
  readonly spreadMin = new Float64Array(PAIR_COUNT);
  readonly spreadMax = new Float64Array(PAIR_COUNT);
  readonly #book: ShiftedBook;
  readonly #terms: PricingTerms[] = PAIRS.map(() => NO_PRICING);
  readonly #listeners = new PairListeners();
  readonly #margin = new EffectiveMargin();
  /** Pairs with a skew, and those that are wider for old ticks. */
  #skewed: readonly number[] = [];
  #aged: readonly number[] = [];
  /** During `once`. */
  #isJudged = false;
  #netBase: NetBase | undefined;
  /** While some pair is aged. */
  #endTicks: (() => void) | undefined;

  /** Made before what streams the book's prices: a listener to a new price then finds the new shift. */
  constructor(book: ShiftedBook) {
    this.#book = book;
    book.onChange((pair) => {
      if (this.widening[pair] !== 0) this.#judge(pair, false);
    });
  }

  /** The rules in force from now on. */
  replace(rules: Iterable<PricingRule>): void {
    const byPair = new Map(Array.from(rules, (rule) => [rule.pair, rule]));
    const all = byPair.get('*');
    for (const pair of PAIRS) this.#terms[pair.index] = termsOf(pair, byPair.get(pair.symbol), all);
    const indexes = PAIRS.map(({ index }) => index);
    this.#skewed = indexes.filter((pair) => this.#terms[pair]!.skew > 0);
    this.#aged = indexes.filter((pair) => this.#terms[pair]!.widenBy > 0);
    this.#listen();
    for (const pair of indexes) this.#set(pair, this.#skewNow(pair), this.#wideningNow(pair), true);
  }

  /** Some rule needs the figures of the house's position. */
  get needsPosition(): boolean {
    return this.#skewed.length > 0;
  }

  /** A rule needs them, and there are none that are usable: no price has a skew. */
  get isWithoutPosition(): boolean {
    return this.needsPosition && this.#netBase === undefined;
  }

  get skewedPairs(): number {
    return this.#skewed.reduce((count, pair) => (this.skew[pair] === 0 ? count : count + 1), 0);
  }

  get widenedPairs(): number {
    return this.#aged.reduce((count, pair) => (this.widening[pair] === 0 ? count : count + 1), 0);
  }

  /** The newest figures; undefined: there are none that are usable, so no price has a skew. */
  setPosition(netBase: NetBase | undefined): void {
    this.#netBase = netBase;
    for (const pair of this.#skewed) this.#set(pair, this.#skewNow(pair), this.widening[pair]!, true);
  }

  /** Judges the age of each pair's newest tick: called where the rate book is swept. */
  sweep(): void {
    for (const pair of this.#aged) this.#judge(pair, true);
  }

  /** Each tick of the pair matters, also one that confirms the price. */
  needsEachTick(pair: number): boolean {
    return this.#terms[pair]!.widenBy > 0;
  }

  /** Called with the index of a pair whose shift has changed, and so the prices made of its margins. Returns what ends it. */
  onChange(listener: (pair: number) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** The volatility by which holds of the pair are valued, hundredths of a percent. */
  volatility(pair: number): number {
    return this.#terms[pair]!.volatility;
  }

  /** The shift of this moment; allocates. */
  of(pair: number): PriceShift {
    this.judge(pair);
    return this.present(pair);
  }

  /** The shift that prices are made with until it is judged again: that of the last price; allocates. */
  present(pair: number): PriceShift {
    const { skew, widening, spreadMin, spreadMax } = this;
    return {
      skew: skew[pair]!,
      widening: widening[pair]!,
      spreadMin: spreadMin[pair]!,
      spreadMax: spreadMax[pair]!,
    };
  }

  /** What is added to the margin of the bid, and of the offer, at these provider prices, parts per million. */
  bidPpm(pair: number, bid: number): number {
    return ppmOf(this.skew[pair]!, bid) + ppmOf(this.widening[pair]!, bid);
  }

  offerPpm(pair: number, offer: number): number {
    return ppmOf(-this.skew[pair]!, offer) + ppmOf(this.widening[pair]!, offer);
  }

  /** The effective margins of a client's own at the provider's best prices; good until the next call. */
  margin(pair: number, bid: number, offer: number, rulePpm: number): Readonly<EffectiveMargin> {
    const margin = this.#margin;
    if (this.isOn[pair] === 0) {
      margin.bidPpm = rulePpm;
      margin.offerPpm = rulePpm;
      return margin;
    }
    margin.compute(
      bid,
      offer,
      this.bidPpm(pair, bid),
      this.offerPpm(pair, offer),
      this.spreadMin[pair]!,
      this.spreadMax[pair]!,
      rulePpm,
    );
    return margin;
  }

  /** What the effective margins of both sides are made of, by the present shift; allocates. */
  parts(pair: number, bid: number, offer: number, rulePpm: number): Readonly<Record<'bid' | 'offer', MarginParts>> {
    return marginParts(bid, offer, this.present(pair), rulePpm);
  }

  /** Before a price is read: its newest tick may have become too old since the last sweep. */
  judge(pair: number): void {
    if (this.#aged.length > 0 && !this.#isJudged) this.#judge(pair, true);
  }

  /** Prices of both sides, which `make` computes, have one shift: the pair's tick may become too old between them. */
  once<T>(pair: number, make: () => T): T {
    this.judge(pair);
    this.#isJudged = true;
    try {
      return make();
    } finally {
      this.#isJudged = false;
    }
  }

  #judge(pair: number, notifies: boolean): void {
    this.#set(pair, this.skew[pair]!, this.#wideningNow(pair), notifies);
  }

  #skewNow(pair: number): number {
    return this.#netBase === undefined ? 0 : skewOf(this.#terms[pair]!, this.#netBase(pair));
  }

  #wideningNow(pair: number): number {
    const { widenBy, widenAfterMs } = this.#terms[pair]!;
    if (widenBy === 0) return 0;
    const ageMs = this.#book.newestTickAgeMs(pair);
    return ageMs > widenAfterMs && ageMs < Number.POSITIVE_INFINITY ? widenBy : 0;
  }

  #set(pair: number, skew: number, widening: number, notifies: boolean): void {
    const { spreadMin, spreadMax } = this.#terms[pair]!;
    const isSame =
      this.skew[pair] === skew &&
      this.widening[pair] === widening &&
      this.spreadMin[pair] === spreadMin &&
      this.spreadMax[pair] === spreadMax;
    if (isSame) return;
    this.skew[pair] = skew;
    this.widening[pair] = widening;
    this.spreadMin[pair] = spreadMin;
    this.spreadMax[pair] = spreadMax;
    this.isOn[pair] = skew !== 0 || widening !== 0 || spreadMin !== 0 || spreadMax !== 0 ? 1 : 0;
    if (notifies) this.#listeners.notify(pair);
  }

  /** A tick that confirms the price ends a widening too. */
  #listen(): void {
    if (this.#aged.length === 0) {
      this.#endTicks?.();
      this.#endTicks = undefined;
    } else
      this.#endTicks ??= this.#book.onDepthChange((pair) => {
        if (this.widening[pair] !== 0) this.#judge(pair, true);
      });
  }
}
