/**
 * What the relay carries: the prices of one publication. Little endian. Header, 24 bytes: 'RW', version, flags (1: every pair that
 * has a price; a pair that is missing has none), count u16, reserved u16, publisher u32, number u32, f64 ms of the publisher's own
 * monotonic clock. Then 56 bytes per pair: its six letters, price digits, a reserved byte, and as f64 bid, offer, bid size, offer size, source time us, age ms.
 * Bid 0 is a withdrawal. Another layout is another version.
 */
export const RELAY_VERSION = 2;

const HEADER_BYTES = 24;
const ENTRY_BYTES = 56;
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

  constructor(mostEntries: number) {
    this.#bytes = Buffer.alloc(HEADER_BYTES + mostEntries * ENTRY_BYTES);
    this.#bytes.write('RW', 'latin1');
    this.#bytes[2] = RELAY_VERSION;
  }

  begin(publisher: number, number: number, everyPair: boolean, sentAtMs: number): void {
    this.#count = 0;
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
  ): void {
    const bytes = this.#bytes;
    const at = HEADER_BYTES + this.#count++ * ENTRY_BYTES;
    bytes.write(symbol, at, 6, 'latin1');
    bytes[at + 6] = priceDigits;
    bytes.writeDoubleLE(bid, at + 8);
    bytes.writeDoubleLE(offer, at + 16);
    bytes.writeDoubleLE(bidSize, at + 24);
    bytes.writeDoubleLE(offerSize, at + 32);
    bytes.writeDoubleLE(sourceTimeUs, at + 40);
    bytes.writeDoubleLE(ageMs, at + 48);
  }

  /** A copy: a store that is slow may hold it while the next publication is written. */
  finish(): Uint8Array {
    this.#bytes.writeUInt16LE(this.#count, 4);
    return Buffer.from(this.#bytes.subarray(0, HEADER_BYTES + this.#count * ENTRY_BYTES));
  }
}

/** The header, or undefined when this is no relay message. Of another version only the version can be relied on. */
export function readRelayHeader(message: Uint8Array): RelayHeader | undefined {
  const bytes = asBuffer(message);
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 2) !== 'RW') return undefined;
  const version = bytes[2];
  const whole = bytes.length === HEADER_BYTES + bytes.readUInt16LE(4) * ENTRY_BYTES;
  if (version === RELAY_VERSION && !whole) return undefined;
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
  for (let at = HEADER_BYTES; at < bytes.length; at += ENTRY_BYTES) {
    entry.symbol = bytes.toString('latin1', at, at + 6);
    entry.priceDigits = bytes[at + 6];
    entry.bid = bytes.readDoubleLE(at + 8);
    entry.offer = bytes.readDoubleLE(at + 16);
    entry.bidSize = bytes.readDoubleLE(at + 24);
    entry.offerSize = bytes.readDoubleLE(at + 32);
    entry.sourceTimeUs = bytes.readDoubleLE(at + 40);
    entry.ageMs = bytes.readDoubleLE(at + 48);
    visit(entry);
  }
}

const entry: RelayEntry = {
  symbol: '',
  priceDigits: 0,
  bid: 0,
  offer: 0,
  bidSize: 0,
  offerSize: 0,
  sourceTimeUs: 0,
  ageMs: 0,
};

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
