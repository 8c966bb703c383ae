import { z } from 'zod';
import { formatMargin } from '../../domain/money.js';
import { pairOf } from '../../domain/pair.js';
import { conversionRate } from '../../domain/rate.js';
import { isRefusal, refuse } from '../../domain/refusal.js';
import { DEFAULT_BOOK_FX_TYPE, settlesAtMs } from '../../domain/value-date.js';
import { BOOK_FX_TYPE, CURRENCY } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';
import { dealingTime } from './conversion-terms.js';

/**
 * The caller's current rate, in units of the bought currency for one unit of the sold one.
 * Refuses with SAME_CURRENCY, NOT_ENTITLED, MARKET_CLOSED while the pair is halted, RATE_UNAVAILABLE, BAD_SETTLEMENT_DATE.
 */
export const getRate = defineOperation({
  input: z.object({
    sellCurrency: CURRENCY,
    buyCurrency: CURRENCY,
    type: BOOK_FX_TYPE.optional(),
  }),
  right: 'rates',
  execute(services, { clientId }, { sellCurrency, buyCurrency, type: requested }) {
    const found = pairOf(sellCurrency, buyCurrency);
    if (found === undefined) return refuse('SAME_CURRENCY');
    const { pair } = found;
    const type = requested || DEFAULT_BOOK_FX_TYPE;

    const quote = services.pricing.quote(clientId, pair, type);
    if (isRefusal(quote)) return quote;
    const expiryAtMs = settlesAtMs(type, sellCurrency, buyCurrency, dealingTime(services));
    if (isRefusal(expiryAtMs)) return expiryAtMs;
    const { providerBid, providerOffer, marginPpm, validUntilMs } = quote;
    const rate = conversionRate({ pair, sell: sellCurrency, providerBid, providerOffer, marginPpm });
    return {
      sellCurrency,
      buyCurrency,
      type,
      /** The provider's rate and the client's, decimal texts. */
      providerRate: rate.providerRate,
      clientRate: rate.clientRate,
      /** Percent, decimal text. */
      margin: formatMargin(marginPpm),
      /** When a conversion booked now settles, and when the price itself expires; epoch ms. */
      expiryAtMs,
      validUntilMs: Math.floor(validUntilMs),
    };
  },
});
