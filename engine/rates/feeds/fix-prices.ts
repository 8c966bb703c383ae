import { type MessageView, parseUtcTimestamp } from 'node-quickfix-ts';
import * as Tag from '../../domain/fix/tags.js';
import { Ladder } from '../../domain/ladder.js';
import { PAIRS } from '../../domain/pair.js';
import { scaledFromBytes } from '../../domain/rate.js';
import { pairOfBytes } from './symbol-bytes.js';

// Own copies for the loop over the fields of a message: Node 20 reads an imported constant from its module at every use.
const MD_ENTRY_TYPE = Tag.MDEntryType;
const MD_UPDATE_ACTION = Tag.MDUpdateAction;
const SYMBOL = Tag.Symbol;
const QUOTE_CONDITION = Tag.QuoteCondition;
const MD_ENTRY_ID = Tag.MDEntryID;
const MD_ENTRY_POSITION_NO = Tag.MDEntryPositionNo;
const SETTL_DATE = Tag.SettlDate;
const MD_ENTRY_PX = Tag.MDEntryPx;
const MD_ENTRY_SIZE = Tag.MDEntrySize;

/** What the messages of a FIX provider come to. */
export interface FixPriceSink {
  /** Every level of both sides, best first; reused. */
  tick(pair: number, ladder: Ladder, sourceTimeUs: number): void;
  withdraw(pair: number): void;
  /** Whether a price for this SettlDate(64), YYYYMMDD, is one for spot; '' is not said, and taken for spot. */
  isDealtOn(pair: number, settlDate: string): boolean;
  malformed(): void;
  unknownPair(): void;
}

interface Level {
  readonly side: number;
  readonly price: number;
  readonly size: number;
  /** It has an MDEntryID(278). */
  readonly isNamed: boolean;
}

// Entries kept of one pair; the best ten of a side are its levels.
const MAX_ENTRIES = 64;
const BID = 0x30;
const OFFER = 0x31;
const DELETED = 0x32;
const WITHDRAWN = 0x42;
const DAY_MS = 86_400_000;

/**
 * Reads MarketDataSnapshotFullRefresh(W) and MarketDataIncrementalRefresh(X) into one ladder per pair. Entries are kept by
 * MDEntryID(278), or else by MDEntryType(269) and MDEntryPositionNo(290); entries of a W that have neither are levels of their own. The
 * levels of a side are its entries in order of price, whatever their order in the message.
 */
export class FixPrices {
  readonly #sink: FixPriceSink;
  readonly #levels = new Map<number, Map<string, Level>>();
  readonly #ladder = new Ladder();
  // The entry that is being read.
  #side = 0;
  #id = '';
  #position = '';
  #action = BID;
  #condition = 0;
  #settlDate = '';
  #priceAt = 0;
  #priceEnd = 0;
  #size = -1;
  #isSnapshot = false;

  constructor(sink: FixPriceSink) {
    this.#sink = sink;
  }

  /** A new connection knows no entry of the old one. */
  clear(): void {
    this.#levels.clear();
  }

  /** W: the pair's entries as a whole. `requested` is the pair of its MDReqID(262), for a provider that leaves Symbol(55) out. */
  snapshot(message: MessageView, requested: number): void {
    const pair = this.#pairAt(message, message.find(Tag.Symbol), requested);
    if (pair < 0) {
      this.#sink.unknownPair();
      return;
    }
    const levels = this.#levelsOf(pair);
    levels.clear();
    this.#isSnapshot = true;
    this.#readEntries(message, Tag.MDEntryType, () => this.#apply(message, pair, levels));
    this.#publish(message, pair, levels);
  }

  /** X: single entries, of one pair or many. */
  incremental(message: MessageView, requested: number): void {
    const touched = new Set<number>();
    this.#isSnapshot = false;
    this.#readEntries(message, Tag.MDUpdateAction, (symbolAt) => {
      const pair = this.#pairAt(message, symbolAt, requested);
      if (pair < 0) this.#sink.unknownPair();
      else {
        touched.add(pair);
        this.#apply(message, pair, this.#levelsOf(pair));
      }
    });
    for (const pair of touched) this.#publish(message, pair, this.#levelsOf(pair));
  }

  // Calls `apply` at the end of each entry, with the field of its Symbol(55) or -1.
  #readEntries(message: MessageView, firstTag: number, apply: (symbolAt: number) => void): void {
    const from = message.find(Tag.NoMDEntries);
    if (from < 0) return;
    let isOpen = false;
    let symbolAt = -1;
    for (let i = from + 1; i < message.count; i++) {
      const tag = message.tagAt(i);
      if (tag === firstTag) {
        if (isOpen) apply(symbolAt);
        isOpen = true;
        symbolAt = -1;
        this.#clearEntry();
      }
      if (!isOpen) continue;
      const start = message.valueStartAt(i);
      const end = message.valueEndAt(i);
      const first = message.buffer[start];
      if (tag === MD_ENTRY_TYPE) this.#side = first;
      else if (tag === MD_UPDATE_ACTION) this.#action = first;
      else if (tag === SYMBOL) symbolAt = i;
      else if (tag === QUOTE_CONDITION) this.#condition = first;
      // No field of these groups in FIX 4.4: some providers quote several dates, and name each in its entry.
      else if (tag === SETTL_DATE) this.#settlDate = latin1(message.buffer, start, end);
      else if (tag === MD_ENTRY_ID) this.#id = latin1(message.buffer, start, end);
      else if (tag === MD_ENTRY_POSITION_NO) this.#position = latin1(message.buffer, start, end);
      else if (tag === MD_ENTRY_PX) {
        this.#priceAt = start;
        this.#priceEnd = end;
      } else if (tag === MD_ENTRY_SIZE) this.#size = wholePart(message.buffer, start, end);
    }
    if (isOpen) apply(symbolAt);
  }

  #clearEntry(): void {
    this.#side = 0;
    this.#id = '';
    this.#position = '';
    this.#action = BID;
    this.#condition = 0;
    this.#settlDate = '';
    this.#priceEnd = 0;
    this.#size = -1;
  }

  #apply(message: MessageView, pair: number, levels: Map<string, Level>): void {
    if (!this.#sink.isDealtOn(pair, this.#settlDate)) return;
    const isNamed = this.#id !== '';
    const isBare = !isNamed && this.#position === '';
    let key = this.#id || `${this.#side} ${this.#position}`;
    if (isBare && this.#isSnapshot && levels.has(key)) key = `${key}#${levels.size}`;
    const known = levels.get(key);
    // Without id and position an update is the side's one price.
    if (isBare && !this.#isSnapshot) dropBare(levels, this.#side);
    // FIX 4.4 has no MDEntryID(278) in W: the first named entry of a side replaces what the W said of that side.
    if (isNamed && !known) dropUnnamed(levels, this.#side);
    if (this.#action === DELETED || this.#condition === WITHDRAWN) {
      levels.delete(key);
      return;
    }
    // A change by MDEntryID(278) may leave out what has not changed.
    const side = this.#side || known?.side;
    if (side !== BID && side !== OFFER) return;
    const { priceDigits } = PAIRS[pair];
    const rounding = side === BID ? 'down' : 'up';
    const price = this.#priceEnd
      ? scaledFromBytes(message.buffer, this.#priceAt, this.#priceEnd, priceDigits, rounding)
      : (known?.price ?? Number.NaN);
    if (Number.isNaN(price) || (!known && levels.size === MAX_ENTRIES)) {
      levels.delete(key);
      this.#sink.malformed();
    } else if (price === 0) levels.delete(key);
    else levels.set(key, { side, price, size: this.#size >= 0 ? this.#size : (known?.size ?? 0), isNamed });
  }

  #publish(message: MessageView, pair: number, levels: Map<string, Level>): void {
    const ladder = this.#ladder;
    ladder.clear();
    for (const { side, price, size } of levels.values())
      (side === BID ? ladder.bid : ladder.offer).insert(price, size, side === BID);
    if (ladder.bid.count === 0 || ladder.offer.count === 0) this.#sink.withdraw(pair);
    else this.#sink.tick(pair, ladder, sourceTimeUs(message));
  }

  #pairAt(message: MessageView, field: number, requested: number): number {
    return field < 0 ? requested : pairOfBytes(message.buffer, message.valueStartAt(field), message.valueEndAt(field));
  }

  #levelsOf(pair: number): Map<string, Level> {
    let levels = this.#levels.get(pair);
    if (!levels) {
      levels = new Map();
      this.#levels.set(pair, levels);
    }
    return levels;
  }
}

function dropUnnamed(levels: Map<string, Level>, side: number): void {
  for (const [key, level] of levels) if (!level.isNamed && level.side === side) levels.delete(key);
}

function dropBare(levels: Map<string, Level>, side: number): void {
  for (const key of levels.keys()) if (key.startsWith(`${side} #`) || key === `${side} `) levels.delete(key);
}

// MDEntryTime(273) of the first entry that has one, else SendingTime(52).
export function sourceTimeUs(message: MessageView): number {
  const sent = message.find(Tag.SendingTime);
  const sentMs =
    sent < 0 ? Number.NaN : parseUtcTimestamp(message.buffer, message.valueStartAt(sent), message.valueEndAt(sent));
  const time = message.string(Tag.MDEntryTime);
  const day = message.string(Tag.MDEntryDate) ?? (Number.isNaN(sentMs) ? undefined : dayOf(sentMs));
  if (time !== undefined && day !== undefined) {
    const text = Buffer.from(`${day}-${time}`, 'latin1');
    let ms = parseUtcTimestamp(text, 0, text.length);
    // Quoted before midnight, sent after it.
    if (message.string(Tag.MDEntryDate) === undefined && ms > sentMs + DAY_MS / 2) ms -= DAY_MS;
    if (!Number.isNaN(ms)) return Math.round(ms * 1000);
  }
  return Number.isNaN(sentMs) ? 0 : Math.round(sentMs * 1000);
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');
}

export function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
}

export function wholePart(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let i = start; i < end && bytes[i] !== 0x2e; i++) {
    const digit = bytes[i] - 0x30;
    if (digit < 0 || digit > 9) return 0;
    value = value * 10 + digit;
  }
  return value <= Number.MAX_SAFE_INTEGER ? value : 0;
}
