import type { SharedBody } from 'node-quickfix-ts';
import type { BookFxType } from '../../domain/book-fx-type.js';
import { formatMargin } from '../../domain/margin.js';
import type { Pair } from '../../domain/pair.js';
import { clientBid, clientOffer, formatScaled } from '../../domain/scaled.js';
import { type BodyFrame, PriceBody, SOURCE_TIME_LENGTH } from './price-body.js';
import { type BookPrices, type Turn, writeSourceTime } from './turn.js';

/** Everything that changes the body after MDReqID(262): sessions that agree on it share one encoding of each price. */
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

export const tierKey = (terms: TierTerms): string =>
  [
    terms.pair.symbol,
    terms.marginPpm,
    terms.type,
    terms.sides,
    terms.form,
    terms.valueDate ?? 'spot',
    terms.discloseMargin,
    terms.discloseProviderRate,
    terms.sourceTime,
  ].join('|');

/** A size that the provider did not give. */
const USUAL_SIZE = 1_000_000;

/** One price tier of one pair: encodes each price once, however many sessions take it. */
export class PriceTier {
  /** Subscriptions that hold it; at none it is dropped. */
  holders = 0;
  private frame: BodyFrame;
  private readonly bodies: PriceBody[] = [];
  private readonly encodedIn: number[] = [];
  private readonly current: PriceBody;
  private currentShared: SharedBody | undefined;
  private currentVersion = -1;
  private readonly currentSourceTime = new Uint8Array(SOURCE_TIME_LENGTH);

  /** `epoch` is the part of QuoteEntryID(299) before the point: which tier, of which run of the engine. */
  constructor(
    readonly terms: TierTerms,
    private readonly epoch: string,
    private settlesOn: string | undefined,
  ) {
    this.current = new PriceBody(terms.sides);
    this.frame = frameOf(terms, epoch, settlesOn);
  }

  /** The k-th price of the turn. */
  bodyOf(turn: Turn, k: number): SharedBody {
    const slot = turn.ordinal[k]!;
    let body = this.bodies[slot];
    if (body === undefined) {
      body = new PriceBody(this.terms.sides);
      this.bodies[slot] = body;
    }
    if (this.encodedIn[slot] === turn.id) return body.shared;
    this.encodedIn[slot] = turn.id;
    return this.encode(
      body,
      turn.isNew[k] === 1,
      turn.bid[k]!,
      turn.offer[k]!,
      turn.bidSize[k]!,
      turn.offerSize[k]!,
      turn.version[k]!,
      turn.sourceTime(k),
    );
  }

  /** The price as it stands in the book: for snapshots and for sessions that catch up. */
  currentBody(book: BookPrices, version: number): SharedBody {
    if (this.currentShared && this.currentVersion === version) return this.currentShared;
    const { index } = this.terms.pair;
    if (this.terms.sourceTime) writeSourceTime(this.currentSourceTime, book.sourceTimeUs[index]!);
    this.currentVersion = version;
    this.currentShared = this.encode(
      this.current,
      false,
      book.bid[index]!,
      book.offer[index]!,
      book.bidSize[index]!,
      book.offerSize[index]!,
      version,
      this.currentSourceTime,
    );
    return this.currentShared;
  }

  /** Spot has rolled, or has become known or unknown: true when the body changes. */
  settleOn(date: string | undefined): boolean {
    if (date === this.settlesOn) return false;
    this.settlesOn = date;
    this.frame = frameOf(this.terms, this.epoch, date);
    this.currentShared = undefined;
    return true;
  }

  private encode(
    body: PriceBody,
    isNew: boolean,
    bid: number,
    offer: number,
    bidSize: number,
    offerSize: number,
    version: number,
    sourceTime: Uint8Array,
  ): SharedBody {
    if (bid === 0 || offer === 0) return body.withdrawn(this.frame);
    const { marginPpm } = this.terms;
    return body.price(
      this.terms.discloseProviderRate ? this.frameWithProviderRate(bid, offer) : this.frame,
      isNew,
      clientBid(bid, marginPpm),
      clientOffer(offer, marginPpm),
      bidSize || USUAL_SIZE,
      offerSize || USUAL_SIZE,
      version,
      sourceTime,
    );
  }

  /** The one frame that changes with the price: the few clients to whom the provider's rate is disclosed pay for it. */
  private frameWithProviderRate(bid: number, offer: number): BodyFrame {
    const rate = formatScaled(this.terms.sides === 'bid' ? bid : offer, this.terms.pair.priceDigits);
    return { ...this.frame, tail: `${this.frame.tail}20004=${rate}\x01` };
  }
}

function frameOf(terms: TierTerms, epoch: string, settlesOn: string | undefined): BodyFrame {
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
    quality: `276=A\x01299=${epoch}.`,
    tail: [
      // X may not carry it at top level: an incremental stream is spot only.
      date !== undefined && form === 'W' ? `20012=${date}\x01` : '',
      terms.type === 'PREFUNDING' || form === 'X' ? '' : `20005=${terms.type}\x01`,
      terms.discloseMargin && form === 'W' ? `20003=${formatMargin(terms.marginPpm)}\x01` : '',
    ].join(''),
    digits: pair.priceDigits,
    sourceTime: terms.sourceTime,
  };
}
