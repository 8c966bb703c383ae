/**
 * OrderMassCancelRequest(q) for all orders: a desk stops all trading of its client. No order rests here, so there is none to cancel: from
 * the report on, none is booked and no price is dealt, at any session or door of the client. Only an operator resumes it.
 */

import { type Field, formatUtcTimestamp, type MessageView } from 'node-quickfix-ts';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import { mayPerform, perform } from '../../service/perform.js';
import { callerOf, type FixContext, inOrder, noteRefusal } from '../context.js';
import { type AnswerTo, answerTo, type Desk } from '../desk.js';
import { BUSINESS_REASON } from '../refusals.js';
import { businessReject } from '../rejects.js';
import { UNSUPPORTED_IN_MASS_CANCEL, unsupportedField } from '../unsupported-fields.js';
import { NO_ORDER_ID, newExecId, onOneLine } from './execution-report.js';

/** Copied out of its message, whose bytes are reused before the token has been read. */
interface MassCancel extends AnswerTo {
  /** MassCancelRequestType(530) as it was sent. */
  readonly type: string;
  readonly reason: string;
  readonly token: string | undefined;
  readonly unsupported: Refusal | undefined;
}

const ALL_ORDERS = '7';
/** MassCancelResponse(531). */
const REJECTED = '0';
/** MassCancelRejectReason(532): this form of mass cancel is not supported, or another reason. */
const NOT_SUPPORTED = '0';
const OTHER = '99';
const REASON_MAX = 140;

/** Also above the message rate: a desk that sends too much is the one that has to be stopped. Each such request is a violation all the same. */
export function handleMassCancel(context: FixContext, desk: Desk, message: MessageView): void {
  const request: MassCancel = {
    ...answerTo(message, Tag.ClOrdID),
    type: message.string(Tag.MassCancelRequestType) ?? '',
    reason: onOneLine(message.string(Tag.Text) ?? '').slice(0, REASON_MAX),
    token: message.string(Tag.AuthToken),
    unsupported: unsupportedField(message, UNSUPPORTED_IN_MASS_CANCEL),
  };
  const kept = message.copy();
  inOrder(context, desk, () => halt(context, desk, request, kept), 'logged on or not');
}

async function halt(context: FixContext, desk: Desk, request: MassCancel, message: MessageView): Promise<void> {
  const caller = await callerOf(context, desk, request.token);
  if (isRefusal(caller)) return rejectOrUnavailable(context, desk, request, caller, message);
  const missing = mayPerform('haltTrading', caller);
  if (missing) return businessReject(context, desk, message, BUSINESS_REASON.notAuthorized, missing);
  if (request.type !== ALL_ORDERS) return reject(context, desk, request, ONLY_ALL, NOT_SUPPORTED);
  if (request.unsupported) return reject(context, desk, request, request.unsupported);

  const halted = await perform(context.services, 'haltTrading', caller, { reason: request.reason });
  if (isRefusal(halted)) return rejectOrUnavailable(context, desk, request, halted, message);
  const { sinceMs = context.services.now() } = halted;
  report(desk, request, newExecId(context.services.now()), [
    [Tag.MassCancelResponse, ALL_ORDERS],
    [Tag.TotalAffectedOrders, 0],
    [Tag.TransactTime, formatUtcTimestamp(sinceMs)],
    [Tag.Text, 'Your trading is halted: ask us to resume it'],
  ]);
}

const ONLY_ALL = refuse('VALIDATION_FAILED', 'MassCancelRequestType(530) must be 7: all trading of yours is halted');

/** Without an answer of the store it is not known whether the client is halted: the desk sends the request again. */
function rejectOrUnavailable(
  context: FixContext,
  desk: Desk,
  request: MassCancel,
  refusal: Refusal,
  message: MessageView,
): void {
  if (refusal.refusal !== 'STORE_UNAVAILABLE') reject(context, desk, request, refusal);
  else businessReject(context, desk, message, BUSINESS_REASON.notAvailable, refusal);
}

function reject(context: FixContext, desk: Desk, request: MassCancel, refusal: Refusal, reason = OTHER): void {
  noteRefusal(context, desk, 'r', refusal);
  report(desk, request, NO_ORDER_ID, [
    [Tag.MassCancelResponse, REJECTED],
    [Tag.MassCancelRejectReason, reason],
    [Tag.TransactTime, formatUtcTimestamp(context.services.now())],
    [Tag.Text, refusal.text],
    [Tag.ErrorCode, refusal.refusal],
  ]);
}

function report(desk: Desk, { id, route, type }: MassCancel, orderId: string, fields: readonly Field[]): void {
  desk.session.send('r', [
    ...route,
    [Tag.ClOrdID, id],
    [Tag.OrderID, orderId],
    [Tag.MassCancelRequestType, type],
    ...fields,
  ]);
}
