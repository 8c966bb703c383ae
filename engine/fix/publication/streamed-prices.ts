import { keepLast } from '../../domain/core/keep-last.js';
import { ORIGIN_KEYS, type OriginKeys } from '../../domain/money/price-columns.js';
import { clientBid, clientOffer, isClientPrice } from '../../domain/money/rate.js';
import {
  type MarginParts,
  marginParts,
  type PriceShift,
  type PriceShiftColumns,
} from '../../domain/prices/effective-margin.js';
import type { StreamedPrice as BookablePrice } from '../../service/core/services.js';
import { Bands } from './book-ladders.js';
import type { LadderStreams } from './ladder-streams.js';
import type { PriceTier, TierTerms } from './price-shape.js';
import { isDealableAfter, VersionRing } from './version-ring.js';

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

/** Prices kept of each pair: those of half a second as long as no more than 2,000 a second come. */
const KEPT = 1024;
/** Bid, offer, what each side carries, which input of the book has made them, and what the price is made of. */
const PRICE_VALUES = 5;
const VALUES = PRICE_VALUES + ORIGIN_KEYS;
/** Skew, widening, and the bounds of the spread. */
const SHIFT_VALUES = 4;

interface StreamedPricesDeps {
  readonly book: BandColumns & {
    readonly position: number;
    watch(pair: number): void;
    unwatch(pair: number): void;
    read(pair: number): unknown;
    readonly origins: OriginKeys;
    /** By pair: when the price last changed, by the clock of the book. */
    readonly stamp: Float64Array;
  };
  readonly shifts: PriceShiftColumns;
  /** Number of the newest price of each pair. */
  readonly versions: Float64Array;
  readonly ladders: LadderStreams;
  /** The tier of that name, when the client streams it. */
  tierOf(name: string, clientId: string): PriceTier | undefined;
}

/**
 * The prices that may be booked by QuoteEntryID(299): those of a tier that the client streams, while newest and for half a second after,
 * and for half a second after the client has left the tier; but none from before a withdrawal. Pairs are therefore followed for as long
 * after the last desk has left them.
 */
export class StreamedPrices {
  private readonly recent = new VersionRing(KEPT, VALUES);
  /** What the rules of pricing changed on the margins at each of these prices, of pairs where they have changed any. */
  private readonly shifted = new VersionRing(KEPT, SHIFT_VALUES);
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

  /** Records the pair's newest price in the book. The one before ended then, by the clock of the book. */
  add(pair: number, endOfLastMs: number): void {
    const { book, versions } = this.deps;
    const at = this.recent.add(pair, versions[pair]!, endOfLastMs);
    const values = this.recent.valuesOf(pair);
    values[at] = book.bid[pair]!;
    values[at + 1] = book.offer[pair]!;
    values[at + 2] = book.bidLimit[pair]!;
    values[at + 3] = book.offerLimit[pair]!;
    values[at + 4] = book.position;
    book.origins.write(pair, book.stamp[pair]!, values, at + PRICE_VALUES);
    if (this.deps.shifts.isOn[pair] === 1) this.shifted.open(pair);
    if (this.shifted.isOpen(pair)) this.addShift(pair, endOfLastMs);
  }

  private addShift(pair: number, endOfLastMs: number): void {
    const { shifts, versions } = this.deps;
    const at = this.shifted.add(pair, versions[pair]!, endOfLastMs);
    const values = this.shifted.valuesOf(pair);
    values[at] = shifts.skew[pair]!;
    values[at + 1] = shifts.widening[pair]!;
    values[at + 2] = shifts.spreadMin[pair]!;
    values[at + 3] = shifts.spreadMax[pair]!;
  }

  /** Undefined: nothing was changed at that price. */
  private shiftOf(pair: number, version: number): PriceShift | undefined {
    const found = this.shifted.valuesAt(pair, version);
    if (found === undefined) return undefined;
    const [skew = 0, widening = 0, spreadMin = 0, spreadMax = 0] = found;
    return { skew, widening, spreadMin, spreadMax };
  }

  /** The newest price is for another spot date than those before it. */
  rolled(pair: number, nowMs: number): void {
    this.spotSince[pair] = this.deps.versions[pair]!;
    this.ladderSince[pair] = this.deps.ladders.book.versions[pair]!;
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
      if (isDealableAfter(sinceMs, nowMs)) continue;
      this.idle.delete(pair);
      this.followed[pair] = 0;
      this.deps.book.unwatch(pair);
    }
    for (const [key, { leftAtMs }] of this.left) {
      if (isDealableAfter(leftAtMs, nowMs)) break;
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
    const { pair, marginPpm: rulePpm, type, sides, valueDate, bandLimit } = terms;
    if (valueDate === undefined && version < this.spotSince[pair.index]!) return undefined;
    // The book withdraws or replaces a stale price only when it is read.
    if (this.deps.book.read(pair.index) === undefined) return undefined;
    const newest = this.deps.versions[pair.index]!;
    const isPriced = (of: Float64Array, at: number, number: number): boolean =>
      isPrice(of[at]!, of[at + 1]!, rulePpm, this.shiftOf(pair.index, number));
    const found = this.recent.find(pair.index, version, newest, nowMs, isPriced);
    if (found === undefined) return undefined;
    const [providerBid = 0, providerOffer = 0, bidLimit = 0, offerLimit = 0, position = 0] = found;
    const originKeys = found.slice(PRICE_VALUES);
    // Of the price in force: the newest quotes of it, not the first.
    if (version === newest) this.deps.book.origins.write(pair.index, nowMs, originKeys);
    const margin = marginsAt(providerBid, providerOffer, rulePpm, this.shiftOf(pair.index, version));
    return {
      pair,
      bid: clientBid(providerBid, margin.bid.marginPpm),
      offer: clientOffer(providerOffer, margin.offer.marginPpm),
      providerBid,
      providerOffer,
      bidBand: { limit: Math.min(bidLimit, bandLimit), levels: 1, ...margin.bid },
      offerBand: { limit: Math.min(offerLimit, bandLimit), levels: 1, ...margin.offer },
      originKeys,
      type,
      ...(valueDate === undefined ? {} : { valueDate }),
      ...(settlesOn === undefined ? {} : { settlesOn }),
      sides,
      position,
      isCurrent: tier !== undefined && version === newest,
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
    // A level of the newest ladder may have become too old with no tick to say so.
    ladders.refreshIfDue(pair.index);
    const found = ladders.book.find(pair.index, version, nowMs);
    if (found === undefined) return undefined;
    const originKeys = ladders.book.originKeys.slice();
    const { bids, offers } = this;
    bids.fill(found, true, margins, Number(pair.maxAmount));
    offers.fill(found, false, margins, Number(pair.maxAmount));
    const k = position - 1;
    const hasBid = sides !== 'offer' && k < bids.count;
    const hasOffer = sides !== 'bid' && k < offers.count;
    if (!hasBid && !hasOffer) return undefined;
    const parts = (rulePpm: number) => marginParts(found.bid.price[0]!, found.offer.price[0]!, found, rulePpm);
    return {
      pair,
      bid: bids.price[k]!,
      offer: offers.price[k]!,
      providerBid: bids.providerPrice[k]!,
      providerOffer: offers.providerPrice[k]!,
      bidBand: { limit: bids.size[k]!, levels: bids.levels[k]!, ...parts(bids.rulePpm[k]!).bid },
      offerBand: { limit: offers.size[k]!, levels: offers.levels[k]!, ...parts(offers.rulePpm[k]!).offer },
      originKeys,
      type,
      ...(valueDate === undefined ? {} : { valueDate }),
      ...(settlesOn === undefined ? {} : { settlesOn }),
      sides: hasBid && hasOffer ? 'both' : hasBid ? 'bid' : 'offer',
      position: ladders.book.foundPosition,
      isBand: true,
      isCurrent: isStreamed && version === ladders.book.versions[pair.index],
    };
  }

  private leftBy(clientId: string, name: string, nowMs: number): Quoted | undefined {
    const left = this.left.get(leftKey(name, clientId));
    return left !== undefined && isDealableAfter(left.leftAtMs, nowMs) ? left : undefined;
  }
}

/** Name of the tier, the number of the price or the ladder within its pair, and of a ladder the band. */
const QUOTE_ENTRY_ID = /^([0-9a-z]{10})\.(0|[1-9a-z][0-9a-z]{0,9})(?:\.(10|[1-9]))?$/;

const quotedOn = ({ terms, shape, since }: PriceTier): Quoted => ({ terms, settlesOn: shape.valueDate, since });

const leftKey = (name: string, clientId: string): string => `${name} ${clientId}`;

function isPrice(bid: number, offer: number, rulePpm: number, shift: PriceShift | undefined): boolean {
  if (bid === 0 || offer === 0) return false;
  const margin = marginsAt(bid, offer, rulePpm, shift);
  return isClientPrice(clientBid(bid, margin.bid.marginPpm), clientOffer(offer, margin.offer.marginPpm));
}

function marginsAt(bid: number, offer: number, rulePpm: number, shift: PriceShift | undefined) {
  if (shift !== undefined) return marginParts(bid, offer, shift, rulePpm);
  const own: MarginParts = { rulePpm, skewPpm: 0, wideningPpm: 0, spreadPpm: 0, marginPpm: rulePpm };
  return { bid: own, offer: own };
}
