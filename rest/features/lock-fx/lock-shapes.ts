/** Lock and hold by the interface's names. */
import type { Request } from 'express';
import { z } from 'zod';
import { BOOK_FX_TYPES } from '../../../engine/domain/book-fx-type.js';
import { type AgreedRate, HOLD_STATUSES, type Hold, type HoldStatus } from '../../../engine/domain/booking.js';
import { formatMargin } from '../../../engine/domain/margin.js';
import { minorToNumber } from '../../../engine/domain/money.js';
import { agreedConversionRate, jsonNumber } from '../../../engine/domain/rate.js';
import type { LockableRate } from '../../../engine/service/rates/get-lockable-rate.js';
import { SIGNATURE_LENGTH_MAX } from '../../../engine/service/rates/rate-signature.js';
import { decimalOf } from '../../http/form-body.js';
import { choiceField, currencyField, dateField, numberField, textField, utcField } from '../answer-fields.js';
import { isoDate, type Names, nameSent, oneOf, utc } from '../shapes.js';

export const LOCK_NAMES: Names = { rateSignature: 'rate_signature' };
export const RELEASE_NAMES: Names = { holdId: 'fx_hold_id' };

/** The interface writes a schedule in two ways. */
export const TYPE_OF_SCHEDULE: Readonly<Record<string, string>> = { SCHEDULE1: 'SCHEDULED1', SCHEDULE2: 'SCHEDULED2' };

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

const HELD_RATE = z.strictObject({
  source_currency: currencyField('Currency that is sold', 'EUR'),
  destination_currency: currencyField('Currency that is bought', 'USD'),
  base_fx_rate: numberField('Rate of the provider: units of the bought currency for one of the sold', 1.08431),
  margin: numberField('Margin of the client, percent, with what holding the rate adds', 0.11),
  fx_rate: numberField('Rate of the client', 1.0831173),
  schedule: choiceField(BOOK_FX_TYPES, 'When a conversion at this rate settles', 'PREFUNDING'),
  settlement_date: dateField('Value date', '2026-11-24'),
});

export const LOCKABLE_RATE_ANSWER = HELD_RATE.extend({
  rate_signature: textField(
    'To be sent to lockFxRate: the rate, signed',
    'the-signature-that-you-were-given',
    SIGNATURE_LENGTH_MAX,
  ),
  lock_expiry_at: utcField('Until when the rate can be locked', '2026-11-20T08:01:30.000Z'),
  hold_expiry_at: utcField('Until when a hold taken now lasts', '2026-11-20T08:16:00.000Z'),
  sell_amount: numberField('What would be sold; only where an amount was asked about', 1000).optional(),
  buy_amount: numberField('What would be bought; only where an amount was asked about', 1083.11).optional(),
}).meta({ id: 'LockableRate', description: 'A rate that can be locked' });

export const HOLD_ANSWER = HELD_RATE.extend({
  fx_hold_id: textField('Id of the hold', 'HLD01KAGQ3V8S7M2Y5T9D4N6W1RZ'),
  hold_expiry_at: utcField('Until when the rate is held', '2026-11-20T08:16:00.000Z'),
  status: choiceField(
    HOLD_STATUSES.map((status) => status.toUpperCase() as Uppercase<HoldStatus>),
    'Where the hold stands',
    'OPEN',
  ),
  sell_amount: numberField('The one amount that it is for, where it was asked for with one', 1000).optional(),
  buy_amount: numberField('The one amount that it is for, where it was asked for with one', 1083.11).optional(),
}).meta({ id: 'Hold', description: 'A rate that is held' });

export function lockableRateBody({
  rate,
  conversion,
  rateSignature,
  lockExpiryAtMs,
  holdUntilMs,
}: LockableRate): z.infer<typeof LOCKABLE_RATE_ANSWER> {
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

export function holdBody({
  hold,
}: {
  readonly hold: Hold & { readonly status: HoldStatus };
}): z.infer<typeof HOLD_ANSWER> {
  const { amount } = hold;
  return {
    fx_hold_id: hold.id,
    ...rateBody(hold),
    hold_expiry_at: utc(hold.expiryMs),
    status: hold.status.toUpperCase() as Uppercase<HoldStatus>,
    ...(amount?.side === 'sell' && { sell_amount: minorToNumber(BigInt(amount.minor), hold.sellCurrency) }),
    ...(amount?.side === 'buy' && { buy_amount: minorToNumber(BigInt(amount.minor), hold.buyCurrency) }),
  };
}

function rateBody(rate: AgreedRate): z.infer<typeof HELD_RATE> {
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
