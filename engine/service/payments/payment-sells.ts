/** The conversions of a payment: ordinary Book FX into its account, in one step with the payment. */

import type { AgreedRate, BookingFacts, DealtSide, Hold } from '../../domain/conversions/booking.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { baseMinorOf, checkDealtSize, convert } from '../../domain/money/conversion.js';
import { pairBySymbol, pairOf } from '../../domain/money/pair.js';
import { type BookFxType, PREFUNDING_MS, spotDate } from '../../domain/money/value-date.js';
import type { PaymentFacts } from '../../domain/payments/payment.js';
import { platformShare } from '../../domain/platforms/platform-share.js';
import type { Reservation } from '../../rates/takes.js';
import { bookingFactsText } from '../../store/ledger/records.js';
import type { PlannedSell } from '../../store/payments/payment-step.js';
import { positionField } from '../../store/risk/positions.js';
import { checkHoldMaximum } from '../conversions/index.js';
import { type PricedAt, pricedAt, recordBooking } from '../core/day-record.js';
import { newId } from '../core/ids.js';
import type { Services } from '../core/services.js';
import { heldRate, marketRate, type Rate, takeLevels } from '../prices/index.js';
import { aboveDailyLoss, aboveDealLimit, type Deal, limitsOf, refuseIfNotReducing, valuedDeal } from '../risk/index.js';

export interface SellWanted {
  readonly clientId: string;
  readonly facts: PaymentFacts;
  readonly account: string;
  readonly sellCurrency: string;
  /** Absent: at the current market rate. */
  readonly hold?: Hold | undefined;
  /** Position among the conversions of one payment, from 1. */
  readonly place: number;
  readonly now: number;
}

interface Given {
  readonly side: DealtSide;
  readonly minor: bigint;
}

/** Sold and bought amounts, with a function that builds the conversion once the plan is chosen. */
export interface Sell {
  readonly sellMinor: bigint;
  readonly buyMinor: bigint;
  /** What limits are asked of it, and its value date. */
  readonly deal: readonly [Deal, string];
  planned(): PlannedSell;
}

const TYPE: BookFxType = 'PREFUNDING';

/**
 * Refuses with MARKET_CLOSED, BAD_SETTLEMENT_DATE, NOT_ENTITLED, RATE_UNAVAILABLE, INSUFFICIENT_LIQUIDITY, AMOUNT_ABOVE_LIMIT, CREDIT_LIMIT. There is no minimum: a payment may
 * lack only a little.
 */
export function sellFor(services: Services, wanted: SellWanted, given: Given): Sell | Refusal {
  const rate = rateFor(services, wanted, given);
  const at = pricedAt(services, wanted.sellCurrency, wanted.facts.currency);
  if (isRefusal(rate)) return rate;
  const pair = pairBySymbol(rate.pair)!;
  const conversion = convert({ ...rate, pair, sell: rate.sellCurrency, amount: given });
  if (isRefusal(conversion)) return conversion;
  const { sellMinor, buyMinor, marginMinor, marginCurrency } = conversion;
  const size = checkDealtSize(pair, baseMinorOf(pair, rate.sellCurrency, conversion));
  if (size?.refusal === 'AMOUNT_ABOVE_LIMIT') return size;
  const { facts, account, hold, place, now } = wanted;
  const above = hold && checkHoldMaximum(hold, baseMinorOf(pair, rate.sellCurrency, conversion));
  if (above) return above;
  const limits = limitsOf(services, wanted.clientId);
  const { sellCurrency, buyCurrency, valueDate } = rate;
  const deal = valuedDeal(services, limits, { pair: pair.symbol, sellCurrency, sellMinor, buyCurrency, buyMinor });
  if (isRefusal(deal)) return deal;
  const limited =
    aboveDealLimit(limits, deal) ??
    aboveDailyLoss(services, limits, wanted.clientId) ??
    refuseIfNotReducing(services, deal);
  if (limited) return limited;

  return {
    sellMinor,
    buyMinor,
    deal: [deal, valueDate],
    planned() {
      const booking: BookingFacts = {
        ...rate,
        id: newId('BFX', now),
        requestId: `${facts.id}.${place}`,
        description: `Payment ${facts.id}`,
        dealt: given.side,
        sell: String(sellMinor),
        buy: String(buyMinor),
        margin: String(marginMinor),
        marginCurrency,
        holdId: hold?.id ?? '',
        paymentId: facts.id,
        order: { kind: hold ? 'quoted' : 'market' },
        createdAtMs: now,
        expiryMs: now + PREFUNDING_MS,
      };
      const { id, sell, buy, margin, holdId } = booking;
      const currency = rate.sellCurrency;
      const share = platformShare(booking);
      const planned: PlannedSell = {
        id,
        account,
        currency,
        sell,
        buy,
        margin,
        marginCurrency,
        ...(share !== '0' && { share }),
        facts: bookingFactsText(booking),
        position: positionField(booking),
        hold: holdId,
      };
      DRAFTED.set(planned, { booking, at });
      return planned;
    },
  };
}

/** Takes what the conversions of a plan at market rates are for from the levels of the book. */
export function takeSells(services: Services, sells: readonly PlannedSell[] = []): Reservation {
  return sells.flatMap((sell) => {
    const taken = sell.hold === '' ? takeLevels(services, DRAFTED.get(sell)!.booking) : undefined;
    return taken === undefined || isRefusal(taken) ? [] : taken;
  });
}

/** What the book and the day record need of a planned conversion, which the store's step does not. */
const DRAFTED = new WeakMap<PlannedSell, { readonly booking: BookingFacts; readonly at: PricedAt | undefined }>();

/** The conversions of a plan that was carried out. */
export function recordSells(services: Services, clientId: string, sells: readonly PlannedSell[] = []): void {
  if (services.record === undefined) return;
  for (const sell of sells) {
    const { booking, at } = DRAFTED.get(sell) ?? {};
    if (booking)
      recordBooking(
        services,
        clientId,
        booking,
        sell.hold === '' ? { kind: 'market', ...(at && { at }) } : { kind: 'hold' },
      );
  }
}

function rateFor(
  services: Services,
  { clientId, facts, sellCurrency, hold, now }: SellWanted,
  amount: Given,
): AgreedRate | Refusal {
  const wanted = { clientId, sellCurrency, buyCurrency: facts.currency };
  if (!services.settings.marketHours.isOpen(now)) return refuse('MARKET_CLOSED');
  if (hold) return heldFor(hold, wanted);
  const rate = paymentRate(services, wanted, amount);
  if (isRefusal(rate)) return rate;
  const spot = spotDate(pairBySymbol(rate.pair)!, now);
  return isRefusal(spot) ? refuse('BAD_SETTLEMENT_DATE', spot.text) : { ...rate, valueDate: spot.date };
}

interface PaymentRateWanted {
  readonly clientId: string;
  readonly sellCurrency: string;
  readonly buyCurrency: string;
}

/** The market rate of an amount of a payment. Refuses as marketRate does. */
export function paymentRate(services: Services, wanted: PaymentRateWanted, amount: Given): Rate | Refusal {
  const { sellCurrency, buyCurrency } = wanted;
  const pair = pairOf(sellCurrency, buyCurrency)?.pair;
  if (pair === undefined) return refuse('NOT_ENTITLED', `${sellCurrency} is not converted into ${buyCurrency} here`);
  return marketRate(services, { ...wanted, pair, type: TYPE, amount });
}

function heldFor(hold: Hold, wanted: PaymentRateWanted): AgreedRate | Refusal {
  const rate = heldRate(hold, wanted);
  if (isRefusal(rate)) return rate;
  if (hold.type === TYPE) return { ...rate, valueDate: hold.valueDate };
  return refuse('HOLD_MISMATCH', `The hold is for ${hold.type}: a payment needs one for ${TYPE}`);
}
