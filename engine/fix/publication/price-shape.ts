import type { SharedBody } from 'node-quickfix-ts';
import * as Tag from '../../domain/fix/tags.js';
import { formatScaled } from '../../domain/money/money.js';
import type { Pair } from '../../domain/money/pair.js';
import { clientBid, clientOffer, isClientPrice, type MarginBand } from '../../domain/money/rate.js';
import type { BookFxType } from '../../domain/money/value-date.js';
import { EffectiveMargin, type PriceShiftColumns } from '../../domain/prices/effective-margin.js';
import type { LadderBody } from './ladder-body.js';
import { type BookPrices, type PriceBatch, shownSize, writeSourceTime } from './price-batch.js';
import { type BodyFrame, PriceBody, SOURCE_TIME_LENGTH } from './price-body.js';

/** Everything that changes the body after MDReqID(262): sessions with the same terms get the same bytes. */
export interface TierTerms {
  readonly pair: Pair;
  /** The client's own margin in units of 0.0001 percent. */
  readonly marginPpm: number;
  /** Where the client's first band ends by its margin, whole units of base; Infinity: it has one margin for every amount. */
  readonly bandLimit: number;
  /** The client's own margins by size, the first above 0. */
  readonly bands: readonly MarginBand[];
  /** Every band and not the first alone: MarketDepth(264)=0 of a desk that has that option. */
  readonly isLadder: boolean;
  readonly type: BookFxType;
  readonly sides: 'both' | 'bid' | 'offer';
  readonly form: 'W' | 'X';
  /** The date of the request; absent is spot, which rolls. */
  readonly valueDate?: string;
  readonly discloseMargin: boolean;
  /** ProviderRate(20004): only where one side was requested. */
  readonly discloseProviderRate: boolean;
  readonly sourceTime: boolean;
}

/** The sessions of a shape that have one margin of their own, and so one price. */
export interface PriceTier {
  readonly terms: TierTerms;
  readonly shape: PriceShape;
  readonly marginPpm: number;
  /** The part of QuoteEntryID(299) before the point: which tier, of which run of the engine. */
  readonly name: string;
  /** The same as it goes into a message. */
  readonly epoch: Uint8Array;
  /** Number of the pair's newest price, or ladder, when the tier was made: it has published none before. */
  readonly since: number;
  /** Of a tier of ladders. */
  readonly ladder: LadderBody | undefined;
  /** Subscriptions that use it; without any it is dropped. */
  holders: number;
}

export function shapeKey(terms: TierTerms): string {
  const { pair, marginPpm, type, sides, form, valueDate, discloseMargin, discloseProviderRate, sourceTime } = terms;
  const shown = discloseMargin ? marginPpm : 'hidden';
  const limit = terms.isLadder ? bandsKey(terms.bands) : terms.bandLimit;
  const date = valueDate ?? 'spot';
  return [pair.symbol, type, sides, form, date, shown, discloseProviderRate, sourceTime, limit].join('|');
}

/** The same bands give the same text. */
const bandsKey = (bands: readonly MarginBand[]): string =>
  bands.map(({ above, marginPpm }) => `${above}:${marginPpm}`).join(',');

/**
 * All tiers of a pair whose bodies differ only in the prices and the name of the tier. What they share is encoded once per price: a
 * client with a margin of its own costs two prices, not a message, and all of them share the same few hundred bytes.
 */
export class PriceShape {
  /** Tiers that use it; without any it is dropped. */
  tiers = 0;
  private frame: BodyFrame;
  private readonly bodies: PriceBody[] = [];
  private readonly begunIn: number[] = [];
  private readonly current = new PriceBody();
  private currentVersion = -1;
  private readonly currentTime = new Uint8Array(SOURCE_TIME_LENGTH);

  constructor(
    readonly terms: TierTerms,
    private settlesOn: string | undefined,
  ) {
    this.frame = frameOf(terms, settlesOn);
  }

  /** The k-th price of the batch for a tier. Valid until the next call for another tier. */
  bodyOf(tier: PriceTier, batch: PriceBatch, k: number): SharedBody {
    const slot = batch.ordinal[k]!;
    let body = this.bodies[slot];
    if (body === undefined) {
      body = new PriceBody();
      this.bodies[slot] = body;
    }
    const bid = batch.bid[k]!;
    const offer = batch.offer[k]!;
    if (bid === 0 || offer === 0) return body.withdrawn(this.frame);
    if (this.begunIn[slot] !== batch.id) {
      this.begunIn[slot] = batch.id;
      this.begin(
        body,
        batch.isNew[k] === 1,
        bid,
        offer,
        batch.bidSize[k]!,
        batch.offerSize[k]!,
        batch.version[k]!,
        batch.sourceTime(k),
      );
    }
    if (batch.isShifted[k] === 0) return this.priced(body, bid, offer, tier, tier.marginPpm, tier.marginPpm);
    margin.compute(
      bid,
      offer,
      batch.bidShiftPpm[k]!,
      batch.offerShiftPpm[k]!,
      batch.spreadMin[k]!,
      batch.spreadMax[k]!,
      tier.marginPpm,
    );
    return this.priced(body, bid, offer, tier, margin.bidPpm, margin.offerPpm);
  }

  /** The current price of the book: for snapshots and for sessions that catch up. No price without a book. Valid until the next call. */
  currentBody(tier: PriceTier, book: BookPrices | undefined, shifts: PriceShiftColumns, version: number): SharedBody {
    const { index } = this.terms.pair;
    const bid = book?.bid[index] ?? 0;
    const offer = book?.offer[index] ?? 0;
    if (book === undefined || bid === 0 || offer === 0) {
      this.currentVersion = -1;
      return this.current.withdrawn(this.frame);
    }
    if (this.currentVersion !== version) {
      this.currentVersion = version;
      if (this.terms.sourceTime) writeSourceTime(this.currentTime, book.sourceTimeUs[index]!);
      const bidSize = shownSize(book.bidSize[index]!, book.bidLimit[index]!);
      const offerSize = shownSize(book.offerSize[index]!, book.offerLimit[index]!);
      this.begin(this.current, false, bid, offer, bidSize, offerSize, version, this.currentTime);
    }
    const { bidPpm, offerPpm } = shifts.margin(index, bid, offer, tier.marginPpm);
    return this.priced(this.current, bid, offer, tier, bidPpm, offerPpm);
  }

  /** At the effective margins of the two sides. */
  private priced(
    body: PriceBody,
    bid: number,
    offer: number,
    tier: PriceTier,
    bidPpm: number,
    offerPpm: number,
  ): SharedBody {
    const clientsBid = clientBid(bid, bidPpm);
    const clientsOffer = clientOffer(offer, offerPpm);
    if (!isClientPrice(clientsBid, clientsOffer)) return body.withdrawn(this.frame);
    return body.forTier(clientsBid, clientsOffer, tier.epoch, shownMargin(this.terms.sides, bidPpm, offerPpm));
  }

  /** Value date of its prices, YYYYMMDD; undefined where the calendars do not know spot. */
  get valueDate(): string | undefined {
    return this.terms.valueDate ?? this.settlesOn;
  }

  /** The fields behind the entries of W, before MarginPercent(20003). */
  get tail(): string {
    return this.frame.tail;
  }

  /** Sets the spot date; true when the body changes. */
  settleOn(date: string | undefined): boolean {
    if (date === this.settlesOn) return false;
    this.settlesOn = date;
    this.frame = frameOf(this.terms, date);
    this.currentVersion = -1;
    return true;
  }

  private begin(
    body: PriceBody,
    isNew: boolean,
    bid: number,
    offer: number,
    bidSize: number,
    offerSize: number,
    version: number,
    time: Uint8Array,
  ): void {
    const frame = this.terms.discloseProviderRate ? this.frameWithProviderRate(bid, offer) : this.frame;
    const { bandLimit } = this.terms;
    body.begin(frame, isNew, Math.min(bidSize, bandLimit), Math.min(offerSize, bandLimit), version, time);
  }

  /** The only frame that changes with the price: only clients to which the provider's rate is disclosed have it. */
  private frameWithProviderRate(bid: number, offer: number): BodyFrame {
    const rate = formatScaled(this.terms.sides === 'bid' ? bid : offer, this.terms.pair.priceDigits);
    return { ...this.frame, afterMargin: `${Tag.ProviderRate}=${rate}\x01` };
  }
}

/** One for all prices: each is encoded before the next one is computed. */
const margin = new EffectiveMargin();

/** Of two sides the larger one is stated. */
export const shownMargin = (sides: TierTerms['sides'], bidPpm: number, offerPpm: number): number =>
  sides === 'bid' ? bidPpm : sides === 'offer' ? offerPpm : Math.max(bidPpm, offerPpm);

function frameOf(terms: TierTerms, settlesOn: string | undefined): BodyFrame {
  const { pair, sides, form } = terms;
  const entries = sides === 'both' ? ['0', '1'] : [sides === 'bid' ? '0' : '1'];
  const heads = (action: '0' | '1' | '2') =>
    entries.map((side) =>
      form === 'W'
        ? `${Tag.MDEntryType}=${side}\x01${Tag.MDEntryPx}=`
        : `${Tag.MDUpdateAction}=${action}\x01${Tag.MDEntryType}=${side}\x01${Tag.MDEntryID}=${pair.symbol}.${side === '0' ? 'B' : 'O'}\x01${Tag.Symbol}=${pair.symbol}\x01${Tag.MDEntryPx}=`,
    );
  const entryHeads = heads('1');
  const instrument = form === 'W' ? `${Tag.Symbol}=${pair.symbol}\x01${Tag.Product}=4\x01` : '';
  const date = terms.valueDate ?? settlesOn;
  return {
    head: `${instrument}${Tag.NoMDEntries}=${entries.length}\x01`,
    entryHeads,
    newEntryHeads: form === 'W' ? entryHeads : heads('0'),
    withdrawnEntryHeads: form === 'W' ? entryHeads : heads('2'),
    currency: `${Tag.Currency}=${pair.base}\x01${Tag.MDEntrySize}=`,
    tail: [
      // X may not carry it at top level: an incremental stream is spot only.
      date !== undefined && form === 'W' ? `${Tag.ValueDate}=${date}\x01` : '',
      terms.type === 'PREFUNDING' || form === 'X' ? '' : `${Tag.BookFxType}=${terms.type}\x01`,
    ].join(''),
    showsMargin: terms.discloseMargin && form === 'W',
    afterMargin: '',
    digits: pair.priceDigits,
    sides,
    sourceTime: terms.sourceTime,
  };
}
