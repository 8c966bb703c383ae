/**
 * The effective margin of each side of a price: the client's own margin, changed by the rules of pricing. It is a whole number of parts per million,
 * never below 0, so that no client's price is better than the provider's, and the price follows from it as from any margin
 * (`clientBid`, `clientOffer`). Whole numbers below 2^53 throughout; nothing is allocated but where it says so.
 */
import { clientBid, clientOffer } from '../money/rate.js';

/** What changes the margins of a pair at one moment, in units of its scaled price; all 0: nothing. */
export interface PriceShift {
  /** Above 0 the house is long base: it is added to the bid's margin and taken off the offer's. Below 0 the reverse. */
  readonly skew: number;
  /** Added to both: the newest tick is old. */
  readonly widening: number;
  /** The least and the most of the client's spread; 0: no bound. */
  readonly spreadMin: number;
  readonly spreadMax: number;
}

/** The shift of every pair now, by Pair.index: columns that the tick path reads. `PriceShifts` of engine/rates keeps them. */
export interface PriceShiftColumns {
  /** 1: something of the pair's shift is not 0. */
  readonly isOn: Uint8Array;
  readonly skew: Float64Array;
  readonly widening: Float64Array;
  readonly spreadMin: Float64Array;
  readonly spreadMax: Float64Array;
  /** What skew and widening add to the margin of the bid, and of the offer, at these provider prices, parts per million. */
  bidPpm(pair: number, bid: number): number;
  offerPpm(pair: number, offer: number): number;
  /** The effective margins of a client's own at the provider's best prices; good until the next call. */
  margin(pair: number, bid: number, offer: number, rulePpm: number): Readonly<EffectiveMargin>;
  /** Called with the index of a pair whose shift has changed, and so the prices made of its margins. Returns what ends it. */
  onChange(listener: (pair: number) => void): () => void;
}

/** The parts of one side's effective margin, in parts per million. */
export interface MarginParts {
  /** Of the client's margin rule. */
  readonly rulePpm: number;
  readonly skewPpm: number;
  readonly wideningPpm: number;
  /** What the least or the most of the spread has added (above 0) or taken (below 0), once the sum of the others was 0 or more. */
  readonly spreadPpm: number;
  /** The effective margin: max(0, rule + skew + widening) + spread. */
  readonly marginPpm: number;
}

/** The largest effective margin: below it a rule's own is kept. */
const MOST_PPM = 999_998;
const WHOLE = 1_000_000;

/** A distance in units of the scaled price as parts per million of a price above 0, to the nearest; the sign is kept. */
export function ppmOf(units: number, price: number): number {
  const ppm = Math.round((Math.abs(units) * WHOLE) / price);
  return units < 0 ? -ppm : ppm;
}

/** The effective margins of both sides, computed into this object: one for many prices. */
export class EffectiveMargin {
  bidPpm = 0;
  offerPpm = 0;

  /**
   * `bid` and `offer` are the provider's best prices, above 0. `bidShiftPpm` and `offerShiftPpm` are what skew and widening add to each side, signed.
   * Where both bounds of the spread cannot hold, the least does. A spread is made wider or narrower by the same distance on both sides, as
   * far as a margin can go down.
   */
  compute(
    bid: number,
    offer: number,
    bidShiftPpm: number,
    offerShiftPpm: number,
    spreadMin: number,
    spreadMax: number,
    rulePpm: number,
  ): void {
    this.bidPpm = marginWithin(rulePpm + bidShiftPpm, rulePpm);
    this.offerPpm = marginWithin(rulePpm + offerShiftPpm, rulePpm);
    if (spreadMax > 0) this.narrow(bid, offer, spreadMax);
    if (spreadMin > 0) this.widen(bid, offer, spreadMin);
  }

  /** Each side keeps the largest margin with which its price is at the target or better. */
  private narrow(bid: number, offer: number, spreadMax: number): void {
    const clientsBid = clientBid(bid, this.bidPpm);
    const clientsOffer = clientOffer(offer, this.offerPpm);
    const excess = clientsOffer - clientsBid - spreadMax;
    if (excess <= 0) return;
    const half = Math.min(bid - clientsBid, Math.ceil(excess / 2));
    const ofOffer = Math.min(clientsOffer - offer, excess - half);
    const ofBid = Math.min(bid - clientsBid, excess - ofOffer);
    this.bidPpm = Math.min(this.bidPpm, Math.floor(((bid - clientsBid - ofBid) * WHOLE) / bid));
    const target = clientsOffer - ofOffer;
    this.offerPpm = Math.min(this.offerPpm, Math.floor(((target - offer) * WHOLE) / target));
  }

  /** Each side gets the smallest margin with which its price is at the target or worse. */
  private widen(bid: number, offer: number, spreadMin: number): void {
    const clientsBid = clientBid(bid, this.bidPpm);
    const clientsOffer = clientOffer(offer, this.offerPpm);
    const missing = spreadMin - (clientsOffer - clientsBid);
    if (missing <= 0) return;
    const half = Math.ceil(missing / 2);
    const target = clientsOffer + missing - half;
    const bidPpm = Math.ceil(((bid - clientsBid + half) * WHOLE) / bid);
    const offerPpm = Math.ceil(((target - offer) * WHOLE) / target);
    this.bidPpm = Math.min(MOST_PPM, Math.max(this.bidPpm, bidPpm));
    this.offerPpm = Math.min(MOST_PPM, Math.max(this.offerPpm, offerPpm));
  }
}

// A rule's own margin of 999,999 is not made smaller by a shift of 0.
export const marginWithin = (ppm: number, rulePpm: number): number =>
  Math.max(0, Math.min(ppm, Math.max(MOST_PPM, rulePpm)));

/** What the price of a side is made of; allocates. `bid` and `offer` are the provider's best prices, above 0. */
export function marginParts(
  bid: number,
  offer: number,
  { skew, widening, spreadMin, spreadMax }: PriceShift,
  rulePpm: number,
): { readonly bid: MarginParts; readonly offer: MarginParts } {
  const [bidSkew, offerSkew] = [ppmOf(skew, bid), ppmOf(-skew, offer)];
  const [bidWide, offerWide] = [ppmOf(widening, bid), ppmOf(widening, offer)];
  const margin = new EffectiveMargin();
  margin.compute(bid, offer, bidSkew + bidWide, offerSkew + offerWide, spreadMin, spreadMax, rulePpm);
  const side = (skewPpm: number, wideningPpm: number, marginPpm: number): MarginParts => {
    const spreadPpm = marginPpm - marginWithin(rulePpm + skewPpm + wideningPpm, rulePpm);
    return { rulePpm, skewPpm, wideningPpm, spreadPpm, marginPpm };
  };
  return { bid: side(bidSkew, bidWide, margin.bidPpm), offer: side(offerSkew, offerWide, margin.offerPpm) };
}
