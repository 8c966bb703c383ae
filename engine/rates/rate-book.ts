import type { Decimal } from '../domain/money/decimal.js';
import { type Ladder, type QuoteAmount, type SizePrice, sizePrice } from '../domain/money/ladder.js';
import { PAIRS } from '../domain/money/pair.js';
import { type CrossLegs, crossBid, crossOffer } from '../domain/money/rate.js';
import { BookDepth, crossLimit, LadderReading } from './book-depth.js';
import {
  BookColumns,
  type BookPrice,
  copyPrice,
  LastMids,
  newPrice,
  PairListeners,
  type RateBookOptions,
  replacePrice,
} from './book-price.js';
import { CROSS_PLANS, newestTickAtMs, WatchedCrosses } from './crosses.js';
import { PriceOrigins } from './price-origins.js';
import { ProviderQuotes, type TickRefusal } from './provider-quotes.js';
import { ProviderStates, type ProviderStatus } from './provider-states.js';
import type { TickOrigin } from './quote-origins.js';
import { StallDetector } from './stall-detector.js';
import { Takes } from './takes.js';
import type { ProviderOptions, ProviderRegistry } from './tick-sink.js';

// Node reads an imported value from its module each time: in the loops of a tick it is our own.
const PAIR_COUNT = PAIRS.length;
const NO_PRICE = newPrice(false);

/**
 * Every provider's last good price, and of them one price per pair: the best bid and the best offer that are fresh. While two
 * providers are crossed against each other, the newer of the two alone makes the price, so that no spread is published
 * that no provider quoted and no price is ever crossed. Columns are indexed by Pair.index. No allocation per tick.
 *
 * `sourceTimeUs` is that of the newer of the two ticks that make the price, of a cross the older leg's; `receivedAtMs` that of the older.
 */
export class RateBook extends BookColumns implements ProviderRegistry {
  readonly maxAgeMs: number;
  readonly refused: Readonly<Record<TickRefusal, number>>;
  readAtMs = 0;
  readAgeMs = 0;
  readonly origin: TickOrigin;
  /** What each pair's price is made of. */
  readonly origins: PriceOrigins;
  readonly takes: Takes;

  readonly isFirm: boolean;
  readonly now: () => number;
  readonly #quotes: ProviderQuotes;
  readonly #providers = new ProviderStates();
  // A pair's price comes from providers (not from a cross); it once came from providers; it may have that of one that is just lost.
  readonly #direct = new Uint8Array(PAIR_COUNT);
  readonly #everDirect = new Uint8Array(PAIR_COUNT);
  readonly #isLost = new Uint8Array(PAIR_COUNT);
  readonly #lastMids = new LastMids();
  // An operator has stopped trading in the pair.
  readonly #halted = new Uint8Array(PAIR_COUNT);
  readonly #crosses = new WatchedCrosses();
  readonly #listeners = new PairListeners();
  readonly #depthListeners = new PairListeners();
  readonly #depth: BookDepth;
  readonly #readings: (LadderReading | undefined)[] = [];
  readonly #stalls = new StallDetector();
  readonly #price = newPrice(false);
  readonly #best = newPrice(false);
  readonly #cross = newPrice(true);
  #legs: CrossLegs | undefined;
  readonly waitedMs = (nowMs = this.now()): number => this.#stalls.waitedMs(nowMs);
  /** Ms since the pair's newest tick, whether or not it makes the price; of a cross that of its older leg. Infinity: there is no price. */
  readonly newestTickAgeMs = (pair: number): number => this.now() - newestTickAtMs(pair, this.#direct, this.#quotes);

  constructor(options: RateBookOptions = {}) {
    super();
    this.maxAgeMs = options.maxAgeMs ?? 5_000;
    this.now = options.now ?? (() => performance.now());
    this.#quotes = new ProviderQuotes({
      maxAgeMs: this.maxAgeMs,
      maxJumpPercent: options.maxJumpPercent ?? 2,
      maxSpreadPercent: options.maxSpreadPercent ?? 2,
    });
    this.refused = this.#quotes.refused;
    this.origin = this.#quotes.origin;
    this.origins = new PriceOrigins(this.#quotes, this.maxAgeMs, this.now);
    this.isFirm = options.isFirm ?? false;
    this.#depth = new BookDepth(this.#quotes, this.isFirm);
    this.takes = new Takes(this, this.#quotes, this.#depth, (pair) => this.#changed(pair, this.now()));
  }

  registerProvider(name: string, options: ProviderOptions = {}): number {
    const provider = this.#providers.register(name);
    this.#quotes.open(provider, name, options);
    return provider;
  }

  /**
   * Called inside tick, withdraw, providerDown, sweep, watch and, where it finds a price that has just become stale, read,
   * once for each change of a pair's bid, offer, sizes or limits, its withdrawal included. A listener only marks; it must not throw.
   * Returns what ends it.
   */
  onChange(listener: (pairIndex: number) => void): () => void {
    return this.#listeners.add(listener);
  }

  /**
   * Called where a level of a pair may have changed: on each tick that is accepted, and where a provider's price ends. Its ladder may be
   * the one before all the same. Returns what ends it.
   */
  onDepthChange(listener: (pairIndex: number) => void): () => void {
    return this.#depthListeners.add(listener);
  }

  tick(
    provider: number,
    pair: number,
    bid: number,
    offer: number,
    bidSize: number,
    offerSize: number,
    sourceTimeUs: number,
    sequence: number,
    ladder?: Ladder,
  ): void {
    const nowMs = this.readAtMs || this.now();
    // After a stall, a tick without an age of its own may have waited since the last sweep.
    const atMs = nowMs - (this.readAgeMs || this.#stalls.waitedMs(nowMs));
    this.readAtMs = 0;
    this.readAgeMs = 0;
    this.#providers.ticks[provider]++;
    this.#providers.up[provider] = 1;
    const quotes = this.#quotes;
    const isTaken = quotes.take(provider, pair, bid, offer, bidSize, offerSize, sourceTimeUs, sequence, atMs, ladder);
    if (this.origin.isKnown) this.origin.clear();
    if (!isTaken) return;

    this.#providers.lastTickAtMs[provider] = nowMs;
    this.#everDirect[pair] = 1;
    this.takes.again(provider, pair);
    this.#changed(pair, nowMs);
  }

  withdraw(provider: number, pair: number): void {
    this.#quotes.drop(provider * PAIR_COUNT + pair);
    this.#changed(pair, this.now());
  }

  providerUp(provider: number): void {
    this.#providers.up[provider] = 1;
    this.#quotes.forget(provider);
  }

  providerDown(provider: number, reason?: string): void {
    this.#providers.down(provider, reason);
    const nowMs = this.now();
    for (let pair = 0; pair < PAIR_COUNT; pair++)
      this.#isLost[pair] = this.#quotes.drop(provider * PAIR_COUNT + pair) ? 1 : 0;
    for (let pair = 0; pair < PAIR_COUNT; pair++) if (this.#isLost[pair] === 1) this.#changed(pair, nowMs);
    this.#isLost.fill(0);
  }

  malformed(_provider: number): void {
    this.#quotes.refused.malformed++;
  }

  unknownPair(_provider: number): void {
    this.#quotes.refused['unknown-pair']++;
  }

  /**
   * Counted: a pair that no provider quotes is crossed on each tick of its legs only while it is watched. The price in
   * the book afterwards is fresh.
   */
  watch(pair: number): void {
    this.#crosses.watch(pair);
    this.#makePrice(pair, this.now());
  }

  unwatch(pair: number): void {
    if (!this.#crosses.unwatch(pair) || this.#direct[pair] === 1) return;
    // The cross is no longer followed: its price would only become stale.
    replacePrice(this, pair, NO_PRICE);
  }

  /** The price of this moment, never one older than maxAgeMs; undefined when there is none. */
  read(pair: number): BookPrice | undefined {
    const nowMs = this.now();
    this.#refresh(pair, nowMs);
    if (this.#direct[pair] === 0) {
      if (!this.#computeCross(pair, nowMs)) return undefined;
      return this.#cross;
    }
    const price = copyPrice(this, pair, this.#price);
    price.ageMs = Math.max(0, nowMs - this.receivedAtMs[pair]);
    return price;
  }

  /** Every level of the pair's price of this moment, to be read before the next tick; undefined when there is no price. */
  ladder(pair: number): Ladder | undefined {
    const nowMs = this.now();
    if (this.#halted[pair] === 1) return undefined;
    const reading = this.#readings[pair] ?? new LadderReading();
    this.#readings[pair] = reading;
    if (reading.isStill(this.#quotes.changes, nowMs)) return reading.ladder;
    if (this.#quotes.dropStale(pair, nowMs - this.maxAgeMs)) this.#changed(pair, nowMs);
    if (this.#direct[pair] === 1) this.#depth.fillDirect(pair, nowMs, this.maxAgeMs, reading.ladder);
    else if (this.#computeCross(pair, nowMs)) this.#depth.fillCross(this.#legs!, nowMs, this.maxAgeMs, reading.ladder);
    else return undefined;
    reading.taken(this.#quotes.changes, nowMs, this.maxAgeMs);
    return reading.ladder;
  }

  /** Providers quote the pair, and its best price does not carry every amount. */
  hasLevels(pair: number): boolean {
    const carried = Math.min(this.bidLimit[pair], this.offerLimit[pair]);
    return this.#direct[pair] === 1 && carried < Number.POSITIVE_INFINITY;
  }

  /** The volume-weighted price of an amount, of minor units of base or of quote; undefined: there is no price, or the book ends before it. */
  priceFor(pair: number, isBid: boolean, amount: bigint | QuoteAmount): SizePrice | undefined {
    const published = this.ladder(pair);
    const ladder = published && this.takes.left(pair, published);
    return ladder && sizePrice(isBid ? ladder.bid : ladder.offer, PAIRS[pair], amount);
  }

  /**
   * From now on these pairs, and no others, have no price: neither a provider's nor a cross, nor do crosses that need them. Quotes of
   * providers are kept meanwhile, so that a resumed pair has its price at once.
   */
  halt(pairs: ReadonlySet<number>): void {
    const changed = PAIRS.filter(({ index }) => this.#halted[index] !== (pairs.has(index) ? 1 : 0));
    for (const { index } of changed) this.#halted[index] = pairs.has(index) ? 1 : 0;
    this.#quotes.changes++;
    for (const { index } of changed) this.#changed(index, this.now());
  }

  readonly isHalted = (pair: number): boolean => this.#halted[pair] === 1;

  get haltedPairs(): number {
    return this.#halted.reduce((count, halted) => count + halted, 0);
  }

  /** The mid when providers last quoted the pair, however long ago: for an order of magnitude, never for money. */
  lastMid(pair: number, maxAgeMs = Number.POSITIVE_INFINITY): Decimal | undefined {
    return this.#lastMids.read(pair, this.now() - maxAgeMs);
  }

  /**
   * Called after a stall of the process of a second or more: the input pending in a provider's connection is old. Returns
   * the function that unsubscribes.
   */
  onStall(listener: (stalledMs: number) => void): () => void {
    return this.#stalls.onLong(listener);
  }

  /**
   * Withdraws stale prices. The wiring calls it every 250 ms and passes within how many ms it calls again: a later call means a stall of the
   * process, and ticks read before that call count as old as the last sweep.
   */
  sweep(againWithinMs = Number.POSITIVE_INFINITY): void {
    const nowMs = this.now();
    const notify = this.#stalls.fired(nowMs, againWithinMs);
    this.#withdrawStale(nowMs);
    notify();
  }

  /** After a stall, before the next sweep: withdraws stale prices and returns true. */
  sweepIfLate(): boolean {
    const nowMs = this.now();
    if (!this.#stalls.isLate(nowMs)) return false;
    this.#withdrawStale(nowMs);
    return true;
  }

  #withdrawStale(nowMs: number): void {
    for (let pair = 0; pair < PAIR_COUNT; pair++) {
      const lostOne = this.#quotes.dropStale(pair, nowMs - this.maxAgeMs);
      const isStale = this.bid[pair] !== 0 && this.receivedAtMs[pair] + this.maxAgeMs < nowMs;
      if (lostOne || isStale) this.#makePrice(pair, nowMs);
      if (lostOne) this.#notifyDepth(pair);
    }
  }

  readonly providers = (): readonly ProviderStatus[] => this.#providers.status(this.now());
  readonly endProviders = (): void => this.#providers.end();

  /** For the day record. */
  protected get quotes(): ProviderQuotes {
    return this.#quotes;
  }

  /** A provider quotes the pair, freshly: its price here is no cross. */
  readonly isDirect = (pair: number): boolean => this.#direct[pair] === 1;

  /** Names of the providers that have a fresh price for the pair, halted or not. */
  quotedBy(pair: number): string[] {
    const fresh = this.#quotes.freshProviders(pair, this.now() - this.maxAgeMs);
    return fresh.map((provider) => this.#providers.names[provider]!);
  }

  /** Pairs that providers have quoted and now do not; those that are halted are not among them. */
  get stalePairs(): number {
    const isStale = (ever: number, pair: number) => ever > this.#direct[pair] && this.#halted[pair] === 0;
    return this.#everDirect.filter(isStale).length;
  }

  // A direct price that is stale by one of its two ticks may still be made from other providers.
  #refresh(pair: number, nowMs: number): void {
    const isOld = this.#isLost[pair] === 1 || this.receivedAtMs[pair] + this.maxAgeMs < nowMs;
    if (this.#direct[pair] === 1 && isOld) this.#makePrice(pair, nowMs);
  }

  #changed(pair: number, nowMs: number): void {
    this.#makePrice(pair, nowMs);
    this.#notifyDepth(pair);
  }

  #makePrice(pair: number, nowMs: number): void {
    if (this.#halted[pair] === 1) {
      this.#direct[pair] = 0;
      this.#set(pair, NO_PRICE, this.receivedAtMs[pair], nowMs);
      return;
    }
    const quotes = this.#quotes;
    if (!quotes.findBest(pair, nowMs - this.maxAgeMs)) {
      this.#direct[pair] = 0;
      this.#makeCross(pair, nowMs);
      return;
    }
    const { bidCell, offerCell } = quotes;
    this.#direct[pair] = 1;
    this.origins.direct(pair, bidCell, offerCell);
    this.sourceTimeUs[pair] = Math.max(quotes.sourceTimeUs[bidCell], quotes.sourceTimeUs[offerCell]);
    const receivedAtMs = Math.min(quotes.receivedAtMs[bidCell], quotes.receivedAtMs[offerCell]);
    const best = this.#best;
    best.bid = quotes.bid[bidCell];
    best.offer = quotes.offer[offerCell];
    best.bidSize = quotes.bidSize[bidCell];
    best.offerSize = quotes.offerSize[offerCell];
    best.bidLimit = this.#depth.firstLimit(bidCell, true);
    best.offerLimit = this.#depth.firstLimit(offerCell, false);
    this.#lastMids.set(pair, best.bid + best.offer, receivedAtMs);
    this.#set(pair, best, receivedAtMs, nowMs);
  }

  #makeCross(pair: number, nowMs: number): void {
    if (!this.#crosses.isWatched(pair) || !this.#computeCross(pair, nowMs)) {
      this.#set(pair, NO_PRICE, this.receivedAtMs[pair], nowMs);
      return;
    }
    this.sourceTimeUs[pair] = this.#cross.sourceTimeUs;
    this.#set(pair, this.#cross, nowMs - this.#cross.ageMs, nowMs);
  }

  #set(pair: number, price: BookPrice, receivedAtMs: number, nowMs: number): void {
    const lastFreshUntilMs = this.receivedAtMs[pair] + this.maxAgeMs;
    this.receivedAtMs[pair] = receivedAtMs;
    if (!replacePrice(this, pair, price)) return;
    this.stamp[pair] = nowMs;
    this.lastFreshUntilMs[pair] = lastFreshUntilMs;
    this.#listeners.notify(pair);

    for (const cross of this.#crosses.ofLeg(pair)) {
      if (this.#direct[cross] === 0) this.#makeCross(cross, nowMs);
    }
  }

  // Fills #cross. A leg is what providers quote, never itself a cross.
  #computeCross(pair: number, nowMs: number): boolean {
    if (this.#halted[pair] === 1) return false;
    for (const legs of CROSS_PLANS[pair]) {
      const first = legs.first.index;
      const second = legs.second.index;
      // Before #cross is filled: a leg that changes here makes its crosses, and with them #cross, anew.
      this.#refresh(first, nowMs);
      this.#refresh(second, nowMs);
      if (this.#direct[first] === 0 || this.#direct[second] === 0) continue;
      const bid = crossBid(legs, this.bid[first], this.offer[first], this.bid[second], this.offer[second]);
      const offer = crossOffer(legs, this.bid[first], this.offer[first], this.bid[second], this.offer[second]);
      // A cross too small or too large for the pair's digits is no price.
      if (!(bid > 0 && offer > 0)) continue;
      const cross = this.#cross;
      this.#legs = legs;
      this.origins.cross(pair, legs);
      cross.bid = bid;
      cross.offer = offer;
      cross.bidLimit = crossLimit(this, legs, true);
      cross.offerLimit = crossLimit(this, legs, false);
      cross.sourceTimeUs = Math.min(this.sourceTimeUs[first], this.sourceTimeUs[second]);
      cross.ageMs = Math.max(0, nowMs - Math.min(this.receivedAtMs[first], this.receivedAtMs[second]));
      return true;
    }
    return false;
  }

  #notifyDepth(pair: number): void {
    const listeners = this.#depthListeners;
    if (listeners.all.length === 0) return;
    listeners.notify(pair);
    for (const cross of this.#crosses.ofLeg(pair)) if (this.#direct[cross] === 0) listeners.notify(cross);
  }
}
