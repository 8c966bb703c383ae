import { SharedBody } from 'node-quickfix-ts';
import * as Tag from '../../domain/fix/tags.js';
import { writeScaled } from '../../domain/money/rate.js';

/** The constant parts of every body of one shape, as text with SOH. */
export interface BodyFrame {
  /** Everything before the first entry, with `268=n`. */
  readonly head: string;
  /** One for each requested entry: `269=0|270=` or, in X, `279=1|269=0|278=EUR/USD.B|55=EUR/USD|270=`. */
  readonly entryHeads: readonly string[];
  /** The same with MDUpdateAction(279) New, for the first price after a withdrawal; in W equal to entryHeads. */
  readonly newEntryHeads: readonly string[];
  /** The same for a withdrawal (279=2 in X); in W equal to entryHeads. */
  readonly withdrawnEntryHeads: readonly string[];
  /** Between price and size: `15=EUR|271=`. */
  readonly currency: string;
  /** ValueDate(20012) and the other fields behind the entries; absent from a withdrawn price. */
  readonly tail: string;
  /** MarginPercent(20003) follows, the effective one of each price. */
  readonly showsMargin: boolean;
  /** Behind the margin. */
  readonly afterMargin: string;
  /** Price decimals. */
  readonly digits: number;
  readonly sides: 'both' | 'bid' | 'offer';
  readonly sourceTime: boolean;
}

const SOH = '\x01';
const MARGIN_IS = `${Tag.MarginPercent}=`;
export const SOURCE_TIME_IS = `${Tag.SourceTime}=`;
/** Behind the size of an entry: not tradeable, or tradeable by the QuoteEntryID(299) that follows. */
export const NOT_TRADEABLE = `${SOH}${Tag.QuoteCondition}=B`;
export const TRADEABLE_AS = `${SOH}${Tag.QuoteCondition}=A${SOH}${Tag.QuoteEntryID}=`;
/** `YYYYMMDD-HH:MM:SS.ffffff`, the time of a tick in microseconds. */
export const SOURCE_TIME_LENGTH = 24;
// Node 20 reads an exported or imported constant from its module each time, which is slow in a loop over bytes.
const TIME_LENGTH = SOURCE_TIME_LENGTH;

/** Positions of the digits in a body, so that they can be overwritten. */
interface Places {
  readonly prices: number[];
  readonly epochs: number[];
  readonly sequences: number[];
}

/**
 * The body of one price, shared by all sessions of a tier. From tick to tick and from tier to tier only digits change, so a body is
 * built once and then overwritten in place: first the parts common to all tiers (`begin`), then those of the tier (`forTier`). A change
 * of length or sizes rebuilds it.
 */
export class PriceBody {
  private readonly shared = new SharedBody();
  private places: Places = { prices: [], epochs: [], sequences: [] };
  private built = false;
  private frame: BodyFrame | undefined;
  private isNew = false;
  private bidSize = -1;
  private offerSize = -1;
  private sequence = -1;
  private sequenceLength = 0;
  private bidLength = 0;
  private offerLength = 0;
  private priceSum = 0;
  private epochSum = 0;
  private epoch: Uint8Array | undefined;
  private bid = -1;
  private offer = -1;
  private marginAt = 0;
  private marginPpm = -1;
  private timeAt = 0;
  private time: Uint8Array | undefined;

  /** Sets what all tiers of this price share. Sizes are whole units of base; `time` is read at once and at a rebuild. */
  begin(
    frame: BodyFrame,
    isNew: boolean,
    bidSize: number,
    offerSize: number,
    sequence: number,
    time: Uint8Array,
  ): void {
    const length = base36Length(sequence);
    const fits =
      this.built &&
      frame === this.frame &&
      isNew === this.isNew &&
      bidSize === this.bidSize &&
      offerSize === this.offerSize &&
      length === this.sequenceLength;
    this.frame = frame;
    this.isNew = isNew;
    this.bidSize = bidSize;
    this.offerSize = offerSize;
    this.sequenceLength = length;
    this.time = time;
    this.built = fits;
    if (fits && sequence !== this.sequence) {
      for (let i = 0; i < this.places.sequences.length; i++)
        this.overwriteSequence(this.places.sequences[i]!, sequence);
    }
    this.sequence = sequence;
    if (fits && frame.sourceTime) this.overwriteTime(time);
  }

  /**
   * The body for a tier: `bid` and `offer` are its client prices, scaled; `epoch` names it in QuoteEntryID(299); `marginPpm` is the margin to be
   * shown, if the shape shows it.
   */
  forTier(bid: number, offer: number, epoch: Uint8Array, marginPpm: number): SharedBody {
    const { digits, sides, showsMargin } = this.frame!;
    if (
      !this.built ||
      epoch.length !== this.epoch!.length ||
      (sides !== 'offer' && scaledLength(bid, digits) !== this.bidLength) ||
      (sides !== 'bid' && scaledLength(offer, digits) !== this.offerLength)
    ) {
      this.build(bid, offer, epoch, marginPpm);
      return this.shared;
    }
    if (bid !== this.bid || offer !== this.offer) this.overwritePrices(bid, offer);
    if (epoch !== this.epoch) this.overwriteEpochs(epoch);
    if (showsMargin && marginPpm !== this.marginPpm) {
      cut(this.shared, this.marginAt);
      this.end(marginPpm);
    }
    return this.shared;
  }

  /** Not tradeable: price and size 0, QuoteCondition(276) B, no QuoteEntryID(299), the same for every tier. */
  withdrawn(frame: BodyFrame): SharedBody {
    this.built = false;
    const { shared } = this;
    shared.clear();
    shared.text(frame.head);
    for (const entry of frame.withdrawnEntryHeads)
      shared.text(`${entry}0${SOH}${frame.currency}0${NOT_TRADEABLE}${SOH}`);
    return shared;
  }

  private build(bid: number, offer: number, epoch: Uint8Array, marginPpm: number): void {
    const { shared, isNew, sequence } = this;
    const frame = this.frame!;
    const heads = isNew ? frame.newEntryHeads : frame.entryHeads;
    const places: Places = { prices: [], epochs: [], sequences: [] };
    shared.clear();
    shared.text(frame.head);
    heads.forEach((head, i) => {
      const isOffer = frame.sides === 'offer' || i === 1;
      shared.text(head);
      places.prices.push(shared.length);
      shared.text(scaledText(isOffer ? offer : bid, frame.digits));
      shared.text(`${SOH}${frame.currency}${isOffer ? this.offerSize : this.bidSize}${TRADEABLE_AS}`);
      places.epochs.push(shared.length);
      shared.text(`${String.fromCharCode(...epoch)}.`);
      places.sequences.push(shared.length);
      shared.text(sequence.toString(36) + SOH);
    });
    shared.text(frame.tail);
    this.marginAt = shared.length;
    this.end(marginPpm);
    this.places = places;
    this.epoch = epoch;
    this.epochSum = byteSum(epoch, 0, epoch.length);
    this.bid = bid;
    this.offer = offer;
    this.bidLength = scaledLength(bid, frame.digits);
    this.offerLength = scaledLength(offer, frame.digits);
    this.priceSum = 0;
    if (frame.sides !== 'offer') this.priceSum += byteSum(shared.bytes, places.prices[0]!, this.bidLength);
    if (frame.sides !== 'bid') this.priceSum += byteSum(shared.bytes, places.prices.at(-1)!, this.offerLength);
    this.built = true;
  }

  /** What is behind the tail. */
  private end(marginPpm: number): void {
    const { shared } = this;
    const { showsMargin, afterMargin, sourceTime } = this.frame!;
    this.marginPpm = marginPpm;
    if (showsMargin) appendMargin(shared, marginPpm);
    shared.text(afterMargin);
    if (!sourceTime) return;
    shared.text(SOURCE_TIME_IS);
    this.timeAt = shared.length;
    shared.append(this.time!, 0, TIME_LENGTH);
    shared.byte(1);
  }

  private overwritePrices(bid: number, offer: number): void {
    const { digits, sides } = this.frame!;
    const { bytes } = this.shared;
    const { prices } = this.places;
    let sum = 0;
    if (sides !== 'offer') {
      writeScaled(bytes, prices[0]!, bid, digits);
      sum += byteSum(bytes, prices[0]!, this.bidLength);
    }
    if (sides !== 'bid') {
      const at = prices[prices.length - 1]!;
      writeScaled(bytes, at, offer, digits);
      sum += byteSum(bytes, at, this.offerLength);
    }
    this.shared.sum += sum - this.priceSum;
    this.priceSum = sum;
    this.bid = bid;
    this.offer = offer;
  }

  private overwriteEpochs(epoch: Uint8Array): void {
    const { bytes } = this.shared;
    const { epochs } = this.places;
    const sum = byteSum(epoch, 0, epoch.length);
    for (let i = 0; i < epochs.length; i++) {
      const at = epochs[i]!;
      for (let k = 0; k < epoch.length; k++) bytes[at + k] = epoch[k]!;
    }
    this.shared.sum += (sum - this.epochSum) * epochs.length;
    this.epochSum = sum;
    this.epoch = epoch;
  }

  private overwriteSequence(at: number, sequence: number): void {
    const { bytes } = this.shared;
    let difference = 0;
    let rest = sequence;
    for (let i = at + this.sequenceLength - 1; i >= at; i--) {
      const quotient = Math.floor(rest / 36);
      const digit = rest - quotient * 36;
      const byte = digit < 10 ? 48 + digit : 87 + digit;
      difference += byte - bytes[i]!;
      bytes[i] = byte;
      rest = quotient;
    }
    this.shared.sum += difference;
  }

  private overwriteTime(time: Uint8Array): void {
    const { bytes } = this.shared;
    const at = this.timeAt;
    let difference = 0;
    for (let i = 0; i < TIME_LENGTH; i++) {
      difference += time[i]! - bytes[at + i]!;
      bytes[at + i] = time[i]!;
    }
    this.shared.sum += difference;
  }
}

/** MarginPercent(20003), as `formatMargin` writes it. */
export function appendMargin(to: SharedBody, ppm: number): void {
  to.text(MARGIN_IS);
  const decimals = ppm % 10_000;
  to.uint((ppm - decimals) / 10_000);
  if (decimals > 0) {
    to.text('.');
    for (let rest = decimals, power = 1_000; rest > 0; power /= 10) {
      const digit = Math.floor(rest / power);
      rest -= digit * power;
      to.byte(48 + digit);
    }
  }
  to.byte(1);
}

function cut(shared: SharedBody, at: number): void {
  shared.sum -= byteSum(shared.bytes, at, shared.length - at);
  shared.length = at;
}

const scratch = new Uint8Array(32);

function scaledText(scaled: number, digits: number): string {
  return String.fromCharCode(...scratch.subarray(0, writeScaled(scratch, 0, scaled, digits)));
}

function byteSum(bytes: Uint8Array, at: number, length: number): number {
  let sum = 0;
  for (let i = at; i < at + length; i++) sum += bytes[i]!;
  return sum;
}

/** Length of a scaled price as text: at least one digit before the point. */
function scaledLength(scaled: number, digits: number): number {
  const whole = Math.max(decimalLength(scaled), digits + 1);
  return digits === 0 ? whole : whole + 1;
}

function decimalLength(n: number): number {
  let length = 1;
  for (let bound = 10; n >= bound; bound *= 10) length++;
  return length;
}

function base36Length(n: number): number {
  let length = 1;
  for (let bound = 36; n >= bound; bound *= 36) length++;
  return length;
}
