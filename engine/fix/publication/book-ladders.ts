import { bandPrice, Ladder, type LadderSide } from '../../domain/money/ladder.js';
import { PAIRS } from '../../domain/money/pair.js';
import { ORIGIN_KEYS, type OriginKeys } from '../../domain/money/price-columns.js';
import { clientBid, clientOffer, isClientPrice, type MarginBand } from '../../domain/money/rate.js';
import {
  EffectiveMargin,
  type PriceShift,
  type PriceShiftColumns,
  ppmOf,
} from '../../domain/prices/effective-margin.js';
import { endOf, VersionRing } from './version-ring.js';

/** Bands of a side that a client is shown. */
export const MAX_BANDS = 10;

/** Ladders kept of each pair: those of half a second as long as no more than 500 a second come. */
const KEPT = 256;
/** Of each side how many levels there are, then their prices, then their sizes. */
const SIDE_VALUES = 1 + 2 * MAX_BANDS;
/** Skew, widening, and the bounds of the spread. */
const SHIFT_VALUES = 4;
/** Behind the sides, what they are made of, and the input that made them. */
const SHIFT_AT = 2 * SIDE_VALUES + ORIGIN_KEYS + 1;

/** What the ladders read of the rate book. */
export interface LadderBook {
  readonly maxAgeMs: number;
  readonly sourceTimeUs: Float64Array;
  readonly origins: OriginKeys;
  /** Which input of the book has made its prices. */
  readonly position: number;
  /** Every level of the pair, good until the next call; undefined: it has no price. */
  ladder(pair: number): Ladder | undefined;
}

/** A ladder, and what the rules of pricing change on the margins at it, in units of its scaled price. */
export class ShiftedLadder extends Ladder implements PriceShift {
  skew = 0;
  widening = 0;
  spreadMin = 0;
  spreadMax = 0;

  override clear(): void {
    super.clear();
    this.shift(0, 0, 0, 0);
  }

  shift(skew: number, widening: number, spreadMin: number, spreadMax: number): void {
    this.skew = skew;
    this.widening = widening;
    this.spreadMin = spreadMin;
    this.spreadMax = spreadMax;
  }
}

/** The bands of one side for a client, smallest first: a price is for any amount up to the size. */
export class Bands {
  count = 0;
  /** Whole units of base. */
  readonly size = new Float64Array(MAX_BANDS);
  /** Scaled; the providers' volume-weighted price of the size, and the client's. */
  readonly providerPrice = new Float64Array(MAX_BANDS);
  readonly price = new Float64Array(MAX_BANDS);
  /** The effective margin, and the client's own that it is made from. */
  readonly marginPpm = new Float64Array(MAX_BANDS);
  readonly rulePpm = new Float64Array(MAX_BANDS);
  private readonly margin = new EffectiveMargin();
  /** How many levels its price is made of. */
  readonly levels = new Uint8Array(MAX_BANDS);

  /**
   * A band ends where a level does or where the client's margin changes, at the pair's maximum at the latest. A band that has no price at
   * its margin ends them. No allocation.
   */
  fill(ladder: ShiftedLadder, isBid: boolean, margins: readonly MarginBand[], mostAmount: number): void {
    const side = isBid ? ladder.bid : ladder.offer;
    this.count = 0;
    let level = 0;
    let margin = 0;
    let size = 0;
    let carried = 0;
    while (this.count < MAX_BANDS && size < mostAmount) {
      while (level < side.count && carried <= size) carried += side.size[level++];
      if (carried <= size) return;
      while (margin + 1 < margins.length && margins[margin + 1]!.above <= size) margin++;
      const marginEnds = margin + 1 < margins.length ? margins[margin + 1]!.above : Number.POSITIVE_INFINITY;
      size = Math.min(carried, marginEnds, mostAmount);
      const rulePpm = margins[margin]!.marginPpm;
      const marginPpm = this.effectivePpm(ladder, isBid, rulePpm);
      const providerPrice = bandPrice(side, size);
      const price = (isBid ? clientBid : clientOffer)(providerPrice, marginPpm);
      if (!isClientPrice(price, price)) return;
      const at = this.count++;
      this.size[at] = size;
      this.providerPrice[at] = providerPrice;
      this.price[at] = price;
      this.marginPpm[at] = marginPpm;
      this.rulePpm[at] = rulePpm;
      this.levels[at] = level;
    }
  }

  /** Judged at the best prices, for every band. */
  private effectivePpm(ladder: ShiftedLadder, isBid: boolean, rulePpm: number): number {
    const { skew, widening, spreadMin, spreadMax } = ladder;
    if (skew === 0 && widening === 0 && spreadMin === 0 && spreadMax === 0) return rulePpm;
    const bid = ladder.bid.price[0]!;
    const offer = ladder.offer.price[0]!;
    const { margin } = this;
    margin.compute(
      bid,
      offer,
      ppmOf(skew, bid) + ppmOf(widening, bid),
      ppmOf(-skew, offer) + ppmOf(widening, offer),
      spreadMin,
      spreadMax,
      rulePpm,
    );
    return isBid ? margin.bidPpm : margin.offerPpm;
  }
}

/**
 * The newest ladder of each pair that some desk streams with its levels, ten of a side, levels of one price as one; and those of the last half
 * second. A ladder is read from the book once a turn at most, and numbered where it differs from the one before. Nothing is allocated per
 * tick.
 */
export class BookLadders {
  /** Number of the newest ladder of each pair. */
  readonly versions = new Float64Array(PAIRS.length);
  /** Which input of the book has made the ladder that was found last. */
  foundPosition = 0;
  private readonly newest: (ShiftedLadder | undefined)[] = [];
  /** What the ladder of the last `find` is made of: of each side its best price. */
  readonly originKeys = new Float64Array(ORIGIN_KEYS);
  private readonly recent = new VersionRing(KEPT, SHIFT_AT + SHIFT_VALUES);
  private readonly freshUntilMs = new Float64Array(PAIRS.length);
  private readonly sourceTimes = new Float64Array(PAIRS.length);
  private readonly isChanged = new Uint8Array(PAIRS.length);
  private readonly isListed = new Uint8Array(PAIRS.length);
  private readonly changed: number[] = [];
  private readonly kept = new ShiftedLadder(MAX_BANDS);
  private readonly merged = new ShiftedLadder(MAX_BANDS);

  constructor(
    private readonly book: LadderBook,
    private readonly shifts: PriceShiftColumns,
  ) {}

  /** Makes room for a pair, once. */
  open(pair: number): void {
    if (!this.recent.open(pair)) return;
    this.newest[pair] = new ShiftedLadder(MAX_BANDS);
    this.mark(pair);
  }

  /** A level of the pair may have changed; true where the pair is one of those here. */
  mark(pair: number): boolean {
    if (!this.recent.isOpen(pair)) return false;
    this.isChanged[pair] = 1;
    if (this.isListed[pair] === 0) {
      this.isListed[pair] = 1;
      this.changed.push(pair);
    }
    return true;
  }

  /** A pair that was marked; undefined: there is none. It may have been refreshed since. */
  takeMarked(): number | undefined {
    const pair = this.changed.pop();
    if (pair !== undefined) this.isListed[pair] = 0;
    return pair;
  }

  isMarked(pair: number): boolean {
    return this.isChanged[pair] === 1;
  }

  /** Its last read from the book is of no use any more. */
  isDue(pair: number, nowMs: number): boolean {
    return this.isChanged[pair] === 1 || nowMs > this.freshUntilMs[pair]!;
  }

  /** Reads the pair from the book; true when its ladder differs from the one before. */
  refresh(pair: number, nowMs: number, isAnother = false): boolean {
    this.isChanged[pair] = 0;
    const { merged } = this;
    merged.clear();
    const found = this.book.ladder(pair);
    if (found !== undefined) {
      merge(found.bid, merged.bid);
      merge(found.offer, merged.offer);
      if (merged.bid.count === 0 || merged.offer.count === 0) merged.clear();
      else if (this.shifts.isOn[pair] === 1) {
        const { skew, widening, spreadMin, spreadMax } = this.shifts;
        merged.shift(skew[pair]!, widening[pair]!, spreadMin[pair]!, spreadMax[pair]!);
      }
    }
    const end = endOf(this.freshUntilMs[pair]!, nowMs);
    this.freshUntilMs[pair] = nowMs + this.book.maxAgeMs - Math.max(merged.bid.oldestMs, merged.offer.oldestMs);
    const newest = this.newest[pair]!;
    if (
      !isAnother &&
      isSameShift(newest, merged) &&
      isSame(newest.bid, merged.bid) &&
      isSame(newest.offer, merged.offer)
    )
      return false;
    this.sourceTimes[pair] = this.book.sourceTimeUs[pair]!;
    copy(merged.bid, newest.bid);
    copy(merged.offer, newest.offer);
    newest.shift(merged.skew, merged.widening, merged.spreadMin, merged.spreadMax);
    this.keep(pair, ++this.versions[pair]!, end, nowMs);
    return true;
  }

  /** The pair has a new value date: its ladder is another one. */
  roll(pair: number, nowMs: number): void {
    if (this.recent.isOpen(pair)) this.refresh(pair, nowMs, true);
  }

  /** The newest ladder; without levels where the pair has no price. */
  ladder(pair: number): ShiftedLadder {
    return this.newest[pair]!;
  }

  sourceTimeUs(pair: number): number {
    return this.sourceTimes[pair]!;
  }

  /** One that may be dealt now, to be read before the next call; undefined when it may not, or it or a later one is no price. */
  find(pair: number, version: number, nowMs: number): ShiftedLadder | undefined {
    const found = this.recent.find(pair, version, this.versions[pair]!, nowMs, (of, at) => of[at] !== 0);
    if (found === undefined) return undefined;
    read(found, 0, this.kept.bid);
    read(found, SIDE_VALUES, this.kept.offer);
    for (let i = 0; i < ORIGIN_KEYS; i++) this.originKeys[i] = found[2 * SIDE_VALUES + i]!;
    if (version === this.versions[pair]) this.book.origins.write(pair, nowMs, this.originKeys);
    this.foundPosition = found[2 * SIDE_VALUES + ORIGIN_KEYS]!;
    this.kept.shift(found[SHIFT_AT]!, found[SHIFT_AT + 1]!, found[SHIFT_AT + 2]!, found[SHIFT_AT + 3]!);
    return this.kept;
  }

  private keep(pair: number, version: number, endOfLastMs: number, nowMs: number): void {
    const { bid, offer, skew, widening, spreadMin, spreadMax } = this.newest[pair]!;
    const at = this.recent.add(pair, version, endOfLastMs);
    const values = this.recent.valuesOf(pair);
    write(values, at, bid);
    write(values, at + SIDE_VALUES, offer);
    this.book.origins.write(pair, nowMs, values, at + 2 * SIDE_VALUES);
    values[at + 2 * SIDE_VALUES + ORIGIN_KEYS] = this.book.position;
    const shiftAt = at + SHIFT_AT;
    values[shiftAt] = skew;
    values[shiftAt + 1] = widening;
    values[shiftAt + 2] = spreadMin;
    values[shiftAt + 3] = spreadMax;
  }
}

// A level that carries nothing is none; the levels of one price are one.
function merge(from: LadderSide, to: LadderSide): void {
  for (let i = 0; i < from.count; i++) {
    if (from.size[i] === 0) continue;
    const last = to.count - 1;
    if (last >= 0 && to.price[last] === from.price[i]) {
      to.size[last] += from.size[i]!;
      to.ageMs[last] = Math.max(to.ageMs[last]!, from.ageMs[i]!);
    } else if (to.count === MAX_BANDS) return;
    else to.add(from.price[i]!, from.size[i]!, from.ageMs[i]);
  }
}

const isSameShift = (one: PriceShift, other: PriceShift): boolean =>
  one.skew === other.skew &&
  one.widening === other.widening &&
  one.spreadMin === other.spreadMin &&
  one.spreadMax === other.spreadMax;

function isSame(one: LadderSide, other: LadderSide): boolean {
  if (one.count !== other.count) return false;
  for (let i = 0; i < one.count; i++)
    if (one.price[i] !== other.price[i] || one.size[i] !== other.size[i]) return false;
  return true;
}

function copy(from: LadderSide, to: LadderSide): void {
  to.count = 0;
  for (let i = 0; i < from.count; i++) to.add(from.price[i]!, from.size[i]!);
}

function write(values: Float64Array, at: number, { count, price, size }: LadderSide): void {
  values[at] = count;
  for (let i = 0; i < count; i++) {
    values[at + 1 + i] = price[i]!;
    values[at + 1 + MAX_BANDS + i] = size[i]!;
  }
}

function read(values: Float64Array, at: number, to: LadderSide): void {
  to.count = 0;
  for (let i = 0; i < values[at]!; i++) to.add(values[at + 1 + i]!, values[at + 1 + MAX_BANDS + i]!);
}
