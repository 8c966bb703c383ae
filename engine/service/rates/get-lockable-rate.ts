import { z } from 'zod';
import type { AgreedRate, RateOfDirection } from '../../domain/booking.js';
import { baseMinorOf, type Conversion, checkDealtSize, convert } from '../../domain/conversion.js';
import { DEFAULT_HOLD_PERIOD, HOLD_PERIOD_NAMES, holdPeriodOf, holdTerms } from '../../domain/hold-period.js';
import { exponentOf } from '../../domain/money.js';
import { type Pair, pairOf } from '../../domain/pair.js';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.js';
import { DEFAULT_BOOK_FX_TYPE } from '../../domain/value-date.js';
import { clientOf } from '../core/caller.js';
import { pricedAt, recordOffer } from '../core/day-record.js';
import {
  amountsAboveZero,
  BESIDE_OTHER_FAULTS,
  BOOK_FX_TYPE,
  CURRENCY,
  oneAmountAtMost,
  SETTLEMENT_DATE,
} from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import {
  amountOf,
  type DealtAmount,
  marketRate,
  type RateWanted,
  refuseIfNotTradable,
  settlementOf,
} from './conversion-terms.js';
import { openOffer, signOffer } from './rate-signature.js';

/** How long an offer can be locked. */
export const OFFER_MS = 30_000;

export interface LockableRate {
  readonly rate: AgreedRate;
  /** For the requested amount. */
  readonly conversion: Conversion | undefined;
  /** Two-way: the rate of the opposite direction. */
  readonly opposite: AgreedRate | undefined;
  readonly rateSignature: string;
  readonly lockExpiryAtMs: number;
  /** The expiry of a hold that is locked now. */
  readonly holdUntilMs: number;
}

/**
 * The current rate as an offer that can be locked. A longer hold has a larger margin. Two-way: the amount must be within the pair's limits
 * in both directions. Without an amount the rate is that of the first band, and a hold of it is for no more. Refuses with SAME_CURRENCY,
 * BAD_AMOUNT, BAD_SETTLEMENT_DATE, BAD_VALID_UNTIL, MARKET_CLOSED, NOT_ENTITLED, RATE_UNAVAILABLE, AMOUNT_BELOW_MIN, AMOUNT_ABOVE_LIMIT,
 * INSUFFICIENT_LIQUIDITY.
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
      /** The hold of this offer may be booked in either direction; an amount stays in its currency. */
      twoWay: z.boolean({ error: 'true or false' }).optional(),
    })
    .superRefine(oneAmountAtMost, BESIDE_OTHER_FAULTS)
    .superRefine(amountsAboveZero('sellAmount', 'buyAmount'), BESIDE_OTHER_FAULTS),
  right: 'rates',
  async execute(services, caller, input) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const { sellCurrency, buyCurrency } = input;
    const { settings, store } = services;
    const pair = pairOf(sellCurrency, buyCurrency)?.pair;
    if (pair === undefined) return refuse('SAME_CURRENCY');
    const amount = amountOf(input);
    if (isRefusal(amount)) return amount;

    const now = store.clock.now(client);
    const type = input.type || DEFAULT_BOOK_FX_TYPE;
    const settles = settlementOf(pair, type, { requested: input.settlementDate, now });
    if (isRefusal(settles)) return settles;
    const requested = holdPeriodOf(input.holdPeriod || DEFAULT_HOLD_PERIOD)!.ms;
    const untilMs = input.holdUntilMs ?? now + requested;
    if (untilMs <= now) return refuse('BAD_VALID_UNTIL');
    const closed = refuseIfNotTradable(services, client.id, pair);
    if (closed) return closed;

    const { ms: holdMs, addOnPpm } = holdTerms(untilMs - now, settings.holdAddOns);
    const wanted = { clientId: client.id, pair, sellCurrency, buyCurrency, type, amount };
    const [rate, other] = services.pricing.shifts.once(pair.index, () => [
      marketRate(services, wanted, addOnPpm),
      marketRate(services, oppositeOf(wanted), addOnPpm),
    ]);
    const at = pricedAt(services, sellCurrency, buyCurrency);
    if (isRefusal(rate)) return rate;
    if (input.twoWay && isRefusal(other)) return other;
    const conversion = dealtAt(pair, rate, amount);
    if (isRefusal(conversion)) return conversion;
    const opposite = isRefusal(other) ? undefined : { ...other, valueDate: settles.valueDate };
    const otherSize = input.twoWay && opposite ? oppositeSize(pair, opposite, amount) : undefined;
    if (otherSize) return otherSize;

    const agreed = { ...rate, valueDate: settles.valueDate };
    const band = amount ? { amount: { ...amount, minor: String(amount.minor) } } : firstBand(services, wanted);
    if (isRefusal(band)) return band;
    const key = store.subKey('rate-signatures');
    const rateSignature = signOffer(key, {
      ...agreed,
      clientId: client.id,
      offeredAtMs: now,
      holdMs,
      ...(input.holdUntilMs === undefined ? {} : { holdUntilMs: now + holdMs }),
      ...band,
      ...(isRefusal(other) ? { noOtherSide: other.refusal } : { otherSide: rateOfDirection(other) }),
      ...(input.twoWay ? { twoWay: true } : {}),
    });
    if (services.record) {
      const holdId = openOffer(key, rateSignature)!.holdId;
      const terms = { ...agreed, ...('amount' in band && band), opposite };
      recordOffer(services, client.id, holdId, terms, { at, addOnPpm });
    }
    const lockExpiryAtMs = now + OFFER_MS;
    return {
      rate: agreed,
      conversion,
      opposite: input.twoWay ? opposite : undefined,
      rateSignature,
      lockExpiryAtMs,
      holdUntilMs: now + holdMs,
    } satisfies LockableRate;
  },
});

type Dealt = RateOfDirection & Pick<AgreedRate, 'sellCurrency'>;

/** The conversion of the amount, if there is one, within the pair's limits. Refuses with BAD_AMOUNT, AMOUNT_BELOW_MIN, AMOUNT_ABOVE_LIMIT. */
export function dealtAt(pair: Pair, rate: Dealt, amount: DealtAmount | undefined): Conversion | Refusal | undefined {
  if (amount === undefined) return undefined;
  const { price, providerPrice, sellCurrency: sell } = rate;
  const conversion = convert({ pair, sell, price, providerPrice, amount });
  if (isRefusal(conversion)) return conversion;
  return checkDealtSize(pair, baseMinorOf(pair, rate.sellCurrency, conversion)) ?? conversion;
}

/** Whether the amount of one direction, in the same currency, is refused in the opposite one. */
export function oppositeSize(pair: Pair, opposite: Dealt, amount: DealtAmount | undefined): Refusal | undefined {
  const dealt = dealtAt(pair, opposite, otherAmount(amount));
  return isRefusal(dealt) ? dealt : undefined;
}

const otherAmount = (amount: DealtAmount | undefined): DealtAmount | undefined =>
  amount && { side: amount.side === 'sell' ? 'buy' : 'sell', minor: amount.minor };

/** The opposite direction for the same amount, in its own currency. */
const oppositeOf = (wanted: RateWanted): RateWanted => ({
  ...wanted,
  sellCurrency: wanted.buyCurrency,
  buyCurrency: wanted.sellCurrency,
  amount: otherAmount(wanted.amount),
});

const rateOfDirection = ({ price, providerPrice, marginPpm, proof }: RateOfDirection): RateOfDirection => ({
  price,
  providerPrice,
  marginPpm,
  proof,
});

/**
 * The most that a rate without an amount is for, in either direction, minor units of base: where the first band ends, if it does. Refuses
 * with INSUFFICIENT_LIQUIDITY where it ends below the pair's minimum.
 */
function firstBand(
  { pricing }: Services,
  { clientId, pair, type }: RateWanted,
): { readonly maximum?: string } | Refusal {
  const quote = pricing.quote(clientId, pair, type);
  if (isRefusal(quote)) return quote;
  const most = Math.min(quote.bidLimit, quote.offerLimit);
  if (most < Number(pair.minAmount)) return refuse('INSUFFICIENT_LIQUIDITY');
  return Number.isFinite(most) ? { maximum: String(BigInt(most) * 10n ** BigInt(exponentOf(pair.base))) } : {};
}
