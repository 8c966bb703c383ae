/** ExecutionReport(8): the outcome of an order, always with the same order of fields. */

import { createHash } from 'node:crypto';
import { type Field, formatUtcTimestamp } from 'node-quickfix-ts';
import { asAmended, endsTrade, paysOn, type Reported, reportedAmendments } from '../../domain/conversions/amendment.js';
import type { Amendment, BookedOrder, Booking, Reversal } from '../../domain/conversions/booking.js';
import { timeOfId } from '../../domain/core/ids.js';
import type { Refusal } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import { formatMargin, formatMinor } from '../../domain/money/money.js';
import { type Pair, pairBySymbol } from '../../domain/money/pair.js';
import { tradeDate } from '../../domain/money/value-date.js';
import { idText, newId } from '../../service/core/ids.js';
import { clientPriceOf } from '../../service/record/index.js';
import type { PriceShown } from '../desk.js';
import { priceText, providerPriceText, quantityText } from '../fields.js';
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

/** ExecType(150), and ExecRestatementReason(378): other. */
const RESTATED = 'D';
const OTHER_REASON = 99;

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
    // Of its id, as requests for a trade date select it: trade numbers are in order of ids. An engine whose clock is behind another one's books
    // under an id of a later time than createdAtMs.
    tradeDate: tradeDate(timeOfId(booking.id)),
  };
}

/** `trade` and `copy` report the booking itself, whatever became of it; `status` the conversion as it is now. */
export function bookedReport(booking: Booking, as: BookedAs, shown: PriceShown, sent?: OrderAsSent): Field[] {
  const count = as === 'status' ? reportedAmendments(booking).length : 0;
  return [
    ...reportOf(booking, as === 'status' ? 'I' : 'F', count, as === 'copy', sent),
    ...priceFields(booking, count, shown),
  ];
}

/** Of the price of the booking: a report of other terms has none. */
function priceFields(booking: Booking, count: number, shown: PriceShown): Field[] {
  if (shown === 'nothing' || count > 0) return [];
  const { proof, mid, providers } = clientPriceOf(booking, shown === 'providers');
  return [
    ...optional(Tag.MidPrice, mid?.toFixed()),
    [Tag.PriceAge, String(proof.ageMs)],
    ...optional(Tag.PriceProviders, providers.join(' ') || undefined),
  ];
}

/** ExecType(150) of an amendment: trade cancel, trade correct, restated. */
export const AMENDED_AS: Record<Amendment['kind'], string> = {
  bust: 'H',
  correct: 'G',
  cancel: 'H',
  date: RESTATED,
  split: RESTATED,
};

/** The report of the amendment of this number, from 1; undefined: there is none. */
export function amendedReport(booking: Booking, number: number, isCopy: boolean): Field[] | undefined {
  const amendment = reportedAmendments(booking)[number - 1];
  return amendment && reportOf(booking, AMENDED_AS[amendment.kind], number, isCopy);
}

/** The report of a conversion that a split has made: nothing was dealt, so it is no trade of its own. */
export function childReport(booking: Booking, isCopy: boolean): Field[] {
  return reportOf(booking, RESTATED, 0, isCopy);
}

/** The conversion after its first `count` amendments. */
function reportOf(stored: Booking, execType: string, count: number, isCopy: boolean, sent?: OrderAsSent): Field[] {
  const booking = asAmended(stored, count);
  const amendment = reportedAmendments(stored)[count - 1];
  const isOver = amendment !== undefined && endsTrade(amendment);
  const { order } = booking;
  const deal = dealOf(booking);
  const { pair, dealtCurrency, contraCurrency, side, quantity, contraAmount, price } = deal;
  return [
    [Tag.OrderID, booking.id],
    ...optional(Tag.SecondaryOrderID, booking.parentId),
    [Tag.ClOrdID, booking.requestId],
    [Tag.ExecID, execIdOf(booking, count)],
    ...(amendment && execType !== 'I' ? [[Tag.ExecRefID, execIdOf(booking, count - 1)] as const] : []),
    [Tag.ExecType, execType],
    [Tag.OrdStatus, isOver ? 4 : 2],
    ...(execType === RESTATED ? [[Tag.ExecRestatementReason, OTHER_REASON] as const] : []),
    [Tag.Symbol, pair.symbol],
    [Tag.Product, CURRENCY],
    [Tag.Side, side],
    [Tag.OrderQty, quantity],
    [Tag.OrdType, ORD_TYPE[order.kind]],
    [Tag.Currency, dealtCurrency],
    ...optional(Tag.Price, order.limit),
    [Tag.TimeInForce, sent?.timeInForce ?? FILL_OR_KILL],
    ...(isOver ? NOTHING_FILLED : filled(quantity, price).slice(execType === RESTATED ? LAST_FIELDS : 0)),
    [Tag.TradeDate, deal.tradeDate],
    [Tag.TransactTime, formatUtcTimestamp(amendment?.atMs ?? booking.createdAtMs)],
    [Tag.SettlDate, booking.valueDate],
    [Tag.SettlCurrAmt, contraAmount],
    [Tag.SettlCurrency, contraCurrency],
    [Tag.ExpireTime, formatUtcTimestamp(booking.expiryMs)],
    [
      Tag.Text,
      onOneLine(execType === RESTATED || execType === 'H' ? changeText(stored, count, amendment) : booking.description),
    ],
    ...(isCopy ? [[Tag.CopyMsgIndicator, 'Y'] as const] : []),
    ...optional(Tag.Account, sent?.account),
    ...termsOf(booking, pair),
  ];
}

/** What was changed, and the client's reason. Of an operator's the description of the conversion. */
function changeText(stored: Booking, count: number, change: Reported | undefined): string {
  if (change === undefined) return `Part of ${stored.parentId}, which was split`;
  const { reversal, date, children, reason } = change;
  const before = asAmended(stored, count - 1);
  const what =
    (reversal && `Cancelled by the client: ${reversalText(reversal)}`) ??
    (date && `Settlement date ${before.valueDate} moved to ${date.valueDate}`) ??
    (children && `Split into ${children.map(({ id }) => id).join(' ')}`);
  if (what === undefined) return stored.description;
  return reason === undefined ? what : `${what}; ${reason}`;
}

function reversalText(reversal: Reversal): string {
  const { kind, amount, currency } = reversal;
  if (amount === '0') return 'nothing is due';
  const text = `${formatMinor(BigInt(amount), currency)} ${currency}`;
  return kind === 'charge' ? `charge ${text}` : `gain ${text}, paid on ${paysOn(reversal)}`;
}

/** A restatement is no fill: it has none of the first four. */
const LAST_FIELDS = 4;

const filled = (quantity: string, price: string): Field[] => [
  [Tag.LastQty, quantity],
  [Tag.LastPx, price],
  [Tag.LastSpotRate, price],
  [Tag.LastForwardPoints, 0],
  [Tag.LeavesQty, 0],
  [Tag.CumQty, quantity],
  [Tag.AvgPx, price],
];

const NOTHING_FILLED: readonly Field[] = [
  [Tag.LeavesQty, 0],
  [Tag.CumQty, 0],
  [Tag.AvgPx, 0],
];

/** The user-defined fields. */
export function termsOf(booking: Booking, pair: Pair): Field[] {
  const { marginPpm, price, providerPrice, type, holdId, buyCurrency, sellCurrency } = booking;
  return [
    [Tag.MarginPercent, formatMargin(marginPpm)],
    [Tag.ProviderRate, providerPriceText(providerPrice, pair)],
    [Tag.BookFxType, type],
    ...optional(Tag.HoldID, holdId || undefined),
    [Tag.BuyAccount, booking.buyAccount],
    [Tag.SellAccount, booking.sellAccount],
    [Tag.MarginValue, providerPriceText(Math.abs(price - providerPrice), pair)],
    [Tag.BuyCurrency, buyCurrency],
    [Tag.SellCurrency, sellCurrency],
    [Tag.BuyAmount, formatMinor(BigInt(booking.buy), buyCurrency)],
    [Tag.SellAmount, formatMinor(BigInt(booking.sell), sellCurrency)],
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
    [Tag.OrdRejReason, FIX_REASONS[refusal.refusal].order],
    [Tag.Symbol, order.symbol],
    ...orderFields(order),
    [Tag.LeavesQty, 0],
    ...nothingDone(nowMs),
    [Tag.Text, refusal.text],
    ...optional(Tag.HoldID, order.quoteId?.startsWith('HLD') ? order.quoteId : undefined),
    [Tag.ErrorCode, refusal.refusal],
  ];
}

/** The outcome is not known yet: the store has not answered. */
export function pendingReport(order: OrderAsSent, as: 'pending' | 'status', nowMs: number): Field[] {
  return [
    ...headOf(order.id, newExecId(nowMs), as === 'status' ? 'I' : 'A', 'A'),
    [Tag.Symbol, order.symbol],
    [Tag.Product, CURRENCY],
    ...orderFields(order),
    [Tag.TimeInForce, order.timeInForce ?? FILL_OR_KILL],
    [Tag.LeavesQty, order.quantity || 0],
    ...nothingDone(nowMs),
    ...optional(Tag.Account, order.account),
  ];
}

function headOf(id: string, execId: string, execType: string, status: string | number): Field[] {
  return [
    [Tag.OrderID, NO_ORDER_ID],
    [Tag.ClOrdID, id],
    [Tag.ExecID, execId],
    [Tag.ExecType, execType],
    [Tag.OrdStatus, status],
  ];
}

function orderFields({ side, quantity, ordType, currency, price }: OrderAsSent): Field[] {
  return [
    [Tag.Side, side],
    ...optional(Tag.OrderQty, quantity || undefined),
    ...optional(Tag.OrdType, ordType),
    ...optional(Tag.Currency, currency),
    ...optional(Tag.Price, price),
  ];
}

function nothingDone(nowMs: number): Field[] {
  return [
    [Tag.CumQty, 0],
    [Tag.AvgPx, 0],
    [Tag.TransactTime, formatUtcTimestamp(nowMs)],
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
