/** TradeCaptureReport(AE): one conversion, as it is now. */

import { type Field, formatUtcTimestamp } from 'node-quickfix-ts';
import { asAmended, endsTrade, reportedAmendments } from '../../domain/conversions/amendment.js';
import * as Tag from '../../domain/fix/tags.js';
import type { Trade } from '../../service/conversions/index.js';
import { AMENDED_AS, CURRENCY, dealOf, execIdOf, ORD_TYPE, onOneLine, termsOf } from '../orders/execution-report.js';

/** TradeReportTransType(487): new, cancel, replace. */
const TRANS_TYPE = { none: 0, bust: 1, cancel: 1, split: 1, correct: 2, date: 2 } as const;

/** `of` is the TradeRequestID(568) that it answers, and the number of reports that do. */
export function tradeReport(
  { number, booking: stored }: Trade,
  of: { readonly requestId: string; readonly total: number; readonly isLast: boolean },
): Field[] {
  const booking = asAmended(stored);
  const deal = dealOf(booking);
  const { pair, dealtCurrency, contraCurrency, side, quantity, contraAmount, price } = deal;
  const amendments = reportedAmendments(booking);
  const amendment = amendments.at(-1);
  const execId = execIdOf(booking, amendments.length);
  const isOver = amendment !== undefined && endsTrade(amendment);
  return [
    [Tag.TradeReportID, execId],
    [Tag.TradeReportTransType, TRANS_TYPE[amendment?.kind ?? 'none']],
    // Submitted, or the cancel of a report: none of ours waits for the desk's acceptance.
    [Tag.TradeReportType, isOver ? 6 : 0],
    [Tag.TradeRequestID, of.requestId],
    [Tag.ExecType, isOver ? 'H' : amendment ? AMENDED_AS[amendment.kind] : 'F'],
    [Tag.TotNumTradeReports, of.total],
    [Tag.LastRptRequested, of.isLast ? 'Y' : 'N'],
    [Tag.ExecID, execId],
    [Tag.OrdStatus, isOver ? 4 : 2],
    [Tag.PreviouslyReported, 'N'],
    [Tag.Symbol, pair.symbol],
    [Tag.Product, CURRENCY],
    [Tag.OrderQty, quantity],
    [Tag.LastQty, quantity],
    [Tag.LastPx, price],
    [Tag.LastSpotRate, price],
    [Tag.LastForwardPoints, 0],
    [Tag.TradeDate, deal.tradeDate],
    [Tag.TransactTime, formatUtcTimestamp(booking.createdAtMs)],
    [Tag.SettlDate, booking.valueDate],
    // Compared: both sides have it.
    [Tag.MatchStatus, 0],
    [Tag.NoSides, 1],
    [Tag.Side, side],
    [Tag.OrderID, booking.id],
    [Tag.ClOrdID, booking.requestId],
    [Tag.Currency, dealtCurrency],
    [Tag.OrdType, ORD_TYPE[booking.order.kind]],
    [Tag.SettlCurrAmt, contraAmount],
    [Tag.SettlCurrency, contraCurrency],
    [Tag.Text, onOneLine(booking.description)],
    ...termsOf(booking, pair),
    [Tag.FromTradeNumber, number],
  ];
}
