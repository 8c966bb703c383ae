/** The levels of a provider's ladders as the book keeps them, and a price with them as a snapshot has it. */
import type { LadderSide } from '../domain/money/ladder.js';
import { PAIRS } from '../domain/money/pair.js';
import type { Level } from '../store/record/record-lines.js';
import type { KeptTaken } from './levels-taken.js';

const PAIR_COUNT = PAIRS.length;

/** The levels of one provider's ladders, at most `most` for each pair. */
export class SideLevels {
  readonly count = new Uint8Array(PAIR_COUNT);
  readonly price: Float64Array;
  readonly size: Float64Array;
  readonly ageMs: Float64Array;

  constructor(readonly most: number) {
    this.price = new Float64Array(PAIR_COUNT * most);
    this.size = new Float64Array(PAIR_COUNT * most);
    this.ageMs = new Float64Array(PAIR_COUNT * most);
  }

  of(pair: number): Level[] {
    return Array.from({ length: this.count[pair] }, (_, i) => {
      const at = pair * this.most + i;
      // JSON has no Infinity.
      return { price: this.price[at], size: Math.min(this.size[at], Number.MAX_VALUE), ageMs: this.ageMs[at] };
    });
  }

  set(pair: number, { count, price, size, ageMs }: LadderSide): void {
    this.count[pair] = Math.min(count, this.most);
    for (let i = 0, at = pair * this.most; i < this.count[pair]; i++, at++) {
      this.price[at] = price[i];
      this.size[at] = size[i];
      this.ageMs[at] = ageMs[i];
    }
  }
}

/** One price as a snapshot has it: columns of ProviderQuotes. */
export interface KeptQuote {
  readonly provider: number;
  readonly pair: number;
  readonly bid: number;
  readonly offer: number;
  readonly bidSize: number;
  readonly offerSize: number;
  readonly sourceTimeUs: number;
  readonly receivedAtMs: number;
  readonly arrival: number;
  readonly sequence: number;
  readonly lastMid2: number;
  readonly unconfirmedMid2: number;
  readonly bids?: readonly Level[];
  readonly offers?: readonly Level[];
  readonly taken?: readonly KeptTaken[];
}
