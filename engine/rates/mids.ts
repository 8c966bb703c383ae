import { Decimal, decimalFromScaled } from '../domain/money/decimal.js';
import { type Pair, pairBySymbol, pairOf } from '../domain/money/pair.js';
import type { MidOf, RiskFigures } from '../domain/risk/figures.js';
import type { RateBook } from './rate-book.js';

type Known = { readonly mid: Decimal; readonly ageMs: number };

/** The composite mid of this moment: of the best bid and offer of all providers, or of a cross. Undefined: there is no fresh price, or a halt. */
function midOf(book: RateBook, pair: Pair): Known | undefined {
  const price = book.read(pair.index);
  return price && { mid: decimalFromScaled(price.bid + price.offer, pair.priceDigits).div(2), ageMs: price.ageMs };
}

/** Mids that outlive their price: a pair without a fresh price keeps its last one, with its age. For a valuation, never for a deal. */
export class LastKnownMids {
  readonly #book: RateBook;
  /** By symbol, with the time of the price by performance.now. */
  readonly #last = new Map<string, { readonly mid: Decimal; readonly atMs: number }>();

  constructor(book: RateBook) {
    this.#book = book;
  }

  /** Those that another process valued with, `agoMs` ago: they are kept where they are newer. */
  take({ pairs, currencies, baseCurrency }: RiskFigures, agoMs: number): void {
    for (const { pair, mid, midAgeMs } of pairs) this.#keep(pairBySymbol(pair), mid, agoMs + (midAgeMs ?? 0));
    for (const { currency, rate, rateAgeMs } of currencies) {
      const found = currency === baseCurrency ? undefined : pairOf(currency, baseCurrency);
      if (found === undefined || rate === undefined) continue;
      // A mid has one decimal more than its prices: so it is the one that the rate was made of.
      const { pair, inverse } = found;
      const mid = inverse
        ? new Decimal(1)
            .div(rate)
            .toDecimalPlaces(pair.priceDigits + 1)
            .toFixed()
        : rate;
      this.#keep(pair, mid, agoMs + (rateAgeMs ?? 0));
    }
  }

  /** A reading of this moment, in which each pair has one mid. */
  reading(): MidOf {
    const read = new Map<string, Known | undefined>();
    return (pair) => {
      if (!read.has(pair.symbol)) read.set(pair.symbol, this.#read(pair));
      return read.get(pair.symbol);
    };
  }

  #read(pair: Pair): Known | undefined {
    const known = midOf(this.#book, pair);
    if (known) {
      this.#last.set(pair.symbol, { mid: known.mid, atMs: performance.now() - known.ageMs });
      return known;
    }
    const last = this.#last.get(pair.symbol);
    return last && { mid: last.mid, ageMs: performance.now() - last.atMs };
  }

  #keep(pair: Pair | undefined, mid: string | undefined, ageMs: number): void {
    if (pair === undefined || mid === undefined) return;
    const atMs = performance.now() - ageMs;
    const last = this.#last.get(pair.symbol);
    if (last === undefined || last.atMs < atMs) this.#last.set(pair.symbol, { mid: new Decimal(mid), atMs });
  }
}
