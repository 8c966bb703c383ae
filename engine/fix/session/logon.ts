import {
  formatUtcTimestamp,
  type LogonAttempt,
  type LogonDecision,
  reverseRoute,
  type SessionProfile,
} from 'node-quickfix-ts';
import { ENGINE_COMP_ID } from '../../domain/core/ids.js';
import { isRefusal, type Refusal, type RefusalCode, refuse } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import { outcomeOf } from '../../service/access/authentication-events.js';
import { isAllowed, plainAddress } from '../../service/core/caller.js';
import { nextRequestId } from '../../service/core/ids.js';
import { storeAnswer } from '../../service/core/operation.js';
import { perform } from '../../service/perform.js';
import { InFlightMessages } from '../../service/sessions/index.js';
import { countUp, type FixContext } from '../context.js';
import type { DeskIdentity } from '../desk.js';

/** One text for a CompID that is not assigned, an unknown key, a wrong secret, a locked pair of key and address, and a disabled client. */
const FAILED = 'Authentication failed';
const CLOSE_AFTER_MS = 1_000;
/** For desks that should reconnect by themselves too: some count a Logout(5) as a message of their session. */
const SILENT: LogonDecision = { accept: false, silent: true };
/** UserRequestID(923) of reports on the token that the Logon(A) was answered with. */
const LOGON_REQUEST_ID = 'LOGON';
/** No client has this id: the secret is verified all the same, and no token is issued. */
const NO_CLIENT = '';

/**
 * Authenticates a Logon(A): address first, then key and secret, then the CompID's client. No session is touched before. A CompID that is
 * not assigned, or not allowed from this address, costs the same work as an assigned one and is answered as a wrong secret; the limits of
 * a CompID are shown only to an authenticated desk.
 */
export async function decideLogon(
  context: FixContext,
  profile: SessionProfile,
  isLive: (compId: string, secure: boolean) => boolean,
  { id, logon, remoteAddress, secure, certificateNames }: LogonAttempt,
): Promise<LogonDecision> {
  const { services, sessions, throttle, settings } = context;
  const compId = id.targetCompId;
  const address = plainAddress(remoteAddress);
  // Copied now: the message is not valid after an await.
  const clientKey = logon.string(Tag.Username) ?? '';
  const clientSecret = logon.string(Tag.Password) ?? '';
  const route = reverseRoute(logon);
  const attempt: Attempt = { compId, address, clientKey, requestId: nextRequestId() };
  // Its new connections are refused; this one was open already.
  if (throttle.isClosed(address, services.now())) return SILENT;
  if (id.senderCompId !== ENGINE_COMP_ID) return refused(context, attempt, 'NOT_FOUND', SILENT);
  // A certificate of one desk with the secret of another authenticates neither.
  if (settings.tls?.mutual && secure && !certificateNames?.includes(compId)) {
    return refused(context, attempt, 'NOT_ENTITLED', FAILED);
  }
  const [desk, isClosed] = await Promise.all([
    storeAnswer(services, () => sessions.compId(compId)),
    storeAnswer(services, () => throttle.isClosedAnywhere(address, services.now())),
  ]);
  if (isRefusal(desk) || isRefusal(isClosed)) return storeAway(context, attempt);
  // By failed logons at other gateways.
  if (isClosed) return SILENT;
  const isFromHere = desk !== undefined && isAllowed(desk.addresses, address);
  let limited: Refusal | undefined;
  const admit = () => {
    limited = limitOf(context, compId);
    return limited;
  };
  const issued = await perform(services, 'authenticate', undefined, {
    clientKey,
    clientSecret,
    address,
    clientId: isFromHere ? desk.clientId : NO_CLIENT,
    admit,
  });
  if (isRefusal(issued)) {
    const { refusal, text } = issued;
    if (refusal === 'STORE_UNAVAILABLE') return storeAway(context, attempt);
    if (issued === limited) return logout(context, attempt, refusal, text);
    if (refusal === 'RATE_LIMITED') return logout(context, attempt, refusal, `RATE_LIMITED: ${text}`);
    const code = desk === undefined ? 'NOT_FOUND' : isFromHere ? refusal : 'NOT_ENTITLED';
    return refused(context, attempt, code, FAILED);
  }
  const client = await storeAnswer(services, () => sessions.client(issued.clientId));
  if (isRefusal(client)) return storeAway(context, attempt);
  if (desk === undefined || client === undefined) return refused(context, attempt, 'UNKNOWN_CLIENT', FAILED);

  throttle.takeToken(compId, services.now());
  await context.events.note({ ...attempt, door: 'fix', outcome: 'succeeded', clientId: issued.clientId });

  // The acceptor keeps one session for each CompID; over the other one, with or without TLS, only we can see it.
  if (isLive(compId, !secure)) return SILENT;
  const { token, tokenHash, expiresAtMs, clientId, keyId, rights } = issued;
  const identity: DeskIdentity = {
    compId,
    secure,
    clientKey,
    caller: { clientId, keyId, rights: new Set(rights) },
    token: { text: token, hash: tokenHash, expiresAtMs, request: { id: LOGON_REQUEST_ID, route } },
    shard: client.shard,
    sourceTime: desk.sourceTime,
    ladder: desk.depth === 'ladder',
    discloseMargin: desk.discloseMargin,
    discloseProviderRate: desk.discloseProviderRate,
    priceShown: !desk.disclosePrice ? 'nothing' : context.services.settings.disclosesProviders ? 'providers' : 'price',
    inFlight: new InFlightMessages(),
  };
  const reply = [
    [Tag.AuthToken, token],
    [Tag.AuthTokenExpireTime, formatUtcTimestamp(expiresAtMs)],
  ] as const;
  return { accept: true, profile, reply, context: identity };
}

/** The limit that keeps an authenticated desk from logging on now. */
function limitOf({ services, throttle, settings }: FixContext, compId: string): Refusal | undefined {
  const now = services.now();
  if (throttle.isBlocked(compId, now)) {
    return refuse('RATE_LIMITED', 'RATE_LIMITED: logons are blocked for 15 seconds');
  }
  if (!throttle.mayHaveToken(compId, now)) {
    return refuse('RATE_LIMITED', 'RATE_LIMITED: too many logons; log on again in a minute');
  }
  return settings.schedule?.isOpen(now) === false ? refuse('MARKET_CLOSED', 'OUTSIDE_SESSION_HOURS') : undefined;
}

interface Attempt {
  readonly compId: string;
  readonly address: string;
  readonly clientKey: string;
  readonly requestId: string;
}

/** A failed logon: counted against the address, before it is answered. */
async function refused(
  context: FixContext,
  attempt: Attempt,
  code: RefusalCode,
  answer: LogonDecision | string,
): Promise<LogonDecision> {
  const { services, throttle } = context;
  await storeAnswer(services, () => throttle.failed(attempt.address, services.now()));
  return typeof answer === 'string' ? logout(context, attempt, code, answer) : noted(context, attempt, code, answer);
}

/** Without the store no desk can be authenticated. */
function storeAway(context: FixContext, attempt: Attempt): Promise<LogonDecision> {
  return noted(context, attempt, 'STORE_UNAVAILABLE', SILENT);
}

function logout(context: FixContext, attempt: Attempt, code: RefusalCode, text: string): Promise<LogonDecision> {
  return noted(context, attempt, code, { accept: false, text, closeAfterMs: CLOSE_AFTER_MS });
}

async function noted(
  { counters, events }: FixContext,
  attempt: Attempt,
  code: RefusalCode,
  decision: LogonDecision,
): Promise<LogonDecision> {
  counters.logonFailures++;
  countUp(counters.refusals, code);
  await events.note({ ...attempt, door: 'fix', outcome: outcomeOf(code), code });
  return decision;
}
