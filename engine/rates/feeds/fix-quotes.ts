import type { MessageView } from 'node-quickfix-ts';
import * as Tag from '../../domain/fix/tags.js';
import { Ladder } from '../../domain/money/ladder.js';
import { PAIRS } from '../../domain/money/pair.js';
import { BID, BY_ID, BY_QUOTE, EntryKey, entriesOf, isFor, OFFER, type PairEntries } from './fix-entries.js';
import { dateAt, type FixPriceSink, pairAt, priceAt, publish, sizeAt, timeAt } from './fix-prices.js';

// Own copies for the loop over the fields of a message: Node 20 reads an imported constant from its module at every use.
const QUOTE_SET_ID = Tag.QuoteSetID;
const QUOTE_ENTRY_ID = Tag.QuoteEntryID;
const UNDERLYING_SYMBOL = Tag.UnderlyingSymbol;
const QUOTE_SET_VALID_UNTIL_TIME = Tag.QuoteSetValidUntilTime;
const SYMBOL = Tag.Symbol;
const SETTL_DATE = Tag.SettlDate;
const VALID_UNTIL_TIME = Tag.ValidUntilTime;
const BID_PX = Tag.BidPx;
const OFFER_PX = Tag.OfferPx;
const BID_SIZE = Tag.BidSize;
const OFFER_SIZE = Tag.OfferSize;

/** Why a MassQuote(i) is refused, as QuoteRejectReason(300) and in words. */
export interface QuoteFault {
  readonly reason: number;
  readonly text: string;
}

const NO_SYMBOL: QuoteFault = { reason: 1, text: 'a symbol that we do not take' };
const NO_PRICE: QuoteFault = {
  reason: 99,
  text: 'a price, size or time that is none, or more entries than are taken',
};

/**
 * Reads MassQuote(i) and Quote(S) into one ladder per pair. An entry of a MassQuote(i) is a level of both sides, by QuoteSetID(302) and
 * QuoteEntryID(299); it replaces the one before, and what it leaves out stays. A Quote(S) is the pair's one price.
 *
 * QuoteType(537)=0 is indicative, and so no price; without it a quote can be dealt, as we ask for it. ValidUntilTime(62) ends a quote: it
 * lasts as long as from SendingTime(52) to 62, by the provider's own clock.
 */
export class FixQuotes {
  readonly #sink: FixPriceSink;
  readonly #requested: (message: MessageView, field: number) => number;
  readonly #now: () => number;
  readonly #entries: (PairEntries | undefined)[] = new Array(PAIRS.length).fill(undefined);
  readonly #touched = new Uint8Array(PAIRS.length);
  readonly #ladder = new Ladder();
  readonly #key = new EntryKey();
  #fault: QuoteFault | undefined;
  // Of the MassQuote(i) that is read: where fields are that hold for several entries, -1 for none.
  #isIndicative = false;
  #defaultBidSizeAt = -1;
  #defaultOfferSizeAt = -1;
  #setAt = -1;
  #setEndsAt = -1;
  // Of the entry that is read.
  #idAt = -1;
  #symbolAt = -1;
  #dateAt = -1;
  #endsAt = -1;
  #bidAt = -1;
  #offerAt = -1;
  #bidSizeAt = -1;
  #offerSizeAt = -1;

  /** `requested` is the pair of the request whose id a field holds, -1 where there is none; `now` a monotonic clock, ms. */
  constructor(sink: FixPriceSink, requested: (message: MessageView, field: number) => number, now: () => number) {
    this.#sink = sink;
    this.#requested = requested;
    this.#now = now;
  }

  /** A new connection knows no quote of the old one. */
  clear(): void {
    for (const entries of this.#entries) entries?.clear();
  }

  /** A quote that is refused in part is used for the rest. Returns the first fault. */
  massQuote(message: MessageView): QuoteFault | undefined {
    const touched = this.#touched;
    touched.fill(0);
    this.#fault = undefined;
    this.#isIndicative = isIndicative(message);
    this.#defaultBidSizeAt = message.find(Tag.DefBidSize);
    this.#defaultOfferSizeAt = message.find(Tag.DefOfferSize);
    this.#setAt = -1;
    this.#setEndsAt = -1;
    this.#clearEntry();
    const asked = this.#requested(message, message.find(Tag.QuoteReqID));
    let pair = asked;
    for (let i = Math.max(0, message.find(Tag.NoQuoteSets)) + 1; i < message.count; i++) {
      const tag = message.tagAt(i);
      if (tag === QUOTE_SET_ID || tag === QUOTE_ENTRY_ID) {
        this.#entryRead(message, pair);
        this.#clearEntry();
      }
      if (tag === QUOTE_SET_ID) {
        this.#setAt = i;
        this.#setEndsAt = -1;
        const ofSet = this.#requested(message, i);
        pair = ofSet >= 0 ? ofSet : asked;
      } else if (tag === QUOTE_ENTRY_ID) this.#idAt = i;
      else if (tag === UNDERLYING_SYMBOL) pair = pairAt(message, i, -1);
      else if (tag === QUOTE_SET_VALID_UNTIL_TIME) this.#setEndsAt = i;
      else if (tag === SYMBOL) this.#symbolAt = i;
      else if (tag === SETTL_DATE) this.#dateAt = i;
      else if (tag === VALID_UNTIL_TIME) this.#endsAt = i;
      else if (tag === BID_PX) this.#bidAt = i;
      else if (tag === OFFER_PX) this.#offerAt = i;
      else if (tag === BID_SIZE) this.#bidSizeAt = i;
      else if (tag === OFFER_SIZE) this.#offerSizeAt = i;
    }
    this.#entryRead(message, pair);
    for (let touchedPair = 0; touchedPair < touched.length; touchedPair++)
      if (touched[touchedPair] === 1) this.#publish(message, touchedPair);
    return this.#fault;
  }

  /** Quote(S): one price of both sides, or of none where one is missing. */
  quote(message: MessageView): void {
    const sink = this.#sink;
    const asked = this.#requested(message, message.find(Tag.QuoteReqID));
    const pair = pairAt(message, message.find(Tag.Symbol), asked);
    if (pair < 0) {
      sink.unknownPair();
      return;
    }
    const spot = sink.spotDate(pair);
    const entries = entriesOf(this.#entries, pair);
    const settlDateAt = message.find(Tag.SettlDate);
    const date = settlDateAt < 0 ? 0 : dateAt(message, settlDateAt);
    if (!isFor(spot, date)) {
      sink.otherDate(pair, date);
      // The one before may be for what was spot until now.
      if (entries.removeOtherDates(spot)) this.#publish(message, pair);
      return;
    }
    const endsAtMs = this.#endOf(message, message.find(Tag.ValidUntilTime));
    const id = message.find(Tag.QuoteID);
    this.#key.setId(message, id, -1);
    this.#isIndicative = isIndicative(message);
    entries.clear();
    this.#startQuoteKey(message, id, BID);
    const bid = this.#put(message, pair, BID, message.find(BID_PX), 0, message.find(BID_SIZE), 0, date, endsAtMs);
    this.#startQuoteKey(message, id, OFFER);
    const offer = this.#put(
      message,
      pair,
      OFFER,
      message.find(OFFER_PX),
      0,
      message.find(OFFER_SIZE),
      0,
      date,
      endsAtMs,
    );
    if (!bid || !offer) {
      entries.clear();
      sink.malformed();
    }
    this.#publish(message, pair);
  }

  /**
   * QuoteCancel(Z) of the provider withdraws every pair whose Symbol(55) it names, else that of its QuoteReqID(131) or QuoteID(117). One that names none of
   * ours withdraws every quote: which was meant is not known.
   */
  cancel(message: MessageView): void {
    let isNamed = false;
    if (message.string(Tag.QuoteCancelType) !== '4') {
      for (let i = message.find(SYMBOL); i >= 0; i = message.find(SYMBOL, i + 1)) {
        const pair = pairAt(message, i, -1);
        if (pair < 0) continue;
        isNamed = true;
        this.withdraw(pair);
      }
      const pair = isNamed ? -1 : this.pairOf(message);
      if (pair >= 0) {
        isNamed = true;
        this.withdraw(pair);
      }
    }
    if (isNamed) return;
    for (const [pair, entries] of this.#entries.entries()) if (entries && entries.count > 0) this.withdraw(pair);
  }

  /** Ends the quotes of a pair. */
  withdraw(pair: number): void {
    this.#entries[pair]?.clear();
    this.#sink.withdraw(pair);
  }

  /** The pair of a message about quotes: that of its QuoteReqID(131), else of the newest Quote(S) with its QuoteID(117); -1: none of ours. */
  pairOf(message: MessageView): number {
    const asked = this.#requested(message, message.find(Tag.QuoteReqID));
    const id = message.find(Tag.QuoteID);
    if (asked >= 0 || id < 0) return asked;
    return this.#entries.findIndex((entries) => entries !== undefined && this.#isQuote(message, id, entries));
  }

  /** The pair whose present quotes a QuoteStatusReport(AI) is about; -1: none, or one that another quote has replaced. */
  reportedPair(message: MessageView): number {
    const found = this.pairOf(message);
    const pair = found >= 0 ? found : pairAt(message, message.find(SYMBOL), -1);
    const id = message.find(Tag.QuoteID);
    const entries = this.#entries[pair];
    if (entries === undefined || entries.count === 0) return found;
    // That of a MassQuote(i) is not kept: what it has said may be by any.
    return id < 0 || !entries.has(BY_QUOTE) || this.#isQuote(message, id, entries) ? pair : -1;
  }

  #isQuote(message: MessageView, id: number, entries: PairEntries): boolean {
    return [BID, OFFER].some((side) => {
      this.#startQuoteKey(message, id, side);
      return entries.find(this.#key) >= 0;
    });
  }

  #clearEntry(): void {
    this.#idAt = -1;
    this.#symbolAt = -1;
    this.#dateAt = -1;
    this.#endsAt = -1;
    this.#bidAt = -1;
    this.#offerAt = -1;
    this.#bidSizeAt = -1;
    this.#offerSizeAt = -1;
  }

  #entryRead(message: MessageView, setPair: number): void {
    if (this.#idAt < 0) return;
    const pair = pairAt(message, this.#symbolAt, setPair);
    if (pair < 0) {
      this.#sink.unknownPair();
      this.#fault ??= NO_SYMBOL;
      return;
    }
    this.#touched[pair] = 1;
    this.#key.setId(message, this.#idAt, -1);
    // A Quote(S) before it is no price beside it.
    entriesOf(this.#entries, pair).removeOtherWays(BY_ID, 0);
    const date = this.#date(message, 0);
    if (!isFor(this.#sink.spotDate(pair), date)) this.#sink.otherDate(pair, date);
    const endsAtMs = this.#endOf(message, this.#endsAt >= 0 ? this.#endsAt : this.#setEndsAt);
    const bidSize = this.#bidSizeAt >= 0 ? this.#bidSizeAt : this.#defaultBidSizeAt;
    const offerSize = this.#offerSizeAt >= 0 ? this.#offerSizeAt : this.#defaultOfferSizeAt;
    const isGood =
      this.#putSide(message, pair, BID, this.#bidAt, bidSize, endsAtMs) &&
      this.#putSide(message, pair, OFFER, this.#offerAt, offerSize, endsAtMs);
    if (isGood) return;
    this.#startEntryKey(message, BID);
    entriesOf(this.#entries, pair).remove(this.#key);
    this.#startEntryKey(message, OFFER);
    entriesOf(this.#entries, pair).remove(this.#key);
    this.#sink.malformed();
    this.#fault ??= NO_PRICE;
  }

  // Each side is an entry of its own: what is left out of one stays.
  #putSide(message: MessageView, pair: number, side: number, price: number, size: number, endsAtMs: number): boolean {
    const entries = entriesOf(this.#entries, pair);
    this.#startEntryKey(message, side);
    const known = entries.find(this.#key);
    if (known < 0) return this.#put(message, pair, side, price, 0, size, 0, this.#date(message, 0), endsAtMs);
    const stays = this.#endsAt < 0 && this.#setEndsAt < 0;
    return this.#put(
      message,
      pair,
      side,
      price,
      entries.price[known],
      size,
      entries.size[known],
      this.#date(message, entries.date[known]),
      stays ? entries.endsAtMs[known] : endsAtMs,
    );
  }

  #date(message: MessageView, known: number): number {
    return this.#dateAt < 0 ? known : dateAt(message, this.#dateAt);
  }

  // Under the key that was started. False: a value is none, or there is no room.
  #put(
    message: MessageView,
    pair: number,
    side: number,
    priceField: number,
    knownPrice: number,
    sizeField: number,
    knownSize: number,
    date: number,
    endsAtMs: number,
  ): boolean {
    const entries = entriesOf(this.#entries, pair);
    const price = priceField < 0 ? knownPrice : priceAt(message, priceField, pair, side === BID);
    const size = sizeField < 0 ? knownSize : sizeAt(message, sizeField);
    if (Number.isNaN(price) || Number.isNaN(size) || Number.isNaN(endsAtMs)) return false;
    // A stated size of 0 is no price; without one it is not stated.
    if (!this.#isIndicative && price > 0 && (size > 0 || sizeField < 0))
      return entries.set(this.#key, this.#sink.spotDate(pair), side, price, size, date, endsAtMs);
    entries.remove(this.#key);
    return true;
  }

  #startQuoteKey(message: MessageView, id: number, side: number): void {
    this.#key.start(BY_QUOTE, side);
    this.#key.addField(message, id);
  }

  #startEntryKey(message: MessageView, side: number): void {
    this.#key.start(BY_ID, side);
    this.#key.addField(message, this.#setAt);
    this.#key.addField(message, this.#idAt);
  }

  // By our own clock; NaN where the field is no time.
  #endOf(message: MessageView, field: number): number {
    if (field < 0) return Number.POSITIVE_INFINITY;
    return this.#now() + timeAt(message, field) - timeAt(message, message.find(Tag.SendingTime));
  }

  #publish(message: MessageView, pair: number): void {
    publish(this.#sink, message, pair, entriesOf(this.#entries, pair), this.#ladder, this.#now());
  }
}

function isIndicative(message: MessageView): boolean {
  const type = message.find(Tag.QuoteType);
  return type >= 0 && message.buffer[message.valueStartAt(type)] === INDICATIVE;
}

const INDICATIVE = 0x30;
