import { SharedBody } from 'node-quickfix-ts';
import { writeScaled } from '../../domain/scaled.js';

/** What stands in every body of one price tier, as text with SOH; made once per tier. */
export interface BodyFrame {
  /** Everything before the first entry's price, up to and with `268=n`. */
  readonly head: string;
  /** One per entry that was asked for: `269=0|270=` or, in X, `279=1|269=0|278=EUR/USD.B|55=EUR/USD|270=`. */
  readonly entryHeads: readonly string[];
  /** The same with MDUpdateAction(279) New, for the first price after a withdrawal; equal to entryHeads in W. */
  readonly newEntryHeads: readonly string[];
  /** The same for a withdrawal (279=2 in X); equal to entryHeads in W. */
  readonly withdrawnEntryHeads: readonly string[];
  /** Between price and size: `15=EUR|271=`. */
  readonly currency: string;
  /** After the size: `276=A|299=<epoch>.`. */
  readonly quality: string;
  /** ValueDate(20012) and what else follows the entries; absent from a withdrawn price. */
  readonly tail: string;
  /** Price decimals. */
  readonly digits: number;
  readonly sourceTime: boolean;
}

const SOH = '\x01';
const SOURCE_TIME_TAG = '20017=';
/** `YYYYMMDD-HH:MM:SS.ffffff`, the time of a tick in microseconds. */
export const SOURCE_TIME_LENGTH = 24;

/**
 * The body of one price of one tier, shared by all its sessions. From one tick to the next mostly digits change, so a
 * body is built once and then overwritten in place, its byte sum corrected by the difference; when the shape changes
 * (another length, a withdrawal, other sizes) it is built anew.
 */
export class PriceBody {
  readonly shared = new SharedBody();
  private built = false;
  private first = 0;
  private second = 0;
  private firstLength = 0;
  private secondLength = 0;
  private bidSize = -1;
  private offerSize = -1;
  private tail = '';
  private sequences: number[] = [];
  private sequenceLength = 0;
  private sourceTimeAt = 0;

  constructor(private readonly sides: 'both' | 'bid' | 'offer') {}

  /** `bid` and `offer` are client prices, scaled; the sizes are whole units of the base currency. */
  price(
    frame: BodyFrame,
    isNew: boolean,
    bid: number,
    offer: number,
    bidSize: number,
    offerSize: number,
    sequence: number,
    sourceTime: Uint8Array,
  ): SharedBody {
    const firstPrice = this.sides === 'offer' ? offer : bid;
    const sameShape =
      this.built &&
      !isNew &&
      bidSize === this.bidSize &&
      offerSize === this.offerSize &&
      frame.tail === this.tail &&
      scaledLength(firstPrice, frame.digits) === this.firstLength &&
      (this.sides !== 'both' || scaledLength(offer, frame.digits) === this.secondLength) &&
      base36Length(sequence) === this.sequenceLength;
    if (!sameShape) this.build(frame, isNew, bid, offer, bidSize, offerSize, sequence);
    else {
      this.overwritePrice(this.first, this.firstLength, firstPrice, frame.digits);
      if (this.sides === 'both') this.overwritePrice(this.second, this.secondLength, offer, frame.digits);
      for (let i = 0; i < this.sequences.length; i++) this.overwriteSequence(this.sequences[i]!, sequence);
    }
    if (frame.sourceTime) this.overwriteBytes(this.sourceTimeAt, sourceTime);
    return this.shared;
  }

  /** MDQuoteType-less, tradeable by nobody: price and size 0, QuoteCondition(276) B, no QuoteEntryID(299). */
  withdrawn(frame: BodyFrame): SharedBody {
    this.built = false;
    const { shared } = this;
    shared.clear();
    shared.text(frame.head);
    for (const entry of frame.withdrawnEntryHeads) shared.text(`${entry}0${SOH}${frame.currency}0${SOH}276=B${SOH}`);
    return shared;
  }

  private build(
    frame: BodyFrame,
    isNew: boolean,
    bid: number,
    offer: number,
    bidSize: number,
    offerSize: number,
    sequence: number,
  ): void {
    const { shared } = this;
    const heads = isNew ? frame.newEntryHeads : frame.entryHeads;
    shared.clear();
    shared.text(frame.head);
    this.sequences = [];
    this.sequenceLength = base36Length(sequence);
    heads.forEach((head, i) => {
      const isOffer = this.sides === 'offer' || i === 1;
      shared.text(head);
      const at = shared.length;
      shared.text(scaledText(isOffer ? offer : bid, frame.digits));
      if (i === 0) {
        this.first = at;
        this.firstLength = shared.length - at;
      } else {
        this.second = at;
        this.secondLength = shared.length - at;
      }
      shared.text(`${SOH}${frame.currency}${isOffer ? offerSize : bidSize}${SOH}${frame.quality}`);
      this.sequences.push(shared.length);
      shared.text(sequence.toString(36) + SOH);
    });
    shared.text(frame.tail);
    if (frame.sourceTime) {
      shared.text(SOURCE_TIME_TAG);
      this.sourceTimeAt = shared.length;
      shared.text('0'.repeat(SOURCE_TIME_LENGTH) + SOH);
    }
    this.bidSize = bidSize;
    this.offerSize = offerSize;
    this.tail = frame.tail;
    // An entry that was New is Change in the next message, so that shape is not kept.
    this.built = !isNew || frame.newEntryHeads === frame.entryHeads;
  }

  private overwritePrice(at: number, length: number, scaled: number, digits: number): void {
    const { bytes } = this.shared;
    let before = 0;
    let after = 0;
    for (let i = at; i < at + length; i++) before += bytes[i]!;
    writeScaled(bytes, at, scaled, digits);
    for (let i = at; i < at + length; i++) after += bytes[i]!;
    this.shared.sum += after - before;
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

  private overwriteBytes(at: number, source: Uint8Array): void {
    const { bytes } = this.shared;
    let difference = 0;
    for (let i = 0; i < SOURCE_TIME_LENGTH; i++) {
      difference += source[i]! - bytes[at + i]!;
      bytes[at + i] = source[i]!;
    }
    this.shared.sum += difference;
  }
}

const scratch = new Uint8Array(32);

function scaledText(scaled: number, digits: number): string {
  return String.fromCharCode(...scratch.subarray(0, writeScaled(scratch, 0, scaled, digits)));
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
