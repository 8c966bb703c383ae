/** Book FX by the interface's names: its `from_account` is the account that is bought into. */
import { z } from 'zod';
import { BOOKING_STATUSES, type Booking } from '../../../engine/domain/booking.js';
import { formatMargin } from '../../../engine/domain/margin.js';
import { minorToNumber } from '../../../engine/domain/money.js';
import { agreedConversionRate, jsonNumber } from '../../../engine/domain/rate.js';
import type { Body } from '../../http/body.js';
import { REPLAYED } from '../../http/headers.js';
import {
  accountNumberField,
  choiceField,
  currencyField,
  dateField,
  numberField,
  textField,
  utcField,
} from '../answer-fields.js';
import { isoDate, type Names, nameSent, oneOf, utc } from '../shapes.js';

/** Fields that a form has as texts and the interface as numbers. */
export const BOOK_FX_NUMBERS = ['buy_amount', 'sell_amount'];
export const ACCOUNT_NUMBERS = [...BOOK_FX_NUMBERS, 'from_account', 'to_account', 'buy_account', 'sell_account'];

export const BOOK_FX_NAMES: Names = {
  requestId: 'request_id',
  buyAmount: 'buy_amount',
  sellAmount: 'sell_amount',
  type: 'book_fx_type',
  holdId: 'fx_hold_id',
  settlementDate: 'settlement_date',
  buyCurrency: 'buy_currency',
  sellCurrency: 'sell_currency',
  availableAmount: 'available_amount',
  neededAmount: 'needed_amount',
};

export function byCurrencyInput(body: Body = {}): object {
  return conversionInput(body, { buyCurrency: body.buy_currency, sellCurrency: body.sell_currency });
}

export function byAccountInput(body: Body = {}): object {
  return conversionInput(body, {
    buyAccount: oneOf(body.from_account, body.buy_account),
    sellAccount: oneOf(body.to_account, body.sell_account),
  });
}

export function byAccountNames(body: Body = {}): Names {
  return {
    ...BOOK_FX_NAMES,
    buyAccount: nameSent(body, 'from_account', 'buy_account'),
    sellAccount: nameSent(body, 'to_account', 'sell_account'),
  };
}

function conversionInput(body: Body, legs: object): object {
  return {
    ...legs,
    requestId: body.request_id,
    description: body.description,
    buyAmount: body.buy_amount,
    sellAmount: body.sell_amount,
    type: body.book_fx_type,
    holdId: body.fx_hold_id,
    settlementDate: body.settlement_date,
  };
}

export const CONFIRMATION_ANSWER = z
  .strictObject({
    confirmation_id: textField('Id of the conversion', 'BFX01KAGQ3V8S7M2Y5T9D4N6W1RZ'),
    buy_amount: numberField('What was bought', 1083.22),
    sell_amount: numberField('What was sold', 1000),
    from_account: accountNumberField('Account that was bought into', 400100000027),
    to_account: accountNumberField('Account that was sold from', 400100000019),
    buy_currency: currencyField('Currency that was bought', 'USD'),
    sell_currency: currencyField('Currency that was sold', 'EUR'),
    instarem_fx_rate: numberField('Rate of the client: units of the bought currency for one of the sold', 1.0832257),
    fx_rate: numberField('Rate of the provider', 1.08431),
    margin_percent: numberField('Margin of the client, percent', 0.1),
    margin_value: numberField('Distance between the two rates', 0.0010843),
    created_at: utcField('When it was booked'),
    expiry_at: utcField('When it settles; for one that settled at once, 12 hours on', '2026-11-20T20:01:00.000Z'),
    status: choiceField(BOOKING_STATUSES, 'Where the conversion stands', 'SETTLED'),
    settlement_date: dateField('Value date', '2026-11-24'),
    buy_account: accountNumberField('Same as from_account', 400100000027),
    sell_account: accountNumberField('Same as to_account', 400100000019),
  })
  .meta({ id: 'BookFxConfirmation', description: 'A conversion between two accounts of the client' });

/** Book FX confirmation, with four fields of ours behind those of the interface. */
export function confirmationBody({ booking }: { readonly booking: Booking }): z.infer<typeof CONFIRMATION_ANSWER> {
  const { providerRate, clientRate, marginValue } = agreedConversionRate(booking);
  return {
    confirmation_id: booking.id,
    buy_amount: minorToNumber(BigInt(booking.buy), booking.buyCurrency),
    sell_amount: minorToNumber(BigInt(booking.sell), booking.sellCurrency),
    from_account: Number(booking.buyAccount),
    to_account: Number(booking.sellAccount),
    buy_currency: booking.buyCurrency,
    sell_currency: booking.sellCurrency,
    instarem_fx_rate: jsonNumber(clientRate),
    fx_rate: jsonNumber(providerRate),
    margin_percent: Number(formatMargin(booking.marginPpm)),
    margin_value: jsonNumber(marginValue),
    created_at: utc(booking.createdAtMs),
    expiry_at: utc(booking.expiryMs),
    status: booking.status,
    settlement_date: isoDate(booking.valueDate),
    buy_account: Number(booking.buyAccount),
    sell_account: Number(booking.sellAccount),
  };
}

export function replayHeaders({ replayed }: { readonly replayed: boolean }): readonly string[] {
  return replayed ? REPLAYED : [];
}
