import { type MessageView, parseUtcTimestamp } from 'node-quickfix-ts';
import * as Tag from '../../domain/fix/tags.js';
import { Ladder } from '../../domain/money/ladder.js';
import { PAIRS } from '../../domain/money/pair.js';
import { scaledFromBytes } from '../../domain/money/rate.js';
import {
  BID,
  BY_ID,
  BY_POSITION,
  BY_SIDE,
  dateOf,
  EntryKey,
  entriesOf,
  isFor,
  OFFER,
  type PairEntries,
  wholePart,
} from './fix-entries.js';
import { pairOfBytes } from './symbol-bytes.js';

// Own copies for the loop over the fields of a message: Node 20 reads an imported constant from its module at every use.
const MD_ENTRY_TYPE = Tag.MDEntryType;
const MD_UPDATE_ACTION = Tag.MDUpdateAction;
const SYMBOL = Tag.Symbol;
const QUOTE_CONDITION = Tag.QuoteCondition;
const MD_ENTRY_ID = Tag.MDEntryID;
const MD_ENTRY_REF_ID = Tag.MDEntryRefID;
const MD_ENTRY_POSITION_NO = Tag.MDEntryPositionNo;
const SETTL_DATE = Tag.SettlDate;
const MD_ENTRY_PX = Tag.MDEntryPx;
const MD_ENTRY_SIZE = Tag.MDEntrySize;
const QUOTE_ENTRY_ID = Tag.QuoteEntryID;

/** What the messages of a FIX provider come to. */
export interface FixPriceSink {
  /**
   * Every level of both sides, best first; reused. `endsAtMs`: when a price of them ends by itself, by the reader's clock; Infinity: not.
   * `entries` has the ids of the first levels.
   */
  tick(pair: number, ladder: Ladder, sourceTimeUs: number, endsAtMs: number, entries: PairEntries): void;
  withdraw(pair: number): void;
  /** SettlDate(64) of spot now as a number, 20251124; 0: unknown. */
  spotDate(pair: number): number;
  /** A price for that date, which is not spot. */
  otherDate(pair: number, settlDate: number): void;
  malformed(): void;
  unknownPair(): void;
}

const NEW = 0x30;
const DELETED = 0x32;
/** QuoteCondition(276), several apart by blanks: closed, and not firm. */
const CLOSED = 0x42;
const NON_FIRM = 0x49;
const DAY_MS = 86_400_000;

/**
 * Reads MarketDataSnapshotFullRefresh(W) and MarketDataIncrementalRefresh(X) into one ladder per pair. Entries are kept by
 * MDEntryID(278), or else by MDEntryType(269) and MDEntryPositionNo(290); entries of a W that have neither are levels of their own. The
 * levels of a side are its entries in order of price, whatever their order in the message.
 *
 * A change or deletion of an entry that is not known ends those of its side that are known in another way: what it is about is among them.
 *
 * An entry with an id is kept whatever its SettlDate(64), and is a level while that is spot: a change of it need not repeat the date, and the
 * spot date moves on. Of the others only those for spot are kept.
 */
export class FixPrices {
  readonly #sink: FixPriceSink;
  readonly #entries: (PairEntries | undefined)[] = new Array(PAIRS.length).fill(undefined);
  readonly #touched = new Uint8Array(PAIRS.length);
  readonly #ladder = new Ladder();
  readonly #key = new EntryKey();
  // The entry that is being read: where its fields are, -1 for none.
  #side = 0;
  #action = NEW;
  #conditionAt = -1;
  #symbolAt = -1;
  #idAt = -1;
  #refAt = -1;
  #positionAt = -1;
  #dateAt = -1;
  #priceAt = -1;
  #sizeAt = -1;
  #quoteAt = -1;
  #isSnapshot = false;

  constructor(sink: FixPriceSink) {
    this.#sink = sink;
  }

  /** A new connection knows no entry of the old one. */
  clear(): void {
    for (const entries of this.#entries) entries?.clear();
  }

  /** The request for the pair is over. */
  forget(pair: number): void {
    this.#entries[pair]?.clear();
  }

  /** W: the pair's entries as a whole. `requested` is the pair of its MDReqID(262), for a provider that leaves Symbol(55) out. */
  snapshot(message: MessageView, requested: number): void {
    const pair = pairAt(message, message.find(SYMBOL), requested);
    if (pair < 0) {
      this.#sink.unknownPair();
      return;
    }
    entriesOf(this.#entries, pair).clear();
    this.#isSnapshot = true;
    this.#readEntries(message, MD_ENTRY_TYPE, pair);
    this.#publish(message, pair);
  }

  /** X: single entries, of one pair or many. */
  incremental(message: MessageView, requested: number): void {
    const touched = this.#touched;
    touched.fill(0);
    this.#isSnapshot = false;
    this.#readEntries(message, MD_UPDATE_ACTION, requested);
    for (let pair = 0; pair < touched.length; pair++) if (touched[pair] === 1) this.#publish(message, pair);
  }

  #readEntries(message: MessageView, firstTag: number, pair: number): void {
    const from = message.find(Tag.NoMDEntries);
    if (from < 0) return;
    let isOpen = false;
    let ofPair = pair;
    for (let i = from + 1; i < message.count; i++) {
      const tag = message.tagAt(i);
      if (tag === firstTag) {
        if (isOpen) ofPair = this.#entryRead(message, ofPair);
        isOpen = true;
        this.#clearEntry();
      }
      if (!isOpen) continue;
      if (tag === MD_ENTRY_TYPE) this.#side = message.buffer[message.valueStartAt(i)];
      else if (tag === MD_UPDATE_ACTION) this.#action = message.buffer[message.valueStartAt(i)];
      else if (tag === SYMBOL) this.#symbolAt = i;
      else if (tag === QUOTE_CONDITION) this.#conditionAt = i;
      // No field of these groups in FIX 4.4: some providers quote several dates, and name each in its entry.
      else if (tag === SETTL_DATE) this.#dateAt = i;
      else if (tag === MD_ENTRY_ID) this.#idAt = i;
      else if (tag === MD_ENTRY_REF_ID) this.#refAt = i;
      else if (tag === MD_ENTRY_POSITION_NO) this.#positionAt = i;
      else if (tag === MD_ENTRY_PX) this.#priceAt = i;
      else if (tag === MD_ENTRY_SIZE) this.#sizeAt = i;
      else if (tag === QUOTE_ENTRY_ID) this.#quoteAt = i;
    }
    if (isOpen) this.#entryRead(message, ofPair);
  }

  #clearEntry(): void {
    this.#side = 0;
    this.#action = NEW;
    this.#conditionAt = -1;
    this.#symbolAt = -1;
    this.#idAt = -1;
    this.#refAt = -1;
    this.#positionAt = -1;
    this.#dateAt = -1;
    this.#priceAt = -1;
    this.#sizeAt = -1;
    this.#quoteAt = -1;
  }

  // Returns the pair of the entry; `before` is that of the one before it, or of the request.
  #entryRead(message: MessageView, before: number): number {
    const pair = this.#isSnapshot ? before : this.#pairOf(message, before);
    if (pair < 0) {
      this.#sink.unknownPair();
      return pair;
    }
    this.#touched[pair] = 1;
    this.#key.setId(message, this.#quoteAt, this.#idAt);
    const entries = entriesOf(this.#entries, pair);
    const spot = this.#sink.spotDate(pair);
    if (this.#idAt < 0 && (this.#refAt < 0 || this.#action === NEW)) this.#applyUnnamed(message, pair, entries, spot);
    else this.#applyNamed(message, pair, entries, spot);
    return pair;
  }

  // Without Symbol(55) a known id says the pair.
  #pairOf(message: MessageView, before: number): number {
    const id = this.#refAt >= 0 ? this.#refAt : this.#idAt;
    if (this.#symbolAt >= 0 || this.#action === NEW || id < 0) return pairAt(message, this.#symbolAt, before);
    this.#startKey(message, BY_ID, 0, id);
    if (before >= 0 && entriesOf(this.#entries, before).find(this.#key) >= 0) return before;
    for (let pair = 0; pair < this.#entries.length; pair++)
      if ((this.#entries[pair]?.find(this.#key) ?? -1) >= 0) return pair;
    return before;
  }

  #isNoPrice(message: MessageView): boolean {
    if (this.#conditionAt < 0) return false;
    const end = message.valueEndAt(this.#conditionAt);
    for (let i = message.valueStartAt(this.#conditionAt); i < end; i++)
      if (message.buffer[i] === CLOSED || message.buffer[i] === NON_FIRM) return true;
    return false;
  }

  #applyNamed(message: MessageView, pair: number, entries: PairEntries, spot: number): void {
    const key = this.#key;
    // A change may give the entry of MDEntryRefID(280) another id. Of a new entry it says a place, which the price says here.
    const before = this.#refAt >= 0 && this.#action !== NEW ? this.#refAt : this.#idAt;
    this.#startKey(message, BY_ID, 0, before);
    const known = entries.find(key);
    const side = this.#side || (known < 0 ? 0 : entries.side[known]);
    const date = this.#dateAt >= 0 ? dateAt(message, this.#dateAt) : known < 0 ? 0 : entries.date[known];
    const knownPrice = known < 0 ? Number.NaN : entries.price[known];
    const knownSize = known < 0 ? 0 : entries.size[known];
    if (before !== this.#idAt && this.#idAt >= 0) {
      entries.remove(key);
      this.#startKey(message, BY_ID, 0, this.#idAt);
    }
    const isSpot = isFor(spot, date);
    if (!isSpot) this.#sink.otherDate(pair, date);
    // FIX 4.4 has no MDEntryID(278) in W: the first named entry of a side replaces what the W said of that side.
    if (known < 0 && isSpot) entries.removeOtherWays(BY_ID, side);
    this.#put(message, pair, entries, spot, side, date, knownPrice, knownSize);
  }

  #applyUnnamed(message: MessageView, pair: number, entries: PairEntries, spot: number): void {
    const side = this.#side;
    const date = this.#dateAt < 0 ? 0 : dateAt(message, this.#dateAt);
    if (!isFor(spot, date)) {
      this.#sink.otherDate(pair, date);
      return;
    }
    const way = this.#positionAt < 0 ? BY_SIDE : BY_POSITION;
    this.#startKey(message, way, side, this.#positionAt);
    let known = entries.find(this.#key);
    if (this.#isSnapshot && this.#positionAt < 0 && known >= 0) {
      // Of a W each is a level.
      this.#key.addNumber(entries.count);
      known = -1;
    }
    const knownPrice = known < 0 ? Number.NaN : entries.price[known];
    const knownSize = known < 0 ? 0 : entries.size[known];
    // It is about what was named in another way.
    if (known < 0 && !this.#isSnapshot && this.#action !== NEW) entries.removeOtherWays(way, side);
    // Without id and position an update is the side's one price.
    if (!this.#isSnapshot && this.#positionAt < 0) entries.removeOf(BY_SIDE, side);
    this.#put(message, pair, entries, spot, side, date, knownPrice, knownSize);
  }

  // What a change by id leaves out is as known.
  #put(
    message: MessageView,
    pair: number,
    entries: PairEntries,
    spot: number,
    side: number,
    date: number,
    knownPrice: number,
    knownSize: number,
  ): void {
    const key = this.#key;
    if (this.#action === DELETED || this.#isNoPrice(message)) {
      entries.remove(key);
      return;
    }
    if (side !== BID && side !== OFFER) return;
    const price = this.#priceAt < 0 ? knownPrice : priceAt(message, this.#priceAt, pair, side === BID);
    const size = this.#sizeAt < 0 ? knownSize : sizeAt(message, this.#sizeAt);
    // A stated size of 0 is no level; without one it is not stated.
    if (price === 0 || (size === 0 && this.#sizeAt >= 0)) entries.remove(key);
    else if (
      Number.isNaN(price) ||
      Number.isNaN(size) ||
      !entries.set(key, spot, side, price, size, date, Number.POSITIVE_INFINITY)
    ) {
      entries.remove(key);
      this.#sink.malformed();
    }
  }

  #startKey(message: MessageView, way: number, side: number, field: number): void {
    this.#key.start(way, side);
    this.#key.addField(message, field);
  }

  #publish(message: MessageView, pair: number): void {
    publish(this.#sink, message, pair, entriesOf(this.#entries, pair), this.#ladder, 0);
  }
}

/** The entries for spot as the pair's price, or its withdrawal where a side has none. */
export function publish(
  sink: FixPriceSink,
  message: MessageView,
  pair: number,
  entries: PairEntries,
  ladder: Ladder,
  nowMs: number,
): void {
  const endsAtMs = entries.fill(ladder, sink.spotDate(pair), nowMs);
  if (ladder.bid.count === 0 || ladder.offer.count === 0) sink.withdraw(pair);
  else sink.tick(pair, ladder, sourceTimeUs(message), endsAtMs, entries);
}

/** The pair that a field names; `otherwise` where the message has no such field. */
export function pairAt(message: MessageView, field: number, otherwise: number): number {
  return field < 0 ? otherwise : pairOfBytes(message.buffer, message.valueStartAt(field), message.valueEndAt(field));
}

/** NaN where it is no price. */
export function priceAt(message: MessageView, field: number, pair: number, isBid: boolean): number {
  const { priceDigits } = PAIRS[pair];
  const start = message.valueStartAt(field);
  return scaledFromBytes(message.buffer, start, message.valueEndAt(field), priceDigits, isBid ? 'down' : 'up');
}

/** Whole units; NaN where it is no quantity. */
export function sizeAt(message: MessageView, field: number): number {
  return wholePart(message.buffer, message.valueStartAt(field), message.valueEndAt(field));
}

export function dateAt(message: MessageView, field: number): number {
  return dateOf(message.buffer, message.valueStartAt(field), message.valueEndAt(field));
}

/** Epoch ms; NaN where the field is absent or no time. */
export function timeAt(message: MessageView, field: number): number {
  return field < 0
    ? Number.NaN
    : parseUtcTimestamp(message.buffer, message.valueStartAt(field), message.valueEndAt(field));
}

// MDEntryTime(273) of the first entry that has one, else SendingTime(52).
function sourceTimeUs(message: MessageView): number {
  const sentAt = message.find(Tag.SendingTime);
  const sentMs = timeAt(message, sentAt);
  const time = message.find(Tag.MDEntryTime);
  const date = message.find(Tag.MDEntryDate);
  const day = date < 0 ? sentAt : date;
  if (time >= 0 && day >= 0) {
    const start = message.valueStartAt(time);
    const length = message.valueEndAt(time) - start;
    if (length <= TIMESTAMP.length - 9) {
      for (let i = 0; i < 8; i++) TIMESTAMP[i] = message.buffer[message.valueStartAt(day) + i];
      for (let i = 0; i < length; i++) TIMESTAMP[9 + i] = message.buffer[start + i];
      let ms = parseUtcTimestamp(TIMESTAMP, 0, 9 + length);
      // Quoted before midnight, sent after it.
      if (date < 0 && ms > sentMs + DAY_MS / 2) ms -= DAY_MS;
      if (!Number.isNaN(ms)) return Math.round(ms * 1000);
    }
  }
  return Number.isNaN(sentMs) ? 0 : Math.round(sentMs * 1000);
}

const TIMESTAMP = Buffer.from('00000000-00:00:00.000000000', 'latin1');
