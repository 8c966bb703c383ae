import type { MessageView } from 'node-quickfix-ts';
import { DEFAULT_BOOK_FX_TYPE, isBookFxType } from '../../domain/book-fx-type.js';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.js';
import type { TokenCaller } from '../../service/core/caller.js';
import { missingRight } from '../../service/core/perform.js';
import type { Desk } from '../desk.js';
import { callerOf } from '../desk-caller.js';
import { type Door, inOrder } from '../door.js';
import { SESSION_REASON } from '../refusals.js';
import { rejectMarketData } from '../rejects.js';
import { breach } from '../session/throttles.js';
import { LIMITS } from '../settings.js';
import { BOOK_FX_TYPE } from '../tags.js';
import {
  badForm,
  badValueDate,
  type MarketDataRequest,
  notOffered,
  pairsOf,
  readMarketDataRequest,
} from './market-data-checks.js';

/** Required besides 262 and 263, but not to end a stream: MarketDepth(264), NoMDEntryTypes(267), NoRelatedSym(146). */
const REQUIRED_TO_BEGIN = [264, 267, 146];
const MD_REQ_ID = /^[\x20-\x7e]{1,32}$/;

/** Begins or ends a stream of prices. */
export function takeMarketDataRequest(door: Door, desk: Desk, message: MessageView): void {
  const request = readMarketDataRequest(message);
  const bad = badField(message, request);
  if (bad) {
    desk.session.reject(message, bad.reason, bad.tag, bad.text);
    return;
  }
  const isEnd = request.subscriptionType === '2';
  inOrder(door, desk, () => (isEnd ? unsubscribe(door, desk, request) : subscribe(door, desk, request)));
}

/** What only a Reject(3) can say: the dictionary leaves it to us because a request that ends a stream needs 262 alone. */
function badField(message: MessageView, { mdReqId, subscriptionType }: MarketDataRequest) {
  if (!MD_REQ_ID.test(mdReqId)) {
    return { reason: SESSION_REASON.incorrectValue, tag: 262, text: 'Value is incorrect (out of range) for this tag' };
  }
  const tag = subscriptionType === '2' ? undefined : REQUIRED_TO_BEGIN.find((required) => !message.has(required));
  return tag === undefined
    ? undefined
    : { reason: SESSION_REASON.requiredTagMissing, tag, text: 'Required tag missing' };
}

/** The desk sends faster than it may. */
export function limitMarketDataRequest(door: Door, desk: Desk, message: MessageView): void {
  rejectMarketData(door, desk, readMarketDataRequest(message), refuse('RATE_LIMITED'));
}

function unsubscribe(door: Door, desk: Desk, request: MarketDataRequest): void {
  desk.streams.delete(request.mdReqId);
  if (door.publication.unsubscribe(desk.session, request.mdReqId)) return;
  rejectMarketData(door, desk, request, refuse('UNKNOWN_MDREQID'));
}

async function subscribe(door: Door, desk: Desk, request: MarketDataRequest): Promise<void> {
  // Sent again over a gap, and taken already.
  if (request.possDup && door.publication.has(desk.session, request.mdReqId)) return;
  const caller = await callerOf(door, desk, request.token);
  if (!desk.session.loggedOn) return;
  const refusal = isRefusal(caller) ? caller : begin(door, desk, request, caller);
  if (refusal) rejectMarketData(door, desk, request, refusal);
}

/** Checks in the documented order, then begins the stream. */
function begin(door: Door, desk: Desk, request: MarketDataRequest, caller: TokenCaller): Refusal | undefined {
  const { services, publication } = door;
  const { session, identity } = desk;
  const { mdReqId, valueDate, route } = request;
  const nowMs = services.now();
  const refusal = missingRight(caller, 'rates') ?? overPace(door, desk, nowMs);
  if (refusal) return refusal;
  if (publication.has(session, mdReqId)) return refuse('DUPLICATE_MDREQID');
  const pairs = badForm(request) ?? pairsOf(request);
  if (isRefusal(pairs)) return pairs;
  const type = request.type ?? DEFAULT_BOOK_FX_TYPE;
  if (!isBookFxType(type)) {
    return refuse('BAD_BOOKFX_TYPE', `BookFxType(${BOOK_FX_TYPE}) must be PREFUNDING, SCHEDULED1 or SCHEDULED2`);
  }
  const isOffered = (pair: (typeof pairs)[number]) =>
    services.pricing.marginPpm(caller.clientId, pair, type) !== undefined;
  const bad = notOffered(isOffered, pairs, type) ?? badValueDate(pairs, valueDate, nowMs);
  if (bad) return bad;
  if (publication.count(session) + pairs.length > LIMITS.subscriptions) {
    return refuse('SUBSCRIPTION_LIMIT', `Above ${LIMITS.subscriptions} open streams: end one first`);
  }

  const snapshotOnly = request.subscriptionType === '0';
  const { tokenHash, keyId, expiresAtMs } = caller;
  if (!snapshotOnly) desk.streams.set(mdReqId, { tokenHash, keyId, expiresAtMs, route });
  publication.subscribe(session, {
    mdReqId,
    clientId: caller.clientId,
    pairs,
    type,
    bid: request.entryTypes.includes('0'),
    offer: request.entryTypes.includes('1'),
    incremental: !snapshotOnly && request.updateType === '1',
    snapshotOnly,
    discloseMargin: identity.discloseMargin,
    discloseProviderRate: identity.discloseProviderRate,
    sourceTime: identity.sourceTime,
    ...(valueDate === undefined ? {} : { valueDate }),
  });
  return undefined;
}

function overPace(door: Door, desk: Desk, nowMs: number): Refusal | undefined {
  if (desk.requests.take(nowMs)) return undefined;
  breach(door, desk);
  return refuse('RATE_LIMITED', `Above ${LIMITS.requestsPerSecond} requests a second: wait, then send fewer`);
}
