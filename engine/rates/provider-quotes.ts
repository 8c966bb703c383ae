import { isMonotonic, Ladder, MAX_LEVELS } from '../domain/money/ladder.js';
import { PAIRS } from '../domain/money/pair.js';
import { PriceColumns } from '../domain/money/price-columns.js';
import type { TickVerdict } from '../store/record/record-lines.js';
import { LevelsTaken } from './levels-taken.js';
import { MAX_PROVIDERS, QuoteOrigins, TickOrigin } from './quote-origins.js';
import { type KeptQuote, SideLevels } from './side-levels.js';
import { MAX_BOOK_LEVELS, type ProviderOptions } from './tick-sink.js';

/**
 * Why a tick was rejected: `crossed` its bid is above its offer, `negative` a side is zero, negative or no number, `order` older than an
 * earlier tick of the provider by its own time or number, `jump` too far from the provider's last price and not confirmed, `spread` wider than
 * the cap, `ladder` levels that get better or a size below zero; `level`: of the tick a level too far from the mid, and those behind it, alone.
 */
export type TickRefusal = Exclude<TickVerdict, ''> | 'level';

export interface TickLimits {
  readonly maxAgeMs: number;
  /** Distance of a tick's mid from the provider's last, percent, above which it must be confirmed. */
  readonly maxJumpPercent: number;
  /** Offer above bid, percent of the bid. A level may be five times as far from the mid. */
  readonly maxSpreadPercent: number;
}

const LEVEL_SPREADS = 5;

const PAIR_COUNT = PAIRS.length;
const CELLS = MAX_PROVIDERS * PAIR_COUNT;

/**
 * The last good price of every provider for every pair, and the checks that decide what is good. Cells are indexed by
 * provider x pairs + pair.
 */
export class ProviderQuotes extends PriceColumns {
  /** Rises with each accepted tick: of two prices the one with the higher number is the newer. */
  readonly arrival = new Float64Array(CELLS);
  readonly refused: Record<TickRefusal, number> = {
    crossed: 0,
    negative: 0,
    order: 0,
    jump: 0,
    spread: 0,
    ladder: 0,
    level: 0,
    malformed: 0,
    'unknown-pair': 0,
  };

  /** Of the tick that was rejected last. */
  lastRefusal: TickRefusal = 'negative';

  /** What `findBest` has found: the cells of the best bid and offer. */
  bidCell = -1;
  offerCell = -1;
  /** Providers are crossed against each other: the newer one, whose two cells these are, alone makes the price. */
  isAlone = false;
  /** Providers 0 to n - 1 are open. */
  providers = 0;
  /** Grows with each price that is taken or dropped. */
  changes = 0;
  /** Of the next tick, and of those that were taken. */
  readonly origin = new TickOrigin();
  readonly origins: QuoteOrigins;
  /** Some provider has sent a ladder: until then a tick does not look for levels. */
  hasLadders = false;
  readonly taken = new LevelsTaken();

  // By provider; made with its first ladder, so that a provider of single prices needs none.
  readonly #bids: (SideLevels | undefined)[] = new Array(MAX_PROVIDERS).fill(undefined);
  readonly #offers: (SideLevels | undefined)[] = new Array(MAX_PROVIDERS).fill(undefined);
  readonly #sequence = new Float64Array(CELLS);
  // Twice the mid, so that it stays whole: of the last accepted price, and of one far from it that awaits confirmation.
  readonly #lastMid2 = new Float64Array(CELLS);
  readonly #unconfirmedMid2 = new Float64Array(CELLS);
  readonly #trusted = new Uint8Array(MAX_PROVIDERS);
  readonly #ordered = new Uint8Array(MAX_PROVIDERS);
  readonly #limits: TickLimits;

  constructor(limits: TickLimits) {
    super(CELLS);
    this.#limits = limits;
    this.origins = new QuoteOrigins(this, this.#sequence, this.origin.names);
  }

  /** Providers 0 to n - 1 take part in confirming each other's jumps. */
  open(provider: number, name: string, { trusted = false, ordered = false }: ProviderOptions): void {
    this.origins.register(provider, name);
    this.#trusted[provider] = trusted ? 1 : 0;
    this.#ordered[provider] = ordered ? 1 : 0;
    this.providers = Math.max(this.providers, provider + 1);
  }

  /** Accepts the tick, or rejects and counts it. A rejected tick leaves the provider's last good price unchanged. */
  take(
    provider: number,
    pair: number,
    bid: number,
    offer: number,
    bidSize: number,
    offerSize: number,
    sourceTimeUs: number,
    sequence: number,
    readAtMs: number,
    ladder: Ladder | undefined,
  ): boolean {
    // Written so that NaN is refused too.
    if (!(bid > 0 && offer > 0)) {
      return this.#refuse('negative');
    }
    if (bid > offer) {
      return this.#refuse('crossed');
    }
    if (ladder !== undefined && !isMonotonic(ladder)) {
      return this.#refuse('ladder');
    }
    const cell = provider * PAIR_COUNT + pair;
    if (this.#trusted[provider] === 0) {
      if ((offer - bid) * 100 > bid * this.#limits.maxSpreadPercent) {
        return this.#refuse('spread');
      }
      if (this.#ordered[provider] === 0 && this.#isLate(cell, sourceTimeUs, sequence, readAtMs)) {
        return this.#refuse('order');
      }
    }
    if (this.#isJump(provider, pair, cell, bid + offer, readAtMs)) {
      return this.#refuse('jump');
    }
    this.origins.take(cell, this.changes + 1, bid, offer, this.origin);
    this.bid[cell] = bid;
    this.offer[cell] = offer;
    this.bidSize[cell] = bidSize;
    this.offerSize[cell] = offerSize;
    this.sourceTimeUs[cell] = sourceTimeUs;
    this.receivedAtMs[cell] = readAtMs;
    this.arrival[cell] = ++this.changes;
    this.#sequence[cell] = sequence;
    this.#lastMid2[cell] = bid + offer;
    this.#unconfirmedMid2[cell] = 0;
    this.#setLevels(provider, pair, ladder);
    if (this.taken.isAny) this.taken.clear(cell);
    return true;
  }

  #refuse(why: TickRefusal): false {
    this.refused[why]++;
    this.lastRefusal = why;
    return false;
  }

  /** The cell's provider is another engine's book. */
  isBook(cell: number): boolean {
    return this.#trusted[Math.floor(cell / PAIR_COUNT)] === 1;
  }

  /** Levels of a side that came with a ladder; 0: the provider has one price, and `levelPrice` of 0 is that. */
  levelsOf(cell: number, isBid: boolean): number {
    const levels = (isBid ? this.#bids : this.#offers)[Math.floor(cell / PAIR_COUNT)];
    return levels === undefined ? 0 : levels.count[cell % PAIR_COUNT];
  }

  levelPrice(cell: number, isBid: boolean, level: number): number {
    if (level === 0) return isBid ? this.bid[cell] : this.offer[cell];
    const { price, most } = (isBid ? this.#bids : this.#offers)[Math.floor(cell / PAIR_COUNT)]!;
    return price[(cell % PAIR_COUNT) * most + level];
  }

  /** Whole units of base; 0: not stated. */
  levelSize(cell: number, isBid: boolean, level: number): number {
    const levels = (isBid ? this.#bids : this.#offers)[Math.floor(cell / PAIR_COUNT)];
    const pair = cell % PAIR_COUNT;
    if (levels !== undefined && levels.count[pair] > 0) return levels.size[pair * levels.most + level];
    return isBid ? this.bidSize[cell] : this.offerSize[cell];
  }

  /** By how much the level is older than the tick that brought it, ms. */
  levelAgeMs(cell: number, isBid: boolean, level: number): number {
    const levels = (isBid ? this.#bids : this.#offers)[Math.floor(cell / PAIR_COUNT)];
    const pair = cell % PAIR_COUNT;
    return levels === undefined || levels.count[pair] === 0 ? 0 : levels.ageMs[pair * levels.most + level];
  }

  /**
   * Sets `bidCell` and `offerCell` to the best fresh bid and offer of a pair, and `isAlone`; false when there is none. A price received
   * before `oldestMs` is no price.
   */
  findBest(pair: number, oldestMs: number): boolean {
    const { bid, offer, arrival, receivedAtMs } = this;
    const end = this.providers * PAIR_COUNT;
    let bidCell = -1;
    let offerCell = -1;
    for (let cell = pair; cell < end; cell += PAIR_COUNT) {
      if (bid[cell] === 0 || receivedAtMs[cell] < oldestMs) continue;
      if (bidCell < 0 || isBetter(bid[cell], bid[bidCell], arrival[cell], arrival[bidCell])) bidCell = cell;
      if (offerCell < 0 || isBetter(-offer[cell], -offer[offerCell], arrival[cell], arrival[offerCell]))
        offerCell = cell;
    }
    const isAlone = bidCell >= 0 && bid[bidCell] > offer[offerCell];
    if (isAlone) {
      bidCell = arrival[bidCell] > arrival[offerCell] ? bidCell : offerCell;
      offerCell = bidCell;
    }
    this.bidCell = bidCell;
    this.offerCell = offerCell;
    this.isAlone = isAlone;
    return bidCell >= 0;
  }

  /** When the newest of the providers' prices of a pair was received, monotonic ms; -Infinity: there is none. */
  newestAtMs(pair: number): number {
    let newest = Number.NEGATIVE_INFINITY;
    for (let cell = pair; cell < this.providers * PAIR_COUNT; cell += PAIR_COUNT)
      if (this.bid[cell] !== 0 && this.receivedAtMs[cell] > newest) newest = this.receivedAtMs[cell];
    return newest;
  }

  /** The providers that have a fresh price for the pair. */
  freshProviders(pair: number, oldestMs: number): number[] {
    return Array.from({ length: this.providers }, (_, provider) => provider).filter((provider) => {
      const cell = provider * PAIR_COUNT + pair;
      return this.bid[cell] !== 0 && this.receivedAtMs[cell] >= oldestMs;
    });
  }

  /** The best fresh price of a pair at the providers but that of `cell`, as `findBest` compares them; -1: none. */
  findRunnerUp(cell: number, isBid: boolean, oldestMs: number): number {
    const { arrival, receivedAtMs } = this;
    const prices = isBid ? this.bid : this.offer;
    const sign = isBid ? 1 : -1;
    let best = -1;
    for (let other = cell % PAIR_COUNT; other < this.providers * PAIR_COUNT; other += PAIR_COUNT) {
      if (other === cell || prices[other] === 0 || receivedAtMs[other] < oldestMs) continue;
      if (best < 0 || isBetter(sign * prices[other], sign * prices[best], arrival[other], arrival[best])) best = other;
    }
    return best;
  }

  /** Drops the provider prices of a pair that were received before `oldestMs`; true when there was one. */
  dropStale(pair: number, oldestMs: number): boolean {
    let dropped = false;
    for (let cell = pair; cell < this.providers * PAIR_COUNT; cell += PAIR_COUNT) {
      if (this.bid[cell] === 0 || this.receivedAtMs[cell] >= oldestMs) continue;
      this.drop(cell);
      dropped = true;
    }
    return dropped;
  }

  // A ladder of one level on each side is what a provider of single prices sends; but of a book it says what that level carries.
  #setLevels(provider: number, pair: number, ladder: Ladder | undefined, isKept = false): void {
    const isBook = this.#trusted[provider] === 1;
    if (ladder === undefined || (!isBook && !isKept && ladder.bid.count <= 1 && ladder.offer.count <= 1)) {
      if (this.hasLadders) this.#endLevels(provider, pair);
      return;
    }
    this.hasLadders = true;
    const most = isBook ? MAX_BOOK_LEVELS : MAX_LEVELS;
    this.#bids[provider] ??= new SideLevels(most);
    this.#offers[provider] ??= new SideLevels(most);
    this.#bids[provider].set(pair, ladder.bid);
    this.#offers[provider].set(pair, ladder.offer);
    if (isBook) return;
    const mid2 = ladder.bid.price[0] + ladder.offer.price[0];
    this.#dropFar(this.#bids[provider], pair, mid2);
    this.#dropFar(this.#offers[provider], pair, mid2);
  }

  // What is left of a ladder carries what its levels say, though it be one.
  #dropFar({ count, price, most }: SideLevels, pair: number, mid2: number): void {
    for (let level = 1; level < count[pair]; level++) {
      if (!isFar(2 * price[pair * most + level], mid2, LEVEL_SPREADS * this.#limits.maxSpreadPercent)) continue;
      count[pair] = level;
      this.refused.level++;
    }
  }

  #endLevels(provider: number, pair: number): void {
    const bids = this.#bids[provider];
    const offers = this.#offers[provider];
    if (bids === undefined || offers === undefined) return;
    bids.count[pair] = 0;
    offers.count[pair] = 0;
  }

  /** The price is withdrawn, if there is one; the next one is still compared with it. */
  drop(cell: number): boolean {
    if (this.bid[cell] === 0) return false;
    this.changes++;
    this.origins.keep(cell);
    this.bid[cell] = 0;
    this.offer[cell] = 0;
    return true;
  }

  /** A new connection: order and jumps are not compared with earlier prices. Present prices remain until they are replaced or stale. */
  forget(provider: number): void {
    const from = provider * PAIR_COUNT;
    const to = from + PAIR_COUNT;
    this.sourceTimeUs.fill(0, from, to);
    this.#sequence.fill(0, from, to);
    this.#lastMid2.fill(0, from, to);
    this.#unconfirmedMid2.fill(0, from, to);
  }

  /** What is kept of each provider and pair, for a snapshot; and taken from one, in the order of their arrival. */
  kept(): KeptQuote[] {
    const all: KeptQuote[] = [];
    for (let cell = 0; cell < this.providers * PAIR_COUNT; cell++) {
      if (this.#lastMid2[cell] === 0 && this.#unconfirmedMid2[cell] === 0 && this.receivedAtMs[cell] === 0) continue;
      const provider = Math.floor(cell / PAIR_COUNT);
      const pair = cell % PAIR_COUNT;
      const isLevelled = this.levelsOf(cell, true) + this.levelsOf(cell, false) > 0;
      all.push({
        provider,
        pair,
        bid: this.bid[cell],
        offer: this.offer[cell],
        bidSize: this.bidSize[cell],
        offerSize: this.offerSize[cell],
        sourceTimeUs: this.sourceTimeUs[cell],
        receivedAtMs: this.receivedAtMs[cell],
        arrival: this.arrival[cell],
        sequence: this.#sequence[cell],
        lastMid2: this.#lastMid2[cell],
        unconfirmedMid2: this.#unconfirmedMid2[cell],
        ...(isLevelled && { bids: this.#bids[provider]!.of(pair), offers: this.#offers[provider]!.of(pair) }),
        ...(this.taken.isAny && { taken: this.taken.kept(cell) }),
      });
    }
    return all.sort((a, b) => a.arrival - b.arrival);
  }

  keep(quote: KeptQuote): void {
    const { provider, pair, bids, offers } = quote;
    const cell = provider * PAIR_COUNT + pair;
    for (const name of ['bid', 'offer', 'bidSize', 'offerSize', 'sourceTimeUs', 'receivedAtMs', 'arrival'] as const)
      this[name][cell] = quote[name];
    this.#sequence[cell] = quote.sequence;
    this.#lastMid2[cell] = quote.lastMid2;
    this.#unconfirmedMid2[cell] = quote.unconfirmedMid2;
    this.changes = Math.max(this.changes, quote.arrival);
    for (const taken of quote.taken ?? []) this.taken.add(cell, taken);
    if (bids === undefined || offers === undefined) return;
    const ladder = new Ladder(MAX_BOOK_LEVELS);
    for (const { price, size, ageMs } of bids) ladder.bid.add(price, size, ageMs);
    for (const { price, size, ageMs } of offers) ladder.offer.add(price, size, ageMs);
    this.#setLevels(provider, pair, ladder, true);
  }

  // Compared only with a price that is still fresh: one time stamp far in the future must not silence a provider for ever.
  #isLate(cell: number, sourceTimeUs: number, sequence: number, readAtMs: number): boolean {
    if (this.receivedAtMs[cell] + this.#limits.maxAgeMs < readAtMs) return false;
    if (sourceTimeUs !== 0 && sourceTimeUs < this.sourceTimeUs[cell]) return true;
    return sequence !== 0 && sequence <= this.#sequence[cell];
  }

  #isJump(provider: number, pair: number, cell: number, mid2: number, readAtMs: number): boolean {
    const last = this.#lastMid2[cell];
    if (last === 0 || !isFar(mid2, last, this.#limits.maxJumpPercent)) return false;

    // Half the limit: what confirms a jump must be clearly nearer to the new level than to the old one.
    const near = this.#limits.maxJumpPercent / 2;
    const unconfirmed = this.#unconfirmedMid2[cell];
    if (unconfirmed !== 0 && !isFar(mid2, unconfirmed, near)) return false;
    for (let other = 0; other < this.providers; other++) {
      if (other === provider) continue;
      const otherCell = other * PAIR_COUNT + pair;
      const fresh = this.bid[otherCell] !== 0 && this.receivedAtMs[otherCell] + this.#limits.maxAgeMs >= readAtMs;
      if (fresh && !isFar(mid2, this.bid[otherCell] + this.offer[otherCell], near)) return false;
      const otherUnconfirmed = this.#unconfirmedMid2[otherCell];
      if (otherUnconfirmed !== 0 && !isFar(mid2, otherUnconfirmed, near)) return false;
    }
    this.#unconfirmedMid2[cell] = mid2;
    return true;
  }
}

function isFar(mid2: number, from: number, percent: number): boolean {
  return Math.abs(mid2 - from) * 100 > from * percent;
}

// Of equal prices the newer, so that the one that makes the price is the one that lasts.
function isBetter(price: number, than: number, arrival: number, thanArrival: number): boolean {
  return price > than || (price === than && arrival > thanArrival);
}
