import { z } from 'zod';
import type { AgreedRate, RateFigures, RateOfDirection } from '../../domain/conversions/booking.js';
import {
  DEFAULT_HOLD_PERIOD,
  HOLD_PERIOD_NAMES,
  type HoldMargin,
  holdFloorPpm,
  holdPeriodOf,
  holdTerms,
  OFFER_TOLERANCE_PPM,
} from '../../domain/conversions/hold-period.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { baseMinorOf, type Conversion, checkDealtSize, convert } from '../../domain/money/conversion.js';
import { exponentOf } from '../../domain/money/money.js';
import { type Pair, pairBySymbol, pairOf } from '../../domain/money/pair.js';
import { agreedConversionRate, hasMoved, jsonNumber } from '../../domain/money/rate.js';
import { DEFAULT_BOOK_FX_TYPE } from '../../domain/money/value-date.js';
import { clientOf } from '../core/caller.js';
import { type PricedAt, pricedAt, recordOffer } from '../core/day-record.js';
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
import { openOffer, type RateOffer, signOffer } from './rate-signature.js';

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
 * The current rate as an offer that can be locked. A longer hold has a larger margin, and none a smaller one than the option is worth. Two-way: the amount must be within the pair's limits
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

    const { ms: holdMs } = holdTerms(untilMs - now, settings.holdAddOns);
    const terms: OfferTerms = {
      clientId: client.id,
      pair,
      sellCurrency,
      buyCurrency,
      type,
      amount,
      valueDate: settles.valueDate,
      holdMs,
      ...(input.holdUntilMs === undefined ? {} : { holdUntilMs: now + holdMs }),
      twoWay: input.twoWay ?? false,
    };
    const priced = priceOffer(services, terms);
    return isRefusal(priced) ? priced : offerAt(services, terms, priced, now);
  },
});

/** What an offer is for; its prices are those of a moment. */
interface OfferTerms extends RateWanted, Pick<RateOffer, 'valueDate' | 'holdMs' | 'holdUntilMs'> {
  readonly twoWay: boolean;
}

interface PricedOffer {
  readonly rate: AgreedRate;
  readonly opposite: AgreedRate | Refusal;
  readonly conversion: Conversion | undefined;
  readonly band: Pick<RateOffer, 'amount' | 'maximum'>;
  readonly hold: HoldMargin;
  readonly at: PricedAt | undefined;
}

/** The prices of this moment. Refuses as `getLockableRate` does, from NOT_ENTITLED on. */
function priceOffer(services: Services, terms: OfferTerms): PricedOffer | Refusal {
  const { pair, sellCurrency, buyCurrency, amount, valueDate, twoWay } = terms;
  const hold = holdMarginOf(services, pair, terms.holdMs, twoWay);
  const [rate, other] = services.pricing.shifts.once(pair.index, () => [
    marketRate(services, terms, hold),
    marketRate(services, oppositeOf(terms), hold),
  ]);
  const at = pricedAt(services, sellCurrency, buyCurrency);
  if (isRefusal(rate)) return rate;
  if (twoWay && isRefusal(other)) return other;
  const conversion = dealtAt(pair, rate, amount);
  if (isRefusal(conversion)) return conversion;
  const opposite = isRefusal(other) ? other : { ...other, valueDate };
  const otherSize = twoWay && !isRefusal(opposite) ? oppositeSize(pair, opposite, amount) : undefined;
  if (otherSize) return otherSize;
  const band = amount ? { amount: { ...amount, minor: String(amount.minor) } } : firstBand(services, terms);
  if (isRefusal(band)) return band;
  return { rate: { ...rate, valueDate }, opposite, conversion, band, hold, at };
}

/** What a hold of this duration makes of a client's margin. */
export function holdMarginOf(
  { pricing, settings }: Pick<Services, 'pricing' | 'settings'>,
  { index }: Pair,
  holdMs: number,
  twoWay: boolean,
): HoldMargin {
  const { ms, addOnPpm } = holdTerms(holdMs, settings.holdAddOns);
  return { addOnPpm, floorPpm: holdFloorPpm(ms, pricing.shifts.volatility(index), twoWay) };
}

/** The offer of these prices, signed. */
function offerAt(services: Services, terms: OfferTerms, priced: PricedOffer, now: number): LockableRate {
  const { clientId, holdMs, holdUntilMs, twoWay } = terms;
  const { rate, opposite: other, conversion, band, hold, at } = priced;
  const opposite = isRefusal(other) ? undefined : other;
  const key = services.store.subKey('rate-signatures');
  const rateSignature = signOffer(key, {
    ...rate,
    clientId,
    offeredAtMs: now,
    holdMs,
    ...(holdUntilMs === undefined ? {} : { holdUntilMs }),
    ...band,
    ...(isRefusal(other) ? { noOtherSide: other.refusal } : { otherSide: rateOfDirection(other) }),
    ...(twoWay ? { twoWay: true } : {}),
  });
  if (services.record) {
    const holdId = openOffer(key, rateSignature)!.holdId;
    recordOffer(services, clientId, holdId, { ...rate, ...band, opposite }, { at, ...hold });
  }
  return {
    rate,
    conversion,
    opposite: twoWay ? opposite : undefined,
    rateSignature,
    lockExpiryAtMs: now + OFFER_MS,
    holdUntilMs: now + holdMs,
  };
}

/**
 * Prices an offer again when it is locked, with its add-on. Refuses with RATE_MOVED and a new offer where a price of it has moved beyond the tolerance,
 * in either direction: an offer is no free option. Refuses so too where a two-way hold of a one-way offer has a larger margin; else as
 * `getLockableRate` does.
 */
export function refuseIfMoved(
  services: Services,
  { amount, valueDate, otherSide, ...offer }: RateOffer,
  twoWay: boolean,
  now: number,
): Refusal | undefined {
  const { clientId, sellCurrency, buyCurrency, type, holdMs, holdUntilMs } = offer;
  const terms: OfferTerms = {
    clientId,
    pair: pairBySymbol(offer.pair)!,
    sellCurrency,
    buyCurrency,
    type,
    valueDate,
    holdMs,
    twoWay,
    ...(holdUntilMs === undefined ? {} : { holdUntilMs }),
    amount: amount && { side: amount.side, minor: BigInt(amount.minor) },
  };
  const priced = priceOffer(services, terms);
  if (isRefusal(priced)) return priced;
  const sides: (readonly [was: RateOfDirection, is: RateOfDirection])[] = [[offer, priced.rate]];
  if (twoWay && otherSide && !isRefusal(priced.opposite)) sides.push([otherSide, priced.opposite]);
  const tolerancePpm = offerTolerance(services);
  const isOneWay = twoWay && !offer.twoWay;
  const isOther = sides.some(
    ([was, is]) => hasMoved(was.price, is.price, tolerancePpm) || (isOneWay && is.marginPpm > was.marginPpm),
  );
  if (!isOther) return undefined;
  const { rate, rateSignature, lockExpiryAtMs } = offerAt(services, terms, priced, now);
  const { clientRate } = agreedConversionRate(rate);
  return rateMoved(clientRate, 'lock the new offer', { rateSignature, fxRate: jsonNumber(clientRate) }, lockExpiryAtMs);
}

/** By how much a price may have moved since it was offered, parts per million. */
export const offerTolerance = ({ settings }: Services): number => settings.offerTolerancePpm ?? OFFER_TOLERANCE_PPM;

/** RATE_MOVED, with what is offered instead: members for programs. `clientRate` is the rate that it has now. */
export function rateMoved(
  clientRate: string,
  advice: string,
  offered: Readonly<Record<string, string | number>>,
  untilMs: number,
): Refusal {
  return refuse('RATE_MOVED', `The rate has moved since it was offered, to ${clientRate}: ${advice}`, {
    details: { ...offered, lockExpiryAt: new Date(untilMs).toISOString() },
  });
}

type Dealt = RateFigures & Pick<AgreedRate, 'sellCurrency'>;

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
