import { keepLast } from '../../domain/keep-last.js';
import { clientBid, clientOffer, isClientPrice } from '../../domain/rate.js';
import type { StreamedPrice as BookablePrice } from '../../service/core/services.js';
import { LIMITS } from '../settings.js';
import { Bands, type BookLadders } from './book-ladders.js';
import type { PriceTier, TierTerms } from './price-shape.js';

/** A price that a client has been streamed and may book. */
export interface StreamedPrice extends BookablePrice {
  /** YYYYMMDD that the price is for; absent where the calendars do not know spot. */
  readonly settlesOn?: string;
  /** Still streamed and not replaced; otherwise it is one of the last half second. */
  readonly isCurrent: boolean;
}

/** Tiers left within half a second; beyond this number the oldest are dropped, and their prices are no longer bookable. */
const LEFT_MAX = 10_000;

/** The terms of a tier's price, kept when the tier itself may have been dropped. */
interface Quoted {
  readonly terms: TierTerms;
  readonly settlesOn: string | undefined;
  /** The first price of the pair that the tier may have published. */
  readonly since: number;
}

interface Left extends Quoted {
  readonly leftAtMs: number;
}

/** By pair index: the price, and what it carries before another level begins, whole units of base. */
type BandColumns = Readonly<Record<'bid' | 'offer' | 'bidLimit' | 'offerLimit', Float64Array>>;

interface StreamedPricesDeps {
  readonly book: BandColumns & {
    watch(pair: number): void;
    unwatch(pair: number): void;
    read(pair: number): unknown;
  };
  /** Number of the newest price of each pair. */
  readonly versions: Float64Array;
  readonly ladders: BookLadders;
  /** The tier of that name, when the client streams it. */
  tierOf(name: string, clientId: string): PriceTier | undefined;
}

/**
 * The prices that may be booked by QuoteEntryID(299): those of a tier that the client streams, while newest and for half a second after,
 * and for half a second after the client has left the tier; but none from before a withdrawal. Pairs are therefore followed for as long
 * after the last desk has left them.
 */
export class StreamedPrices {
  private readonly recent = new RecentPrices();
  /** By name and client, in the order in which they were left. */
  private readonly left = new Map<string, Left>();
  private readonly followed: Uint8Array;
  /** Pairs without a stream, and since when. */
  private readonly idle = new Map<number, number>();
  /** The first price of each pair for the current spot date. */
  private readonly spotSince: Float64Array;
  private readonly ladderSince: Float64Array;
  private readonly bids = new Bands();
  private readonly offers = new Bands();

  constructor(private readonly deps: StreamedPricesDeps) {
    this.followed = new Uint8Array(deps.versions.length);
    this.spotSince = new Float64Array(deps.versions.length);
    this.ladderSince = new Float64Array(deps.versions.length);
  }

  /** A desk streams the pair. True: it was not followed until now. */
  follow(pair: number, nowMs: number): boolean {
    this.idle.delete(pair);
    if (this.followed[pair] === 1) return false;
    this.deps.book.watch(pair);
    this.followed[pair] = 1;
    this.recent.open(pair);
    this.add(pair, nowMs);
    return true;
  }

  follows(pair: number): boolean {
    return this.followed[pair] === 1;
  }

  /** Records the pair's newest price in the book. */
  add(pair: number, atMs: number): void {
    this.recent.add(pair, this.deps.versions[pair]!, this.deps.book, atMs);
  }

  /** The newest price is for another spot date than those before it. */
  rolled(pair: number, nowMs: number): void {
    this.spotSince[pair] = this.deps.versions[pair]!;
    this.ladderSince[pair] = this.deps.ladders.versions[pair]!;
    if (this.followed[pair] === 1) this.add(pair, nowMs);
  }

  /** The client no longer streams the tier. */
  leave(clientId: string, tier: PriceTier, nowMs: number): void {
    keepLast(this.left, leftKey(tier.name, clientId), { ...quotedOn(tier), leftAtMs: nowMs }, LEFT_MAX);
  }

  /** The pair has no stream any more. */
  abandon(pair: number, nowMs: number): void {
    this.idle.set(pair, nowMs);
  }

  /** Drops what can no longer be booked. */
  dropUnbookable(nowMs: number): void {
    for (const [pair, sinceMs] of this.idle) {
      if (isBookable(sinceMs, nowMs)) continue;
      this.idle.delete(pair);
      this.followed[pair] = 0;
      this.deps.book.unwatch(pair);
    }
    for (const [key, { leftAtMs }] of this.left) {
      if (isBookable(leftAtMs, nowMs)) break;
      this.left.delete(key);
    }
  }

  /** Undefined: never streamed to this client, or no longer to be booked. */
  find(quoteId: string, clientId: string, nowMs: number): StreamedPrice | undefined {
    const [, name, digits, band] = QUOTE_ENTRY_ID.exec(quoteId) ?? [];
    if (name === undefined || digits === undefined) return undefined;
    const version = Number.parseInt(digits, 36);
    const tier = this.deps.tierOf(name, clientId);
    const quoted = tier === undefined ? this.leftBy(clientId, name, nowMs) : quotedOn(tier);
    if (quoted === undefined || version < quoted.since || quoted.terms.isLadder !== (band !== undefined))
      return undefined;
    if (band !== undefined) return this.findBand(quoted, version, Number(band), tier !== undefined, nowMs);
    const { terms, settlesOn } = quoted;
    const { pair, marginPpm, type, sides, valueDate, bandLimit } = terms;
    const newest = this.deps.versions[pair.index]!;
    if (valueDate === undefined && version < this.spotSince[pair.index]!) return undefined;
    // The book withdraws or replaces a stale price only when it is read.
    if (this.deps.book.read(pair.index) === undefined) return undefined;
    const newestNow = this.deps.versions[pair.index]!;
    if (version === newest && newestNow !== newest) return undefined;
    const price = this.recent.find(pair.index, version, newestNow, marginPpm);
    if (price === undefined || (price.replacedAtMs !== undefined && !isBookable(price.replacedAtMs, nowMs)))
      return undefined;
    return {
      pair,
      bid: clientBid(price.bid, marginPpm),
      offer: clientOffer(price.offer, marginPpm),
      providerBid: price.bid,
      providerOffer: price.offer,
      bidBand: { limit: Math.min(price.bidLimit, bandLimit), marginPpm },
      offerBand: { limit: Math.min(price.offerLimit, bandLimit), marginPpm },
      type,
      ...(valueDate === undefined ? {} : { valueDate }),
      ...(settlesOn === undefined ? {} : { settlesOn }),
      sides,
      isCurrent: tier !== undefined && price.replacedAtMs === undefined,
    };
  }

  /** A band of a ladder, by its MDEntryPositionNo(290). */
  private findBand(
    { terms, settlesOn }: Quoted,
    version: number,
    position: number,
    isStreamed: boolean,
    nowMs: number,
  ): StreamedPrice | undefined {
    const { ladders } = this.deps;
    const { pair, type, sides, valueDate, bands: margins } = terms;
    if (valueDate === undefined && version < this.ladderSince[pair.index]!) return undefined;
    const wasNewest = version === ladders.versions[pair.index];
    const isMarked = ladders.isMarked(pair.index);
    // Without a change of the market that is known of, a level of the newest ladder has become too old.
    if (ladders.isDue(pair.index, nowMs) && ladders.refresh(pair.index, nowMs) && wasNewest && !isMarked)
      return undefined;
    const found = ladders.find(pair.index, version);
    if (found === undefined || (found.replacedAtMs !== undefined && !isBookable(found.replacedAtMs, nowMs)))
      return undefined;
    const { bids, offers } = this;
    bids.fill(found.ladder.bid, true, margins, Number(pair.maxAmount));
    offers.fill(found.ladder.offer, false, margins, Number(pair.maxAmount));
    const k = position - 1;
    const hasBid = sides !== 'offer' && k < bids.count;
    const hasOffer = sides !== 'bid' && k < offers.count;
    if (!hasBid && !hasOffer) return undefined;
    return {
      pair,
      bid: bids.price[k]!,
      offer: offers.price[k]!,
      providerBid: bids.providerPrice[k]!,
      providerOffer: offers.providerPrice[k]!,
      bidBand: { limit: bids.size[k]!, marginPpm: bids.marginPpm[k]! },
      offerBand: { limit: offers.size[k]!, marginPpm: offers.marginPpm[k]! },
      type,
      ...(valueDate === undefined ? {} : { valueDate }),
      ...(settlesOn === undefined ? {} : { settlesOn }),
      sides: hasBid && hasOffer ? 'both' : hasBid ? 'bid' : 'offer',
      isCurrent: isStreamed && found.replacedAtMs === undefined,
    };
  }

  private leftBy(clientId: string, name: string, nowMs: number): Quoted | undefined {
    const left = this.left.get(leftKey(name, clientId));
    return left !== undefined && isBookable(left.leftAtMs, nowMs) ? left : undefined;
  }
}

/** Name of the tier, the number of the price or the ladder within its pair, and of a ladder the band. */
const QUOTE_ENTRY_ID = /^([0-9a-z]{10})\.(0|[1-9a-z][0-9a-z]{0,9})(?:\.(10|[1-9]))?$/;

const quotedOn = ({ terms, shape, since }: PriceTier): Quoted => ({ terms, settlesOn: shape.valueDate, since });

const leftKey = (name: string, clientId: string): string => `${name} ${clientId}`;

const isBookable = (endedAtMs: number, nowMs: number): boolean => nowMs - endedAtMs <= LIMITS.espTtlMs;

/** Prices kept of each pair: those of half a second as long as no more than 2,000 a second come. A power of two. */
const KEPT = 1024;
/** Number, bid, offer, when it was published, what each side carries: side by side, so that keeping a price touches one place in memory. */
const COLUMNS = 6;

/** A price that was the newest of its pair, scaled, as the providers gave it. */
interface RecentPrice {
  readonly bid: number;
  readonly offer: number;
  readonly bidLimit: number;
  readonly offerLimit: number;
  /** When a newer one came, on the clock of the rate book; undefined: it is the newest. */
  readonly replacedAtMs: number | undefined;
}

/** The last prices of each pair that is followed, so that a desk may book what it has just seen. Nothing is allocated per price. */
class RecentPrices {
  private readonly rings: (Float64Array | undefined)[] = [];

  /** Makes room for a pair, once. */
  open(pair: number): void {
    this.rings[pair] ??= new Float64Array(KEPT * COLUMNS);
  }

  /** `version` is the number of the price within its pair; bid 0 is no price. */
  add(pair: number, version: number, book: BandColumns, atMs: number): void {
    const ring = this.rings[pair]!;
    const at = placeOf(version);
    ring[at] = version;
    ring[at + 1] = book.bid[pair]!;
    ring[at + 2] = book.offer[pair]!;
    ring[at + 3] = atMs;
    ring[at + 4] = book.bidLimit[pair]!;
    ring[at + 5] = book.offerLimit[pair]!;
  }

  /** Undefined when it is no longer kept, or when it or a later one, up to `newest`, is no price at this margin. */
  find(pair: number, version: number, newest: number, marginPpm: number): RecentPrice | undefined {
    const ring = this.rings[pair];
    if (ring === undefined || version > newest || newest - version >= KEPT) return undefined;
    for (let later = version; later <= newest; later++) {
      const at = placeOf(later);
      if (ring[at] !== later || !isPrice(ring[at + 1]!, ring[at + 2]!, marginPpm)) return undefined;
    }
    const at = placeOf(version);
    const replacedAtMs = version === newest ? undefined : ring[placeOf(version + 1) + 3];
    return {
      bid: ring[at + 1]!,
      offer: ring[at + 2]!,
      bidLimit: ring[at + 4]!,
      offerLimit: ring[at + 5]!,
      replacedAtMs,
    };
  }
}

const placeOf = (version: number): number => (version & (KEPT - 1)) * COLUMNS;

function isPrice(bid: number, offer: number, marginPpm: number): boolean {
  return bid !== 0 && offer !== 0 && isClientPrice(clientBid(bid, marginPpm), clientOffer(offer, marginPpm));
}
