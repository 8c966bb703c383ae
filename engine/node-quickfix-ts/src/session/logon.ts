import { encodeMessage } from '../codec/encode.js';
import type { MessageView } from '../codec/message-view.js';
import { validate } from '../dictionary/validate.js';
import type { Field, LogonDecision, SessionId, SessionStore, SessionStoreFactory } from '../types.js';
import { isCompId, sessionKey } from './comp-id.js';
import { isTimely } from './compare.js';
import { sessionEvent } from './events.js';
import { askFor } from './gap.js';
import type { Claim, LiveSessions } from './live-sessions.js';
import type { Wire } from './ports.js';
import { FixSession, type SessionHost } from './session.js';
import { openNumbers } from './stored-numbers.js';

/** A live session that has heard nothing for so many heartbeats is a dead connection: a new one may take its place. */
const DEAD_AFTER_HEARTBEATS = 2;

/** A desk that hung up and calls again at once may be heard before its hanging up is: so long is waited for that, ms. */
const HANG_UP_WAIT_MS = 100;

export interface LogonDesk {
  readonly host: SessionHost;
  readonly live: LiveSessions;
  readonly store: SessionStoreFactory;
  readonly beginString: string;
  /** SenderCompIDs that are ours; undefined: the application decides in `authenticate`. */
  readonly senderCompIds: ReadonlySet<string> | undefined;
}

/** A connection that may log on. */
export interface Caller extends Wire {
  readonly secure: boolean;
  readonly certificateNames?: readonly string[] | undefined;
  readonly closed: boolean;
  /** Closes after the bytes have left, and so many milliseconds. */
  endAfter(ms: number): void;
}

type Accepted = Extract<LogonDecision, { accept: true }>;

/**
 * Answers the first message of a connection. Nothing of a session is opened, claimed or reset before the peer has shown who
 * it is: CompIDs that can be CompIDs, then key and secret, then what the Logon(A) says, then whether the session is live
 * already, and only then the store. Returns the session that is up; undefined: the connection is closed, or will be.
 */
export async function answerLogon(
  desk: LogonDesk,
  caller: Caller,
  logon: MessageView,
): Promise<FixSession | undefined> {
  const id = logon.msgType === 'A' ? identify(desk, logon) : undefined;
  if (id === undefined) return turnAway(desk, caller, 'unknown');

  const { remoteAddress, secure, certificateNames } = caller;
  const attempt = { id, logon, remoteAddress, secure, ...(certificateNames && { certificateNames }) };
  const decision = await desk.host.application.authenticate(attempt);
  if (caller.closed) return undefined;
  if (!decision.accept) {
    if ('silent' in decision) return turnAway(desk, caller, 'silent');
    return refuse(desk, caller, id, decision.text, decision.closeAfterMs);
  }
  const fault = faultOf(desk, logon, decision);
  if (fault === SILENT) return turnAway(desk, caller, 'sending-time');
  if (fault !== undefined) return refuse(desk, caller, id, fault, 0);

  const claim = await claimFor(desk, id);
  if (claim === undefined) return turnAway(desk, caller, 'already-live');
  if (caller.closed) return release(claim);
  return open(desk, caller, id, logon, decision, claim);
}

function identify(desk: LogonDesk, logon: MessageView): SessionId | undefined {
  const targetCompId = logon.string(49);
  const senderCompId = logon.string(56);
  if (logon.string(8) !== desk.beginString || !isCompId(targetCompId) || !isCompId(senderCompId)) return undefined;
  if (desk.senderCompIds?.has(senderCompId) === false) return undefined;
  return { beginString: desk.beginString, senderCompId, targetCompId };
}

const SILENT = Symbol('closed without a word');

/** What is wrong with a Logon(A) whose sender is known: a text for the Logout(5). */
function faultOf(desk: LogonDesk, logon: MessageView, { profile }: Accepted): string | typeof SILENT | undefined {
  const { clock, dictionary } = desk.host;
  const nowMs = clock.now();
  if (!isTimely(logon, nowMs, profile.maxLatencyS)) return SILENT;
  const violation = dictionary === undefined ? undefined : validate(logon, dictionary, profile);
  const number = logon.int(34);
  if (number === undefined || number < 1) return 'MsgSeqNum(34) missing or not a number';
  if (violation !== undefined)
    return violation.tag === undefined ? violation.text : `${violation.text} (${violation.tag})`;
  if ((logon.int(98) ?? 0) !== 0) return 'EncryptMethod(98) must be 0: use the TLS port instead';
  const heartBtInt = logon.int(108);
  if (heartBtInt === undefined || heartBtInt < profile.heartBtIntMin || heartBtInt > profile.heartBtIntMax) {
    return `HeartBtInt out of range ${profile.heartBtIntMin}-${profile.heartBtIntMax}`;
  }
  return profile.schedule?.isOpen(nowMs) === false ? 'OUTSIDE_SESSION_HOURS' : undefined;
}

/** The CompIDs for this Logon alone; undefined when a live session has them, or another Logon was quicker. */
async function claimFor(desk: LogonDesk, id: SessionId): Promise<Claim | undefined> {
  const key = sessionKey(id);
  const holder = desk.live.holder(key);
  if (holder !== undefined) {
    const { session } = holder;
    if (session === undefined) return undefined;
    if (session.state !== 'ended') {
      const silentMs = desk.host.clock.elapsed() - session.lastReceivedMs;
      if (silentMs >= session.heartBtMs * DEAD_AFTER_HEARTBEATS) {
        session.wire.destroy();
        session.end('replaced by a new connection');
      } else if (!(await releasedWithin(holder, HANG_UP_WAIT_MS))) return undefined;
    }
    await holder.released;
  }
  return desk.live.claim(key);
}

function releasedWithin({ released }: Claim, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, false);
    void released.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

async function open(
  desk: LogonDesk,
  caller: Caller,
  id: SessionId,
  logon: MessageView,
  decision: Accepted,
  claim: Claim,
): Promise<FixSession | undefined> {
  const { profile, context } = decision;
  let store: SessionStore | undefined;
  let session: FixSession;
  try {
    store = desk.store(id, context);
    session = new FixSession(desk.host, { id, profile, context, heartBtIntS: logon.int(108) ?? 0 }, caller, store);
    if (!(await openNumbers(session, logon.flag(141)))) {
      await store.close();
      turnAway(desk, caller, 'live-elsewhere');
      return release(claim);
    }
  } catch {
    desk.host.application.onEvent?.(undefined, sessionEvent('store-failed', 'open'));
    await store?.close().catch(() => undefined);
    turnAway(desk, caller, 'store-failed');
    return release(claim);
  }
  claim.session = session;
  void session.settled.then(() => claim.release());
  if (caller.closed) session.end('disconnected');
  else if (session.state === 'logging-on') welcome(session, logon, decision);
  return session.loggedOn ? session : undefined;
}

/** Our Logon(A), then what the peer's number calls for, then the application. */
function welcome(session: FixSession, logon: MessageView, { reply }: Accepted): void {
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

  const fields: Field[] = [
    [98, 0],
    [108, session.heartBtMs / 1000],
  ];
  if (logon.flag(141)) fields.push([141, 'Y']);
  if (expects !== undefined) fields.push([789, inbound.next]);
  session.begin();
  const ours = outbound.numbers.next;
  session.sendAdmin('A', [...fields, ...reply], logon);
  if (expects !== undefined && expects < ours) session.resend.ask(expects, ours - 1);
  if (number > inbound.next) {
    inbound.keepServed(number);
    // Who names the next number that he expects sends what we miss without being asked.
    if (expects === undefined) askFor(session, number);
    else inbound.askedFor(number, session.host.clock.elapsed());
  }
  session.host.application.onLogon(session, logon);
}

/**
 * Logout(5) to somebody who has no session: number 1, and nothing of a session is touched. An initiator may count it as one of its
 * session all the same: whoever is to call again by himself is better turned away.
 */
function refuse(desk: LogonDesk, caller: Caller, id: SessionId, text: string, closeAfterMs: number): undefined {
  const { application, clock } = desk.host;
  application.onEvent?.(undefined, sessionEvent('logon-refused', 'logout'));
  const bytes = new Uint8Array(512 + 2 * text.length);
  const end = encodeMessage(bytes, 0, id, '5', 1, Math.floor(clock.now()), [[58, text]]);
  caller.write(bytes.subarray(0, end));
  caller.endAfter(closeAfterMs);
  return undefined;
}

function turnAway(desk: LogonDesk, caller: Caller, why: string): undefined {
  desk.host.application.onEvent?.(undefined, sessionEvent('logon-refused', why));
  caller.destroy();
  return undefined;
}

function release(claim: Claim): undefined {
  claim.release();
  return undefined;
}
