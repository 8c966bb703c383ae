import type { MessageView } from 'node-quickfix-ts';
import * as Tag from '../../domain/fix/tags.js';
import { Ladder } from '../../domain/ladder.js';
import { PAIRS } from '../../domain/pair.js';
import { scaledFromBytes } from '../../domain/rate.js';
import { type FixPriceSink, latin1, sourceTimeUs, wholePart } from './fix-prices.js';
import { pairOfBytes } from './symbol-bytes.js';

/** One entry of a MassQuote(i), both sides; a price of 0 is none. */
interface Entry {
  bid: number;
  offer: number;
  bidSize: number;
  offerSize: number;
}

/** Entries kept of one pair. */
const MAX_ENTRIES = 64;

/** Why a MassQuote(i) is refused, as QuoteRejectReason(300) and in words. */
export interface QuoteFault {
  readonly reason: number;
  readonly text: string;
}

const UNKNOWN_SYMBOL = 1;
const OTHER = 99;

/**
 * Reads MassQuote(i) and Quote(S) into one ladder per pair. An entry of a MassQuote(i) is a level of both sides, by QuoteSetID(302) and
 * QuoteEntryID(299); it replaces the one before, and what it leaves out stays. A Quote(S) is the pair's one price.
 */
export class FixQuotes {
  readonly #sink: FixPriceSink;
  readonly #requested: (id: string) => number;
  readonly #entries = new Map<number, Map<string, Entry>>();
  /** QuoteID(117) of the newest Quote(S) of each pair. */
  readonly #quoteIds = new Map<number, string>();
  readonly #ladder = new Ladder();
  #fault: QuoteFault | undefined;

  /** `requested` is the pair of a request's id, -1 where there is none. */
  constructor(sink: FixPriceSink, requested: (id: string) => number) {
    this.#sink = sink;
    this.#requested = requested;
  }

  /** A new connection knows no quote of the old one. */
  clear(): void {
    this.#entries.clear();
    this.#quoteIds.clear();
  }

  /** A quote that is refused in part is used for the rest. Returns the first fault. */
  massQuote(message: MessageView): QuoteFault | undefined {
    this.#fault = undefined;
    const touched = new Set<number>();
    const asked = this.#requested(message.string(Tag.QuoteReqID) ?? '');
    let set = '';
    let setPair = asked;
    let fields = new Map<number, number>();
    const take = (): void => {
      if (!fields.has(Tag.QuoteEntryID)) return;
      const pair = this.#apply(message, set, setPair, fields);
      if (pair >= 0) touched.add(pair);
    };
    for (let i = Math.max(0, message.find(Tag.NoQuoteSets)) + 1; i < message.count; i++) {
      const tag = message.tagAt(i);
      if (tag === Tag.QuoteSetID || tag === Tag.QuoteEntryID) {
        take();
        fields = new Map();
      }
      if (tag === Tag.QuoteSetID) {
        set = textAt(message, i);
        const ofSet = this.#requested(set);
        setPair = ofSet >= 0 ? ofSet : asked;
      } else if (tag === Tag.UnderlyingSymbol) setPair = pairAt(message, i);
      else fields.set(tag, i);
    }
    take();
    for (const pair of touched) this.#publish(message, pair);
    return this.#fault;
  }

  /** Quote(S): one price of both sides, or of none where one is missing. */
  quote(message: MessageView): void {
    const symbol = message.find(Tag.Symbol);
    const pair = symbol < 0 ? this.#requested(message.string(Tag.QuoteReqID) ?? '') : pairAt(message, symbol);
    if (pair < 0) {
      this.#sink.unknownPair();
      return;
    }
    if (!this.#sink.isDealtOn(pair, message.string(Tag.SettlDate) ?? '')) return;
    const bid = priceAt(message, message.find(Tag.BidPx), pair, true);
    const offer = priceAt(message, message.find(Tag.OfferPx), pair, false);
    if (Number.isNaN(bid) || Number.isNaN(offer)) {
      this.#sink.malformed();
      return;
    }
    this.#quoteIds.set(pair, message.string(Tag.QuoteID) ?? '');
    this.#entries.delete(pair);
    const entry = {
      bid,
      offer,
      bidSize: sizeAt(message, message.find(Tag.BidSize)),
      offerSize: sizeAt(message, message.find(Tag.OfferSize)),
    };
    this.#entries.set(pair, new Map([['', entry]]));
    this.#publish(message, pair);
  }

  /**
   * QuoteCancel(Z) of the provider withdraws the pair of its QuoteReqID(131), Symbol(55) or QuoteID(117). One that names none of ours withdraws
   * every quote: which was meant is not known.
   */
  cancel(message: MessageView): void {
    const symbol = message.find(Tag.Symbol);
    const asked = this.#requested(message.string(Tag.QuoteReqID) ?? '');
    const quoteId = message.string(Tag.QuoteID);
    const named = symbol >= 0 ? pairAt(message, symbol) : asked;
    const quoted = named >= 0 ? named : ([...this.#quoteIds].find(([, id]) => id === quoteId)?.[0] ?? -1);
    const isAll = message.string(Tag.QuoteCancelType) === '4' || quoted < 0;
    for (const pair of isAll ? [...this.#entries.keys()] : [quoted]) {
      this.#entries.delete(pair);
      this.#quoteIds.delete(pair);
      this.#sink.withdraw(pair);
    }
  }

  // The pair of the entry, -1 where it is not used.
  #apply(message: MessageView, set: string, setPair: number, fields: ReadonlyMap<number, number>): number {
    const at = (tag: number) => fields.get(tag) ?? -1;
    const pair = fields.has(Tag.Symbol) ? pairAt(message, at(Tag.Symbol)) : setPair;
    if (pair < 0) {
      this.#sink.unknownPair();
      this.#fault ??= { reason: UNKNOWN_SYMBOL, text: 'a symbol that we do not take' };
      return -1;
    }
    if (!this.#sink.isDealtOn(pair, fields.has(Tag.SettlDate) ? textAt(message, at(Tag.SettlDate)) : '')) return -1;
    const entries = this.#entries.get(pair) ?? new Map<string, Entry>();
    const key = `${set} ${textAt(message, at(Tag.QuoteEntryID))}`;
    const known = entries.get(key);
    const bid = fields.has(Tag.BidPx) ? priceAt(message, at(Tag.BidPx), pair, true) : (known?.bid ?? 0);
    const offer = fields.has(Tag.OfferPx) ? priceAt(message, at(Tag.OfferPx), pair, false) : (known?.offer ?? 0);
    if (Number.isNaN(bid) || Number.isNaN(offer) || (!known && entries.size === MAX_ENTRIES)) {
      entries.delete(key);
      this.#sink.malformed();
      this.#fault ??= { reason: OTHER, text: 'a price that is none, or more entries than are taken' };
    } else if (bid === 0 && offer === 0) entries.delete(key);
    else
      entries.set(key, {
        bid,
        offer,
        bidSize: fields.has(Tag.BidSize) ? sizeAt(message, at(Tag.BidSize)) : (known?.bidSize ?? 0),
        offerSize: fields.has(Tag.OfferSize) ? sizeAt(message, at(Tag.OfferSize)) : (known?.offerSize ?? 0),
      });
    this.#entries.set(pair, entries);
    return pair;
  }

  #publish(message: MessageView, pair: number): void {
    const { bid, offer } = this.#ladder;
    this.#ladder.clear();
    for (const entry of this.#entries.get(pair)?.values() ?? []) {
      if (entry.bid > 0) bid.insert(entry.bid, entry.bidSize, true);
      if (entry.offer > 0) offer.insert(entry.offer, entry.offerSize, false);
    }
    if (bid.count === 0 || offer.count === 0) this.#sink.withdraw(pair);
    else this.#sink.tick(pair, this.#ladder, sourceTimeUs(message));
  }
}

function textAt(message: MessageView, i: number): string {
  return latin1(message.buffer, message.valueStartAt(i), message.valueEndAt(i));
}

function pairAt(message: MessageView, i: number): number {
  return pairOfBytes(message.buffer, message.valueStartAt(i), message.valueEndAt(i));
}

/** 0 where the field is absent, NaN where it is no price. */
function priceAt(message: MessageView, i: number, pair: number, isBid: boolean): number {
  if (i < 0) return 0;
  const { priceDigits } = PAIRS[pair];
  return scaledFromBytes(
    message.buffer,
    message.valueStartAt(i),
    message.valueEndAt(i),
    priceDigits,
    isBid ? 'down' : 'up',
  );
}

function sizeAt(message: MessageView, i: number): number {
  return i < 0 ? 0 : wholePart(message.buffer, message.valueStartAt(i), message.valueEndAt(i));
}
