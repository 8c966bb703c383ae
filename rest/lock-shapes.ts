/** Lock and hold by the interface's names. */
import type { Request } from 'express';
import type { AgreedRate, Hold, HoldStatus } from '../engine/domain/booking.js';
import { formatMargin } from '../engine/domain/margin.js';
import { minorToNumber } from '../engine/domain/money.js';
import { agreedConversionRate, jsonNumber } from '../engine/domain/rate.js';
import type { LockableRate } from '../engine/service/get-lockable-rate.js';
import { decimalOf } from './form-body.js';
import { isoDate, type Names, nameSent, oneOf, utc } from './shapes.js';

export const LOCK_NAMES: Names = { rateSignature: 'rate_signature' };
export const RELEASE_NAMES: Names = { holdId: 'fx_hold_id' };

/** The interface writes a schedule in two ways. */
const TYPE_OF_SCHEDULE: Readonly<Record<string, string>> = { SCHEDULE1: 'SCHEDULED1', SCHEDULE2: 'SCHEDULED2' };

export function lockableRateInput({ query }: Request): object {
  const schedule = query.schedule;
  return {
    sellCurrency: oneOf(query.source_currency, query.sell_currency),
    buyCurrency: oneOf(query.destination_currency, query.buy_currency),
    type: TYPE_OF_SCHEDULE[String(schedule)] ?? schedule,
    holdPeriod: query.hold_period,
    sellAmount: amountOf(query.sell_amount),
    buyAmount: amountOf(query.buy_amount),
  };
}

export function lockableRateNames({ query }: Request): Names {
  return {
    sellCurrency: nameSent(query, 'source_currency', 'sell_currency'),
    buyCurrency: nameSent(query, 'destination_currency', 'buy_currency'),
    type: 'schedule',
    holdPeriod: 'hold_period',
    sellAmount: 'sell_amount',
    buyAmount: 'buy_amount',
  };
}

/** A query has texts alone; an empty one counts as absent. What is no number stays a text, which the operation refuses. */
function amountOf(value: Request['query'][string]): unknown {
  if (value === '') return undefined;
  return typeof value === 'string' ? decimalOf(value) : value;
}

export function lockableRateBody({
  rate,
  conversion,
  rateSignature,
  lockExpiryAtMs,
  holdUntilMs,
}: LockableRate): object {
  return {
    ...rateBody(rate),
    rate_signature: rateSignature,
    lock_expiry_at: utc(lockExpiryAtMs),
    hold_expiry_at: utc(holdUntilMs),
    ...(conversion && {
      sell_amount: minorToNumber(conversion.sellMinor, rate.sellCurrency),
      buy_amount: minorToNumber(conversion.buyMinor, rate.buyCurrency),
    }),
  };
}

export function holdBody({ hold }: { readonly hold: Hold & { readonly status: HoldStatus } }): object {
  const { amount } = hold;
  const currency = amount?.side === 'buy' ? hold.buyCurrency : hold.sellCurrency;
  return {
    fx_hold_id: hold.id,
    ...rateBody(hold),
    hold_expiry_at: utc(hold.expiryMs),
    status: hold.status.toUpperCase(),
    ...(amount && { [`${amount.side}_amount`]: minorToNumber(BigInt(amount.minor), currency) }),
  };
}

function rateBody(rate: AgreedRate): object {
  const { providerRate, clientRate } = agreedConversionRate(rate);
  return {
    source_currency: rate.sellCurrency,
    destination_currency: rate.buyCurrency,
    base_fx_rate: jsonNumber(providerRate),
    margin: Number(formatMargin(rate.marginPpm)),
    fx_rate: jsonNumber(clientRate),
    schedule: rate.type,
    settlement_date: isoDate(rate.valueDate),
  };
}
