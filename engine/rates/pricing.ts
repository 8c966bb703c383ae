/** A client's price: the operator's margin that applies to it, and the book's price less that margin. */
import { type Pair, pairHalted } from '../domain/pair.js';
import { clientBid, clientOffer, isClientPrice } from '../domain/rate.js';
import { type Refusal, refuse } from '../domain/refusal.js';
import type { BookFxType } from '../domain/value-date.js';
import type { RateBook } from './rate-book.js';

/** A client's own price of this moment. Prices are scaled by the pair's price digits. */
export interface ClientQuote {
  readonly pair: Pair;
  readonly bid: number;
  readonly offer: number;
  readonly providerBid: number;
  readonly providerOffer: number;
  /** Whole units of base; 0: not sent by the provider. */
  readonly bidSize: number;
  readonly offerSize: number;
  readonly marginPpm: number;
  /** The provider's own time, epoch microseconds. */
  readonly sourceTimeUs: number;
  readonly ageMs: number;
  /** Epoch ms after which the price would be too old, should no tick come. */
  readonly validUntilMs: number;
}

// A provider reconnects within its first attempts, or much later.
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

/** One line of the operator's margin sheet; `*` means every client, pair or type. */
export interface MarginRule {
  readonly clientId: string;
  /** `EUR/USD` or `*`. */
  readonly pair: string;
  readonly type: BookFxType | '*';
  /** Margin in millionths: percent x 10,000; 0 to 999,999. */
  readonly marginPpm: number;
}

/** A place of a rule that may apply to a client, pair and type. */
export interface MarginPlace extends Omit<MarginRule, 'marginPpm'> {
  /** Undefined: there is no rule at this place. */
  readonly marginPpm: number | undefined;
}

/** The margins in force, in memory, because each price needs one. Replaced as a whole when the sheet changes. */
export class MarginTable {
  #rules = new Map<string, number>();
  readonly #listeners = new Set<() => void>();

  replace(rules: readonly MarginRule[]): void {
    this.#rules = new Map(rules.map((rule) => [keyOf(rule.clientId, rule.pair, rule.type), rule.marginPpm]));
    for (const listener of this.#listeners) listener();
  }

  /** Called after each replace, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * The margin of the nearest rule: one for the client before one for all, within that one for the pair before one for all,
   * within that one for the type before one for all. Undefined: no rule, so the pair is not offered to the client.
   */
  find(clientId: string, pair: string, type: BookFxType): number | undefined {
    for (const own of NEAREST_FIRST) {
      const marginPpm = this.#rules.get(
        keyOf(own.client ? clientId : '*', own.pair ? pair : '*', own.type ? type : '*'),
      );
      if (marginPpm !== undefined) return marginPpm;
    }
    return undefined;
  }

  /** Every place that `find` checks, in its order, and the rule there: the first rule applies. */
  places(clientId: string, pair: string, type: BookFxType): MarginPlace[] {
    return NEAREST_FIRST.map((own) => {
      const [client, symbol, kind] = placeOf(own, clientId, pair, type);
      const marginPpm = this.#rules.get(keyOf(client, symbol, kind));
      return { clientId: client, pair: symbol, type: kind, marginPpm };
    });
  }
}

/** Which parts of a rule name one client, pair or type, and not all of them. */
interface Own {
  readonly client: boolean;
  readonly pair: boolean;
  readonly type: boolean;
}

const NEAREST_FIRST: readonly Own[] = [true, false].flatMap((client) =>
  [true, false].flatMap((pair) => [true, false].map((type) => ({ client, pair, type }))),
);

function placeOf(own: Own, clientId: string, pair: string, type: BookFxType): [string, string, BookFxType | '*'] {
  return [own.client ? clientId : '*', own.pair ? pair : '*', own.type ? type : '*'];
}

// A client id has no blank in it, nor has a symbol.
function keyOf(clientId: string, pair: string, type: string): string {
  return `${clientId} ${pair} ${type}`;
}
