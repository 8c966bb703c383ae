/** OrderStatusRequest(H): the outcome of an order, by its ClOrdID(11), placed by FIX or by REST. */

import type { MessageView } from 'node-quickfix-ts';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { withTimeout } from '../../domain/core/with-timeout.js';
import * as Tag from '../../domain/fix/tags.js';
import { mayPerform, perform } from '../../service/perform.js';
import { callerOf, type FixContext, faultOf, inOrder } from '../context.js';
import { type AnswerTo, answerTo, type Desk } from '../desk.js';
import { requiredTagMissing } from '../fields.js';
import { BUSINESS_REASON } from '../refusals.js';
import { businessReject, sendReject } from '../rejects.js';
import { bookedReport, type OrderAsSent, pendingReport } from './execution-report.js';
import { toOrderReject } from './new-order.js';
import { PENDING_AFTER_MS, reject } from './orders.js';

type StatusRequest = AnswerTo & OrderAsSent;

export function handleOrderStatusRequest(context: FixContext, desk: Desk, message: MessageView): void {
  if (!message.has(Tag.Symbol)) {
    sendReject(context, desk, message, requiredTagMissing(Tag.Symbol));
    return;
  }
  const request = readRequest(message);
  const token = message.string(Tag.AuthToken);
  const kept = message.copy();
  inOrder(context, desk, () => {
    const done = answer(context, desk, request, token, kept).catch((error: unknown) => faultOf(context, desk, error));
    return withTimeout(done, PENDING_AFTER_MS, () => undefined);
  });
}

const readRequest = (message: MessageView): StatusRequest => ({
  ...answerTo(message, Tag.ClOrdID),
  symbol: message.string(Tag.Symbol) ?? '',
  side: message.string(Tag.Side) ?? '',
});

async function answer(
  context: FixContext,
  desk: Desk,
  request: StatusRequest,
  token: string | undefined,
  message: MessageView,
): Promise<void> {
  const caller = await callerOf(context, desk, token);
  const open = context.orders.get(desk.identity.caller.clientId, request.id);
  const mayAsk = !isRefusal(caller) && mayPerform('readOrder', caller) === undefined;
  if (open && (mayAsk || isAway(caller))) {
    const fields = pendingReport(open.order, 'status', context.services.now());
    desk.session.send('8', [...request.route, ...fields]);
    return;
  }
  if (isRefusal(caller)) return refuseStatus(context, desk, request, caller, message);
  const missing = mayPerform('readOrder', caller);
  if (missing) return businessReject(context, desk, message, BUSINESS_REASON.notAuthorized, missing);

  const found = await perform(context.services, 'readOrder', caller, { requestId: request.id });
  if (isRefusal(found)) return refuseStatus(context, desk, request, found, message);
  if (found.kind === 'booked') {
    desk.session.send('8', [...request.route, ...bookedReport(found.booking, 'status', desk.identity.priceShown)]);
    return;
  }
  const refusal = toOrderReject(refuse(found.code, found.text));
  reject(context, desk, request, { ...refusal, kept: true }, 'status');
}

const isAway = (caller: unknown): boolean => isRefusal(caller) && caller.refusal === 'STORE_UNAVAILABLE';

/** During a store outage an order is not rejected: its outcome is unknown. */
function refuseStatus(
  context: FixContext,
  desk: Desk,
  request: StatusRequest,
  refusal: Refusal,
  message: MessageView,
): void {
  if (isAway(refusal)) businessReject(context, desk, message, BUSINESS_REASON.notAvailable, refusal);
  else reject(context, desk, request, refusal, refusal.refusal === 'UNKNOWN_ORDER' ? 'status' : 'rejected');
}
