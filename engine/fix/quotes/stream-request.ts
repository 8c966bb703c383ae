import { formatUtcTimestamp } from 'node-quickfix-ts';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import type { TokenCaller } from '../../service/core/caller.js';
import { perform } from '../../service/perform.js';
import { dealingTime } from '../../service/prices/index.js';
import type { FixContext } from '../context.js';
import type { Desk, Route } from '../desk.js';
import { QUOTE_STATUS } from '../refusals.js';
import { rejectQuoteRequest } from '../rejects.js';
import { LIMITS } from '../settings.js';
import { type QuoteStream, quoteIdOf } from './open-stream.js';
import type { QuoteRequest, QuoteTerms } from './quote-terms.js';

/**
 * Begins a stream of quotes, for an hour where the request names no end or a later one. Checks what a hold would be refused for, in the same
 * order: then DUPLICATE_QUOTEREQID, and SUBSCRIPTION_LIMIT in the place of HOLD_LIMIT.
 */
export async function openStream(
  context: FixContext,
  desk: Desk,
  { id, route, validUntilMs: wantedMs }: QuoteRequest,
  terms: QuoteTerms,
  caller: TokenCaller,
): Promise<Refusal | undefined> {
  const { services, quotes } = context;
  const { session, identity } = desk;
  const nowMs = dealingTime(services);
  const lastMs = nowMs + LIMITS.quoteStreamMs;
  const validUntilMs = Number.isNaN(wantedMs) ? lastMs : Math.min(wantedMs, lastMs);
  const side = (terms.bid ?? terms.offer)!;
  // A quote is not held: nothing is added to its margin.
  const holdUntilMs = Math.min(validUntilMs, nowMs + LIMITS.holdMs);
  const twoWay = terms.bid !== undefined && terms.offer !== undefined;
  const offered = await perform(services, 'getLockableRate', caller, { ...side, holdUntilMs, twoWay });
  if (isRefusal(offered)) return offered;
  const held = await perform(services, 'readHold', caller, { session: identity.compId, quoteRequestId: id });
  if (!isRefusal(held) || quotes.of(session, id)) return refuse('DUPLICATE_QUOTEREQID');
  if (held.refusal !== 'HOLD_NOT_FOUND') return held;
  if (quotes.all(session).length >= LIMITS.quoteStreams)
    return refuse('SUBSCRIPTION_LIMIT', `Above ${LIMITS.quoteStreams} open streams of quotes: end one first`);
  if (quotes.count >= LIMITS.quoteStreamsOfEngine)
    return refuse('SUBSCRIPTION_LIMIT', 'This engine has no room for a further stream of quotes: try again later');
  if (!session.loggedOn) return undefined;

  const { clientId, tokenHash, keyId, expiresAtMs } = caller;
  const { sellMinor, buyMinor } = offered.conversion!;
  const minor = side.sellAmount === undefined ? buyMinor : sellMinor;
  const stream = quotes.open({ desk, id, route, clientId, terms, minor, validUntilMs });
  const end = (refusal: Refusal): void => {
    quotes.end(stream);
    reportStreamEnd(context, stream, refusal);
  };
  desk.streams.set(streamKey(id), { tokenHash, keyId, expiresAtMs, route, end });
  return undefined;
}

const streamKey = (id: string): string => `${Tag.QuoteReqID}=${id}`;

/** A stream has ended from our side: QuoteStatusReport(AI) at its ValidUntilTime(62), QuoteRequestReject(AG) for another reason. */
export function reportStreamEnd(context: FixContext, stream: QuoteStream, why: 'expired' | Refusal): void {
  const { desk, id, route, terms } = stream;
  desk.streams.delete(streamKey(id));
  if (why === 'expired') sendStreamStatus(stream, route, QUOTE_STATUS.expired);
  else rejectQuoteRequest(context, desk, { id, route, symbol: terms.pair.symbol }, why);
}

/** The desk ends a stream; QuoteStatusReport(AI) is the answer, with the routing of its request. */
export function cancelStream({ quotes }: FixContext, stream: QuoteStream, route: Route): void {
  quotes.end(stream);
  stream.desk.streams.delete(streamKey(stream.id));
  sendStreamStatus(stream, route, QUOTE_STATUS.removed);
}

function sendStreamStatus(stream: QuoteStream, route: Route, status: number): void {
  const { desk, id, terms, validUntilMs } = stream;
  desk.session.send('AI', [
    ...route,
    [Tag.QuoteReqID, id],
    [Tag.QuoteID, quoteIdOf(stream)],
    [Tag.Symbol, terms.pair.symbol],
    [Tag.ValidUntilTime, formatUtcTimestamp(validUntilMs)],
    [Tag.QuoteStatus, status],
  ]);
}
