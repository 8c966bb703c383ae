/** OrderMassStatusRequest(AF): the orders of the trade date, placed by FIX or by REST. */

import { type Field, formatUtcTimestamp, type MessageView } from 'node-quickfix-ts';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import { ORDERS_MAX } from '../../service/conversions/index.js';
import type { TokenCaller } from '../../service/core/caller.js';
import { mayPerform, perform } from '../../service/perform.js';
import { callerOf, type FixContext, inOrder, noteRefusal } from '../context.js';
import { type AnswerTo, answerTo, type Desk } from '../desk.js';
import { isForeignExchange, NO_SYMBOL, pairOfInstrument } from '../fields.js';
import {
  bookedReport,
  keptExecId,
  NO_ORDER_ID,
  newExecId,
  pendingReport,
  rejectedReport,
} from '../orders/execution-report.js';
import { toOrderReject } from '../orders/new-order.js';
import type { OpenOrder } from '../orders/orders.js';
import { BUSINESS_REASON, FIX_REASONS } from '../refusals.js';
import { businessReject } from '../rejects.js';
import { UNSUPPORTED_IN_MASS_STATUS, unsupportedField } from '../unsupported-fields.js';
import { beside, sendPaced, tooManyAnswers } from './paced-answer.js';

interface MassStatusRequest extends AnswerTo {
  /** Symbol(55) as it was sent. */
  readonly symbol: string | undefined;
  readonly token: string | undefined;
}

/** MassStatusReqType(585). */
const OF_SYMBOL = '1';
const ALL = '7';
/** Side(54): undisclosed. */
const NO_SIDE = 7;

export function handleMassStatusRequest(context: FixContext, desk: Desk, message: MessageView): void {
  const type = message.string(Tag.MassStatusReqType);
  if (type === OF_SYMBOL && !message.has(Tag.Symbol)) {
    const missing = refuse('VALIDATION_FAILED', 'Conditionally required field missing: Symbol(55)');
    businessReject(context, desk, message, BUSINESS_REASON.conditionallyRequired, missing);
    return;
  }
  const request = {
    ...answerTo(message, Tag.MassStatusReqID),
    symbol: message.string(Tag.Symbol),
    token: message.string(Tag.AuthToken),
  };
  const symbol = symbolOf(message, type);
  const kept = message.copy();
  inOrder(context, desk, () => answer(context, desk, request, symbol, kept));
}

/** The pair to report, or all. Refuses with VALIDATION_FAILED, UNSUPPORTED_FIELD, UNKNOWN_SYMBOL, INVERSE_SYMBOL. */
function symbolOf(message: MessageView, type: string | undefined): string | undefined | Refusal {
  if (type !== OF_SYMBOL && type !== ALL) return refuse('VALIDATION_FAILED', 'MassStatusReqType(585) must be 1 or 7');
  const unsupported = unsupportedField(message, UNSUPPORTED_IN_MASS_STATUS);
  if (unsupported) return unsupported;
  const symbol = message.string(Tag.Symbol) ?? NO_SYMBOL;
  if (type === ALL && symbol === NO_SYMBOL) return undefined;
  if (type === ALL) return refuse('VALIDATION_FAILED', 'Symbol(55) goes with MassStatusReqType(585) 1');
  const pair = pairOfInstrument(symbol, isForeignExchange(message));
  return isRefusal(pair) ? pair : pair.symbol;
}

async function answer(
  context: FixContext,
  desk: Desk,
  request: MassStatusRequest,
  symbol: string | undefined | Refusal,
  message: MessageView,
): Promise<void> {
  const { services, orders } = context;
  const caller = await callerOf(context, desk, request.token);
  if (!desk.session.loggedOn) return;
  const no = (refusal: Refusal) => {
    const reason = NO_ANSWER[refusal.refusal];
    if (reason === undefined) send(desk, request, refused(request, refusal, '8', services.now()), 0, true);
    else return businessReject(context, desk, message, reason, refusal);
    noteRefusal(context, desk, '8', refusal);
  };
  if (isRefusal(caller)) return no(caller);
  const missing = mayPerform('findOrders', caller);
  if (missing) return businessReject(context, desk, message, BUSINESS_REASON.notAuthorized, missing);
  if (isRefusal(symbol)) return no(symbol);
  const tooMany = tooManyAnswers(desk);
  if (tooMany) return no(tooMany);
  const isAsked = (order: { readonly symbol: string }) => symbol === undefined || order.symbol === symbol;
  beside(context, desk, async () => {
    const open = orders.ofClient(caller.clientId).filter(({ order }) => isAsked(order));
    const undecided = open.slice(0, ORDERS_MAX);
    // With a pair, or where the outcome of an order is not known here, all orders of the day are read.
    const range = await perform(services, 'findOrders', caller, {
      symbol,
      most: ORDERS_MAX - undecided.length,
      requestIds: undecided.map(({ order }) => order.id),
    });
    if (isRefusal(range)) return no(range);
    // The store may have booked one whose answer is not here yet: it is reported once.
    const others = undecided.filter(({ order }) => !range.booked.has(order.id));
    const total = range.count + others.length;
    if (total === 0) {
      const none = refused(request, refuse('UNKNOWN_ORDER', NONE), 'I', services.now());
      return send(desk, request, none, 0, true);
    }
    let sent = 0;
    const report = (fields: readonly Field[]) => send(desk, request, fields, total, ++sent === total);
    await sendPaced(context, desk, caller, {
      range,
      symbol,
      send: ({ booking }) => report(bookedReport(booking, 'status', desk.identity.priceShown)),
      async sent() {
        for (const one of others) {
          const fields = await statusOf(context, desk, caller, one);
          if (!desk.session.loggedOn) return;
          if (isRefusal(fields)) return no(fields);
          report(fields);
        }
      },
      failed: no,
    });
  });
}

/** Of an order that was not booked when the range was read: pending, or what has become of it. Refuses with STORE_UNAVAILABLE. */
async function statusOf({ services, orders }: FixContext, desk: Desk, caller: TokenCaller, open: OpenOrder) {
  const { order } = open;
  if (orders.isOpen(open)) return pendingReport(order, 'status', services.now());
  const found = await perform(services, 'readOrder', caller, { requestId: order.id });
  if (isRefusal(found)) {
    if (found.refusal === 'STORE_UNAVAILABLE') return found;
    return rejectedReport(order, found, 'status', newExecId(services.now()), services.now());
  }
  if (found.kind === 'booked') return bookedReport(found.booking, 'status', desk.identity.priceShown);
  const refusal = toOrderReject(refuse(found.code, found.text));
  return rejectedReport(order, refusal, 'status', keptExecId(caller.clientId, order.id), services.now());
}

const NONE = 'No order of this trade date';

/** Refusals that do not state the status of an order: BusinessRejectReason(380). */
const NO_ANSWER: Partial<Record<Refusal['refusal'], number>> = {
  STORE_UNAVAILABLE: BUSINESS_REASON.notAvailable,
  RATE_LIMITED: BUSINESS_REASON.other,
};

/** MassStatusReqID(584), TotNumReports(911) and LastRptRequested(912) follow OrderID(37) and ClOrdID(11). */
function send(desk: Desk, { id, route }: AnswerTo, report: readonly Field[], total: number, isLast: boolean): void {
  const place = report[1]?.[0] === Tag.ClOrdID ? 2 : 1;
  desk.session.send('8', [
    ...route,
    ...report.slice(0, place),
    [Tag.MassStatusReqID, id],
    [Tag.TotNumReports, total],
    [Tag.LastRptRequested, isLast ? 'Y' : 'N'],
    ...report.slice(place),
  ]);
}

/** No order is reported: there is none (`I`), or the request is rejected (`8`). */
function refused(
  { symbol = NO_SYMBOL }: MassStatusRequest,
  refusal: Refusal,
  execType: 'I' | '8',
  nowMs: number,
): Field[] {
  return [
    [Tag.OrderID, NO_ORDER_ID],
    [Tag.ExecID, newExecId(nowMs)],
    [Tag.ExecType, execType],
    [Tag.OrdStatus, 8],
    [Tag.OrdRejReason, FIX_REASONS[refusal.refusal].order],
    [Tag.Symbol, symbol],
    [Tag.Side, NO_SIDE],
    [Tag.LeavesQty, 0],
    [Tag.CumQty, 0],
    [Tag.AvgPx, 0],
    [Tag.TransactTime, formatUtcTimestamp(nowMs)],
    [Tag.Text, refusal.text],
    [Tag.ErrorCode, refusal.refusal],
  ];
}
