import { type Decimal, decimalFromScaled } from '../domain/decimal.js';
import { PAIRS } from '../domain/pair.js';
import { PriceColumns } from '../domain/price-columns.js';
import { crossBid, crossOffer } from '../domain/rate.js';
import { type BookPrice, newPrice, type ProviderStatus } from './book-price.js';
import { CROSS_PLANS, WatchedCrosses } from './crosses.js';
import { ProviderQuotes, type TickRefusal } from './provider-quotes.js';
import { StallDetector } from './stall-detector.js';
import { MAX_PROVIDERS, type ProviderOptions, type ProviderRegistry } from './tick-sink.js';

// Node reads an imported value from its module each time: in the loops of a tick it is our own.
const PAIR_COUNT = PAIRS.length;

export interface RateBookOptions {
  /** A provider's price older than this is no price, ms. */
  readonly maxAgeMs?: number;
  /** A provider's mid further than this from its last must be confirmed, percent. */
  readonly maxJumpPercent?: number;
  /** A tick wider than this is refused, percent. */
  readonly maxSpreadPercent?: number;
  /** Monotonic ms, the clock of performance.now. */
  readonly now?: () => number;
}

/**
 * Every provider's last good price, and of them one price per pair: the best bid and the best offer that are fresh. While two
 * providers are crossed against each other, the newer of the two alone makes the price, so that no spread is published
 * that no provider quoted and no price is ever crossed. Columns are indexed by Pair.index. No allocation per tick.
 *
 * `sourceTimeUs` is that of the newer of the two ticks that make the price, of a cross the older leg's; `receivedAtMs` that of the older.
 */
export class RateBook extends PriceColumns implements ProviderRegistry {
  /** When the bytes of the tick that last changed the price were read, or its end was noticed, monotonic ms: where tick-to-wire begins. */
  readonly stamp = new Float64Array(PAIR_COUNT);
  readonly maxAgeMs: number;
  readonly refused: Readonly<Record<TickRefusal, number>>;
  readAtMs = 0;
  readAgeMs = 0;

  readonly #now: () => number;
  readonly #quotes: ProviderQuotes;
  readonly #providers: string[] = [];
  readonly #up = new Uint8Array(MAX_PROVIDERS);
  readonly #ticks = new Float64Array(MAX_PROVIDERS);
  readonly #lastTickAtMs = new Float64Array(MAX_PROVIDERS);
  // A pair's price comes from providers (not from a cross); it once came from providers.
  readonly #direct = new Uint8Array(PAIR_COUNT);
  readonly #everDirect = new Uint8Array(PAIR_COUNT);
  // Twice the mid of the last direct price, so that it stays whole; it outlives the price.
  readonly #lastMid2 = new Float64Array(PAIR_COUNT);
  readonly #lastMidAtMs = new Float64Array(PAIR_COUNT);
  // An operator has stopped trading in the pair.
  readonly #halted = new Uint8Array(PAIR_COUNT);
  readonly #crosses = new WatchedCrosses();
  #listeners: ((pairIndex: number) => void)[] = [];
  readonly #stalls = new StallDetector();
  readonly #price = newPrice(false);
  readonly #cross = newPrice(true);

  constructor(options: RateBookOptions = {}) {
    super(PAIR_COUNT);
    this.maxAgeMs = options.maxAgeMs ?? 5_000;
    this.#now = options.now ?? (() => performance.now());
    this.#quotes = new ProviderQuotes({
      maxAgeMs: this.maxAgeMs,
      maxJumpPercent: options.maxJumpPercent ?? 2,
      maxSpreadPercent: options.maxSpreadPercent ?? 2,
    });
    this.refused = this.#quotes.refused;
  }

  registerProvider(name: string, options: ProviderOptions = {}): number {
    const known = this.#providers.indexOf(name);
    if (known >= 0) return known;
    if (this.#providers.length === MAX_PROVIDERS) throw new RangeError(`more than ${MAX_PROVIDERS} providers`);
    const provider = this.#providers.push(name) - 1;
    this.#quotes.open(provider, options);
    return provider;
  }

  /**
   * Called inside tick, withdraw, providerDown, sweep, watch and, where it finds a price that has just become stale, read,
   * once for each change of a pair's bid, offer or sizes, its withdrawal included. A listener only marks; it must not throw.
   * Returns what ends it.
   */
  onChange(listener: (pairIndex: number) => void): () => void {
    this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners.filter((kept) => kept !== listener);
    };
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
  ): void {
    const nowMs = this.readAtMs || this.#now();
    // After a stall, a tick without an age of its own may have waited since the last sweep.
    const receivedAtMs = nowMs - (this.readAgeMs || this.#stalls.waitedMs(nowMs));
    this.readAtMs = 0;
    this.readAgeMs = 0;
    this.#ticks[provider]++;
    this.#up[provider] = 1;
    if (!this.#quotes.take(provider, pair, bid, offer, bidSize, offerSize, sourceTimeUs, sequence, receivedAtMs))
      return;

    this.#lastTickAtMs[provider] = nowMs;
    this.#everDirect[pair] = 1;
    this.#makePrice(pair, nowMs);
  }

  withdraw(provider: number, pair: number): void {
    this.#quotes.drop(provider * PAIR_COUNT + pair);
    this.#makePrice(pair, this.#now());
  }

  providerUp(provider: number): void {
    this.#up[provider] = 1;
    this.#quotes.forget(provider);
  }

  providerDown(provider: number): void {
    this.#up[provider] = 0;
    const nowMs = this.#now();
    for (let pair = 0; pair < PAIR_COUNT; pair++) {
      const cell = provider * PAIR_COUNT + pair;
      if (this.#quotes.bid[cell] === 0) continue;
      this.#quotes.drop(cell);
      this.#makePrice(pair, nowMs);
    }
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
    this.#makePrice(pair, this.#now());
  }

  unwatch(pair: number): void {
    if (!this.#crosses.unwatch(pair) || this.#direct[pair] === 1) return;
    // The cross is no longer followed: its price would only become stale.
    this.bid[pair] = 0;
    this.offer[pair] = 0;
  }

  /** The price of this moment, never one older than maxAgeMs; undefined when there is none. */
  read(pair: number): BookPrice | undefined {
    const nowMs = this.#now();
    this.#refresh(pair, nowMs);
    if (this.#direct[pair] === 0) {
      if (!this.#computeCross(pair, nowMs)) return undefined;
      return this.#cross;
    }
    const price = this.#price;
    price.bid = this.bid[pair];
    price.offer = this.offer[pair];
    price.bidSize = this.bidSize[pair];
    price.offerSize = this.offerSize[pair];
    price.sourceTimeUs = this.sourceTimeUs[pair];
    price.ageMs = Math.max(0, nowMs - this.receivedAtMs[pair]);
    return price;
  }

  /**
   * From now on these pairs, and no others, have no price: neither a provider's nor a cross, nor do crosses that need them. Quotes of
   * providers are kept meanwhile, so that a resumed pair has its price at once.
   */
  halt(pairs: ReadonlySet<number>): void {
    const nowMs = this.#now();
    const changed: number[] = [];
    for (let pair = 0; pair < PAIR_COUNT; pair++) {
      const halted = pairs.has(pair) ? 1 : 0;
      if (this.#halted[pair] === halted) continue;
      this.#halted[pair] = halted;
      changed.push(pair);
    }
    for (const pair of changed) this.#makePrice(pair, nowMs);
  }

  isHalted(pair: number): boolean {
    return this.#halted[pair] === 1;
  }

  get haltedPairs(): number {
    return this.#halted.reduce((count, halted) => count + halted, 0);
  }

  /** The mid when providers last quoted the pair, however long ago: for an order of magnitude, never for money. */
  lastMid(pair: number, maxAgeMs = Number.POSITIVE_INFINITY): Decimal | undefined {
    const mid2 = this.#lastMid2[pair];
    return mid2 === 0 || this.#now() - this.#lastMidAtMs[pair] > maxAgeMs
      ? undefined
      : decimalFromScaled(mid2, PAIRS[pair].priceDigits).div(2);
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
    const nowMs = this.#now();
    const notify = this.#stalls.fired(nowMs, againWithinMs);
    this.#withdrawStale(nowMs);
    notify();
  }

  /** After a stall, before the next sweep: withdraws stale prices and returns true. */
  sweepIfLate(): boolean {
    const nowMs = this.#now();
    if (!this.#stalls.isLate(nowMs)) return false;
    this.#withdrawStale(nowMs);
    return true;
  }

  #withdrawStale(nowMs: number): void {
    for (let pair = 0; pair < PAIR_COUNT; pair++) {
      if (this.bid[pair] !== 0 && this.receivedAtMs[pair] + this.maxAgeMs < nowMs) this.#makePrice(pair, nowMs);
    }
  }

  providers(): readonly ProviderStatus[] {
    const nowMs = this.#now();
    return this.#providers.map((name, provider) => ({
      name,
      up: this.#up[provider] === 1,
      ticks: this.#ticks[provider],
      ageMs: this.#lastTickAtMs[provider] === 0 ? undefined : nowMs - this.#lastTickAtMs[provider],
    }));
  }

  /** A provider quotes the pair, freshly: its price here is no cross. */
  isDirect(pair: number): boolean {
    return this.#direct[pair] === 1;
  }

  /** Names of the providers that have a fresh price for the pair, halted or not. */
  quotedBy(pair: number): string[] {
    const oldestMs = this.#now() - this.maxAgeMs;
    const { bid, receivedAtMs } = this.#quotes;
    return this.#providers.filter((_, provider) => {
      const cell = provider * PAIR_COUNT + pair;
      return bid[cell] !== 0 && receivedAtMs[cell] >= oldestMs;
    });
  }

  /** Pairs that providers have quoted and now do not; those that are halted are not among them. */
  get stalePairs(): number {
    let stale = 0;
    for (let pair = 0; pair < PAIR_COUNT; pair++) {
      if (this.#everDirect[pair] === 1 && this.#direct[pair] === 0 && this.#halted[pair] === 0) stale++;
    }
    return stale;
  }

  // A direct price that is stale by one of its two ticks may still be made from other providers.
  #refresh(pair: number, nowMs: number): void {
    if (this.#direct[pair] === 1 && this.receivedAtMs[pair] + this.maxAgeMs < nowMs) this.#makePrice(pair, nowMs);
  }

  #makePrice(pair: number, nowMs: number): void {
    if (this.#halted[pair] === 1) {
      this.#direct[pair] = 0;
      this.#set(pair, 0, 0, 0, 0, nowMs);
      return;
    }
    const quotes = this.#quotes;
    const oldestMs = nowMs - this.maxAgeMs;
    let bidCell = -1;
    let offerCell = -1;
    for (let cell = pair; cell < this.#providers.length * PAIR_COUNT; cell += PAIR_COUNT) {
      if (quotes.bid[cell] === 0 || quotes.receivedAtMs[cell] < oldestMs) continue;
      if (bidCell < 0 || isBetter(quotes.bid[cell], quotes.bid[bidCell], quotes.arrival[cell], quotes.arrival[bidCell]))
        bidCell = cell;
      if (
        offerCell < 0 ||
        isBetter(-quotes.offer[cell], -quotes.offer[offerCell], quotes.arrival[cell], quotes.arrival[offerCell])
      )
        offerCell = cell;
    }
    if (bidCell < 0) {
      this.#direct[pair] = 0;
      this.#makeCross(pair, nowMs);
      return;
    }
    if (quotes.bid[bidCell] > quotes.offer[offerCell]) {
      bidCell = quotes.arrival[bidCell] > quotes.arrival[offerCell] ? bidCell : offerCell;
      offerCell = bidCell;
    }
    this.#direct[pair] = 1;
    this.#lastMid2[pair] = quotes.bid[bidCell] + quotes.offer[offerCell];
    this.sourceTimeUs[pair] = Math.max(quotes.sourceTimeUs[bidCell], quotes.sourceTimeUs[offerCell]);
    this.receivedAtMs[pair] = Math.min(quotes.receivedAtMs[bidCell], quotes.receivedAtMs[offerCell]);
    this.#lastMidAtMs[pair] = this.receivedAtMs[pair];
    this.#set(
      pair,
      quotes.bid[bidCell],
      quotes.offer[offerCell],
      quotes.bidSize[bidCell],
      quotes.offerSize[offerCell],
      nowMs,
    );
  }

  #makeCross(pair: number, nowMs: number): void {
    if (!this.#crosses.isWatched(pair) || !this.#computeCross(pair, nowMs)) {
      this.#set(pair, 0, 0, 0, 0, nowMs);
      return;
    }
    const { bid, offer, sourceTimeUs, ageMs } = this.#cross;
    this.sourceTimeUs[pair] = sourceTimeUs;
    this.receivedAtMs[pair] = nowMs - ageMs;
    this.#set(pair, bid, offer, 0, 0, nowMs);
  }

  #set(pair: number, bid: number, offer: number, bidSize: number, offerSize: number, nowMs: number): void {
    if (
      this.bid[pair] === bid &&
      this.offer[pair] === offer &&
      this.bidSize[pair] === bidSize &&
      this.offerSize[pair] === offerSize
    )
      return;
    this.bid[pair] = bid;
    this.offer[pair] = offer;
    this.bidSize[pair] = bidSize;
    this.offerSize[pair] = offerSize;
    this.stamp[pair] = nowMs;
    for (const listener of this.#listeners) listener(pair);

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
      cross.bid = bid;
      cross.offer = offer;
      cross.sourceTimeUs = Math.min(this.sourceTimeUs[first], this.sourceTimeUs[second]);
      cross.ageMs = Math.max(0, nowMs - Math.min(this.receivedAtMs[first], this.receivedAtMs[second]));
      return true;
    }
    return false;
  }
}

// Of equal prices the newer, so that the one that makes the price is the one that lasts.
function isBetter(price: number, than: number, arrival: number, thanArrival: number): boolean {
  return price > than || (price === than && arrival > thanArrival);
}
