import { z } from 'zod';
import { isRefusal, refuse } from '../../domain/core/refusal.js';
import { formatMargin } from '../../domain/money/money.js';
import { pairOf } from '../../domain/money/pair.js';
import { agreedConversionRate } from '../../domain/money/rate.js';
import { DEFAULT_BOOK_FX_TYPE, settlesAtMs } from '../../domain/money/value-date.js';
import { amountsAboveZero, BESIDE_OTHER_FAULTS, BOOK_FX_TYPE, CURRENCY, oneAmountAtMost } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';
import { amountOf, dealingTime, pricedRate } from './conversion-terms.js';
import { dealtAt } from './get-lockable-rate.js';

/**
 * The caller's current rate, in units of the bought currency for one unit of the sold one: of the amount that is named, else of the first
 * band. Refuses with SAME_CURRENCY, BAD_AMOUNT, NOT_ENTITLED, TRADING_HALTED while the pair or the client is halted, RATE_UNAVAILABLE, BAD_SETTLEMENT_DATE,
 * AMOUNT_BELOW_MIN, AMOUNT_ABOVE_LIMIT, INSUFFICIENT_LIQUIDITY.
 */
export const getRate = defineOperation({
  input: z
    .object({
      sellCurrency: CURRENCY,
      buyCurrency: CURRENCY,
      type: BOOK_FX_TYPE.optional(),
      /** At most one of the two. */
      sellAmount: z.number({ error: 'a number' }).optional(),
      buyAmount: z.number({ error: 'a number' }).optional(),
    })
    .superRefine(oneAmountAtMost, BESIDE_OTHER_FAULTS)
    .superRefine(amountsAboveZero('sellAmount', 'buyAmount'), BESIDE_OTHER_FAULTS),
  right: 'rates',
  execute(services, { clientId }, input) {
    const { sellCurrency, buyCurrency, type: requested } = input;
    const found = pairOf(sellCurrency, buyCurrency);
    if (found === undefined) return refuse('SAME_CURRENCY');
    const { pair } = found;
    const type = requested || DEFAULT_BOOK_FX_TYPE;
    const amount = amountOf(input);
    if (isRefusal(amount)) return amount;

    const quote = services.pricing.quote(clientId, pair, type);
    if (isRefusal(quote)) return quote;
    const expiryAtMs = settlesAtMs(type, sellCurrency, buyCurrency, dealingTime(services));
    if (isRefusal(expiryAtMs)) return expiryAtMs;
    const priced = pricedRate(services, { clientId, pair, sellCurrency, buyCurrency, type, amount });
    if (isRefusal(priced)) return priced;
    const conversion = dealtAt(pair, priced.rate, amount);
    if (isRefusal(conversion)) return conversion;
    const { providerRate, clientRate } = agreedConversionRate(priced.rate);
    return {
      sellCurrency,
      buyCurrency,
      type,
      /** The provider's rate and the client's, decimal texts. */
      providerRate,
      clientRate,
      /** Percent, decimal text. */
      margin: formatMargin(priced.rate.marginPpm),
      /** When a conversion booked now settles, and when the price itself expires; epoch ms. */
      expiryAtMs,
      validUntilMs: Math.floor(priced.validUntilMs),
      /** Of the amount, where one was named. */
      conversion,
    };
  },
});
