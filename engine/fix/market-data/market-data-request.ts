import type { MessageView } from 'node-quickfix-ts';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import { DEFAULT_BOOK_FX_TYPE } from '../../domain/money/value-date.js';
import type { TokenCaller } from '../../service/core/caller.js';
import { missingRight } from '../../service/perform.js';
import { callerOf, type FixContext, inOrder } from '../context.js';
import type { Desk } from '../desk.js';
import { bookFxTypeOf, isReject } from '../fields.js';
import { endStream, rejectMarketData, sendReject } from '../rejects.js';
import { throttleViolation } from '../session/throttles.js';
import { LIMITS } from '../settings.js';
import {
  badForm,
  badValueDate,
  type MarketDataRequest,
  notOffered,
  pairsOf,
  parseMarketDataRequest,
  readMarketDataRequest,
} from './market-data-checks.js';

/** Begins or ends a stream of prices. */
export function handleMarketDataRequest(context: FixContext, desk: Desk, message: MessageView): void {
  const request = parseMarketDataRequest(message);
  if (isReject(request)) {
    sendReject(context, desk, message, request);
    return;
  }
  const isEnd = request.subscriptionType === '2';
  inOrder(context, desk, () => (isEnd ? unsubscribe(context, desk, request) : subscribe(context, desk, request)));
}

/** The desk exceeds its message rate. */
export function rejectThrottledMarketDataRequest(context: FixContext, desk: Desk, message: MessageView): void {
  rejectMarketData(context, desk, readMarketDataRequest(message), refuse('RATE_LIMITED'));
}

function unsubscribe(context: FixContext, desk: Desk, request: MarketDataRequest): void {
  desk.streams.delete(`${Tag.MDReqID}=${request.mdReqId}`);
  if (context.publication.unsubscribe(desk.session, request.mdReqId)) return;
  rejectMarketData(context, desk, request, refuse('UNKNOWN_MDREQID'));
}

async function subscribe(context: FixContext, desk: Desk, request: MarketDataRequest): Promise<void> {
  // Sent again over a gap, and taken already.
  if (request.possDup && context.publication.has(desk.session, request.mdReqId)) return;
  const caller = await callerOf(context, desk, request.token);
  if (!desk.session.loggedOn) return;
  const refusal = isRefusal(caller) ? caller : begin(context, desk, request, caller);
  if (refusal) rejectMarketData(context, desk, request, refusal);
}

/** Checks in the documented order, then begins the stream. */
function begin(context: FixContext, desk: Desk, request: MarketDataRequest, caller: TokenCaller): Refusal | undefined {
  const { services, publication } = context;
  const { session, identity } = desk;
  const { mdReqId, valueDate, route } = request;
  const nowMs = services.now();
  const refusal = missingRight(caller, 'rates') ?? overRate(context, desk, nowMs);
  if (refusal) return refusal;
  if (publication.has(session, mdReqId)) return refuse('DUPLICATE_MDREQID');
  const pairs = badForm(request) ?? pairsOf(request);
  if (isRefusal(pairs)) return pairs;
  const type = bookFxTypeOf(request.type ?? DEFAULT_BOOK_FX_TYPE);
  if (isRefusal(type)) return type;
  const isOffered = (pair: (typeof pairs)[number]) =>
    services.pricing.marginPpm(caller.clientId, pair, type) !== undefined;
  const bad = notOffered(isOffered, pairs, type) ?? badValueDate(pairs, valueDate, nowMs);
  if (bad) return bad;
  if (publication.count(session) + pairs.length > LIMITS.subscriptions) {
    return refuse('SUBSCRIPTION_LIMIT', `Above ${LIMITS.subscriptions} open streams: end one first`);
  }

  const snapshotOnly = request.subscriptionType === '0';
  const { tokenHash, keyId, expiresAtMs } = caller;
  if (!snapshotOnly) {
    const end = (refusal: Refusal): void => endStream(context, desk, mdReqId, refusal);
    desk.streams.set(`${Tag.MDReqID}=${mdReqId}`, { tokenHash, keyId, expiresAtMs, route, end });
  }
  publication.subscribe(session, {
    mdReqId,
    clientId: caller.clientId,
    pairs,
    type,
    bid: request.entryTypes.includes('0'),
    offer: request.entryTypes.includes('1'),
    isLadder: identity.ladder && request.depth === 0,
    incremental: !snapshotOnly && request.updateType === '1',
    snapshotOnly,
    discloseMargin: identity.discloseMargin,
    discloseProviderRate: identity.discloseProviderRate,
    sourceTime: identity.sourceTime,
    ...(valueDate === undefined ? {} : { valueDate }),
  });
  return undefined;
}

function overRate(context: FixContext, desk: Desk, nowMs: number): Refusal | undefined {
  if (desk.requests.take(nowMs)) return undefined;
  throttleViolation(context, desk);
  return refuse('RATE_LIMITED', `Above ${LIMITS.requestsPerSecond} requests a second: wait, then send fewer`);
}
