import { z } from 'zod';
import type { AgreedRate } from '../../domain/booking.js';
import { baseMinorOf, type Conversion, checkDealtSize, convert } from '../../domain/conversion.js';
import { DEFAULT_HOLD_PERIOD, HOLD_PERIOD_NAMES, holdPeriodOf, holdTerms } from '../../domain/hold-period.js';
import { parsePositive } from '../../domain/money.js';
import { pairOf } from '../../domain/pair.js';
import { clientBid, clientOffer, isClientPrice, WHOLE_PPM } from '../../domain/rate.js';
import { isRefusal, refuse } from '../../domain/refusal.js';
import { DEFAULT_BOOK_FX_TYPE } from '../../domain/value-date.js';
import { clientOf } from '../core/caller.js';
import { amountsAboveZero, BESIDE_OTHER_FAULTS, BOOK_FX_TYPE, CURRENCY, SETTLEMENT_DATE } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { marketRate, refuseIfNotTradable, settlementOf } from './conversion-terms.js';
import { signOffer } from './rate-signature.js';

/** How long an offer can be locked. */
export const OFFER_MS = 30_000;

export interface LockableRate {
  readonly rate: AgreedRate;
  /** For the requested amount. */
  readonly conversion: Conversion | undefined;
  readonly rateSignature: string;
  readonly lockExpiryAtMs: number;
  /** The expiry of a hold that is locked now. */
  readonly holdUntilMs: number;
}

/**
 * The current rate as an offer that can be locked. A longer hold has a larger margin. Refuses with SAME_CURRENCY, BAD_AMOUNT,
 * BAD_SETTLEMENT_DATE, BAD_VALID_UNTIL, MARKET_CLOSED, NOT_ENTITLED, RATE_UNAVAILABLE, AMOUNT_BELOW_MIN, AMOUNT_ABOVE_LIMIT.
 */
export const getLockableRate = defineOperation({
  input: z
    .object({
      sellCurrency: CURRENCY,
      buyCurrency: CURRENCY,
      type: BOOK_FX_TYPE.optional(),
      holdPeriod: z
        .enum(['', ...HOLD_PERIOD_NAMES], { error: `empty or one of ${HOLD_PERIOD_NAMES.join(', ')}` })
        .optional(),
      /** Epoch ms; instead of a period. Limited to the longest period. */
      holdUntilMs: z.number().optional(),
      /** At most one of the two. */
      sellAmount: z.number({ error: 'a number' }).optional(),
      buyAmount: z.number({ error: 'a number' }).optional(),
      settlementDate: SETTLEMENT_DATE.optional(),
    })
    .superRefine(({ sellAmount, buyAmount }, context) => {
      if (sellAmount === undefined || buyAmount === undefined) return;
      for (const path of ['sellAmount', 'buyAmount'])
        context.addIssue({
          code: 'custom',
          path: [path],
          message: 'send one of the two amounts',
          params: { combination: true },
        });
    }, BESIDE_OTHER_FAULTS)
    .superRefine(amountsAboveZero('sellAmount', 'buyAmount'), BESIDE_OTHER_FAULTS),
  right: 'rates',
  async execute(services, caller, input) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const { sellCurrency, buyCurrency, sellAmount, buyAmount } = input;
    const { settings, store } = services;
    const pair = pairOf(sellCurrency, buyCurrency)?.pair;
    if (pair === undefined) return refuse('SAME_CURRENCY');
    const side = sellAmount === undefined ? 'buy' : 'sell';
    const given = sellAmount ?? buyAmount;
    const minor = given === undefined ? undefined : parsePositive(given, side === 'sell' ? sellCurrency : buyCurrency);
    if (isRefusal(minor)) return minor;

    const now = store.clock.now(client);
    const type = input.type || DEFAULT_BOOK_FX_TYPE;
    const settles = settlementOf(pair, type, { requested: input.settlementDate, now });
    if (isRefusal(settles)) return settles;
    const requested = holdPeriodOf(input.holdPeriod || DEFAULT_HOLD_PERIOD)!.ms;
    const untilMs = input.holdUntilMs ?? now + requested;
    if (untilMs <= now) return refuse('BAD_VALID_UNTIL');
    const closed = refuseIfNotTradable(services, pair, now);
    if (closed) return closed;

    const { ms: holdMs, addOnPpm } = holdTerms(untilMs - now, settings.holdAddOns);
    const rate = heldLonger(services, { clientId: client.id, pair, sellCurrency, buyCurrency, type }, addOnPpm);
    if (isRefusal(rate)) return rate;
    const conversion =
      minor === undefined ? undefined : convert({ ...rate, pair, sell: sellCurrency, amount: { side, minor } });
    if (isRefusal(conversion)) return conversion;
    const size = conversion && checkDealtSize(pair, baseMinorOf(pair, sellCurrency, conversion));
    if (size) return size;

    const agreed = { ...rate, valueDate: settles.valueDate };
    const rateSignature = signOffer(store.subKey('rate-signatures'), {
      ...agreed,
      clientId: client.id,
      offeredAtMs: now,
      holdMs,
      ...(input.holdUntilMs === undefined ? {} : { holdUntilMs: now + holdMs }),
      ...(minor === undefined ? {} : { amount: { side, minor: String(minor) } as const }),
    });
    const lockExpiryAtMs = now + OFFER_MS;
    return {
      rate: agreed,
      conversion,
      rateSignature,
      lockExpiryAtMs,
      holdUntilMs: now + holdMs,
    } satisfies LockableRate;
  },
});

/** The market rate with the add-on in its margin. */
export function heldLonger(services: Services, wanted: Parameters<typeof marketRate>[1], addOnPpm: number) {
  const rate = marketRate(services, wanted);
  if (isRefusal(rate) || addOnPpm === 0) return rate;
  const marginPpm = rate.marginPpm + addOnPpm;
  const sellsBase = wanted.sellCurrency === wanted.pair.base;
  if (marginPpm >= WHOLE_PPM) return refuse('RATE_UNAVAILABLE');
  const price = (sellsBase ? clientBid : clientOffer)(rate.providerPrice, marginPpm);
  if (!isClientPrice(price, price)) return refuse('RATE_UNAVAILABLE');
  return { ...rate, marginPpm, price };
}
