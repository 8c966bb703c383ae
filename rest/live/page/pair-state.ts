/** One pair as the page knows it. */
import type { PairRow } from './messages.js';

/** The last two have no price, only what was the last one. */
export type PriceState = 'none' | 'quoted' | 'cross' | 'stale' | 'halted';
/** Which way the last change went; '' before there was one. */
export type Move = '' | 'up' | 'down';

/** So long a change is a fresh one. */
const FRESH_MS = 700;

/** Bid or offer: which way it went last, and when, by the page's own clock. */
export interface Movement {
  move: Move;
  atMs: number;
}

export class PairState {
  readonly index: number;
  readonly symbol: string;
  readonly priceDigits: number;
  readonly pipDigits: number;
  readonly marketDigits: number;
  /** The client's own; in the price it may be another one on each side. */
  marginPpm: number;
  bidMarginPpm: number;
  offerMarginPpm: number;
  state: PriceState = 'none';
  /** Computed from two other pairs, or it was while it had a price. */
  isCross = false;
  bid = 0;
  offer = 0;
  readonly bidMovement: Movement = { move: '', atMs: Number.NEGATIVE_INFINITY };
  readonly offerMovement: Movement = { move: '', atMs: Number.NEGATIVE_INFINITY };
  /** Of the tick behind the price, by the page's own clock. */
  tickAtMs = 0;
  /** Changes of price since the page was opened. */
  changes = 0;
  high = 0;
  low = 0;

  constructor([index, symbol, priceDigits, pipDigits, marketDigits, marginPpm]: PairRow) {
    this.index = index;
    this.symbol = symbol;
    this.priceDigits = priceDigits;
    this.pipDigits = pipDigits;
    this.marketDigits = marketDigits;
    this.marginPpm = marginPpm;
    this.bidMarginPpm = marginPpm;
    this.offerMarginPpm = marginPpm;
  }

  get hasMargin(): boolean {
    return this.bidMarginPpm > 0 || this.offerMarginPpm > 0;
  }

  /** The margins of the price that was taken last. */
  takeMargins(bidPpm: number, offerPpm: number): void {
    this.bidMarginPpm = bidPpm;
    this.offerMarginPpm = offerPpm;
  }

  /** All prices follow. Another server may have none of this pair: until then the last price stays. */
  offerAnew(marginPpm: number): void {
    this.marginPpm = marginPpm;
    if (this.state !== 'none') this.state = 'stale';
  }

  take(state: PriceState, isCross: boolean, bid: number, offer: number, ageMs: number, nowMs: number): void {
    if (state === 'stale' || state === 'halted') {
      this.bidMovement.move = '';
      this.offerMovement.move = '';
    } else {
      if (this.state !== 'none') {
        moved(this.bidMovement, this.bid, bid, nowMs);
        moved(this.offerMovement, this.offer, offer, nowMs);
        if (bid !== this.bid || offer !== this.offer) this.changes++;
      }
      this.high = Math.max(this.high, offer);
      this.low = this.low === 0 ? bid : Math.min(this.low, bid);
    }
    this.takeMargins(this.marginPpm, this.marginPpm);
    this.isCross = isCross;
    this.state = state;
    this.bid = bid;
    this.offer = offer;
    this.tickAtMs = nowMs - ageMs;
  }

  ageMs(nowMs: number): number {
    return Math.max(0, nowMs - this.tickAtMs);
  }
}

function moved(movement: Movement, from: number, to: number, nowMs: number): void {
  if (from === to) return;
  movement.move = to > from ? 'up' : 'down';
  movement.atMs = nowMs;
}

/** It has just moved: to be seen at a glance, and to fade. */
export const isFresh = ({ move, atMs }: Movement, nowMs: number): boolean => move !== '' && nowMs - atMs < FRESH_MS;
