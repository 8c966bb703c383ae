/** TradeCaptureReport(AE): one conversion, as it is now. */
import { type Field, formatUtcTimestamp } from 'node-quickfix-ts';
import { asAmended, lastAmendment } from '../../domain/amendment.js';
import { tradeDate } from '../../domain/value-date.js';
import type { Trade } from '../../service/bookings/index.js';
import { FROM_TRADE_NUMBER } from '../fields.js';
import { AMENDED_AS, CURRENCY, dealOf, execIdOf, ORD_TYPE, onOneLine, termsOf } from '../orders/execution-report.js';

/** TradeReportTransType(487): new, cancel, replace. */
const TRANS_TYPE = { none: 0, bust: 1, correct: 2 } as const;

/** `of` is the TradeRequestID(568) that it answers, and the number of reports that do. */
export function tradeReport(
  { number, booking: stored }: Trade,
  of: { readonly requestId: string; readonly total: number; readonly isLast: boolean },
): Field[] {
  const booking = asAmended(stored);
  const { pair, dealtCurrency, contraCurrency, side, quantity, contraAmount, price } = dealOf(booking);
  const amendment = lastAmendment(booking);
  const execId = execIdOf(booking, booking.amendments?.length);
  const isBusted = amendment?.kind === 'bust';
  return [
    [571, execId],
    [487, TRANS_TYPE[amendment?.kind ?? 'none']],
    // Submitted, or the cancel of a report: none of ours waits for the desk's acceptance.
    [856, isBusted ? 6 : 0],
    [568, of.requestId],
    [150, amendment ? AMENDED_AS[amendment.kind] : 'F'],
    [748, of.total],
    [912, of.isLast ? 'Y' : 'N'],
    [17, execId],
    [39, isBusted ? 4 : 2],
    [570, 'N'],
    [55, pair.symbol],
    [460, CURRENCY],
    [38, quantity],
    [32, quantity],
    [31, price],
    [194, price],
    [195, 0],
    [75, tradeDate(booking.createdAtMs)],
    [60, formatUtcTimestamp(booking.createdAtMs)],
    [64, booking.valueDate],
    // Compared: both sides have it.
    [573, 0],
    [552, 1],
    [54, side],
    [37, booking.id],
    [11, booking.requestId],
    [15, dealtCurrency],
    [40, ORD_TYPE[booking.order.kind]],
    [119, contraAmount],
    [120, contraCurrency],
    [58, onOneLine(booking.description)],
    ...termsOf(booking, pair),
    [FROM_TRADE_NUMBER, number],
  ];
}
