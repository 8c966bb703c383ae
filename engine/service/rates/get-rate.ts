import { z } from 'zod';
import { baseMinorOf, type Conversion, checkDealtSize, convert } from '../../domain/conversion.js';
import { formatMargin, parsePositive } from '../../domain/money.js';
import { pairOf } from '../../domain/pair.js';
import { agreedConversionRate, conversionRate } from '../../domain/rate.js';
import { isRefusal, refuse } from '../../domain/refusal.js';
import { DEFAULT_BOOK_FX_TYPE, settlesAtMs } from '../../domain/value-date.js';
import { amountsAboveZero, BESIDE_OTHER_FAULTS, BOOK_FX_TYPE, CURRENCY, oneAmountAtMost } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { dealingTime, pricedRate, type RateWanted } from './conversion-terms.js';

/**
 * The caller's current rate, in units of the bought currency for one unit of the sold one: of the amount that is named, else of the first
 * band. Refuses with SAME_CURRENCY, BAD_AMOUNT, NOT_ENTITLED, MARKET_CLOSED while the pair is halted, RATE_UNAVAILABLE, BAD_SETTLEMENT_DATE,
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
  execute(services, { clientId }, { sellCurrency, buyCurrency, type: requested, sellAmount, buyAmount }) {
    const found = pairOf(sellCurrency, buyCurrency);
    if (found === undefined) return refuse('SAME_CURRENCY');
    const { pair } = found;
    const type = requested || DEFAULT_BOOK_FX_TYPE;
    const side = sellAmount === undefined ? 'buy' : 'sell';
    const given = sellAmount ?? buyAmount;
    const minor = given === undefined ? undefined : parsePositive(given, side === 'sell' ? sellCurrency : buyCurrency);
    if (isRefusal(minor)) return minor;

    const quote = services.pricing.quote(clientId, pair, type);
    if (isRefusal(quote)) return quote;
    const expiryAtMs = settlesAtMs(type, sellCurrency, buyCurrency, dealingTime(services));
    if (isRefusal(expiryAtMs)) return expiryAtMs;
    const { providerBid, providerOffer, marginPpm, validUntilMs } = quote;
    const rate = conversionRate({ pair, sell: sellCurrency, providerBid, providerOffer, marginPpm });
    const first = {
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
      /** Of the amount, where one was named. */
      conversion: undefined as Conversion | undefined,
    };
    if (minor === undefined) return first;
    const wanted = { clientId, pair, sellCurrency, buyCurrency, type, amount: { side, minor } as const };
    const sized = sizedRate(services, wanted);
    return isRefusal(sized) ? sized : Object.assign(first, sized);
  },
});

/** What the amount changes. */
function sizedRate(services: Services, wanted: RateWanted & { readonly amount: NonNullable<RateWanted['amount']> }) {
  const { pair, sellCurrency, amount } = wanted;
  const priced = pricedRate(services, wanted);
  if (isRefusal(priced)) return priced;
  const { rate, validUntilMs } = priced;
  const conversion = convert({ ...rate, pair, sell: sellCurrency, amount });
  if (isRefusal(conversion)) return conversion;
  const size = checkDealtSize(pair, baseMinorOf(pair, sellCurrency, conversion));
  if (size) return size;
  const { providerRate, clientRate } = agreedConversionRate(rate);
  return {
    providerRate,
    clientRate,
    margin: formatMargin(rate.marginPpm),
    validUntilMs: Math.floor(validUntilMs),
    conversion,
  };
}
