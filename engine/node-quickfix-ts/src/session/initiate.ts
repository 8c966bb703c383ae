import { checkField, encodeMessage, ROUTING, splitHeader } from '../codec/encode.js';
import type { MessageView } from '../codec/message-view.js';
import type { TextForm } from '../codec/text-form.js';
import { redact } from '../log/redaction.js';
import type { Field, SessionId } from '../types.js';
import { requestResend } from './inbound-sequence.js';
import { logonBody } from './logon-body.js';
import type { FixSession } from './session.js';

/** How long the peer may take to answer our Logon(A), ms. */
const LOGON_WAIT_MS = 10_000;
/** Longest Logon(A) of ours, bytes. */
const LOGON_BYTES_MAX = 64 * 1024;

/**
 * Fields for our Logon(A), without those that have no value. Throws as `encodeMessage` does, and a RangeError above 64 KiB; but a data field needs
 * no length: some venues want RawData(96) alone.
 */
export function logonFieldsOf(id: SessionId, given: readonly Field[], form: TextForm): readonly Field[] {
  const fields = given.filter(([, value]) => value !== '');
  for (const [tag, value] of fields) checkField(tag, value);
  const routing = fields.filter(([tag]) => ROUTING.has(tag));
  const text = fields.filter(([tag]) => !ROUTING.has(tag) && !form.pairs.isData(tag));
  if (encodeMessage(new Uint8Array(LOGON_BYTES_MAX), 0, id, 'A', 1, 0, text, { routing }, form) < 0)
    throw new RangeError(`logonFields: more than ${LOGON_BYTES_MAX} bytes`);
  return fields;
}

/**
 * Opens the store of a new session and sends our Logon(A), with ResetSeqNumFlag(141)=Y where the numbers begin at 1: the peer's must too. Rejects
 * when the store does, and when another process has the session.
 */
export async function sendLogon(session: FixSession, resetOnLogon: boolean, extra: readonly Field[]): Promise<void> {
  const reset = resetOnLogon || session.profile.resetOnLogon;
  if (!(await session.openNumbers(reset))) throw new Error('another process has this session');
  if (session.state !== 'logging-on') return;
  session.requestedReset = reset && session.rules.hasResetSeqNumFlag;
  const expected = session.profile.sendNextExpected ? session.inbound.next : undefined;
  const { body, routing } = splitHeader(extra);
  session.sender.sendOwn('A', [...logonBody(session, reset, expected), ...body], routing);
  session.expectAnswer(LOGON_WAIT_MS);
  session.flush();
}

/** Processes the first message after our Logon(A): the peer's Logon(A), a Logout(5) with the reason, or a Reject(3). */
export function logonAnswered(session: FixSession, view: MessageView): void {
  const { id } = session;
  if (!view.isTextAt(0, id.beginString) || view.string(49) !== id.targetCompId || view.string(56) !== id.senderCompId) {
    abortLogon(session, 'answered by another peer: check BeginString and CompIDs');
    return;
  }
  if (view.msgType === '5') {
    abortLogon(session, `logon refused: ${printable(view.string(58) ?? 'no reason given')}`);
    return;
  }
  if (view.msgType === '3') {
    rejected(session, view);
    return;
  }
  if (view.msgType !== 'A' || view.int(34) === undefined) {
    refuseAnswer(session, 'First message is not a Logon', 'logon not answered by a Logon');
    return;
  }
  if (view.unreadable !== undefined) {
    const { text } = view.unreadable;
    session.terminate(text, `answered with a Logon that cannot be read: ${text}`);
    return;
  }
  session.applVerId = view.string(1137) ?? session.ownApplVerId;
  const fault = session.protocol.applVerIdFault(session.applVerId);
  if (fault !== undefined) {
    session.terminate(fault, `answered with DefaultApplVerID ${session.applVerId}: ${fault}`);
    return;
  }
  if (session.rules.hasResetSeqNumFlag && view.flag(141) && !session.requestedReset) resetByPeer(session, view.copy());
  else accepted(session, view);
}

/**
 * ResetSeqNumFlag(141)=Y that we did not ask for: the numbers of both sides begin at 1, and what is stored is of the past. The two Logons are
 * number 1 of each side.
 */
function resetByPeer(session: FixSession, logon: MessageView): void {
  void session.numberReset.begin().then((begun) => {
    if (!begun) return;
    session.outbound.numbers.take();
    accepted(session, logon);
    session.numberReset.resume();
  });
}

function accepted(session: FixSession, view: MessageView): void {
  const { inbound } = session;
  const number = view.int(34) ?? 0;
  if (number < inbound.next) {
    const text = `MsgSeqNum too low, expecting ${inbound.next} but received ${number}`;
    session.terminate(text, 'MsgSeqNum too low');
    return;
  }
  const ours = session.outbound.numbers.next - 1;
  const expects = view.int(789);
  if (expects !== undefined && expects > ours + 1) {
    const text = `NextExpectedMsgSeqNum too high, expecting ${ours + 1} but received ${expects}`;
    session.terminate(text, 'NextExpectedMsgSeqNum too high');
    return;
  }
  session.begin();
  if (number === inbound.next) inbound.advance(number + 1);
  else {
    inbound.keepProcessed(number);
    // A peer that has read our NextExpectedMsgSeqNum(789), which its own shows, resends what we miss without a ResendRequest(2).
    if (session.profile.sendNextExpected && expects !== undefined) {
      inbound.resendRequested(number, session.host.clock.elapsed());
    } else requestResend(session, number);
  }
  if (expects !== undefined && expects < ours) session.resend.request(expects, ours - 1);
  session.host.application.fromAdmin?.(session, view);
  session.host.application.onLogon(session, view);
}

/** A Reject(3) of our Logon(A): its cause for the application, and the end. */
function rejected(session: FixSession, view: MessageView): void {
  const reason = view.int(373);
  const refTag = view.int(371);
  const text = printable(view.string(58) ?? 'no reason given');
  const detail = reason !== undefined && reason >= 0 && reason <= 99 ? String(reason) : 'none';
  const refs = [refTag === undefined ? [] : [`371=${refTag}`], reason === undefined ? [] : [`373=${reason}`]].flat();
  const event = { kind: 'logon-rejected', detail, ...(refTag !== undefined && { refTag }), text } as const;
  session.host.application.onEvent?.(session, event);
  refuseAnswer(session, 'Logon rejected', `logon rejected: ${text}${refs.length > 0 ? ` (${refs.join(', ')})` : ''}`);
}

/** Logout(5), which an acceptor may read in its log, and the end. */
function refuseAnswer(session: FixSession, text: string, reason: string): void {
  session.terminate(text, reason);
}

function abortLogon(session: FixSession, reason: string): void {
  session.wire.destroy();
  session.end(reason);
}

/** The peer's text in a log line: short, on one line, and without a password that it quotes. */
export function printable(text: string): string {
  return redact(text)
    .slice(0, 120)
    .replace(/[^\x20-\x7e]/g, '?');
}
