/** The rate of a conversion: a held one, one streamed recently, or the current market rate. */
import type { BookFxType } from '../../domain/book-fx-type.js';
import type { AgreedRate, Hold } from '../../domain/booking.js';
import type { Pair } from '../../domain/pair.js';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.js';
import type { Services, StreamedPrice } from '../core/services.js';

export interface RateWanted {
  readonly clientId: string;
  readonly pair: Pair;
  readonly sellCurrency: string;
  readonly buyCurrency: string;
  /** As requested, or the client's default. */
  readonly type: BookFxType;
}

/** A rate without its settlement date. */
export type Rate = Omit<AgreedRate, 'valueDate'>;

/** Refuses with NOT_ENTITLED, MARKET_CLOSED while the pair is halted, or RATE_UNAVAILABLE. */
export function marketRate({ pricing }: Services, wanted: RateWanted): Rate | Refusal {
  const { clientId, pair, sellCurrency, buyCurrency, type } = wanted;
  const quote = pricing.quote(clientId, pair, type);
  if (isRefusal(quote)) return quote;
  const sellsBase = sellCurrency === pair.base;
  return {
    pair: pair.symbol,
    sellCurrency,
    buyCurrency,
    price: sellsBase ? quote.bid : quote.offer,
    providerPrice: sellsBase ? quote.providerBid : quote.providerOffer,
    marginPpm: quote.marginPpm,
    type,
  };
}

const STALE = 'QUOTE_STALE';

/** The price of a QuoteEntryID(299), for a client whose own price it is. Refuses with QUOTE_STALE. */
export function streamedRate(
  { pricing }: Services,
  streamed: StreamedPrice | undefined,
  wanted: RateWanted,
): Rate | Refusal {
  if (streamed === undefined) return refuse(STALE);
  const { clientId, pair, sellCurrency, buyCurrency } = wanted;
  const { sides, type, marginPpm } = streamed;
  const sellsBase = sellCurrency === pair.base;
  const isShown = sides === 'both' || sides === (sellsBase ? 'bid' : 'offer');
  // Another client's tier, or a margin that has changed since.
  if (streamed.pair !== pair || !isShown || pricing.marginPpm(clientId, pair, type) !== marginPpm) return refuse(STALE);
  return {
    pair: pair.symbol,
    sellCurrency,
    buyCurrency,
    price: sellsBase ? streamed.bid : streamed.offer,
    providerPrice: sellsBase ? streamed.providerBid : streamed.providerOffer,
    marginPpm,
    type,
  };
}

/** The hold's own rate. Refuses with HOLD_MISMATCH when it was made for another direction. */
export function heldRate(
  hold: Hold,
  { sellCurrency, buyCurrency }: Pick<RateWanted, 'sellCurrency' | 'buyCurrency'>,
): Rate | Refusal {
  if (hold.sellCurrency !== sellCurrency || hold.buyCurrency !== buyCurrency)
    return refuse('HOLD_MISMATCH', `The hold sells ${hold.sellCurrency} and buys ${hold.buyCurrency}`);
  const { pair, price, providerPrice, marginPpm, type } = hold;
  return { pair, sellCurrency, buyCurrency, price, providerPrice, marginPpm, type };
}
