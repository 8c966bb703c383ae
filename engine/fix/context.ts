import { isRefusal, type Refusal, type RefusalCode, refuse } from '../domain/core/refusal.js';
import * as Tag from '../domain/fix/tags.js';
import {
  type AuthenticationEvent,
  type AuthenticationEvents,
  outcomeOf,
} from '../service/access/authentication-events.js';
import { plainAddress, resolveToken, type TokenCaller } from '../service/core/caller.js';
import { nextRequestId } from '../service/core/ids.js';
import type { Services } from '../service/core/services.js';
import type { SessionAccess } from '../service/sessions/index.js';
import type { Desk } from './desk.js';
import type { OpenOrders } from './orders/orders.js';
import type { Publication } from './publication/publication.js';
import type { QuoteStreams } from './quotes/quote-streams.js';
import type { Outbox } from './session/outbox.js';
import type { LogonThrottle } from './session/throttles.js';
import type { FixGatewaySettings } from './settings.js';

/** What a desk's messages are processed with. */
export interface FixContext {
  readonly services: Services;
  readonly sessions: SessionAccess;
  readonly settings: FixGatewaySettings;
  readonly counters: FixCounters;
  readonly publication: Publication;
  readonly quotes: QuoteStreams;
  readonly events: AuthenticationEvents;
  readonly throttle: LogonThrottle;
  readonly orders: OpenOrders;
  readonly outbox: Outbox;
}

/** Counts and logs a refusal: code and CompID, nothing of the message. */
export function noteRefusal(context: FixContext, desk: Desk, msgType: string, { refusal }: Refusal): void {
  countUp(context.counters.refusals, refusal);
  context.services.log.info({ compId: desk.identity.compId, msgType, code: refusal }, 'refused');
  if (OF_AUTHENTICATION.has(refusal)) noteAuthentication(context, desk, { outcome: outcomeOf(refusal), code: refusal });
}

const OF_AUTHENTICATION: ReadonlySet<RefusalCode> = new Set(['BAD_CREDENTIALS', 'KEY_LOCKED', 'NOT_ENTITLED']);

/** Counts and logs an event of a desk that is logged on. */
export function noteAuthentication(
  { events }: FixContext,
  { identity, session }: Desk,
  event: Pick<AuthenticationEvent, 'outcome' | 'code' | 'tokens'>,
): void {
  const { compId, clientKey, caller } = identity;
  const address = plainAddress(session.remoteAddress);
  const of = {
    door: 'fix',
    compId,
    clientKey,
    clientId: caller.clientId,
    address,
    requestId: nextRequestId(),
  } as const;
  void events.note({ ...of, ...event });
}

/** Runs work that waits for the store, in the order of the desk's messages. */
export function inOrder(
  context: FixContext,
  desk: Desk,
  work: () => Promise<void> | void,
  done: 'while logged on' | 'logged on or not' = 'while logged on',
): void {
  const taken = desk.inOrder(work, (error) => faultOf(context, desk, error), done);
  if (!taken) desk.session.logout('STORE_UNAVAILABLE: too much waits for the store; log on again in 10 seconds');
}

/** A bug: the desk is logged out and may log on again; other sessions continue. */
export function faultOf({ services }: FixContext, desk: Desk, error: unknown): void {
  const fault = error instanceof Error ? error.message : String(error);
  services.log.error({ compId: desk.identity.compId, fault }, 'a fault while answering a desk');
  desk.session.logout('INTERNAL_ERROR: a fault on our side; log on again');
}

/**
 * The caller, by the AuthToken(20001) of the request; where that is configured, the session's token replaces an absent one. Refuses
 * with TOKEN_REQUIRED, TOKEN_INVALID, TOKEN_EXPIRED, TOKEN_REVOKED, TOKEN_CLIENT_MISMATCH, NOT_ENTITLED, STORE_UNAVAILABLE.
 */
export async function callerOf(
  context: FixContext,
  desk: Desk,
  sent: string | undefined,
): Promise<TokenCaller | Refusal> {
  const bySession = context.settings.tokenOnRequest === 'session';
  const token = sent ?? (bySession ? desk.token?.text : undefined);
  if (token === undefined) {
    if (bySession && desk.tokenEnd) return refuse(desk.tokenEnd);
    return refuse('TOKEN_REQUIRED', `Token required: tag ${Tag.AuthToken} missing`);
  }
  const caller = await resolveToken(context.services, token, plainAddress(desk.session.remoteAddress));
  if (isRefusal(caller)) return failed(context, desk, caller);
  return caller.clientId === desk.identity.caller.clientId
    ? caller
    : failed(context, desk, refuse('TOKEN_CLIENT_MISMATCH'));
}

/** NOT_ENTITLED is recorded with the answer; STORE_UNAVAILABLE is no failed authentication. */
function failed(context: FixContext, desk: Desk, refusal: Refusal): Refusal {
  const { refusal: code } = refusal;
  if (code.startsWith('TOKEN_')) noteAuthentication(context, desk, { outcome: 'failed', code });
  return refusal;
}

/** Counters of the gateway: plain numbers, read at scrape. Labels come from closed lists, never from the wire. */
export interface FixCounters {
  /** Sessions logged on now. */
  sessions: number;
  logons: number;
  logouts: number;
  /** By MsgType(35). */
  readonly received: Map<string, number>;
  readonly sent: Map<string, number>;
  /** Refusals by ErrorCode(20011), failed logons among them. */
  readonly refusals: Map<RefusalCode, number>;
  /** Events of the session layer by kind: rejected, resend-requested, store-failed ... */
  readonly events: Map<string, number>;
  garbled: number;
  logonFailures: number;
  throttled: number;
  slowConsumers: number;
  /** DontKnowTrade(Q) of executions of ours. */
  dontKnowTrades: number;
}

export function createFixCounters(): FixCounters {
  return {
    sessions: 0,
    logons: 0,
    logouts: 0,
    received: new Map(),
    sent: new Map(),
    refusals: new Map(),
    events: new Map(),
    garbled: 0,
    logonFailures: 0,
    throttled: 0,
    slowConsumers: 0,
    dontKnowTrades: 0,
  };
}

export function countUp<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
