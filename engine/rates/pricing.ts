import type { BookFxType } from '../domain/book-fx-type.js';
import type { Pair } from '../domain/pair.js';
import { pairHalted } from '../domain/pair-status.js';
import { type Refusal, refuse } from '../domain/refusal.js';
import { clientBid, clientOffer, isClientPrice } from '../domain/scaled.js';
import type { MarginTable } from './margin-table.js';
import type { RateBook } from './rate-book.js';

/** A client's own price of this moment. Prices are scaled by the pair's price digits. */
export interface ClientQuote {
  readonly pair: Pair;
  readonly bid: number;
  readonly offer: number;
  readonly providerBid: number;
  readonly providerOffer: number;
  /** Whole units of base; 0: the provider does not say. */
  readonly bidSize: number;
  readonly offerSize: number;
  readonly marginPpm: number;
  /** The provider's own time, epoch microseconds. */
  readonly sourceTimeUs: number;
  readonly ageMs: number;
  /** Epoch ms after which the price would be too old, should no tick come. */
  readonly validUntilMs: number;
}

// A provider that is away comes back within its first reconnects, or much later.
export const PRICE_RETRY_AFTER_S = 2;

/** What a client pays: the book's price less its margin. */
export class Pricing {
  readonly #book: RateBook;
  readonly #margins: MarginTable;
  readonly #now: () => number;

  /** `now` is epoch ms. */
  constructor(book: RateBook, margins: MarginTable, now: () => number = Date.now) {
    this.#book = book;
    this.#margins = margins;
    this.#now = now;
  }

  /** Undefined: the pair is not offered to this client. */
  marginPpm(clientId: string, pair: Pair, type: BookFxType): number | undefined {
    return this.#margins.find(clientId, pair.symbol, type);
  }

  /** Refuses with NOT_ENTITLED, MARKET_CLOSED while the pair is halted, or RATE_UNAVAILABLE, in this order. */
  quote(clientId: string, pair: Pair, type: BookFxType): ClientQuote | Refusal {
    const marginPpm = this.marginPpm(clientId, pair, type);
    if (marginPpm === undefined)
      return refuse('NOT_ENTITLED', `${pair.symbol} is not offered to you: ask us to add the pair`);

    if (this.#book.isHalted(pair.index)) return pairHalted(pair);
    const price = this.#book.read(pair.index);
    const bid = price ? clientBid(price.bid, marginPpm) : 0;
    const offer = price ? clientOffer(price.offer, marginPpm) : 0;
    if (!price || !isClientPrice(bid, offer))
      return refuse('RATE_UNAVAILABLE', undefined, { retryAfterS: PRICE_RETRY_AFTER_S });

    return {
      pair,
      bid,
      offer,
      providerBid: price.bid,
      providerOffer: price.offer,
      bidSize: price.bidSize,
      offerSize: price.offerSize,
      marginPpm,
      sourceTimeUs: price.sourceTimeUs,
      ageMs: price.ageMs,
      validUntilMs: this.#now() + this.#book.maxAgeMs - price.ageMs,
    };
  }
}
