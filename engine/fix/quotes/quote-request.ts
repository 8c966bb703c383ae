import type { Field, MessageView } from 'node-quickfix-ts';
import type { Hold, HoldStatus } from '../../domain/conversions/booking.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import type { TokenCaller } from '../../service/core/caller.js';
import { newId } from '../../service/core/ids.js';
import { mayPerform, perform } from '../../service/perform.js';
import type { LockableRate } from '../../service/prices/get-lockable-rate.js';
import { dealingTime } from '../../service/prices/index.js';
import { callerOf, type FixContext, inOrder } from '../context.js';
import type { Desk } from '../desk.js';
import { isReject } from '../fields.js';
import { BUSINESS_REASON } from '../refusals.js';
import { businessReject, rejectQuoteRequest, sendReject } from '../rejects.js';
import { throttleViolation } from '../session/throttles.js';
import { LIMITS } from '../settings.js';
import { holdFields, quoteFields } from './quote.js';
import { sendHoldStatus } from './quote-status.js';
import {
  parseQuoteRequest,
  type QuoteRequest,
  type QuoteTerms,
  quoteTerms,
  type RateRequest,
  readQuoteRequest,
  toQuoteReject,
} from './quote-terms.js';
import { openStream } from './stream-request.js';

/** QuoteRequest(R): an indicative rate, one that is held, or a stream of quotes. */
export function handleQuoteRequest(context: FixContext, desk: Desk, message: MessageView): void {
  const request = parseQuoteRequest(message);
  if (isReject(request)) {
    sendReject(context, desk, message, request);
    return;
  }
  // Streams end with their session.
  if (request.isStream && desk.isFromEarlierSession(message)) return;
  const counts = !desk.hasWaited(message, context.services.now());
  if (counts && desk.quoteRequests >= LIMITS.openQuoteRequests) {
    const text = `Above ${LIMITS.openQuoteRequests} requests without an answer: wait for one`;
    rejectQuoteRequest(context, desk, request, refuse('RATE_LIMITED', text));
    throttleViolation(context, desk);
    return;
  }
  if (counts) desk.quoteRequests++;
  const kept = message.copy();
  inOrder(context, desk, () =>
    answer(context, desk, request, kept).finally(() => {
      if (counts) desk.quoteRequests--;
    }),
  );
}

/** The desk exceeds its message rate. */
export function rejectThrottledQuoteRequest(context: FixContext, desk: Desk, message: MessageView): void {
  rejectQuoteRequest(context, desk, readQuoteRequest(message), refuse('RATE_LIMITED'));
}

async function answer(context: FixContext, desk: Desk, request: QuoteRequest, message: MessageView): Promise<void> {
  const { services } = context;
  const caller = await callerOf(context, desk, request.token);
  if (!desk.session.loggedOn) return;
  if (isRefusal(caller)) return rejectQuoteRequest(context, desk, request, caller);
  const isFirm = request.quoteType !== '0';
  const missing = mayPerform('getLockableRate', caller) ?? (isFirm ? mayPerform('lockRate', caller) : undefined);
  if (missing) return businessReject(context, desk, message, BUSINESS_REASON.notAuthorized, missing);

  if (request.isStream) {
    // Sent again, and taken already.
    if (request.isAgain && context.quotes.of(desk.session, request.id)) return;
  } else if (isFirm && request.isAgain) {
    const before = await perform(services, 'readHold', caller, {
      session: desk.identity.compId,
      quoteRequestId: request.id,
    });
    if (!isRefusal(before)) return sendHold(context, desk, request, before.hold);
    if (before.refusal !== 'HOLD_NOT_FOUND') return rejectQuoteRequest(context, desk, request, before);
  }
  const terms = quoteTerms(request, dealingTime(services));
  if (isRefusal(terms)) return rejectQuoteRequest(context, desk, request, terms);
  const quoteAs = request.isStream ? openStream : isFirm ? hold : show;
  const refusal = await quoteAs(context, desk, request, terms, caller);
  if (refusal) rejectQuoteRequest(context, desk, request, toQuoteReject(refusal));
}

/** Tradeable: the hold, of one side or of both, is stored before it is sent. */
async function hold(context: FixContext, desk: Desk, request: QuoteRequest, terms: QuoteTerms, caller: TokenCaller) {
  const { services } = context;
  const twoWay = terms.bid !== undefined && terms.offer !== undefined;
  const offered = await perform(services, 'getLockableRate', caller, { ...(terms.bid ?? terms.offer), twoWay });
  if (isRefusal(offered)) return offered;
  if (context.quotes.of(desk.session, request.id)) return refuse('DUPLICATE_QUOTEREQID', OF_A_STREAM);
  const lock = (rateSignature: unknown) =>
    perform(services, 'lockRate', caller, {
      rateSignature,
      session: desk.identity.compId,
      quoteRequestId: request.id,
    });
  let held = await lock(offered.rateSignature);
  // The desk has seen no price yet: where the market moves meanwhile, the new one is held.
  for (let moves = 0; moves < MOVES_MAX && isRefusal(held) && held.details?.rateSignature; moves++)
    held = await lock(held.details.rateSignature);
  if (isRefusal(held)) return held.details?.rateSignature ? refuse('RATE_UNAVAILABLE', TOO_FAST) : held;
  sendHold(context, desk, request, held.hold);
  return undefined;
}

/** How often the market may move between the price of a hold and its lock. */
const MOVES_MAX = 3;
const TOO_FAST = 'The rate moves faster than it can be held: try again in a few seconds';

const OF_A_STREAM = 'This QuoteReqID(131) has a live stream: use a new one';

/** An open hold is sent as a Quote(S), another as its QuoteStatusReport(AI): a price that is no longer firm is not quoted. */
function sendHold(
  context: FixContext,
  desk: Desk,
  request: QuoteRequest,
  held: Hold & { readonly status: HoldStatus },
): void {
  if (held.status === 'open') {
    desk.rememberRoute(held.id, request.route);
    sendQuote(desk, request, holdFields(held));
  } else sendHoldStatus(context, desk, { route: request.route }, held);
}

/** Indicative: nothing is held or stored. */
async function show(context: FixContext, desk: Desk, request: QuoteRequest, terms: QuoteTerms, caller: TokenCaller) {
  // As a hold of it would have it.
  const twoWay = terms.bid !== undefined && terms.offer !== undefined;
  const rateOf = async (request: RateRequest | undefined): Promise<LockableRate | Refusal | undefined> =>
    request && perform(context.services, 'getLockableRate', caller, { ...request, twoWay });
  const bid = await rateOf(terms.bid);
  if (isRefusal(bid)) return bid;
  const offer = await rateOf(terms.offer);
  if (isRefusal(offer)) return offer;
  const shown = (bid ?? offer)!;
  const atMs = dealingTime(context.services);
  const fields = quoteFields({
    quoteId: newId('IND', atMs),
    isFirm: false,
    pair: terms.pair,
    quantity: String(terms.quantity),
    currency: terms.currency,
    bid: bid?.rate,
    offer: offer?.rate,
    amounts: bid && offer ? undefined : shown.conversion,
    validUntilMs: shown.holdUntilMs,
    atMs,
  });
  sendQuote(desk, request, fields);
  return undefined;
}

function sendQuote(desk: Desk, { route, id }: QuoteRequest, fields: readonly Field[]): void {
  desk.session.send('S', [...route, [Tag.QuoteReqID, id], ...fields]);
}
