/** ExecutionReport(8): the outcome of an order, always with the same order of fields. */
import { createHash } from 'node:crypto';
import { type Field, formatUtcTimestamp } from 'node-quickfix-ts';
import { type Amendment, asAmended } from '../../domain/amendment.js';
import type { BookedOrder, Booking } from '../../domain/booking.js';
import { formatMargin, formatMinor } from '../../domain/money.js';
import { type Pair, pairBySymbol } from '../../domain/pair.js';
import type { Refusal } from '../../domain/refusal.js';
import { tradeDate } from '../../domain/value-date.js';
import { idText, newId } from '../../service/core/ids.js';
import {
  BOOK_FX_TYPE,
  BUY_ACCOUNT,
  BUY_AMOUNT,
  BUY_CURRENCY,
  ERROR_CODE,
  HOLD_ID,
  MARGIN_PERCENT,
  MARGIN_VALUE,
  PROVIDER_RATE,
  priceText,
  providerPriceText,
  quantityText,
  SELL_ACCOUNT,
  SELL_AMOUNT,
  SELL_CURRENCY,
} from '../fields.js';
import { FIX_REASONS } from '../refusals.js';

/** An order as its desk sent it, or as much of it as is known. */
export interface OrderAsSent {
  /** ClOrdID(11). */
  readonly id: string;
  readonly symbol: string;
  readonly side: string;
  readonly quantity?: string | undefined;
  readonly ordType?: string | undefined;
  readonly currency?: string | undefined;
  readonly price?: string | undefined;
  readonly timeInForce?: string | undefined;
  readonly quoteId?: string | undefined;
  readonly account?: string | undefined;
}

export const NO_ORDER_ID = 'NONE';
/** Product(460): currency. */
export const CURRENCY = 4;
const FILL_OR_KILL = '4';
export const ORD_TYPE: Record<BookedOrder['kind'], string> = { market: '1', limit: '2', quoted: 'D' };

export type BookedAs =
  /** It has just been booked. */
  | 'trade'
  /** It was booked before: its status. */
  | 'status'
  /** It was booked by another session or by REST. */
  | 'copy';

/** What both reports of a conversion state of it: ExecutionReport(8) and TradeCaptureReport(AE). */
export function dealOf(booking: Booking) {
  const pair = pairBySymbol(booking.pair)!;
  const { dealt, sellCurrency, buyCurrency } = booking;
  const [dealtCurrency, contraCurrency] = dealt === 'sell' ? [sellCurrency, buyCurrency] : [buyCurrency, sellCurrency];
  const [dealtMinor, contraMinor] = dealt === 'sell' ? [booking.sell, booking.buy] : [booking.buy, booking.sell];
  return {
    pair,
    dealtCurrency,
    contraCurrency,
    side: buyCurrency === pair.base ? 1 : 2,
    quantity: quantityText(BigInt(dealtMinor), dealtCurrency),
    contraAmount: formatMinor(BigInt(contraMinor), contraCurrency),
    price: priceText(booking.price, pair),
  };
}

/** `trade` and `copy` report the booking itself, whatever became of it; `status` the conversion as it is now. */
export function bookedReport(booking: Booking, as: BookedAs, sent?: OrderAsSent): Field[] {
  const count = as === 'status' ? (booking.amendments?.length ?? 0) : 0;
  return reportOf(booking, as === 'status' ? 'I' : 'F', count, as === 'copy', sent);
}

/** ExecType(150) of an amendment: trade cancel, trade correct. */
export const AMENDED_AS: Record<Amendment['kind'], string> = { bust: 'H', correct: 'G' };

/** The report of the amendment of this number, from 1; undefined: there is none. */
export function amendedReport(booking: Booking, number: number, isCopy: boolean): Field[] | undefined {
  const amendment = booking.amendments?.[number - 1];
  return amendment && reportOf(booking, AMENDED_AS[amendment.kind], number, isCopy);
}

/** The conversion after its first `count` amendments. */
function reportOf(stored: Booking, execType: string, count: number, isCopy: boolean, sent?: OrderAsSent): Field[] {
  const booking = asAmended(stored, count);
  const amendment = booking.amendments?.[count - 1];
  const isBusted = amendment?.kind === 'bust';
  const { order } = booking;
  const { pair, dealtCurrency, contraCurrency, side, quantity, contraAmount, price } = dealOf(booking);
  return [
    [37, booking.id],
    [11, booking.requestId],
    [17, execIdOf(booking, count)],
    ...(amendment && execType !== 'I' ? [[19, execIdOf(booking, count - 1)] as const] : []),
    [150, execType],
    [39, isBusted ? 4 : 2],
    [55, pair.symbol],
    [460, CURRENCY],
    [54, side],
    [38, quantity],
    [40, ORD_TYPE[order.kind]],
    [15, dealtCurrency],
    ...optional(44, order.limit),
    [59, sent?.timeInForce ?? FILL_OR_KILL],
    ...(isBusted ? NOTHING_FILLED : filled(quantity, price)),
    [75, tradeDate(booking.createdAtMs)],
    [60, formatUtcTimestamp(amendment?.atMs ?? booking.createdAtMs)],
    [64, booking.valueDate],
    [119, contraAmount],
    [120, contraCurrency],
    [126, formatUtcTimestamp(booking.expiryMs)],
    [58, onOneLine(booking.description)],
    ...(isCopy ? [[797, 'Y'] as const] : []),
    ...optional(1, sent?.account),
    ...termsOf(booking, pair),
  ];
}

const filled = (quantity: string, price: string): Field[] => [
  [32, quantity],
  [31, price],
  [194, price],
  [195, 0],
  [151, 0],
  [14, quantity],
  [6, price],
];

const NOTHING_FILLED: readonly Field[] = [
  [151, 0],
  [14, 0],
  [6, 0],
];

/** The user-defined fields. */
export function termsOf(booking: Booking, pair: Pair): Field[] {
  const { marginPpm, price, providerPrice, type, holdId, buyCurrency, sellCurrency } = booking;
  return [
    [MARGIN_PERCENT, formatMargin(marginPpm)],
    [PROVIDER_RATE, providerPriceText(providerPrice, pair)],
    [BOOK_FX_TYPE, type],
    ...optional(HOLD_ID, holdId || undefined),
    [BUY_ACCOUNT, booking.buyAccount],
    [SELL_ACCOUNT, booking.sellAccount],
    [MARGIN_VALUE, providerPriceText(Math.abs(price - providerPrice), pair)],
    [BUY_CURRENCY, buyCurrency],
    [SELL_CURRENCY, sellCurrency],
    [BUY_AMOUNT, formatMinor(BigInt(booking.buy), buyCurrency)],
    [SELL_AMOUNT, formatMinor(BigInt(booking.sell), sellCurrency)],
  ];
}

/** `as` status: the order was refused before, or there is none. */
export function rejectedReport(
  order: OrderAsSent,
  refusal: Refusal,
  as: 'rejected' | 'status',
  execId: string,
  nowMs: number,
): Field[] {
  return [
    ...headOf(order.id, execId, as === 'status' ? 'I' : '8', 8),
    [103, FIX_REASONS[refusal.refusal].order],
    [55, order.symbol],
    ...orderFields(order),
    [151, 0],
    ...nothingDone(nowMs),
    [58, refusal.text],
    ...optional(HOLD_ID, order.quoteId?.startsWith('HLD') ? order.quoteId : undefined),
    [ERROR_CODE, refusal.refusal],
  ];
}

/** The outcome is not known yet: the store has not answered. */
export function pendingReport(order: OrderAsSent, as: 'pending' | 'status', nowMs: number): Field[] {
  return [
    ...headOf(order.id, newExecId(nowMs), as === 'status' ? 'I' : 'A', 'A'),
    [55, order.symbol],
    [460, CURRENCY],
    ...orderFields(order),
    [59, order.timeInForce ?? FILL_OR_KILL],
    [151, order.quantity || 0],
    ...nothingDone(nowMs),
    ...optional(1, order.account),
  ];
}

function headOf(id: string, execId: string, execType: string, status: string | number): Field[] {
  return [
    [37, NO_ORDER_ID],
    [11, id],
    [17, execId],
    [150, execType],
    [39, status],
  ];
}

function orderFields({ side, quantity, ordType, currency, price }: OrderAsSent): Field[] {
  return [
    [54, side],
    ...optional(38, quantity || undefined),
    ...optional(40, ordType),
    ...optional(15, currency),
    ...optional(44, price),
  ];
}

function nothingDone(nowMs: number): Field[] {
  return [
    [14, 0],
    [6, 0],
    [60, formatUtcTimestamp(nowMs)],
  ];
}

/** A REST client's text may hold any character: control characters must not reach a desk that gets a drop copy, others have no byte in Latin-1. */
export const onOneLine = (text: string): string =>
  text.replace(/[\x00-\x1f\x7f-\x9f]/g, ' ').replace(/[^\x00-\xff]/gu, '?');

const optional = (tag: number, value: string | undefined): Field[] => (value === undefined ? [] : [[tag, value]]);

/** ExecID(17) of a booking, or of its amendment of this number: the same in each report of it. */
export const execIdOf = ({ id }: Booking, number = 0): string =>
  `E${id.slice('BFX'.length)}${number === 0 ? '' : `-${number}`}`;

/** The number of the amendment whose ExecID(17) it is, 0 for the booking itself; undefined: it is of no report of that OrderID(37). */
export function executionNumber(orderId: string, execId: string): number | undefined {
  const [, id, number = '0'] = /^E([0-9A-Z]+)(?:-([1-9]\d{0,3}))?$/.exec(execId) ?? [];
  return id !== undefined && orderId === `BFX${id}` ? Number(number) : undefined;
}

export const newExecId = (nowMs: number): string => newId('E', nowMs);

/** ExecID(17) of a refusal that is kept under its ClOrdID(11): the same in every report of it. */
export function keptExecId(clientId: string, orderId: string): string {
  const hash = createHash('sha256').update(`${clientId}\n${orderId}`).digest();
  return `E${idText(hash.subarray(0, 15))}`;
}
