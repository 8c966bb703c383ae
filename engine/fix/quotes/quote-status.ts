import { type Field, formatUtcTimestamp, type MessageView, reverseRoute } from 'node-quickfix-ts';
import type { Hold, HoldStatus, WithdrawnFor } from '../../domain/conversions/booking.js';
import { isRefusal, type Refusal, type RefusalCode, refuse } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import type { TokenCaller } from '../../service/core/caller.js';
import { mayPerform, perform } from '../../service/perform.js';
import { callerOf, type FixContext, inOrder, noteRefusal } from '../context.js';
import type { Desk, Route } from '../desk.js';
import { isReject, type Reject, requiredTagMissing } from '../fields.js';
import { BUSINESS_REASON, FIX_REASONS, QUOTE_STATUS } from '../refusals.js';
import { businessReject, sendReject } from '../rejects.js';

type HeldRate = Hold & { readonly status: HoldStatus; readonly withdrawnFor?: WithdrawnFor | undefined };

/** A QuoteResponse(AJ) or a QuoteStatusRequest(a), copied out of its message. */
interface HoldRequest {
  readonly route: Route;
  /** QuoteStatusReqID(649). */
  readonly statusRequestId?: string | undefined;
  /** QuoteRespID(693). */
  readonly responseId?: string | undefined;
  readonly quoteId: string;
  readonly symbol: string;
  readonly token: string | undefined;
}

/** The status of a hold, in QuoteStatus(297), and the code of its end. */
const QUOTE_STATUS_OF: Record<
  HoldStatus,
  { readonly status: number; readonly code?: RefusalCode; readonly text?: string }
> = {
  open: { status: QUOTE_STATUS.accepted },
  reserved: {
    status: QUOTE_STATUS.rejected,
    code: 'HOLD_USED',
    text: 'A payment that awaits its funds has reserved the hold: cancel the payment to use it otherwise',
  },
  used: { status: QUOTE_STATUS.rejected, code: 'HOLD_USED' },
  released: { status: QUOTE_STATUS.removed },
  withdrawn: {
    status: QUOTE_STATUS.cancelledAll,
    // MARKET_CLOSED where the market has closed.
    code: 'TRADING_HALTED',
    text: 'Withdrawn by us: the pair or your company is halted, or an operator has ended the hold',
  },
  expired: { status: QUOTE_STATUS.expired, code: 'HOLD_EXPIRED' },
};

function statusOf({ status, withdrawnFor }: HeldRate): (typeof QUOTE_STATUS_OF)[HoldStatus] {
  const isClosed = status === 'withdrawn' && withdrawnFor === 'MARKET_CLOSED';
  const text = 'Withdrawn by us: the market has closed';
  return isClosed ? { ...QUOTE_STATUS_OF.withdrawn, code: withdrawnFor, text } : QUOTE_STATUS_OF[status];
}

/** Not required by the dictionary: QuoteID(117), Symbol(55). */
const REQUIRED = [Tag.QuoteID, Tag.Symbol];
const PASS = '6';

/** QuoteResponse(AJ): releases a held rate. */
export function handleQuoteResponse(context: FixContext, desk: Desk, message: MessageView): void {
  const text = 'QuoteRespType(694) must be 6: to book, use NewOrderSingle 40=D';
  const bad = message.string(Tag.QuoteRespType) === PASS ? undefined : refuse('VALIDATION_FAILED', text);
  ask(context, desk, message, bad, async (held, caller) => {
    if (held.status !== 'open') return held;
    const released = await perform(context.services, 'releaseHold', caller, {
      holdId: held.id,
      session: desk.identity.compId,
    });
    return isRefusal(released) ? released : { ...held, status: 'released' };
  });
}

/** QuoteStatusRequest(a): the status of a held rate. */
export function handleQuoteStatusRequest(context: FixContext, desk: Desk, message: MessageView): void {
  const text = 'SubscriptionRequestType(263) must be 0 or absent';
  const isOnce = (message.string(Tag.SubscriptionRequestType) ?? '0') === '0';
  const bad = isOnce ? undefined : refuse('UNSUPPORTED_SUBSCRIPTION_TYPE', text);
  ask(context, desk, message, bad, async (held) => held);
}

/** The desk exceeds its message rate. */
export function rejectThrottledHoldRequest(context: FixContext, desk: Desk, message: MessageView): void {
  const request = parseHoldRequest(message);
  if (isReject(request)) sendReject(context, desk, message, request);
  else rejectHoldRequest(context, desk, request, refuse('RATE_LIMITED'));
}

/** Checks token, right and form, reads the hold, then applies `act` to it. */
function ask(
  context: FixContext,
  desk: Desk,
  message: MessageView,
  bad: Refusal | undefined,
  act: (held: HeldRate, caller: TokenCaller) => Promise<HeldRate | Refusal>,
): void {
  const request = parseHoldRequest(message);
  if (isReject(request)) {
    sendReject(context, desk, message, request);
    return;
  }
  const kept = message.copy();
  const operation = message.msgType === 'AJ' ? 'releaseHold' : 'readHold';
  inOrder(context, desk, async () => {
    const caller = await callerOf(context, desk, request.token);
    if (!desk.session.loggedOn) return;
    if (isRefusal(caller)) return rejectHoldRequest(context, desk, request, caller);
    const missing = mayPerform(operation, caller);
    if (missing) return businessReject(context, desk, kept, BUSINESS_REASON.notAuthorized, missing);
    const held = bad ?? (await heldRate(context, request, caller));
    const outcome = isRefusal(held) ? held : await act(held, caller);
    if (isRefusal(outcome)) rejectHoldRequest(context, desk, request, outcome);
    else sendHoldStatus(context, desk, request, outcome);
  });
}

async function heldRate(context: FixContext, request: HoldRequest, caller: TokenCaller): Promise<HeldRate | Refusal> {
  const read = await perform(context.services, 'readHold', caller, { holdId: request.quoteId });
  if (isRefusal(read)) return read;
  const { pair } = read.hold;
  return pair === request.symbol
    ? read.hold
    : refuse('HOLD_MISMATCH', `The hold is one of ${pair}: send that Symbol(55)`);
}

/** Unsolicited QuoteStatusReport(AI) of a hold that has expired or was withdrawn. */
export function renderHoldExpired(desk: Desk, held: HeldRate): { msgType: 'AI'; fields: Field[] } {
  const { status, code } = statusOf({ ...held, status: held.status === 'withdrawn' ? 'withdrawn' : 'expired' });
  const fields: Field[] = [...desk.routeOf(held.id), ...holdHead({}, held), [Tag.QuoteStatus, status]];
  if (code) fields.push([Tag.ErrorCode, code]);
  return { msgType: 'AI', fields };
}

/** QuoteStatusReport(AI) as an answer. */
export function sendHoldStatus(
  context: FixContext,
  desk: Desk,
  request: Partial<HoldRequest> & Pick<HoldRequest, 'route'>,
  held: HeldRate,
): void {
  const { status, code, text } = statusOf(held);
  const fields: Field[] = [...request.route, ...holdHead(request, held), [Tag.QuoteStatus, status]];
  if (code) {
    const refusal = refuse(code, text);
    noteRefusal(context, desk, 'AI', refusal);
    fields.push([Tag.Text, refusal.text], [Tag.ErrorCode, code]);
  }
  desk.session.send('AI', fields);
}

function holdHead(request: Partial<HoldRequest>, held: Hold): Field[] {
  const { quoteRequestId, id, pair, expiryMs } = held;
  return [
    ...idsOf(request, id, quoteRequestId),
    [Tag.Symbol, pair],
    [Tag.ValidUntilTime, formatUtcTimestamp(expiryMs)],
  ];
}

function idsOf(
  { statusRequestId, responseId }: Partial<HoldRequest>,
  quoteId: string,
  quoteRequestId?: string,
): Field[] {
  const fields: Field[] = [];
  if (statusRequestId !== undefined) fields.push([Tag.QuoteStatusReqID, statusRequestId]);
  if (quoteRequestId !== undefined) fields.push([Tag.QuoteReqID, quoteRequestId]);
  fields.push([Tag.QuoteID, quoteId]);
  if (responseId !== undefined) fields.push([Tag.QuoteRespID, responseId]);
  return fields;
}

function rejectHoldRequest(context: FixContext, desk: Desk, request: HoldRequest, refusal: Refusal): void {
  noteRefusal(context, desk, 'AI', refusal);
  desk.session.send('AI', [
    ...request.route,
    ...idsOf(request, request.quoteId),
    [Tag.Symbol, request.symbol.slice(0, 20)],
    [Tag.QuoteStatus, FIX_REASONS[refusal.refusal].quoteStatus],
    [Tag.Text, refusal.text],
    [Tag.ErrorCode, refusal.refusal],
  ]);
}

function parseHoldRequest(message: MessageView): HoldRequest | Reject {
  const missing = REQUIRED.find((tag) => !message.has(tag));
  if (missing !== undefined) return requiredTagMissing(missing);
  return {
    route: reverseRoute(message),
    statusRequestId: message.string(Tag.QuoteStatusReqID),
    responseId: message.string(Tag.QuoteRespID),
    quoteId: message.string(Tag.QuoteID) ?? '',
    symbol: message.string(Tag.Symbol) ?? '',
    token: message.string(Tag.AuthToken),
  };
}
