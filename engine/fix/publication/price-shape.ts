import type { SharedBody } from 'node-quickfix-ts';
import type { BookFxType } from '../../domain/book-fx-type.js';
import { formatMargin } from '../../domain/margin.js';
import type { Pair } from '../../domain/pair.js';
import { clientBid, clientOffer, formatScaled, isClientPrice } from '../../domain/scaled.js';
import { type BookPrices, type Turn, writeSourceTime } from './price-batch.js';
import { type BodyFrame, PriceBody, SOURCE_TIME_LENGTH } from './price-body.js';

/** Everything that changes the body after MDReqID(262): sessions that agree on it get the same bytes. */
export interface TierTerms {
  readonly pair: Pair;
  /** Margin in units of 0.0001 percent. */
  readonly marginPpm: number;
  readonly type: BookFxType;
  readonly sides: 'both' | 'bid' | 'offer';
  readonly form: 'W' | 'X';
  /** The date that the request named; absent is spot, which rolls. */
  readonly valueDate?: string;
  readonly discloseMargin: boolean;
  /** ProviderRate(20004); given only when one side was asked for. */
  readonly discloseProviderRate: boolean;
  readonly sourceTime: boolean;
}

/** A margin of one pair among the sessions of a shape: what they share, and what sets them apart from other tiers. */
export interface PriceTier {
  readonly terms: TierTerms;
  readonly shape: PriceShape;
  readonly marginPpm: number;
  /** The part of QuoteEntryID(299) before the point: which tier, of which run of the engine. */
  readonly name: string;
  /** The same as it goes into a message. */
  readonly epoch: Uint8Array;
  /** Number of the pair's newest price when the tier was made: it has shown none before. */
  readonly since: number;
  /** Subscriptions that hold it; at none it is dropped. */
  holders: number;
}

export function shapeKey(terms: TierTerms): string {
  const { pair, marginPpm, type, sides, form, valueDate, discloseMargin, discloseProviderRate, sourceTime } = terms;
  const shown = discloseMargin ? marginPpm : 'hidden';
  return [pair.symbol, type, sides, form, valueDate ?? 'spot', shown, discloseProviderRate, sourceTime].join('|');
}

/** A size that the provider did not give. */
const USUAL_SIZE = 1_000_000;

/**
 * All tiers of a pair whose bodies differ in nothing but prices and the name of the tier. What they share is encoded once per
 * price, whatever the number of tiers; so a client with a margin of its own costs two prices, not a message, and a thousand
 * such clients work in the same few hundred bytes.
 */
export class PriceShape {
  /** Tiers that it serves; at none it is dropped. */
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

  /** The k-th price of the turn for a tier. Good until it is asked for another tier. */
  bodyOf(tier: PriceTier, turn: Turn, k: number): SharedBody {
    const slot = turn.ordinal[k]!;
    let body = this.bodies[slot];
    if (body === undefined) {
      body = new PriceBody();
      this.bodies[slot] = body;
    }
    const bid = turn.bid[k]!;
    const offer = turn.offer[k]!;
    if (bid === 0 || offer === 0) return body.withdrawn(this.frame);
    if (this.begunIn[slot] !== turn.id) {
      this.begunIn[slot] = turn.id;
      this.begin(
        body,
        turn.isNew[k] === 1,
        bid,
        offer,
        turn.bidSize[k]!,
        turn.offerSize[k]!,
        turn.version[k]!,
        turn.sourceTime(k),
      );
    }
    return this.priced(body, bid, offer, tier);
  }

  /** The price as it stands in the book: for snapshots and for sessions that catch up. Good until the next call. */
  currentBody(tier: PriceTier, book: BookPrices, version: number): SharedBody {
    const { index } = this.terms.pair;
    const bid = book.bid[index]!;
    const offer = book.offer[index]!;
    if (bid === 0 || offer === 0) {
      this.currentVersion = -1;
      return this.current.withdrawn(this.frame);
    }
    if (this.currentVersion !== version) {
      this.currentVersion = version;
      if (this.terms.sourceTime) writeSourceTime(this.currentTime, book.sourceTimeUs[index]!);
      const { bidSize, offerSize } = book;
      this.begin(this.current, false, bid, offer, bidSize[index]!, offerSize[index]!, version, this.currentTime);
    }
    return this.priced(this.current, bid, offer, tier);
  }

  private priced(body: PriceBody, bid: number, offer: number, tier: PriceTier): SharedBody {
    const clientsBid = clientBid(bid, tier.marginPpm);
    const clientsOffer = clientOffer(offer, tier.marginPpm);
    if (!isClientPrice(clientsBid, clientsOffer)) return body.withdrawn(this.frame);
    return body.forTier(clientsBid, clientsOffer, tier.epoch);
  }

  /** YYYYMMDD that its prices are for; undefined where the calendars do not know spot. */
  get valueDate(): string | undefined {
    return this.terms.valueDate ?? this.settlesOn;
  }

  /** Spot has rolled, or has become known or unknown: true when the body changes. */
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
    body.begin(frame, isNew, bidSize || USUAL_SIZE, offerSize || USUAL_SIZE, version, time);
  }

  /** The one frame that changes with the price: the few clients to whom the provider's rate is disclosed pay for it. */
  private frameWithProviderRate(bid: number, offer: number): BodyFrame {
    const rate = formatScaled(this.terms.sides === 'bid' ? bid : offer, this.terms.pair.priceDigits);
    return { ...this.frame, tail: `${this.frame.tail}20004=${rate}\x01` };
  }
}

function frameOf(terms: TierTerms, settlesOn: string | undefined): BodyFrame {
  const { pair, sides, form } = terms;
  const entries = sides === 'both' ? ['0', '1'] : [sides === 'bid' ? '0' : '1'];
  const heads = (action: '0' | '1' | '2') =>
    entries.map((side) =>
      form === 'W'
        ? `269=${side}\x01270=`
        : `279=${action}\x01269=${side}\x01278=${pair.symbol}.${side === '0' ? 'B' : 'O'}\x0155=${pair.symbol}\x01270=`,
    );
  const entryHeads = heads('1');
  const instrument = form === 'W' ? `55=${pair.symbol}\x01460=4\x01` : '';
  const date = terms.valueDate ?? settlesOn;
  return {
    head: `${instrument}268=${entries.length}\x01`,
    entryHeads,
    newEntryHeads: form === 'W' ? entryHeads : heads('0'),
    withdrawnEntryHeads: form === 'W' ? entryHeads : heads('2'),
    currency: `15=${pair.base}\x01271=`,
    tail: [
      // X may not carry it at top level: an incremental stream is spot only.
      date !== undefined && form === 'W' ? `20012=${date}\x01` : '',
      terms.type === 'PREFUNDING' || form === 'X' ? '' : `20005=${terms.type}\x01`,
      terms.discloseMargin && form === 'W' ? `20003=${formatMargin(terms.marginPpm)}\x01` : '',
    ].join(''),
    digits: pair.priceDigits,
    sides,
    sourceTime: terms.sourceTime,
  };
}
