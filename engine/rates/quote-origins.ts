/** Where a price comes from: the provider, its quote's id and time, and what the next best provider quoted. */

import { PAIRS } from '../domain/money/pair.js';
import type { PriceColumns } from '../domain/money/price-columns.js';

/** Bytes of a quote's id that are kept. */
export const QUOTE_ID_BYTES = 20;
/** Names of providers, those of the relay among them; a further one has none. */
const MAX_NAMES = 255;

const PAIR_COUNT = PAIRS.length;
export const MAX_PROVIDERS = 16;
const CELLS = MAX_PROVIDERS * PAIR_COUNT;
/** Both sides of each cell. */
const SIDES = 2 * CELLS;
/** Quotes kept after their price was replaced, of those that a key names: of half a second as long as no more than 32,000 a second are. */
const KEPT = 16_384;

/**
 * The id of a quote as a provider sent it: at most 20 printable bytes, without blank, quotation mark and backslash. A longer one, one of other
 * bytes, and one that begins with `#`, is `#` and its FNV-1a hash of 64 bits, 16 hexadecimal digits. Reused; nothing is allocated.
 */
export class QuoteId {
  /** 0: none. */
  length = 0;
  readonly words = new Uint32Array(QUOTE_ID_BYTES / 4);
  readonly bytes = new Uint8Array(this.words.buffer);

  /** `isMarked`: it is one of ours, which may begin with the mark. */
  set(from: Uint8Array, start: number, end: number, isMarked = false): void {
    const length = end - start;
    let isKept = length <= QUOTE_ID_BYTES && (isMarked || from[start] !== MARK);
    for (let i = 0; i < length && isKept; i++) {
      const byte = from[start + i];
      isKept = byte > BLANK && byte < DELETE && byte !== QUOTATION && byte !== BACKSLASH;
      this.bytes[i] = byte;
    }
    this.length = length;
    if (!isKept) this.#hash(from, start, end);
  }

  /** A provider's count, a whole number below 2^53; 0: none. */
  setNumber(number: number): void {
    let width = 0;
    for (let rest = number; rest >= 1; rest = Math.floor(rest / 10)) width++;
    this.length = width;
    for (let i = width - 1, rest = number; i >= 0; i--) {
      const left = Math.floor(rest / 10);
      this.bytes[i] = ZERO + (rest - left * 10);
      rest = left;
    }
  }

  copy(from: QuoteId): void {
    this.length = from.length;
    for (let i = 0; i < this.words.length; i++) this.words[i] = from.words[i];
  }

  // FNV-1a in two halves of 32 bits: the prime is 2^40 + 435, and every product stays below 2^53.
  #hash(from: Uint8Array, start: number, end: number): void {
    let high = 0xcbf29ce4;
    let low = 0x84222325;
    for (let i = start; i < end; i++) {
      low = (low ^ from[i]) >>> 0;
      const product = low * 435;
      high = (high * 435 + Math.floor(product / 2 ** 32) + ((low << 8) >>> 0)) % 2 ** 32;
      low = product % 2 ** 32;
    }
    this.bytes[0] = MARK;
    for (let digit = 0; digit < 16; digit++) {
      const half = digit < 8 ? high : low;
      this.bytes[1 + digit] = HEXADECIMAL.charCodeAt((half >>> (28 - 4 * (digit % 8))) & 15);
    }
    this.length = 17;
  }
}

const MARK = 0x23;
const BLANK = 0x20;
const DELETE = 0x7f;
const QUOTATION = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const HEXADECIMAL = '0123456789abcdef';

/** What a feed knows of one side of its next tick. All but the id come from the relay alone. */
export class SideOrigin {
  readonly id = new QuoteId();
  /** Number of the provider's name; 0: the feed's own. */
  by = 0;
  /** Of this side's quote, epoch microseconds; 0: the tick's. */
  sourceTimeUs = 0;
  /** The next best provider's price, scaled, and the number of its name; 0: none. */
  runnerUp = 0;
  runnerUpBy = 0;

  copy({ id, by, sourceTimeUs, runnerUp, runnerUpBy }: SideOrigin): void {
    this.id.copy(id);
    this.by = by;
    this.sourceTimeUs = sourceTimeUs;
    this.runnerUp = runnerUp;
    this.runnerUpBy = runnerUpBy;
  }

  clear(): void {
    this.id.length = 0;
    this.by = 0;
    this.sourceTimeUs = 0;
    this.runnerUp = 0;
    this.runnerUpBy = 0;
  }
}

/** Names of providers by number: those of the feeds, and those that the relay names. */
export class ProviderNames {
  readonly #names: string[] = [''];

  /** 1 to 255; 0: there are too many. */
  numberOf(name: string): number {
    const known = this.#names.indexOf(name);
    if (known >= 0) return known;
    return this.#names.length > MAX_NAMES ? 0 : this.#names.push(name) - 1;
  }

  /** '': there is none of that number. */
  name(number: number): string {
    return this.#names[number] ?? '';
  }
}

/** What a feed knows of its next tick; the book clears it with each tick. */
export class TickOrigin {
  /** Something is known: without it the two sides are not read. */
  isKnown = false;
  readonly bid = new SideOrigin();
  readonly offer = new SideOrigin();
  readonly names = new ProviderNames();

  clear(): void {
    this.isKnown = false;
    this.bid.clear();
    this.offer.clear();
  }
}

/** One side of a provider's quote, as a price was made of it. */
export interface QuoteOrigin {
  readonly provider: string;
  /** As QuoteId has it; '': the provider gave none. */
  readonly quoteId: string;
  /** Scaled by the pair's price digits. */
  readonly price: number;
  /** The provider's own time, epoch microseconds. */
  readonly sourceTimeUs: number;
  /** Monotonic ms, the clock of the book. */
  readonly receivedAtMs: number;
  /** As the relay brought it. */
  readonly runnerUp: { readonly provider: string; readonly price: number } | undefined;
}

/** The quotes of a book by cell, provider x pairs + pair, as ProviderQuotes keeps them. */
type QuoteCells = Pick<PriceColumns, 'bid' | 'offer' | 'sourceTimeUs' | 'receivedAtMs'>;

/** The ids and the relayed parts of quotes: of a cell, or of a kept one. Written only where a feed gives them. */
class Details {
  /** Of each side: 0 nothing is known, else 1 + the length of its id. */
  readonly known: Uint8Array;
  readonly #words: Uint32Array;
  /** Of each side: number of the provider's name, and of the runner-up's. */
  readonly #by: Uint8Array;
  /** Of each side: source time, and the runner-up's price. */
  readonly #values: Float64Array;

  constructor(rows: number) {
    this.known = new Uint8Array(2 * rows);
    this.#words = new Uint32Array(2 * rows * ID_WORDS);
    this.#by = new Uint8Array(4 * rows);
    this.#values = new Float64Array(4 * rows);
  }

  set(side: number, { id, by, runnerUpBy, sourceTimeUs, runnerUp }: SideOrigin): void {
    this.known[side] = 1 + id.length;
    for (let i = 0; i < ID_WORDS; i++) this.#words[side * ID_WORDS + i] = id.words[i];
    this.#by[2 * side] = by;
    this.#by[2 * side + 1] = runnerUpBy;
    this.#values[2 * side] = sourceTimeUs;
    this.#values[2 * side + 1] = runnerUp;
  }

  read(side: number, out: SideOrigin): void {
    out.clear();
    if (this.known[side] === 0) return;
    out.id.length = this.known[side] - 1;
    for (let i = 0; i < ID_WORDS; i++) out.id.words[i] = this.#words[side * ID_WORDS + i];
    out.by = this.#by[2 * side];
    out.runnerUpBy = this.#by[2 * side + 1];
    out.sourceTimeUs = this.#values[2 * side];
    out.runnerUp = this.#values[2 * side + 1];
  }
}

const ID_WORDS = QUOTE_ID_BYTES / 4;
// A kept quote.
const STRIDE = 8;
const CELL = 0;
const BID_SINCE = 1;
const OFFER_SINCE = 2;
const BID = 3;
const OFFER = 4;
const SOURCE_TIME = 5;
const RECEIVED_AT = 6;
const SEQUENCE = 7;

/**
 * The origin of each side of each provider's quote, and of the quotes that were replaced last. A key names one: the side of one provider's pair
 * from when it had that price until it had another, with the id and the time of the last quote of it. Nothing is allocated per tick.
 */
export class QuoteOrigins {
  readonly #cells: QuoteCells;
  readonly #sequence: Float64Array;
  readonly #names: ProviderNames;
  /** Number of the name of each provider. */
  readonly #ofProvider = new Uint8Array(MAX_PROVIDERS);
  /** Number of the tick that brought the present price of each side. */
  readonly #bidSince = new Float64Array(CELLS);
  readonly #offerSince = new Float64Array(CELLS);
  /** A key was given for the present quote: it is kept when it is replaced. */
  readonly #isNamed = new Uint8Array(CELLS);
  readonly #details = new Details(CELLS);
  readonly #kept = new Float64Array(KEPT * STRIDE);
  readonly #keptDetails = new Details(KEPT);
  #next = 0;
  readonly #read = new SideOrigin();

  constructor(cells: QuoteCells, sequence: Float64Array, names: ProviderNames) {
    this.#cells = cells;
    this.#sequence = sequence;
    this.#names = names;
  }

  register(provider: number, name: string): void {
    this.#ofProvider[provider] = this.#names.numberOf(name);
  }

  /** The tick of this number replaces the cell's quote: to be called before it does. */
  take(cell: number, number: number, bid: number, offer: number, origin: TickOrigin): void {
    const { bid: bids, offer: offers } = this.#cells;
    const isSameBid = bids[cell] === bid;
    const isSameOffer = offers[cell] === offer;
    if (!isSameBid || !isSameOffer) {
      this.keep(cell);
      if (!isSameBid) this.#bidSince[cell] = number;
      if (!isSameOffer) this.#offerSince[cell] = number;
    }
    const { known } = this.#details;
    if (origin.isKnown) {
      this.#details.set(2 * cell, origin.bid);
      this.#details.set(2 * cell + 1, origin.offer);
    } else if (known[2 * cell] !== 0) {
      known[2 * cell] = 0;
      known[2 * cell + 1] = 0;
    }
  }

  /** The cell's price ends. */
  keep(cell: number): void {
    const { bid, offer, sourceTimeUs, receivedAtMs } = this.#cells;
    if (this.#isNamed[cell] === 0) return;
    this.#isNamed[cell] = 0;
    const next = this.#next;
    const kept = this.#kept;
    const at = next * STRIDE;
    this.#next = (next + 1) % KEPT;
    kept[at + CELL] = cell;
    kept[at + BID_SINCE] = this.#bidSince[cell];
    kept[at + OFFER_SINCE] = this.#offerSince[cell];
    kept[at + BID] = bid[cell];
    kept[at + OFFER] = offer[cell];
    kept[at + SOURCE_TIME] = sourceTimeUs[cell];
    kept[at + RECEIVED_AT] = receivedAtMs[cell];
    kept[at + SEQUENCE] = this.#sequence[cell];
    const { known } = this.#keptDetails;
    if (this.#details.known[2 * cell] !== 0) this.#keepDetails(cell, next);
    else if (known[2 * next] !== 0) {
      known[2 * next] = 0;
      known[2 * next + 1] = 0;
    }
  }

  #keepDetails(cell: number, next: number): void {
    for (let side = 0; side < 2; side++) {
      this.#details.read(2 * cell + side, this.#read);
      this.#keptDetails.set(2 * next + side, this.#read);
    }
  }

  /** The key of a side's present quote; 0: `cell` is below 0, or has no price. */
  keyOf(cell: number, isBid: boolean): number {
    if (cell < 0 || this.#cells.bid[cell] === 0) return 0;
    this.#isNamed[cell] = 1;
    return this.#key(cell, isBid);
  }

  #key(cell: number, isBid: boolean): number {
    const since = isBid ? this.#bidSince[cell] : this.#offerSince[cell];
    return since * SIDES + 2 * cell + (isBid ? 0 : 1);
  }

  /** Of a key that is not 0. */
  pairOf(key: number): number {
    return Math.floor((key % SIDES) / 2) % PAIR_COUNT;
  }

  /** Undefined: no key, or a quote that is no longer kept. */
  find(key: number): QuoteOrigin | undefined {
    if (key === 0) return undefined;
    const side = key % SIDES;
    const cell = Math.floor(side / 2);
    const isBid = side % 2 === 0;
    if (this.#cells.bid[cell] !== 0 && this.#key(cell, isBid) === key) {
      const { bid, offer, sourceTimeUs, receivedAtMs } = this.#cells;
      this.#details.read(side, this.#read);
      return this.#origin(
        cell,
        isBid ? bid[cell] : offer[cell],
        sourceTimeUs[cell],
        receivedAtMs[cell],
        this.#sequence[cell],
      );
    }
    const kept = this.#kept;
    const since = Math.floor(key / SIDES);
    const sinceAt = isBid ? BID_SINCE : OFFER_SINCE;
    // Newest first.
    for (let back = 1; back <= KEPT; back++) {
      const row = (this.#next - back + KEPT) % KEPT;
      const at = row * STRIDE;
      if (kept[at + sinceAt] !== since || kept[at + CELL] !== cell) continue;
      this.#keptDetails.read(2 * row + (side % 2), this.#read);
      return this.#origin(
        cell,
        kept[at + (isBid ? BID : OFFER)],
        kept[at + SOURCE_TIME],
        kept[at + RECEIVED_AT],
        kept[at + SEQUENCE],
      );
    }
    return undefined;
  }

  /** Of the side that was read. */
  #origin(cell: number, price: number, sourceTimeUs: number, receivedAtMs: number, sequence: number): QuoteOrigin {
    const { id, by, sourceTimeUs: ownTimeUs, runnerUp, runnerUpBy } = this.#read;
    if (id.length === 0) id.setNumber(sequence);
    return {
      provider: this.#names.name(by === 0 ? this.#ofProvider[Math.floor(cell / PAIR_COUNT)] : by),
      quoteId: String.fromCharCode(...id.bytes.subarray(0, id.length)),
      price,
      sourceTimeUs: ownTimeUs || sourceTimeUs,
      receivedAtMs,
      runnerUp: runnerUp === 0 ? undefined : { provider: this.#names.name(runnerUpBy), price: runnerUp },
    };
  }

  /** Fills what the relay carries of a side's present quote. */
  fill(cell: number, isBid: boolean, out: SideOrigin): void {
    this.#details.read(2 * cell + (isBid ? 0 : 1), out);
    if (out.by === 0) out.by = this.#ofProvider[Math.floor(cell / PAIR_COUNT)];
    if (out.sourceTimeUs === 0) out.sourceTimeUs = this.#cells.sourceTimeUs[cell];
    if (out.id.length === 0) out.id.setNumber(this.#sequence[cell]);
  }

  /** Number of the name of a cell's own provider. */
  nameOf(cell: number): number {
    return this.#ofProvider[Math.floor(cell / PAIR_COUNT)];
  }
}
