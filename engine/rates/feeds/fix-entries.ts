/** What one FIX provider has sent for a pair: the entries of its messages, each a price of one side under its own key. */
import type { MessageView } from 'node-quickfix-ts';
import type { Ladder } from '../../domain/money/ladder.js';
import { QUOTE_ID_BYTES, QuoteId } from '../quote-origins.js';

export const BID = 0x30;
export const OFFER = 0x31;

/** How an entry is known: each way has keys of its own. */
export const BY_ID = 1;
/** By its side, or by its side and MDEntryPositionNo(290). */
export const BY_SIDE = 2;
export const BY_POSITION = 3;
/** By its side and the QuoteID(117) of a Quote(S). */
export const BY_QUOTE = 4;

/** Entries kept of one pair, of every date; the best ten of a side for spot are its levels. */
const MAX_ENTRIES = 256;
/** Ids of one entry together; a longer one is malformed. */
const KEY_BYTES = 128;
const ID_WORDS = QUOTE_ID_BYTES / 4;

/** The key of an entry, as bytes: reused for each, so that none needs a string. */
export class EntryKey {
  readonly bytes = new Uint8Array(KEY_BYTES);
  length = 0;
  isTooLong = false;
  /** The id of the quote that the entry is to be known by to its provider, where it has one. */
  readonly id = new QuoteId();

  /** Of several without any id: a number of its own, below 65,536. */
  addNumber(number: number): void {
    this.bytes[this.length++] = number >> 8;
    this.bytes[this.length++] = number & 255;
  }

  /** `way` and `side`, 0 where the id says it. */
  start(way: number, side: number): void {
    this.bytes[0] = way;
    this.bytes[1] = side;
    this.length = 2;
    this.isTooLong = false;
  }

  /** That of the field there, or else of the other; -1 for none. */
  setId(message: MessageView, first: number, second: number): void {
    const field = first >= 0 ? first : second;
    this.id.length = 0;
    if (field >= 0) this.id.set(message.buffer, message.valueStartAt(field), message.valueEndAt(field));
  }

  /** Parts are kept apart by their length. */
  add(from: Uint8Array, start: number, end: number): void {
    if (this.length + 1 + end - start > KEY_BYTES) {
      this.isTooLong = true;
      return;
    }
    this.bytes[this.length++] = end - start;
    for (let i = start; i < end; i++) this.bytes[this.length++] = from[i];
  }

  /** The value of the field there, -1 for none. */
  addField(message: MessageView, field: number): void {
    if (field >= 0) this.add(message.buffer, message.valueStartAt(field), message.valueEndAt(field));
  }
}

/** Arrays by entry, in the order of arrival. No allocation but of the arrays. */
export class PairEntries {
  count = 0;
  readonly side = new Uint8Array(MAX_ENTRIES);
  /** Scaled by the pair's price digits. */
  readonly price = new Float64Array(MAX_ENTRIES);
  /** Whole units of base; 0: not stated. */
  readonly size = new Float64Array(MAX_ENTRIES);
  /** SettlDate(64) as a number, 20251124; 0: not said, which is spot. */
  readonly date = new Int32Array(MAX_ENTRIES);
  /** When it ends by itself, by the clock of its reader, ms; Infinity: not. */
  readonly endsAtMs = new Float64Array(MAX_ENTRIES);
  /** Of the last `fill` the entries of the first levels. */
  #bestBid = -1;
  #bestOffer = -1;
  readonly #ids = new Uint32Array(MAX_ENTRIES * ID_WORDS);
  readonly #idLength = new Uint8Array(MAX_ENTRIES);
  readonly #keys = new Uint8Array(MAX_ENTRIES * KEY_BYTES);
  readonly #keyLength = new Uint8Array(MAX_ENTRIES);
  readonly #columns = [
    this.side,
    this.price,
    this.size,
    this.date,
    this.endsAtMs,
    this.#keyLength,
    this.#idLength,
  ] as const;

  clear(): void {
    this.count = 0;
  }

  /** The entry with this key, or -1. */
  find({ bytes, length }: EntryKey): number {
    for (let entry = 0; entry < this.count; entry++) {
      if (this.#keyLength[entry] !== length) continue;
      const keyAt = entry * KEY_BYTES;
      // Ids of one provider often differ at their end alone.
      let i = length - 1;
      while (i >= 0 && this.#keys[keyAt + i] === bytes[i]) i--;
      if (i < 0) return entry;
    }
    return -1;
  }

  /**
   * Replaces the entry with this key, or adds it, where there is no room in place of those of other dates than `spot`; false where there is
   * none even so, or the key is too long.
   */
  set(key: EntryKey, spot: number, side: number, price: number, size: number, date: number, endsAtMs: number): boolean {
    if (key.isTooLong) return false;
    let entry = this.find(key);
    const isNew = entry < 0;
    if (isNew) {
      if (this.count === MAX_ENTRIES && !(isFor(spot, date) && this.removeOtherDates(spot))) return false;
      entry = this.count++;
      this.#keyLength[entry] = key.length;
      for (let i = 0; i < key.length; i++) this.#keys[entry * KEY_BYTES + i] = key.bytes[i];
    }
    this.side[entry] = side;
    this.price[entry] = price;
    this.size[entry] = size;
    this.date[entry] = date;
    this.endsAtMs[entry] = endsAtMs;
    // A change without an id is of the quote before it.
    if (key.id.length > 0 || isNew) {
      this.#idLength[entry] = key.id.length;
      for (let i = 0; i < ID_WORDS; i++) this.#ids[entry * ID_WORDS + i] = key.id.words[i];
    }
    return true;
  }

  remove(key: EntryKey): void {
    const entry = this.find(key);
    if (entry >= 0) this.#removeAt(entry);
  }

  /** Some entry is known in that way. */
  has(way: number): boolean {
    for (let entry = 0; entry < this.count; entry++) if (this.#keys[entry * KEY_BYTES] === way) return true;
    return false;
  }

  /** Those of a side that are known by that way. */
  removeOf(way: number, side: number): void {
    for (let entry = this.count - 1; entry >= 0; entry--)
      if (this.#keys[entry * KEY_BYTES] === way && this.side[entry] === side) this.#removeAt(entry);
  }

  /** Those of a side, 0: of both, that are known in another way. */
  removeOtherWays(way: number, side: number): void {
    for (let entry = this.count - 1; entry >= 0; entry--)
      if (this.#keys[entry * KEY_BYTES] !== way && (side === 0 || this.side[entry] === side)) this.#removeAt(entry);
  }

  /** Those of a date that is not spot; true where there was one. */
  removeOtherDates(spot: number): boolean {
    const before = this.count;
    for (let entry = this.count - 1; entry >= 0; entry--) if (!isFor(spot, this.date[entry])) this.#removeAt(entry);
    return this.count < before;
  }

  /**
   * Fills the ladder with the entries for spot, in `date`'s form, and drops those that have ended by themselves. Returns when the next of them
   * ends.
   */
  fill({ bid, offer }: Ladder, spot: number, nowMs: number): number {
    bid.count = 0;
    offer.count = 0;
    this.#bestBid = -1;
    this.#bestOffer = -1;
    let endsAtMs = Number.POSITIVE_INFINITY;
    for (let entry = 0; entry < this.count; ) {
      if (this.endsAtMs[entry] <= nowMs) {
        this.#removeAt(entry);
        continue;
      }
      if (isFor(spot, this.date[entry])) {
        const isBid = this.side[entry] === BID;
        const best = isBid ? this.#bestBid : this.#bestOffer;
        // Of equal prices the first level is the entry before.
        const isBest =
          best < 0 || (isBid ? this.price[entry] > this.price[best] : this.price[entry] < this.price[best]);
        if (isBest && isBid) this.#bestBid = entry;
        else if (isBest) this.#bestOffer = entry;
        (isBid ? bid : offer).insert(this.price[entry], this.size[entry], isBid);
        endsAtMs = Math.min(endsAtMs, this.endsAtMs[entry]);
      }
      entry++;
    }
    return endsAtMs;
  }

  /** The id of the first level of a side of the last `fill`; a length of 0: it has none. */
  readId(isBid: boolean, out: QuoteId): void {
    const entry = isBid ? this.#bestBid : this.#bestOffer;
    out.length = entry < 0 ? 0 : this.#idLength[entry];
    for (let i = 0; i < ID_WORDS && out.length > 0; i++) out.words[i] = this.#ids[entry * ID_WORDS + i];
  }

  #removeAt(entry: number): void {
    this.count--;
    for (const column of this.#columns) column.copyWithin(entry, entry + 1, this.count + 1);
    this.#ids.copyWithin(entry * ID_WORDS, (entry + 1) * ID_WORDS, (this.count + 1) * ID_WORDS);
    this.#keys.copyWithin(entry * KEY_BYTES, (entry + 1) * KEY_BYTES, (this.count + 1) * KEY_BYTES);
  }
}

/** Whether a price for this date is one for spot. */
export const isFor = (spot: number, date: number): boolean => date === 0 || date === spot;

/** SettlDate(64) as a number; -1: it is none, and so never spot. */
export function dateOf(bytes: Uint8Array, start: number, end: number): number {
  const date = wholePart(bytes, start, end);
  return end - start === 8 && date > 0 ? date : -1;
}

/** The whole part of a quantity; NaN where it is none, below zero or too large to be held exactly. */
export function wholePart(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let i = start; i < end; i++) {
    if (bytes[i] === POINT && i > start) break;
    const digit = bytes[i] - 0x30;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return start < end && value <= Number.MAX_SAFE_INTEGER ? value : Number.NaN;
}

const POINT = 0x2e;

/** Those of the pair, made where it has none yet. */
export function entriesOf(all: (PairEntries | undefined)[], pair: number): PairEntries {
  let entries = all[pair];
  if (entries === undefined) {
    entries = new PairEntries();
    all[pair] = entries;
  }
  return entries;
}
