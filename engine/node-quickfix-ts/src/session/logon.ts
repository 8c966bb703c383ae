import { checkFields, encodeMessage } from '../codec/encode.js';
import type { MessageView } from '../codec/message-view.js';
import { REJECT_REASONS } from '../dictionary/validate.js';
import type { Field, LogonDecision, SessionId, SessionStore, SessionStoreFactory } from '../types.js';
import { resolvesWithin, sessionEvent, type Wire } from './host.js';
import { isTimely } from './inbound.js';
import { requestResend } from './inbound-sequence.js';
import { type Claim, type LiveSessions, type SessionIdField, sessionKey } from './live-sessions.js';
import { logonBody } from './logon-body.js';
import type { Protocol } from './protocol.js';
import { rejectFields } from './reject-fields.js';
import { FixSession, type SessionHost } from './session.js';

/** A live session without input for so many heartbeats is a dead connection: a new one may replace it. Never without heartbeats. */
const DEAD_AFTER_HEARTBEATS = 2;

/** A counterparty that reconnects at once may be read before the end of its old connection: so long is waited for that, ms. */
const HANG_UP_WAIT_MS = 100;

export interface LogonAcceptor {
  readonly host: SessionHost;
  readonly live: LiveSessions;
  readonly store: SessionStoreFactory;
  /** The accepted versions by BeginString(8). */
  readonly protocols: ReadonlyMap<string, Protocol>;
  /** Our SenderCompIDs; undefined: the application decides in `authenticate`. */
  readonly senderCompIds: ReadonlySet<string> | undefined;
  readonly isId: (text: string | undefined) => text is string;
  readonly identifyBy: ReadonlySet<SessionIdField>;
}

/** A connection that may log on. */
export interface Counterparty extends Wire {
  readonly secure: boolean;
  readonly certificateNames?: readonly string[] | undefined;
  readonly closed: boolean;
  /** Closes after the bytes have left, and so many milliseconds. */
  endAfter(ms: number): void;
}

type Accepted = Extract<LogonDecision, { accept: true }>;

/**
 * Answers the first message of a connection. No session is opened, claimed or reset before the counterparty is authenticated: first the
 * form of the CompIDs, then `authenticate`, then the fields of the Logon(A), then whether the session is live, and only then the store.
 * Returns the session that is up; undefined: the connection is closed, or will be.
 */
export async function answerLogon(
  acceptor: LogonAcceptor,
  counterparty: Counterparty,
  logon: MessageView,
): Promise<FixSession | undefined> {
  const identified = logon.msgType === 'A' ? identify(acceptor, logon) : undefined;
  if (identified === undefined) return disconnect(acceptor, counterparty, logon, 'unknown');

  const { id, applVerId } = identified;
  const { remoteAddress, secure, certificateNames } = counterparty;
  const attempt = {
    id,
    logon,
    remoteAddress,
    secure,
    ...(certificateNames && { certificateNames }),
    ...(applVerId !== undefined && { applVerId }),
  };
  let decision: LogonDecision;
  try {
    decision = await acceptor.host.application.authenticate(attempt);
    if (decision.accept) checkFields(decision.reply, identified.protocol.dataPairs.form(decision.profile.encoding));
  } catch (error) {
    acceptor.host.application.onError?.(undefined, error);
    return disconnect(acceptor, counterparty, logon, 'failed');
  }
  if (counterparty.closed) return logRefused(acceptor, logon);
  if (!decision.accept) {
    if ('silent' in decision) return disconnect(acceptor, counterparty, logon, 'silent');
    return logoutWithoutSession(acceptor, counterparty, logon, id, decision.text, decision.closeAfterMs);
  }
  const { maxLatencyS, rejects } = decision.profile;
  if (!isTimely(logon, acceptor.host.clock.now(), maxLatencyS)) {
    if (rejects === 'quickfix') return disconnect(acceptor, counterparty, logon, 'sending-time');
    return rejectSendingTime(acceptor, counterparty, logon, identified);
  }
  const fault = faultOf(acceptor, identified, logon, decision);
  if (fault !== undefined) return logoutWithoutSession(acceptor, counterparty, logon, id, fault, 0);

  const claim = await claimFor(acceptor, id);
  if (claim === undefined) return disconnect(acceptor, counterparty, logon, 'already-live');
  if (counterparty.closed) {
    claim.release();
    return logRefused(acceptor, logon);
  }
  return open(acceptor, counterparty, identified, logon, decision, claim);
}

interface Identified {
  readonly id: SessionId;
  readonly protocol: Protocol;
  /** DefaultApplVerID(1137), in FIXT.1.1. */
  readonly applVerId: string | undefined;
}

function identify(acceptor: LogonAcceptor, logon: MessageView): Identified | undefined {
  const targetCompId = logon.string(49);
  const senderCompId = logon.string(56);
  const protocol = acceptor.protocols.get(logon.string(8) ?? '');
  const { isId } = acceptor;
  if (protocol === undefined || !isId(targetCompId) || !isId(senderCompId)) return undefined;
  if (acceptor.senderCompIds?.has(senderCompId) === false) return undefined;
  const { beginString, rules } = protocol;
  const applVerId = rules.hasApplVerId ? logon.string(1137) : undefined;
  if (rules.hasApplVerId && applVerId === undefined) return undefined;
  const id: Record<string, string> = { beginString, senderCompId, targetCompId };
  for (const [field, name, tag] of ID_FIELDS) {
    const value = acceptor.identifyBy.has(field) ? logon.string(tag) : undefined;
    if (value === undefined || (field === 'locationId' && !rules.hasLocationIds)) continue;
    if (!isId(value)) return undefined;
    id[name] = value;
  }
  return { id: id as unknown as SessionId, protocol, applVerId };
}

/** The peer's SenderSubID(50) is our TargetSubID(57), and so on. */
const ID_FIELDS: readonly (readonly [SessionIdField, keyof SessionId, number])[] = [
  ['subId', 'targetSubId', 50],
  ['subId', 'senderSubId', 57],
  ['locationId', 'targetLocationId', 142],
  ['locationId', 'senderLocationId', 143],
];

/** Validates the Logon(A) of an authenticated counterparty; the fault is the text of the Logout(5). */
function faultOf(
  acceptor: LogonAcceptor,
  { applVerId, protocol }: Identified,
  logon: MessageView,
  { profile }: Accepted,
): string | undefined {
  const violation = protocol.validate(logon, applVerId, profile);
  const number = logon.int(34);
  if (number === undefined || number < 1) return 'MsgSeqNum(34) missing or not a number';
  if (violation !== undefined)
    return violation.tag === undefined ? violation.text : `${violation.text} (${violation.tag})`;
  const fault = protocol.applVerIdFault(applVerId);
  if (fault !== undefined) return fault;
  if ((logon.int(98) ?? 0) !== 0) return 'EncryptMethod(98) must be 0: use the TLS port instead';
  const heartBtInt = logon.int(108);
  if (heartBtInt === undefined || heartBtInt < profile.heartBtIntMin || heartBtInt > profile.heartBtIntMax) {
    return `HeartBtInt out of range ${profile.heartBtIntMin}-${profile.heartBtIntMax}`;
  }
  return profile.schedule?.isOpen(acceptor.host.clock.now()) === false ? 'OUTSIDE_SESSION_HOURS' : undefined;
}

/** Claims the CompIDs for this Logon; undefined when a live session or another Logon has them. */
async function claimFor(acceptor: LogonAcceptor, id: SessionId): Promise<Claim | undefined> {
  const key = sessionKey(id);
  const holder = acceptor.live.holder(key);
  if (holder !== undefined) {
    const { session } = holder;
    if (session === undefined) return undefined;
    if (session.state !== 'ended') {
      const silentMs = acceptor.host.clock.elapsed() - session.lastReceivedMs;
      if (silentMs >= (session.heartBtMs || Infinity) * DEAD_AFTER_HEARTBEATS) {
        session.wire.destroy();
        session.end('replaced by a new connection');
      } else if (!(await resolvesWithin(holder.released, HANG_UP_WAIT_MS))) return undefined;
    }
    await holder.released;
  }
  return acceptor.live.claim(key);
}

async function open(
  acceptor: LogonAcceptor,
  counterparty: Counterparty,
  { id, protocol, applVerId }: Identified,
  logon: MessageView,
  decision: Accepted,
  claim: Claim,
): Promise<FixSession | undefined> {
  const { profile, context } = decision;
  let store: SessionStore | undefined;
  let session: FixSession;
  try {
    store = acceptor.store(id, context);
    session = new FixSession(
      acceptor.host,
      { id, protocol, applVerId, profile, context, heartBtIntS: logon.int(108) ?? 0 },
      counterparty,
      store,
    );
    if (!(await session.openNumbers(logon.flag(141)))) {
      await store.close();
      claim.release();
      return disconnect(acceptor, counterparty, logon, 'live-elsewhere');
    }
  } catch {
    acceptor.host.application.onEvent?.(undefined, sessionEvent('store-failed', 'open'));
    await store?.close().catch(() => undefined);
    claim.release();
    return disconnect(acceptor, counterparty, logon, 'store-failed');
  }
  session.log?.incoming(logon.bytes, 0, logon.bytes.length);
  claim.session = session;
  void session.settled.then(() => claim.release());
  if (counterparty.closed) session.end('disconnected');
  else if (session.state === 'logging-on') {
    try {
      acceptLogon(session, logon, decision);
    } catch (error) {
      // It has no connection that would end it.
      session.fail();
      throw error;
    }
  }
  return session.loggedOn ? session : undefined;
}

/** Sends our Logon(A), handles the counterparty's sequence number, then notifies the application. */
function acceptLogon(session: FixSession, logon: MessageView, { reply }: Accepted): void {
  const { inbound, outbound } = session;
  const number = logon.int(34) ?? 0;
  const expects = logon.int(789);
  if (number < inbound.next && !logon.flag(43)) {
    const text = `MsgSeqNum too low, expecting ${inbound.next} but received ${number}`;
    session.terminate(text, 'MsgSeqNum too low');
    return;
  }
  if (expects !== undefined && expects > outbound.numbers.next) {
    const text = `NextExpectedMsgSeqNum too high, expecting ${outbound.numbers.next} but received ${expects}`;
    session.terminate(text, 'NextExpectedMsgSeqNum too high');
    return;
  }
  if (number === inbound.next) inbound.advance(number + 1);

  const isExpected = expects !== undefined || session.profile.sendNextExpected;
  const fields = logonBody(session, logon.flag(141), isExpected ? inbound.next : undefined);
  session.begin();
  const ours = outbound.numbers.next;
  session.sendAdmin('A', [...fields, ...reply], logon);
  if (expects !== undefined && expects < ours) session.resend.request(expects, ours - 1);
  if (number > inbound.next) {
    inbound.keepProcessed(number);
    // A counterparty that sends NextExpectedMsgSeqNum(789) resends what we miss without a ResendRequest(2).
    if (expects === undefined) requestResend(session, number);
    else inbound.resendRequested(number, session.host.clock.elapsed());
  }
  session.host.application.fromAdmin?.(session, logon);
  session.host.application.onLogon(session, logon);
}

/**
 * Logout(5) without a session: MsgSeqNum(34) 1, and no session is touched. An initiator may count it as a message of its session: where it
 * is to reconnect by itself, `disconnect` is better.
 */
function logoutWithoutSession(
  acceptor: LogonAcceptor,
  counterparty: Counterparty,
  logon: MessageView,
  id: SessionId,
  text: string,
  closeAfterMs: number,
): undefined {
  const logout = ['5', [[58, text]]] as const;
  return answerWithoutSession(acceptor, counterparty, logon, id, 'logout', [logout], closeAfterMs);
}

/** SendingTime(52) of the Logon(A) is too far from our clock: Reject(3) and Logout(5) without a session, likewise. */
function rejectSendingTime(
  acceptor: LogonAcceptor,
  counterparty: Counterparty,
  logon: MessageView,
  { id, protocol }: Identified,
): undefined {
  const { reason, text } = REJECT_REASONS.SENDING_TIME_ACCURACY;
  const messages = [
    ['3', rejectFields(protocol.rules, logon, reason, 52, text)],
    ['5', [[58, `${text} (52)`]]],
  ] as const;
  return answerWithoutSession(acceptor, counterparty, logon, id, 'sending-time', messages, 0);
}

function answerWithoutSession(
  acceptor: LogonAcceptor,
  counterparty: Counterparty,
  logon: MessageView,
  id: SessionId,
  why: string,
  messages: readonly (readonly [msgType: string, fields: readonly Field[]])[],
  closeAfterMs: number,
): undefined {
  logRefused(acceptor, logon);
  const { application, clock } = acceptor.host;
  application.onEvent?.(undefined, sessionEvent('logon-refused', why));
  const nowMs = Math.floor(clock.now());
  for (const [i, [msgType, fields]] of messages.entries()) {
    const bytes = new Uint8Array(1024 + 2 * fields.reduce((length, [, value]) => length + String(value).length, 0));
    const end = encodeMessage(bytes, 0, id, msgType, i + 1, nowMs, fields, undefined, undefined, false);
    acceptor.host.strangers?.outgoing(bytes, 0, end);
    counterparty.write(bytes.subarray(0, end));
  }
  counterparty.endAfter(closeAfterMs);
  return undefined;
}

function disconnect(acceptor: LogonAcceptor, counterparty: Counterparty, logon: MessageView, why: string): undefined {
  logRefused(acceptor, logon);
  acceptor.host.application.onEvent?.(undefined, sessionEvent('logon-refused', why));
  counterparty.destroy();
  return undefined;
}

/** It belongs to no session. */
function logRefused({ host }: LogonAcceptor, { bytes }: MessageView): undefined {
  host.strangers?.incoming(bytes, 0, bytes.length);
  return undefined;
}
