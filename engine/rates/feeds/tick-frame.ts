import { Ladder, type LadderSide, MAX_LEVELS } from '../../domain/money/ladder.js';
import { PAIRS } from '../../domain/money/pair.js';
import { type ScaledRounding, scaledFromBytes } from '../../domain/money/rate.js';
import { QuoteId } from '../quote-origins.js';
import { pairOfBytes } from './symbol-bytes.js';

/** What a frame turned out to be. */
export type FrameKind =
  | 'tick'
  /** Levels of which a side has none: the provider withdraws its price. */
  | 'withdrawal'
  /** A tick of a pair that we do not offer. */
  | 'unknown-pair'
  /** An object of strings and numbers that is no tick: a price or symbol is missing or wrong. */
  | 'malformed'
  /** Another operation, nested, escaped or no JSON: JSON.parse decides. */
  | 'other';

/** One tick of a WebSocket provider, read straight from the frame's bytes. Reused. */
export class TickFrame {
  pair = 0;
  /** Scaled by the pair's price digits, from the literal text: a bid never rounded up, an offer never down. */
  bid = 0;
  offer = 0;
  /** Whole units of base; 0 when absent or unreadable: of one price the size decides nothing but how much is firm. */
  bidSize = 0;
  offerSize = 0;
  /** Epoch microseconds; 0 when absent or unreadable. */
  sourceTimeUs = 0;
  /** The stream's own count; 0 when absent. */
  sequence = 0;
  /** The provider's own id of the quote; a length of 0: the frame has none. */
  readonly id = new QuoteId();
  /** Every level, the first included; undefined: the frame has one price. */
  get ladder(): Ladder | undefined {
    return this.#hasLevels ? this.#levels : undefined;
  }

  // Positions of the values in the frame; an end of 0 is absent.
  #symbolAt = 0;
  #symbolEnd = 0;
  #bidAt = 0;
  #bidEnd = 0;
  #offerAt = 0;
  #offerEnd = 0;
  #bidsAt = 0;
  #offersAt = 0;
  readonly #levels = new Ladder();
  #hasLevels = false;

  /** `{"op":"tick","s":"EUR/USD","b":"1.08431","a":"1.08433",...}`: any order of keys, any blanks, prices as strings or bare numbers. */
  scan(bytes: Uint8Array): FrameKind {
    this.bidSize = 0;
    this.offerSize = 0;
    this.sourceTimeUs = 0;
    this.sequence = 0;
    this.id.length = 0;
    this.#symbolEnd = 0;
    this.#bidEnd = 0;
    this.#offerEnd = 0;
    this.#bidsAt = 0;
    this.#offersAt = 0;
    this.#hasLevels = false;
    const shape = this.#scanObject(bytes);
    if (shape !== 'tick') return shape;
    const isLadder = this.#bidsAt !== 0 && this.#offersAt !== 0;
    if (this.#symbolEnd === 0 || (!isLadder && (this.#bidEnd === 0 || this.#offerEnd === 0))) return 'malformed';

    this.pair = pairOfBytes(bytes, this.#symbolAt, this.#symbolEnd);
    if (this.pair < 0) return 'unknown-pair';
    const digits = PAIRS[this.pair].priceDigits;
    if (isLadder) return this.#readLadder(bytes, digits);
    this.bid = priceOf(bytes, this.#bidAt, this.#bidEnd, digits, 'down');
    this.offer = priceOf(bytes, this.#offerAt, this.#offerEnd, digits, 'up');
    return Number.isNaN(this.bid) || Number.isNaN(this.offer) ? 'malformed' : 'tick';
  }

  #scanObject(bytes: Uint8Array): FrameKind {
    const length = bytes.length;
    let at = skipBlanks(bytes, 0);
    if (bytes[at] !== OPEN) return 'other';
    at = skipBlanks(bytes, at + 1);
    for (;;) {
      if (bytes[at] !== QUOTE) return 'other';
      const keyAt = at + 1;
      const keyEnd = endOfString(bytes, keyAt);
      if (keyEnd < 0) return 'other';
      at = skipBlanks(bytes, keyEnd + 1);
      if (bytes[at] !== COLON) return 'other';
      at = skipBlanks(bytes, at + 1);

      let valueAt = at;
      let valueEnd: number;
      if (bytes[at] === QUOTE) {
        valueAt = at + 1;
        valueEnd = endOfString(bytes, valueAt);
        if (valueEnd < 0) return 'other';
        at = valueEnd + 1;
      } else if (bytes[at] === OPEN_LIST && isLevels(bytes, keyAt, keyEnd)) {
        valueEnd = endOfLevels(bytes, valueAt);
        if (valueEnd < 0) return 'other';
        at = valueEnd;
      } else {
        while (at < length && isBare(bytes[at])) at++;
        valueEnd = at;
        if (valueEnd === valueAt) return 'other';
      }
      if (!this.#keep(bytes, keyAt, keyEnd, valueAt, valueEnd)) return 'other';

      at = skipBlanks(bytes, at);
      if (bytes[at] === COMMA) at = skipBlanks(bytes, at + 1);
      else break;
    }
    if (bytes[at] !== CLOSE) return 'other';
    return skipBlanks(bytes, at + 1) === length ? 'tick' : 'other';
  }

  // False when the frame is another operation than a tick.
  #keep(bytes: Uint8Array, keyAt: number, keyEnd: number, at: number, end: number): boolean {
    const first = bytes[keyAt];
    if (bytes[at] === OPEN_LIST && bytes[at - 1] !== QUOTE && isLevels(bytes, keyAt, keyEnd)) {
      if (first === LETTER_B) this.#bidsAt = at;
      else this.#offersAt = at;
    } else if (keyEnd - keyAt === 1) {
      if (first === LETTER_S) {
        this.#symbolAt = at;
        this.#symbolEnd = end;
      } else if (first === LETTER_B) {
        this.#bidAt = at;
        this.#bidEnd = end;
      } else if (first === LETTER_A) {
        this.#offerAt = at;
        this.#offerEnd = end;
      } else if (first === LETTER_T) this.sourceTimeUs = timeUs(bytes, at, end);
      else if (first === LETTER_N) this.sequence = wholeNumber(bytes, at, end) || 0;
    } else if (keyEnd - keyAt === 2) {
      const second = bytes[keyAt + 1];
      if (first === LETTER_O && second === LETTER_P) return isTick(bytes, at, end);
      if (first === LETTER_I && second === LETTER_D) this.id.set(bytes, at, end);
      if (second === LETTER_S && first === LETTER_B) this.bidSize = wholeNumber(bytes, at, end) || 0;
      else if (second === LETTER_S && first === LETTER_A) this.offerSize = wholeNumber(bytes, at, end) || 0;
    }
    return true;
  }

  /** The first level is the tick's price. Sizes are whole units; a level without one has 0, and one of less than a unit is no level. */
  #readLadder(bytes: Uint8Array, digits: number): FrameKind {
    const { bid, offer } = this.#levels;
    this.#levels.clear();
    this.#hasLevels = true;
    if (!readLevels(bytes, this.#bidsAt, digits, true, bid) || !readLevels(bytes, this.#offersAt, digits, false, offer))
      return 'malformed';
    if (bid.count === 0 || offer.count === 0) return 'withdrawal';
    this.bid = bid.price[0];
    this.offer = offer.price[0];
    this.bidSize = bid.size[0];
    this.offerSize = offer.size[0];
    return 'tick';
  }
}

/** `bids` or `asks`. */
function isLevels(bytes: Uint8Array, at: number, end: number): boolean {
  if (end - at !== 4 || bytes[at + 3] !== LETTER_S) return false;
  const isBids = bytes[at] === LETTER_B && bytes[at + 1] === 0x69 && bytes[at + 2] === 0x64;
  return isBids || (bytes[at] === LETTER_A && bytes[at + 1] === LETTER_S && bytes[at + 2] === 0x6b);
}

// Behind the bracket that closes a list of lists of strings and bare values; -1: it is another list.
function endOfLevels(bytes: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === OPEN_LIST) {
      if (++depth > 2) return -1;
    } else if (byte === CLOSE_LIST) {
      if (--depth === 0) return at + 1;
    } else if (byte === QUOTE) {
      at = endOfString(bytes, at + 1);
      if (at < 0) return -1;
    } else if (byte !== COMMA && byte > 0x20 && !isBare(byte)) return -1;
  }
  return -1;
}

// `[["1.08431",1000000],["1.08429",2000000]]`; false: a level is none. Levels beyond those that are kept are passed over.
function readLevels(bytes: Uint8Array, from: number, digits: number, isBid: boolean, out: LadderSide): boolean {
  let at = skipBlanks(bytes, from + 1);
  while (bytes[at] === OPEN_LIST) {
    const priceAt = skipBlanks(bytes, at + 1);
    const priceEnd = endOfValue(bytes, priceAt);
    const quoted = bytes[priceAt] === QUOTE ? 1 : 0;
    const price = priceOf(bytes, priceAt + quoted, priceEnd - quoted, digits, isBid ? 'down' : 'up');
    if (Number.isNaN(price)) return false;
    at = skipBlanks(bytes, priceEnd);
    let size = 0;
    let isStated = false;
    if (bytes[at] === COMMA) {
      const sizeAt = skipBlanks(bytes, at + 1);
      const sizeEnd = endOfValue(bytes, sizeAt);
      const isText = bytes[sizeAt] === QUOTE ? 1 : 0;
      // null is not stated.
      isStated = bytes[sizeAt] !== LETTER_N || sizeEnd - sizeAt !== 4;
      if (isStated) size = wholeNumber(bytes, sizeAt + isText, sizeEnd - isText);
      if (Number.isNaN(size)) return false;
      at = skipBlanks(bytes, sizeEnd);
    }
    if (bytes[at] !== CLOSE_LIST) return false;
    if (out.count < MAX_LEVELS && !(isStated && size === 0)) out.add(price, size);
    at = skipBlanks(bytes, at + 1);
    if (bytes[at] === COMMA) at = skipBlanks(bytes, at + 1);
    else break;
  }
  return bytes[at] === CLOSE_LIST;
}

function endOfValue(bytes: Uint8Array, from: number): number {
  if (bytes[from] === QUOTE) return endOfString(bytes, from + 1) + 1;
  let at = from;
  while (isBare(bytes[at])) at++;
  return at;
}

function isTick(bytes: Uint8Array, at: number, end: number): boolean {
  return (
    end - at === 4 &&
    bytes[at] === LETTER_T &&
    bytes[at + 1] === 0x69 &&
    bytes[at + 2] === 0x63 &&
    bytes[at + 3] === 0x6b
  );
}

// Below zero is read as such, so that the book refuses it by that name; a sign is otherwise no part of a price.
function priceOf(bytes: Uint8Array, at: number, end: number, digits: number, rounding: ScaledRounding): number {
  return bytes[at] === MINUS
    ? -scaledFromBytes(bytes, at + 1, end, digits, rounding)
    : scaledFromBytes(bytes, at, end, digits, rounding);
}

// Nanoseconds. A provider that writes micro- or milliseconds instead is known by the number of digits that a time of this
// century has then.
function timeUs(bytes: Uint8Array, at: number, end: number): number {
  const digits = end - at;
  if (digits === MICRO_DIGITS) return wholeNumber(bytes, at, end) || 0;
  if (digits === MILLI_DIGITS) return wholeNumber(bytes, at, end) * 1_000 || 0;
  return wholeNumber(bytes, at, end - 3) || 0;
}

// The whole part of a number; NaN when it is none, below zero or too large to be held exactly. Eight digits at a time, in small integers: one
// by one, a time in microseconds would be computed in floating point throughout.
function wholeNumber(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  let block = 0;
  let power = 1;
  for (let i = start; i < end; i++) {
    const digit = bytes[i] - 0x30;
    if (digit >= 0 && digit <= 9) {
      block = block * 10 + digit;
      power *= 10;
      if (power === 100_000_000) {
        value = value * power + block;
        block = 0;
        power = 1;
      }
    } else if (bytes[i] === POINT && i > start) break;
    else return Number.NaN;
  }
  value = value * power + block;
  return start < end && value <= Number.MAX_SAFE_INTEGER ? value : Number.NaN;
}

function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] <= 0x20) at++;
  return at;
}

// The closing quote; -1 when there is none, or an escape comes before it.
function endOfString(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) return -1;
  }
  return -1;
}

// What numbers, true, false and null are made of.
function isBare(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    byte === POINT ||
    byte === MINUS ||
    byte === 0x2b ||
    ((byte | 0x20) - 0x61 < 26 && (byte | 0x20) >= 0x61)
  );
}

const MICRO_DIGITS = 16;
const MILLI_DIGITS = 13;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const POINT = 0x2e;
const MINUS = 0x2d;
const LETTER_A = 0x61;
const LETTER_B = 0x62;
const LETTER_D = 0x64;
const LETTER_I = 0x69;
const LETTER_N = 0x6e;
const LETTER_O = 0x6f;
const LETTER_P = 0x70;
const LETTER_S = 0x73;
const LETTER_T = 0x74;
