import type { LogonAttempt, LogonDecision, SessionProfile } from 'node-quickfix-ts';
import { formatUtcTimestamp, reverseRoute } from 'node-quickfix-ts';
import { ENGINE_COMP_ID } from '../domain/comp-id.js';
import { isRefusal, type RefusalCode } from '../domain/refusal.js';
import { isAllowed, plainAddress } from '../service/address-list.js';
import { perform } from '../service/perform.js';
import { storeAnswer } from '../service/store-answer.js';
import { countUp } from './counters.js';
import type { DeskIdentity } from './desk.js';
import type { Door } from './door.js';
import { AUTH_TOKEN, AUTH_TOKEN_EXPIRE_TIME } from './tags.js';
import { Unfinished } from './unfinished.js';

/** One text for an unknown key, a wrong secret, a locked pair of key and address, and a disabled client. */
const FAILED = 'Authentication failed';
const CLOSE_AFTER_MS = 1_000;
/** Also for desks that are to call again by themselves: a Logout(5) would be counted by some as a message of their session. */
const SILENT: LogonDecision = { accept: false, silent: true };
/** UserRequestID(923) under which a desk hears of the token that its Logon(A) was answered with. */
const LOGON_REQUEST_ID = 'LOGON';

/**
 * Who logs on: address and CompID first, then key and secret, then whether the CompID is that client's. Nothing of the session
 * is touched before.
 */
export async function decideLogon(
  door: Door,
  profile: SessionProfile,
  isLive: (compId: string, secure: boolean) => boolean,
  { id, logon, remoteAddress, secure, certificateNames }: LogonAttempt,
): Promise<LogonDecision> {
  const { services, throttle, settings } = door;
  const compId = id.targetCompId;
  const address = plainAddress(remoteAddress);
  // Its connections are not taken any more; this one was open already.
  if (throttle.isClosed(address, services.now())) return SILENT;
  if (id.senderCompId !== ENGINE_COMP_ID) return refused(door, compId, address, 'NOT_FOUND', SILENT);
  if (throttle.isBlocked(compId, services.now())) {
    return logout(door, compId, address, 'RATE_LIMITED', 'RATE_LIMITED: logons are blocked for 15 seconds');
  }
  if (!throttle.mayHaveToken(compId, services.now())) {
    return logout(door, compId, address, 'RATE_LIMITED', 'RATE_LIMITED: too many logons; log on again in a minute');
  }
  // Whoever has a certificate of one desk and the secret of another is neither.
  if (settings.tls?.mutual && secure && !certificateNames?.includes(compId)) {
    return refused(door, compId, address, 'NOT_ENTITLED', FAILED);
  }
  // Copied now: the message is not ours any more once we have waited.
  const clientKey = logon.string(553) ?? '';
  const clientSecret = logon.string(554) ?? '';
  const route = reverseRoute(logon);

  const [desk, isClosed] = await Promise.all([
    storeAnswer(services, () => services.store.compIds.read(compId)),
    storeAnswer(services, () => throttle.isClosedAnywhere(address, services.now())),
  ]);
  if (isRefusal(desk) || isRefusal(isClosed)) return storeAway(door, compId, address);
  // By what it did at another gateway.
  if (isClosed) return SILENT;
  if (desk === undefined) return refused(door, compId, address, 'NOT_FOUND', SILENT);
  if (!isAllowed(desk.addresses, address)) {
    return refused(door, compId, address, 'NOT_ENTITLED', FAILED);
  }
  if (settings.schedule && !settings.schedule.isOpen(services.now())) {
    return logout(door, compId, address, 'MARKET_CLOSED', 'OUTSIDE_SESSION_HOURS');
  }
  const client = await storeAnswer(services, () => services.store.clients.get(desk.clientId));
  if (isRefusal(client)) return storeAway(door, compId, address);
  const issued = await perform(services, 'authenticate', undefined, {
    clientKey,
    clientSecret,
    address,
    clientId: desk.clientId,
  });
  if (client === undefined) return refused(door, compId, address, 'UNKNOWN_CLIENT', FAILED);
  if (isRefusal(issued)) {
    if (issued.refusal === 'STORE_UNAVAILABLE') return storeAway(door, compId, address);
    return refused(door, compId, address, issued.refusal, FAILED);
  }

  throttle.takeToken(compId, services.now());

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
    discloseMargin: desk.discloseMargin,
    discloseProviderRate: desk.discloseProviderRate,
    unfinished: new Unfinished(),
  };
  const reply = [
    [AUTH_TOKEN, token],
    [AUTH_TOKEN_EXPIRE_TIME, formatUtcTimestamp(expiresAtMs)],
  ] as const;
  return { accept: true, profile, reply, context: identity };
}

/** A failed logon: counted against the address, before it is answered. */
async function refused(
  door: Door,
  compId: string,
  address: string,
  code: RefusalCode,
  answer: LogonDecision | string,
): Promise<LogonDecision> {
  const { services, throttle } = door;
  await storeAnswer(services, () => throttle.failed(address, services.now()));
  return typeof answer === 'string'
    ? logout(door, compId, address, code, answer)
    : noted(door, compId, address, code, answer);
}

/** Nobody can be authenticated now. */
function storeAway(door: Door, compId: string, address: string): LogonDecision {
  return noted(door, compId, address, 'STORE_UNAVAILABLE', SILENT);
}

function logout(door: Door, compId: string, address: string, code: RefusalCode, text: string): LogonDecision {
  return noted(door, compId, address, code, { accept: false, text, closeAfterMs: CLOSE_AFTER_MS });
}

function noted(
  { counters, services }: Door,
  compId: string,
  address: string,
  code: RefusalCode,
  decision: LogonDecision,
): LogonDecision {
  counters.logonFailures++;
  countUp(counters.refusals, code);
  services.log.warn({ compId, address, code }, 'logon refused');
  return decision;
}
