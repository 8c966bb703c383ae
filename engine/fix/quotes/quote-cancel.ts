/** QuoteCancel(Z) of a desk: ends a stream of quotes, or all of them and every hold of the session. */

import { type MessageView, reverseRoute } from 'node-quickfix-ts';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import type { TokenCaller } from '../../service/core/caller.js';
import { mayPerform, perform } from '../../service/perform.js';
import { callerOf, type FixContext, inOrder, noteRefusal } from '../context.js';
import type { Desk, Route } from '../desk.js';
import { NO_SYMBOL, requiredTagMissing } from '../fields.js';
import { BUSINESS_REASON, FIX_REASONS } from '../refusals.js';
import { businessReject, sendReject } from '../rejects.js';
import { UNSUPPORTED_IN_QUOTE_CANCEL, unsupportedField } from '../unsupported-fields.js';
import { sendHoldStatus } from './quote-status.js';
import { cancelStream } from './stream-request.js';

/** Copied out of its message, whose bytes are reused before the token has been read. */
interface QuoteCancel {
  readonly route: Route;
  /** QuoteCancelType(298). */
  readonly type: string | undefined;
  /** QuoteReqID(131) of the stream. */
  readonly requestId: string | undefined;
  readonly quoteId: string;
  readonly token: string | undefined;
  readonly unsupported: Refusal | undefined;
}

const ONE = '1';
const ALL = '4';
/** QuoteID(117) of every quote. */
const EVERY = '*';

export function handleQuoteCancel(context: FixContext, desk: Desk, message: MessageView): void {
  const request = readQuoteCancel(message);
  if (request.type === ONE && request.requestId === undefined) {
    sendReject(context, desk, message, requiredTagMissing(Tag.QuoteReqID));
    return;
  }
  const kept = message.copy();
  inOrder(context, desk, async () => {
    const caller = await callerOf(context, desk, request.token);
    if (!desk.session.loggedOn) return;
    if (isRefusal(caller)) return rejectCancel(context, desk, request, caller);
    const missing = mayPerform('releaseHolds', caller);
    if (missing) return businessReject(context, desk, kept, BUSINESS_REASON.notAuthorized, missing);
    const refusal = badForm(request) ?? (await cancel(context, desk, request, caller));
    if (refusal) rejectCancel(context, desk, request, refusal);
  });
}

/** The desk exceeds its message rate. */
export function rejectThrottledQuoteCancel(context: FixContext, desk: Desk, message: MessageView): void {
  rejectCancel(context, desk, readQuoteCancel(message), refuse('RATE_LIMITED'));
}

function readQuoteCancel(message: MessageView): QuoteCancel {
  return {
    route: reverseRoute(message),
    type: message.string(Tag.QuoteCancelType),
    requestId: message.string(Tag.QuoteReqID),
    quoteId: message.string(Tag.QuoteID) ?? '',
    token: message.string(Tag.AuthToken),
    unsupported: unsupportedField(message, UNSUPPORTED_IN_QUOTE_CANCEL),
  };
}

function badForm({ type, quoteId, unsupported }: QuoteCancel): Refusal | undefined {
  if (type !== ONE && type !== ALL)
    return refuse('VALIDATION_FAILED', 'QuoteCancelType(298) must be 1, one stream, or 4, every stream and hold');
  if (type === ALL && quoteId !== EVERY)
    return refuse('VALIDATION_FAILED', 'QuoteID(117) must be * with QuoteCancelType(298) 4');
  return unsupported;
}

function cancel(context: FixContext, desk: Desk, request: QuoteCancel, caller: TokenCaller) {
  return request.type === ALL ? cancelAll(context, desk, request, caller) : cancelOne(context, desk, request);
}

/** Any quote of the stream names it: a newer one may be on its way to the desk. */
function cancelOne(context: FixContext, desk: Desk, { requestId = '', quoteId, route }: QuoteCancel) {
  const stream = context.quotes.of(desk.session, requestId);
  if (stream === undefined)
    return refuse('HOLD_NOT_FOUND', 'No stream with this QuoteReqID(131): QuoteResponse(AJ) releases a hold');
  if (quoteId !== EVERY && !quoteId.startsWith(`${stream.name}.`))
    return refuse('HOLD_MISMATCH', 'QuoteID(117) is not of this stream: send that of its last quote');
  cancelStream(context, stream, route);
  return undefined;
}

async function cancelAll(context: FixContext, desk: Desk, { route }: QuoteCancel, caller: TokenCaller) {
  const { session, identity } = desk;
  const streams = [...context.quotes.all(session)];
  for (const stream of streams) cancelStream(context, stream, route);
  const released = await perform(context.services, 'releaseHolds', caller, { session: identity.compId });
  if (isRefusal(released)) return released;
  const { holds, stopped } = released;
  for (const hold of holds) sendHoldStatus(context, desk, { route }, { ...hold, status: 'released' });
  if (stopped || streams.length + holds.length > 0) return stopped;
  return refuse('HOLD_NOT_FOUND', 'This session has no stream of quotes and no open hold');
}

function rejectCancel(context: FixContext, desk: Desk, request: QuoteCancel, refusal: Refusal): void {
  const { route, requestId, quoteId } = request;
  const stream = requestId === undefined ? undefined : context.quotes.of(desk.session, requestId);
  noteRefusal(context, desk, 'AI', refusal);
  desk.session.send('AI', [
    ...route,
    ...(requestId === undefined ? [] : [[Tag.QuoteReqID, requestId] as const]),
    [Tag.QuoteID, quoteId],
    [Tag.Symbol, stream?.terms.pair.symbol ?? NO_SYMBOL],
    [Tag.QuoteStatus, FIX_REASONS[refusal.refusal].quoteStatus],
    [Tag.Text, refusal.text],
    [Tag.ErrorCode, refusal.refusal],
  ]);
}
