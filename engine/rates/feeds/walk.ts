import type { Ladder } from '../../domain/money/ladder.js';
import { PAIRS, type Pair, pairOf } from '../../domain/money/pair.js';
import type { ReferenceRates } from './reference-rates.js';

/** Typical spread against the dollar in hundredths of a basis point: what a bank shows another, not what a client pays. */
const SPREAD_OF: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'EUR 30 GBP 50 AUD 60 NZD 90 CAD 60 CHF 60 JPY 50 DKK 100 SEK 200 NOK 200 SGD 150 HKD 50 CNY 150 CNH 100 PLN 250 ' +
    'CZK 300 HUF 350 RON 500 ILS 400 ZAR 500 MXN 300 TRY 800 THB 400 AED 100 BRL 500 IDR 800 INR 300 KRW 400 MYR 500 PHP 600'
  )
    .match(/[A-Z]{3} \d+/g)
    ?.map((entry) => [entry.slice(0, 3), Number(entry.slice(4))]) ?? [],
);

/** Pairs that the market quotes against the euro as well. */
const EURO_CROSSES = ['GBP', 'CHF', 'JPY', 'AUD', 'CAD', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'HUF', 'RON'];

/** The pairs that a provider quotes directly; every other pair of two offered currencies is crossed from these. */
export const DIRECT_PAIRS: readonly Pair[] = [
  ...Object.keys(SPREAD_OF).map((code) => pairOf('USD', code)),
  ...EURO_CROSSES.map((code) => pairOf('EUR', code)),
].flatMap((found) => (found ? [found.pair] : []));

/** One made-up tick, scaled by the pair's price digits. */
export interface WalkTick {
  readonly pair: Pair;
  readonly bid: number;
  readonly offer: number;
}

/** Parts of the pair's maximum that each of the three levels carries. */
const LEVEL_PARTS = [0.2, 0.4, 0.4];

/**
 * Three levels around an invented price, in all the pair's maximum: each is a quarter of the spread further off, a tenth of a pip at least.
 * The ladder is reused by the caller.
 */
export function threeLevels(
  { maxAmount, priceDigits, marketDigits }: Pair,
  bid: number,
  offer: number,
  out: Ladder,
): Ladder {
  const tenthOfPip = 10 ** (priceDigits - marketDigits);
  const step = Math.max(1, Math.round((offer - bid) / 4 / tenthOfPip)) * tenthOfPip;
  out.clear();
  LEVEL_PARTS.forEach((part, level) => {
    const size = Math.round(Number(maxAmount) * part);
    out.bid.add(Math.max(1, bid - level * step), size);
    out.offer.add(offer + level * step, size);
  });
  return out;
}

/**
 * A seeded walk around a day's reference rates, one pair in turn. What walks is each currency's worth in dollars, and every pair is
 * made from that, so that EUR/JPY always agrees with EUR/USD and USD/JPY. These prices are invented, so they may be computed
 * in floating point: they become whole scaled numbers before they leave.
 */
export class RateWalk {
  readonly #pairs: readonly Pair[];
  readonly #perUsd: Map<string, number>;
  readonly #drift = new Map<string, number>();
  readonly #led = new Set<string>();
  readonly #random: () => number;
  #turn = 0;

  constructor(day: ReferenceRates, seed: number, pairs: readonly Pair[] = DIRECT_PAIRS) {
    this.#pairs = pairs;
    this.#perUsd = new Map(day.perUsd);
    this.#random = seededRandom(seed);
  }

  get pairs(): readonly Pair[] {
    return this.#pairs;
  }

  /** A real provider's price of a pair with the dollar leads every walked pair of that currency. */
  lead(pairIndex: number, bid: number, offer: number): void {
    const pair = PAIRS[pairIndex];
    const mid = (bid + offer) / 2 / 10 ** pair.priceDigits;
    if (!(mid > 0)) return;
    if (pair.quote !== 'USD' && pair.base !== 'USD') return;
    const code = pair.quote === 'USD' ? pair.base : pair.quote;
    this.#perUsd.set(code, pair.quote === 'USD' ? 1 / mid : mid);
    this.#drift.delete(code);
    this.#led.add(code);
  }

  /** The next pair's next price. */
  next(): WalkTick {
    const pair = this.#pairs[this.#turn];
    this.#turn = (this.#turn + 1) % this.#pairs.length;
    return this.#priceOf(pair);
  }

  #priceOf(pair: Pair): WalkTick {
    // Only the currency that gives the pair its name among its kind moves: EUR/JPY and USD/JPY walk with the yen.
    const walker = pair.quote === 'USD' ? pair.base : pair.quote;
    this.#step(walker);
    const mid = this.#worth(pair.quote) / this.#worth(pair.base);
    const halfSpread = ((SPREAD_OF[pair.base] ?? 0) + (SPREAD_OF[pair.quote] ?? 0)) / 2 / 1e6;
    const tenthOfPip = 10 ** pair.marketDigits;
    const bid = Math.max(1, Math.floor(mid * (1 - halfSpread) * tenthOfPip));
    const offer = Math.max(bid + 1, Math.ceil(mid * (1 + halfSpread) * tenthOfPip));
    const scale = 10 ** (pair.priceDigits - pair.marketDigits);
    return { pair, bid: bid * scale, offer: offer * scale };
  }

  #worth(code: string): number {
    return (this.#perUsd.get(code) ?? 1) * (1 + (this.#drift.get(code) ?? 0));
  }

  // About 0.3 basis points a step, drawn back to the day's rate, so that it stays within half a percent of it.
  #step(code: string): void {
    if (this.#led.has(code)) return;
    const drift = this.#drift.get(code) ?? 0;
    this.#drift.set(code, drift * 0.9995 + (this.#random() + this.#random() - 1) * 0.00006);
  }
}

/** Mulberry32: the same seed gives the same numbers, 0 to below 1, on every machine. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
