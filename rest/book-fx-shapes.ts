/** Book FX by the interface's names: its `from_account` is the account that is bought into. */
import type { Booking } from '../engine/domain/booking.js';
import { formatMargin } from '../engine/domain/margin.js';
import { minorToNumber } from '../engine/domain/money.js';
import { agreedConversionRate, jsonNumber } from '../engine/domain/rate.js';
import type { Body } from './body.js';
import { REPLAYED } from './headers.js';
import { isoDate, type Names, nameSent, oneOf, utc } from './shapes.js';

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
  return { ...conversionInput(body), buyCurrency: body.buy_currency, sellCurrency: body.sell_currency };
}

export function byAccountInput(body: Body = {}): object {
  return {
    ...conversionInput(body),
    buyAccount: oneOf(body.from_account, body.buy_account),
    sellAccount: oneOf(body.to_account, body.sell_account),
  };
}

export function byAccountNames(body: Body = {}): Names {
  return {
    ...BOOK_FX_NAMES,
    buyAccount: nameSent(body, 'from_account', 'buy_account'),
    sellAccount: nameSent(body, 'to_account', 'sell_account'),
  };
}

function conversionInput(body: Body): object {
  return {
    requestId: body.request_id,
    description: body.description,
    buyAmount: body.buy_amount,
    sellAmount: body.sell_amount,
    type: body.book_fx_type,
    holdId: body.fx_hold_id,
    settlementDate: body.settlement_date,
  };
}

/** Book FX confirmation, with four fields of ours behind those of the interface. */
export function confirmationBody({ booking }: { readonly booking: Booking }): object {
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
