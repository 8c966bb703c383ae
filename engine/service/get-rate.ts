import { z } from 'zod';
import { BOOK_FX_TYPES, type BookFxType, DEFAULT_BOOK_FX_TYPE } from '../domain/book-fx-type.js';
import { isGoodDay } from '../domain/calendar/calendar.js';
import { isCurrency } from '../domain/currency.js';
import { formatMargin } from '../domain/margin.js';
import { pairOf } from '../domain/pair.js';
import { conversionRate } from '../domain/rate.js';
import { isRefusal, refuse } from '../domain/refusal.js';
import { defineOperation } from './operation.js';

const CODE = { error: 'one code of three upper-case letters' };
const CURRENCY = z
  .string(CODE)
  .regex(/^[A-Z]{3}$/, { ...CODE, abort: true })
  .refine(isCurrency, { error: ({ input }) => `${input} is not offered` });
const HOUR_MS = 3_600_000;
/** No two currencies are closed on more consecutive days than this; beyond it the calendars are wrong. */
const MAX_CLOSED_DAYS = 20;

/**
 * The caller's rate of this moment, in units of the bought currency for one unit of the sold one.
 * Refuses with SAME_CURRENCY, NOT_ENTITLED, RATE_UNAVAILABLE.
 */
export const getRate = defineOperation({
  input: z.object({
    sellCurrency: CURRENCY,
    buyCurrency: CURRENCY,
    type: z.enum(['', ...BOOK_FX_TYPES], { error: `empty or one of ${BOOK_FX_TYPES.join(', ')}` }).optional(),
  }),
  right: 'rates',
  execute({ pricing, now }, { clientId }, { sellCurrency, buyCurrency, type: asked }) {
    const found = pairOf(sellCurrency, buyCurrency);
    if (found === undefined) return refuse('SAME_CURRENCY');
    const { pair } = found;
    const type = asked || DEFAULT_BOOK_FX_TYPE;

    const quote = pricing.quote(clientId, pair, type);
    if (isRefusal(quote)) return quote;
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
      /** When a conversion booked now settles, and until when the price itself holds; epoch ms. */
      expiryAtMs: settlesAtMs(type, sellCurrency, buyCurrency, now()),
      validUntilMs: Math.floor(validUntilMs),
    };
  },
});

/** 12 h for PREFUNDING; SCHEDULED1 and 2 after 24 h and 48 h, at the same time of the next day that is good in both currencies. */
export function settlesAtMs(type: BookFxType, sellCurrency: string, buyCurrency: string, nowMs: number): number {
  if (type === 'PREFUNDING') return nowMs + 12 * HOUR_MS;
  let at = nowMs + (type === 'SCHEDULED1' ? 24 : 48) * HOUR_MS;
  for (let day = 0; day < MAX_CLOSED_DAYS && !isGoodInBoth(sellCurrency, buyCurrency, at); day++) at += 24 * HOUR_MS;
  return at;
}

function isGoodInBoth(a: string, b: string, atMs: number): boolean {
  const date = new Date(atMs).toISOString().slice(0, 10).replaceAll('-', '');
  return isGoodDay(a, date) && isGoodDay(b, date);
}
