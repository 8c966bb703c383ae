import { formatUtcTimestampMicros } from 'node-quickfix-ts';
import { type PriceColumns, QuoteColumns } from '../../domain/money/price-columns.js';
import type { PriceShiftColumns } from '../../domain/prices/effective-margin.js';
import { SOURCE_TIME_LENGTH } from './price-body.js';

/** Prices kept between two fan-outs, in all and of one pair (a tier keeps an encoding of each); a full batch is fanned out at once. */
const MAX_PRICES = 1024;
const MAX_OF_ONE_PAIR = 16;

/** What the fan-out reads of the rate book when a price changes; arrays by pair index. */
export interface BookPrices extends PriceColumns {
  /** When the tick's bytes were read, on the clock of performance.now(), milliseconds. */
  readonly stamp: Float64Array;
  /** When the price before this one was to become too old, on the same clock. */
  readonly lastFreshUntilMs: Float64Array;
  /** A price older than this is no price, milliseconds. */
  readonly maxAgeMs: number;
  /** What the price carries before another level begins, whole units of base. */
  readonly bidLimit: Float64Array;
  readonly offerLimit: Float64Array;
  /** Which input of the book has made its prices. */
  readonly position: number;
}

/** The size of a price that carries any amount, where the provider gave none. */
const USUAL_SIZE = 1_000_000;

/** MDEntrySize(271): what the price carries at most, so that an amount up to it can be dealt. */
export function shownSize(size: number, limit: number): number {
  if (size > 0) return Math.min(size, limit);
  return limit === Number.POSITIVE_INFINITY ? USUAL_SIZE : limit;
}

/**
 * The prices that changed since the last fan-out, in order, copied out of the rate book so that every price
 * is published, not only the last. Sizes are those that are shown. Nothing is allocated per tick.
 */
export class PriceBatch extends QuoteColumns {
  /** Grows by one with each fan-out: an encoding of an earlier batch is recognised as old. */
  id = 1;
  count = 0;
  isFull = false;
  /** Until when every price of the batch may be sent, on the clock of the book. */
  freshUntilMs = Number.POSITIVE_INFINITY;
  readonly pair = new Int32Array(MAX_PRICES);
  /** Number of this price within its pair, ever: the running part of QuoteEntryID(299). */
  readonly version = new Float64Array(MAX_PRICES);
  /** How many prices of the same pair precede it in this batch. */
  readonly ordinal = new Int32Array(MAX_PRICES);
  readonly stamp = new Float64Array(MAX_PRICES);
  /** 1: the first price after a withdrawal. */
  readonly isNew = new Uint8Array(MAX_PRICES);
  /** 1: the rules of pricing change its margins, by the columns below; parts per million, and units of the scaled price. */
  readonly isShifted = new Uint8Array(MAX_PRICES);
  readonly bidShiftPpm = new Int32Array(MAX_PRICES);
  readonly offerShiftPpm = new Int32Array(MAX_PRICES);
  readonly spreadMin = new Float64Array(MAX_PRICES);
  readonly spreadMax = new Float64Array(MAX_PRICES);
  private readonly sourceTimes: Uint8Array[] = [];
  private readonly ofPair: Int32Array;

  constructor(pairs: number) {
    super(MAX_PRICES);
    this.ofPair = new Int32Array(pairs);
    const all = new Uint8Array(MAX_PRICES * SOURCE_TIME_LENGTH);
    for (let i = 0; i < MAX_PRICES; i++) {
      this.sourceTimes.push(all.subarray(i * SOURCE_TIME_LENGTH, (i + 1) * SOURCE_TIME_LENGTH));
    }
  }

  /** Adds the current price of `pair` in the book, which is to be published since `stampMs`. */
  add(
    book: BookPrices,
    shifts: PriceShiftColumns,
    pair: number,
    version: number,
    isNew: boolean,
    withSourceTime: boolean,
    stampMs: number,
  ): void {
    const k = this.count++;
    this.pair[k] = pair;
    this.version[k] = version;
    this.ordinal[k] = this.ofPair[pair]!++;
    this.isFull = this.count === MAX_PRICES || this.ofPair[pair] === MAX_OF_ONE_PAIR;
    this.bid[k] = book.bid[pair]!;
    this.offer[k] = book.offer[pair]!;
    this.bidSize[k] = shownSize(book.bidSize[pair]!, book.bidLimit[pair]!);
    this.offerSize[k] = shownSize(book.offerSize[pair]!, book.offerLimit[pair]!);
    this.stamp[k] = stampMs;
    this.isNew[k] = isNew ? 1 : 0;
    this.isShifted[k] = this.bid[k] === 0 ? 0 : shifts.isOn[pair]!;
    if (this.isShifted[k] === 1) {
      this.bidShiftPpm[k] = shifts.bidPpm(pair, this.bid[k]!);
      this.offerShiftPpm[k] = shifts.offerPpm(pair, this.offer[k]!);
      this.spreadMin[k] = shifts.spreadMin[pair]!;
      this.spreadMax[k] = shifts.spreadMax[pair]!;
    }
    const freshUntilMs = book.receivedAtMs[pair]! + book.maxAgeMs;
    if (this.bid[k] !== 0 && freshUntilMs < this.freshUntilMs) this.freshUntilMs = freshUntilMs;
    if (withSourceTime) writeSourceTime(this.sourceTimes[k]!, book.sourceTimeUs[pair]!);
  }

  sourceTime(k: number): Uint8Array {
    return this.sourceTimes[k]!;
  }

  clear(): void {
    for (let k = 0; k < this.count; k++) this.ofPair[this.pair[k]!] = 0;
    this.count = 0;
    this.isFull = false;
    this.freshUntilMs = Number.POSITIVE_INFINITY;
    this.id++;
  }
}

const LAST_DIGIT = SOURCE_TIME_LENGTH - 1;
let secondWritten = -1;
const secondBytes = new Uint8Array(SOURCE_TIME_LENGTH);

/** Writes `YYYYMMDD-HH:MM:SS.ffffff`; ticks of the same second share everything up to the point. */
export function writeSourceTime(out: Uint8Array, micros: number): void {
  const second = Math.floor(micros / 1e6);
  if (second !== secondWritten) {
    const text = formatUtcTimestampMicros(second * 1e6);
    for (let i = 0; i < SOURCE_TIME_LENGTH; i++) secondBytes[i] = text.charCodeAt(i);
    secondWritten = second;
  }
  for (let i = 0; i < 18; i++) out[i] = secondBytes[i]!;
  let rest = micros - second * 1e6;
  for (let i = LAST_DIGIT; i >= 18; i--) {
    const quotient = Math.floor(rest / 10);
    out[i] = 48 + rest - quotient * 10;
    rest = quotient;
  }
}
