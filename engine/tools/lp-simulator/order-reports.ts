/** ExecutionReport(8) and TradeCaptureReport(AE) of a simulated provider. */
import { type Field, formatUtcTimestamp } from 'node-quickfix-ts';
import { isRefusal } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import { pairBySymbol } from '../../domain/money/pair.js';
import { spotDate } from '../../domain/money/value-date.js';
import type { LpFill, LpOrder } from './order-list.js';

/** OrdStatus(39). */
const ORD_STATUS = { open: '0', filled: '2', cancelled: '4', rejected: '8', lost: '8' } as const;
/** Decimals of AvgPx(6) behind those of the fills. */
const AVERAGE_DIGITS = 8;

interface ReportKind {
  /** ExecType(150). */
  readonly execType: '0' | 'F' | '4' | '8' | 'I';
  readonly execId: string;
  readonly fill?: LpFill;
  readonly extra?: readonly Field[];
  /** Fills that the report counts; absent: all. */
  readonly fills?: readonly LpFill[];
}

/** Of an order that the provider has, as it was after `fills`. */
export function executionReport(order: LpOrder, kind: ReportKind): readonly Field[] {
  const { fill, fills = order.fills } = kind;
  const cumQty = fills.reduce((sum, { quantity }) => sum + quantity, 0);
  const isAll = fills.length === order.fills.length;
  const isOver = order.status !== 'open' && (kind.execType !== 'F' || cumQty === order.quantity) && isAll;
  const status = isOver ? ORD_STATUS[order.status] : cumQty > 0 ? '1' : '0';
  return [
    [Tag.OrderID, order.orderId],
    [Tag.ClOrdID, order.clOrdId],
    [Tag.ExecID, kind.execId],
    [Tag.ExecType, kind.execType],
    [Tag.OrdStatus, status],
    ...(isOver && order.reason !== undefined ? ([[Tag.OrdRejReason, order.reason]] as const) : []),
    [Tag.Symbol, order.symbol],
    [Tag.Side, order.side],
    [Tag.OrderQty, order.quantity],
    [Tag.OrdType, order.limit === undefined ? 1 : 2],
    ...(order.limit === undefined ? [] : ([[Tag.Price, order.limit]] as const)),
    [Tag.Currency, order.symbol.slice(0, 3)],
    [Tag.TimeInForce, order.timeInForce],
    ...(fill
      ? ([
          [Tag.LastQty, fill.quantity],
          [Tag.LastPx, fill.price],
        ] as const)
      : []),
    [Tag.LeavesQty, isOver ? 0 : order.quantity - cumQty],
    [Tag.CumQty, cumQty],
    [Tag.AvgPx, averagePrice(fills)],
    [Tag.TransactTime, formatUtcTimestamp(Date.now())],
    ...settlDate(order.symbol),
    ...(isOver && order.text !== undefined ? ([[Tag.Text, order.text]] as const) : []),
    ...(kind.extra ?? []),
  ];
}

/** Of a ClOrdID(11) that is rejected without becoming an order, or that the provider does not know. */
export function noOrderReport(
  request: { readonly clOrdId: string; readonly symbol: string; readonly side: string },
  {
    execId,
    execType,
    reason,
    text,
  }: { readonly execId: string; readonly execType: '8' | 'I'; readonly reason: number; readonly text: string },
): readonly Field[] {
  return [
    [Tag.OrderID, 'NONE'],
    [Tag.ClOrdID, request.clOrdId],
    [Tag.ExecID, execId],
    [Tag.ExecType, execType],
    [Tag.OrdStatus, 8],
    [Tag.OrdRejReason, reason],
    [Tag.Symbol, request.symbol],
    [Tag.Side, request.side],
    [Tag.LeavesQty, 0],
    [Tag.CumQty, 0],
    [Tag.AvgPx, 0],
    [Tag.TransactTime, formatUtcTimestamp(Date.now())],
    [Tag.Text, text],
  ];
}

/** One fill, as an answer to a TradeCaptureReportRequest(AD). */
export function captureReport(
  order: LpOrder,
  fill: LpFill,
  of: { readonly requestId: string; readonly total: number; readonly isLast: boolean },
): readonly Field[] {
  const now = formatUtcTimestamp(Date.now());
  return [
    [Tag.TradeReportID, fill.execId],
    [Tag.TradeRequestID, of.requestId],
    [Tag.ExecType, 'F'],
    [Tag.TotNumTradeReports, of.total],
    [Tag.LastRptRequested, of.isLast ? 'Y' : 'N'],
    [Tag.ExecID, fill.execId],
    [Tag.PreviouslyReported, 'N'],
    [Tag.Symbol, order.symbol],
    [Tag.LastQty, fill.quantity],
    [Tag.LastPx, fill.price],
    [Tag.TradeDate, now.slice(0, 8)],
    [Tag.TransactTime, now],
    ...settlDate(order.symbol),
    [Tag.NoSides, 1],
    [Tag.Side, order.side],
    [Tag.OrderID, order.orderId],
    [Tag.ClOrdID, order.clOrdId],
  ];
}

function settlDate(symbol: string): readonly Field[] {
  const pair = pairBySymbol(symbol);
  const spot = pair && spotDate(pair, Date.now());
  return spot === undefined || isRefusal(spot) ? [] : [[Tag.SettlDate, spot.date]];
}

/** Volume-weighted, cut off at `AVERAGE_DIGITS` decimals more than the fills have. */
function averagePrice(fills: readonly LpFill[]): string {
  const cumQty = fills.reduce((sum, { quantity }) => sum + quantity, 0);
  if (cumQty === 0) return '0';
  const digits = Math.max(...fills.map(({ price }) => price.split('.')[1]?.length ?? 0));
  const sum = fills.reduce((all, { price, quantity }) => {
    const [whole = '', decimals = ''] = price.split('.');
    return all + BigInt(whole + decimals.padEnd(digits, '0')) * BigInt(quantity);
  }, 0n);
  const scale = digits + AVERAGE_DIGITS;
  const text = ((sum * 10n ** BigInt(AVERAGE_DIGITS)) / BigInt(cumQty)).toString().padStart(scale + 1, '0');
  return `${text.slice(0, -scale)}.${text.slice(-scale)}`.replace(/\.?0+$/, '');
}
