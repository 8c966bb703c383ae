import { Ladder, type LadderSide } from '../domain/money/ladder.js';
import { FEED_KIND_SETS, type FeedKind } from '../domain/system/feed-kind.js';
import { type ProviderNames, QUOTE_ID_BYTES, SideOrigin, type TickOrigin } from './quote-origins.js';
import { MAX_BOOK_LEVELS } from './tick-sink.js';

/**
 * What the relay carries: the prices of one publication. Little endian. Header, 24 bytes: 'RW', version, flags (1: every pair that
 * has a price; a pair that is missing has none; 2, 4, 8: kinds of the feed), count u16, how many names u16, publisher u32, number u32, f64 ms of the publisher's own
 * monotonic clock. Then per pair 56 bytes: its six letters, price digits, how many bids it has (0: one price, which carries any
 * amount), and as f64 bid, offer, bid size, offer size, source time us, age ms. Behind it, where it has bids, one byte, how many offers, and
 * 24 bytes for each level, the first included, bids before offers: as f64 price, what it carries (Infinity: any amount), and by how many ms
 * it is older than the price. Of each side there are at most MAX_BOOK_LEVELS. A bid of 0 is a withdrawal.
 *
 * Behind each entry and its levels there is one byte, 1 where it follows what the price is made of: of the bid and of the offer the provider, the runner-up (second best fresh provider price) and the length of the quote's id, a byte each, the id, and as f64 the
 * source time us of that quote and the runner-up's price. A provider is the number of its name, from 1, 0 for none; the names are behind the
 * entries, each behind its length, one byte. Another layout is another version.
 */
export const RELAY_VERSION = 1;

const HEADER_BYTES = 24;
const ENTRY_BYTES = 56;
const LEVEL_BYTES = 24;
/** Of a side without its id. */
const ORIGIN_BYTES = 19;
const NAME_BYTES = 32;
const NAME = /^[A-Za-z0-9._-]{1,32}$/;
const EVERY_PAIR = 1;
/** Left of it in the flags are the kinds of the feed. */
const KINDS_SHIFT = 1;

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
  /** What the price is made of, with providers as numbers of the reader's names; undefined: not said. */
  origin: Pick<TickOrigin, 'bid' | 'offer'> | undefined;
}

export interface RelayHeader {
  readonly version: number;
  readonly everyPair: boolean;
  /** What the prices are; empty: not said. */
  readonly feedKinds: readonly FeedKind[];
  readonly publisher: number;
  readonly number: number;
  /** When it was written, by the publisher's own clock: for the delay of a message, not for its time. */
  readonly sentAtMs: number;
}

/** Collects one publication in a reused buffer. */
export class RelayWriter {
  readonly #bytes: Buffer;
  readonly #names: ProviderNames;
  /** Numbers of the names that this message has, and of each of them its place there, from 1. */
  readonly #named: number[] = [];
  readonly #placeOf = new Uint8Array(256);
  #count = 0;
  #end = HEADER_BYTES;

  /** `names` are those of the origins that are added. */
  constructor(mostEntries: number, names: ProviderNames) {
    this.#names = names;
    const most = ENTRY_BYTES + 2 + 2 * (MAX_BOOK_LEVELS * LEVEL_BYTES + ORIGIN_BYTES + QUOTE_ID_BYTES);
    this.#bytes = Buffer.alloc(HEADER_BYTES + mostEntries * most + 256 * (1 + NAME_BYTES));
    this.#bytes.write('RW', 'latin1');
  }

  /** `kinds` are the bits of the feed's kinds. */
  begin(publisher: number, number: number, everyPair: boolean, sentAtMs: number, kinds = 0): void {
    this.#count = 0;
    this.#end = HEADER_BYTES;
    for (const number of this.#named) this.#placeOf[number] = 0;
    this.#named.length = 0;
    this.#bytes[2] = RELAY_VERSION;
    this.#bytes[3] = (everyPair ? EVERY_PAIR : 0) | (kinds << KINDS_SHIFT);
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
    origin?: Pick<TickOrigin, 'bid' | 'offer'>,
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
    if (ladder !== undefined) {
      bytes[at + 7] = ladder.bid.count;
      bytes[this.#end++] = ladder.offer.count;
      this.#addSide(ladder.bid, ageMs);
      this.#addSide(ladder.offer, ageMs);
    }
    bytes[this.#end++] = origin === undefined ? 0 : 1;
    if (origin === undefined) return;
    this.#addOrigin(origin.bid);
    this.#addOrigin(origin.offer);
  }

  #addOrigin({ id, by, sourceTimeUs, runnerUp, runnerUpBy }: SideOrigin): void {
    const bytes = this.#bytes;
    bytes[this.#end] = this.#place(by);
    bytes[this.#end + 1] = this.#place(runnerUpBy);
    bytes[this.#end + 2] = id.length;
    this.#end += 3;
    for (let i = 0; i < id.length; i++) bytes[this.#end++] = id.bytes[i]!;
    bytes.writeDoubleLE(sourceTimeUs, this.#end);
    bytes.writeDoubleLE(runnerUp, this.#end + 8);
    this.#end += 16;
  }

  #place(number: number): number {
    if (number === 0) return 0;
    if (this.#placeOf[number] === 0) this.#placeOf[number] = this.#named.push(number);
    return this.#placeOf[number]!;
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
    this.#bytes.writeUInt16LE(this.#named.length, 6);
    for (const number of this.#named) {
      const length = this.#bytes.write(this.#names.name(number), this.#end + 1, NAME_BYTES, 'latin1');
      this.#bytes[this.#end] = length;
      this.#end += 1 + length;
    }
    return Buffer.from(this.#bytes.subarray(0, this.#end));
  }
}

/** The header, or undefined when this is no relay message. Of another version only the version can be relied on. */
export function readRelayHeader(message: Uint8Array): RelayHeader | undefined {
  const bytes = asBuffer(message);
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 2) !== 'RW') return undefined;
  const version = bytes[2];
  if (version === RELAY_VERSION && !isWhole(bytes)) return undefined;
  return {
    version,
    everyPair: (bytes[3] & EVERY_PAIR) !== 0,
    feedKinds: FEED_KIND_SETS[(bytes[3] >> KINDS_SHIFT) % FEED_KIND_SETS.length]!,
    publisher: bytes.readUInt32LE(8),
    number: bytes.readUInt32LE(12),
    sentAtMs: bytes.readDoubleLE(16),
  };
}

/** The names of a message as numbers of the reader's. They are the same in most messages, and read where they differ. */
export class RelayNames {
  #last: Buffer = Buffer.alloc(0);
  /** By place, from 1. */
  readonly numbers = new Uint8Array(256);

  constructor(readonly names: ProviderNames) {}

  /** From where they begin to the end of the message. */
  read(bytes: Buffer, from: number): void {
    const length = bytes.length - from;
    if (length === this.#last.length && bytes.compare(this.#last, 0, length, from) === 0) return;
    this.#last = Buffer.from(bytes.subarray(from));
    this.numbers.fill(0);
    for (let at = from, place = 1; at < bytes.length; at += 1 + bytes[at]!, place++) {
      const name = bytes.toString('latin1', at + 1, at + 1 + bytes[at]!);
      this.numbers[place] = NAME.test(name) ? this.names.numberOf(name) : 0;
    }
  }
}

/** Visits each price of a message whose header was read; the entry is reused. Without `names` what prices are made of is passed over. */
export function readRelayEntries(message: Uint8Array, visit: (entry: RelayEntry) => void, names?: RelayNames): void {
  const bytes = asBuffer(message);
  const count = bytes.readUInt16LE(4);
  names?.read(bytes, entriesEnd(bytes));
  for (let i = 0, at = HEADER_BYTES; i < count; i++) {
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
    entry.origin = undefined;
    if (bytes[at++] === 1) {
      at = readOrigin(bytes, at, names, sides.bid);
      at = readOrigin(bytes, at, names, sides.offer);
      if (names !== undefined) entry.origin = sides;
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
  origin: undefined,
};
const sides = { bid: new SideOrigin(), offer: new SideOrigin() };

// Returns where it ends.
function readOrigin(bytes: Buffer, at: number, names: RelayNames | undefined, side: SideOrigin): number {
  const idEnd = at + 3 + bytes[at + 2]!;
  side.by = names?.numbers[bytes[at]!] ?? 0;
  side.runnerUpBy = names?.numbers[bytes[at + 1]!] ?? 0;
  side.id.set(bytes, at + 3, idEnd, true);
  side.sourceTimeUs = bytes.readDoubleLE(idEnd);
  side.runnerUp = bytes.readDoubleLE(idEnd + 8);
  return idEnd + 16;
}

function readLevel(bytes: Buffer, at: number, side: LadderSide): void {
  side.add(bytes.readDoubleLE(at), bytes.readDoubleLE(at + 8), bytes.readDoubleLE(at + 16));
}

// So many entries, each with its levels and origins, so many names, and not a byte more.
function isWhole(bytes: Buffer): boolean {
  let at = entriesEnd(bytes);
  if (at < 0) return false;
  for (let left = bytes.readUInt16LE(6); left > 0; left--) {
    if (at >= bytes.length || bytes[at]! > NAME_BYTES) return false;
    at += 1 + bytes[at]!;
  }
  return at === bytes.length;
}

// Where the last entry ends; -1: the message ends before, or has what no entry has.
function entriesEnd(bytes: Buffer): number {
  const names = bytes.readUInt16LE(6);
  let at = HEADER_BYTES;
  for (let left = bytes.readUInt16LE(4); left > 0; left--) {
    if (at + ENTRY_BYTES > bytes.length) return -1;
    const bids = bytes[at + 7]!;
    at += ENTRY_BYTES;
    if (bids > 0) {
      const offers = at < bytes.length ? bytes[at]! : 0;
      if (offers === 0 || bids > MAX_BOOK_LEVELS || offers > MAX_BOOK_LEVELS) return -1;
      at += 1 + (bids + offers) * LEVEL_BYTES;
    }
    if (at >= bytes.length || bytes[at]! > 1) return -1;
    const sidesLeft = 2 * bytes[at++]!;
    for (let side = 0; side < sidesLeft; side++) {
      if (at + ORIGIN_BYTES > bytes.length) return -1;
      if (bytes[at]! > names || bytes[at + 1]! > names || bytes[at + 2]! > QUOTE_ID_BYTES) return -1;
      at += ORIGIN_BYTES + bytes[at + 2]!;
    }
  }
  return at;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
