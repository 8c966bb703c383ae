import { Ladder, type LadderSide } from '../domain/ladder.js';
import { MAX_BOOK_LEVELS } from './tick-sink.js';

/**
 * What the relay carries: the prices of one publication. Little endian. Header, 24 bytes: 'RW', version, flags (1: every pair that
 * has a price; a pair that is missing has none), count u16, reserved u16, publisher u32, number u32, f64 ms of the publisher's own
 * monotonic clock. Then per pair 56 bytes: its six letters, price digits, how many bids it has (0: one price, which carries any
 * amount), and as f64 bid, offer, bid size, offer size, source time us, age ms. Behind it, where it has bids, one byte, how many offers, and
 * 24 bytes for each level, the first included, bids before offers: as f64 price, what it carries (Infinity: any amount), and by how many ms
 * it is older than the price. Of each side there are at most MAX_BOOK_LEVELS. A bid of 0 is a withdrawal.
 *
 * Version 3 is a message in which some pair has levels. Without any it is version 2, which an engine of the release before reads too.
 * Another layout is another version.
 */
export const RELAY_VERSION = 3;
const WITHOUT_LEVELS = 2;

/** Whether messages of this version are read here. */
export const isRelayVersion = (version: number): boolean => version === RELAY_VERSION || version === WITHOUT_LEVELS;

const HEADER_BYTES = 24;
const ENTRY_BYTES = 56;
const LEVEL_BYTES = 24;
const EVERY_PAIR = 1;

export interface RelayEntry {
  /** `EURUSD`. */
  symbol: string;
  priceDigits: number;
  bid: number;
  offer: number;
  bidSize: number;
  offerSize: number;
  sourceTimeUs: number;
  /** How old the price was when it was published: the two clocks need not agree. */
  ageMs: number;
  /** Every level; undefined: one price. */
  ladder: Ladder | undefined;
}

export interface RelayHeader {
  readonly version: number;
  readonly everyPair: boolean;
  readonly publisher: number;
  readonly number: number;
  /** When it was written, by the publisher's own clock: for the delay of a message, not for its time. */
  readonly sentAtMs: number;
}

/** Collects one publication in a reused buffer. */
export class RelayWriter {
  readonly #bytes: Buffer;
  #count = 0;
  #end = HEADER_BYTES;

  constructor(mostEntries: number) {
    this.#bytes = Buffer.alloc(HEADER_BYTES + mostEntries * (ENTRY_BYTES + 1 + 2 * MAX_BOOK_LEVELS * LEVEL_BYTES));
    this.#bytes.write('RW', 'latin1');
  }

  begin(publisher: number, number: number, everyPair: boolean, sentAtMs: number): void {
    this.#count = 0;
    this.#end = HEADER_BYTES;
    this.#bytes[2] = WITHOUT_LEVELS;
    this.#bytes[3] = everyPair ? EVERY_PAIR : 0;
    this.#bytes.writeUInt32LE(publisher, 8);
    this.#bytes.writeUInt32LE(number, 12);
    this.#bytes.writeDoubleLE(sentAtMs, 16);
  }

  add(
    symbol: string,
    priceDigits: number,
    bid: number,
    offer: number,
    bidSize: number,
    offerSize: number,
    sourceTimeUs: number,
    ageMs: number,
    ladder?: Ladder,
  ): void {
    const bytes = this.#bytes;
    const at = this.#end;
    this.#count++;
    this.#end += ENTRY_BYTES;
    bytes.write(symbol, at, 6, 'latin1');
    bytes[at + 6] = priceDigits;
    bytes[at + 7] = 0;
    bytes.writeDoubleLE(bid, at + 8);
    bytes.writeDoubleLE(offer, at + 16);
    bytes.writeDoubleLE(bidSize, at + 24);
    bytes.writeDoubleLE(offerSize, at + 32);
    bytes.writeDoubleLE(sourceTimeUs, at + 40);
    bytes.writeDoubleLE(ageMs, at + 48);
    if (ladder === undefined) return;
    bytes[2] = RELAY_VERSION;
    bytes[at + 7] = ladder.bid.count;
    bytes[this.#end++] = ladder.offer.count;
    this.#addSide(ladder.bid, ageMs);
    this.#addSide(ladder.offer, ageMs);
  }

  // Levels of the book: each has its own age.
  #addSide({ count, price, size, ageMs }: LadderSide, entryAgeMs: number): void {
    for (let i = 0; i < count; i++, this.#end += LEVEL_BYTES) {
      this.#bytes.writeDoubleLE(price[i]!, this.#end);
      this.#bytes.writeDoubleLE(size[i]!, this.#end + 8);
      this.#bytes.writeDoubleLE(Math.max(0, ageMs[i]! - entryAgeMs), this.#end + 16);
    }
  }

  /** A copy: a store that is slow may hold it while the next publication is written. */
  finish(): Uint8Array {
    this.#bytes.writeUInt16LE(this.#count, 4);
    return Buffer.from(this.#bytes.subarray(0, this.#end));
  }
}

/** The header, or undefined when this is no relay message. Of another version only the version can be relied on. */
export function readRelayHeader(message: Uint8Array): RelayHeader | undefined {
  const bytes = asBuffer(message);
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 2) !== 'RW') return undefined;
  const version = bytes[2];
  if (isRelayVersion(version) && !isWhole(bytes, bytes.readUInt16LE(4))) return undefined;
  return {
    version,
    everyPair: (bytes[3] & EVERY_PAIR) !== 0,
    publisher: bytes.readUInt32LE(8),
    number: bytes.readUInt32LE(12),
    sentAtMs: bytes.readDoubleLE(16),
  };
}

/** Visits each price of a message whose header was read; the entry is reused. */
export function readRelayEntries(message: Uint8Array, visit: (entry: RelayEntry) => void): void {
  const bytes = asBuffer(message);
  for (let at = HEADER_BYTES; at < bytes.length; ) {
    entry.symbol = bytes.toString('latin1', at, at + 6);
    entry.priceDigits = bytes[at + 6];
    entry.bid = bytes.readDoubleLE(at + 8);
    entry.offer = bytes.readDoubleLE(at + 16);
    entry.bidSize = bytes.readDoubleLE(at + 24);
    entry.offerSize = bytes.readDoubleLE(at + 32);
    entry.sourceTimeUs = bytes.readDoubleLE(at + 40);
    entry.ageMs = bytes.readDoubleLE(at + 48);
    const bids = bytes[at + 7]!;
    at += ENTRY_BYTES;
    entry.ladder = undefined;
    if (bids > 0) {
      const offers = bytes[at++]!;
      levels.clear();
      for (let i = 0; i < bids; i++, at += LEVEL_BYTES) readLevel(bytes, at, levels.bid);
      for (let i = 0; i < offers; i++, at += LEVEL_BYTES) readLevel(bytes, at, levels.offer);
      entry.ladder = levels;
    }
    visit(entry);
  }
}

const levels = new Ladder(MAX_BOOK_LEVELS);
const entry: RelayEntry = {
  symbol: '',
  priceDigits: 0,
  bid: 0,
  offer: 0,
  bidSize: 0,
  offerSize: 0,
  sourceTimeUs: 0,
  ageMs: 0,
  ladder: undefined,
};

function readLevel(bytes: Buffer, at: number, side: LadderSide): void {
  side.add(bytes.readDoubleLE(at), bytes.readDoubleLE(at + 8), bytes.readDoubleLE(at + 16));
}

// So many entries, each with its levels, and not a byte more.
function isWhole(bytes: Buffer, count: number): boolean {
  let at = HEADER_BYTES;
  for (let i = 0; i < count; i++) {
    if (at + ENTRY_BYTES > bytes.length) return false;
    const bids = bytes[at + 7]!;
    at += ENTRY_BYTES;
    if (bids === 0) continue;
    const offers = at < bytes.length ? bytes[at]! : 0;
    if (offers === 0 || bids > MAX_BOOK_LEVELS || offers > MAX_BOOK_LEVELS) return false;
    at += 1 + (bids + offers) * LEVEL_BYTES;
  }
  return at === bytes.length;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
