/** Messages of the peer, in the order of checks of the FIX 4.4 session level, and the numbers that they count up. */
import type { MessageView } from '../codec/message-view.js';
import { REJECT_REASONS, type RejectReason } from '../dictionary/validate.js';
import { requestResend } from './inbound-sequence.js';
import { logonAnswered, printable } from './initiate.js';
import { endAtBoundary } from './liveness.js';
import { logonBody } from './logon-body.js';
import { isAdministrative } from './sender.js';
import type { FixSession } from './session.js';

/** One framed, unbroken message of the peer, in the order of checks of the FIX 4.4 session level. */
export function receive(session: FixSession, view: MessageView): void {
  if (session.state === 'ended') return;
  session.lastReceivedMs = session.host.clock.elapsed();
  session.testRequested = false;
  session.count('received', session.knownType(view.msgType));

  if (session.state === 'logging-on') {
    logonAnswered(session, view);
    return;
  }
  if (!view.isTextAt(0, session.id.beginString)) {
    session.logout('Incorrect BeginString');
    return;
  }
  const number = view.int(34);
  if (number === undefined || number < 0) {
    session.terminate('MsgSeqNum(34) missing or not a number', 'MsgSeqNum missing');
    return;
  }
  if (view.msgType === '5') {
    logoutReceived(session, view, number);
    return;
  }
  // What the peer sends after the boundary is of the next session, even before the timer has seen it.
  if (session.state === 'up') endAtBoundary(session);
  // Our Logout is sent: further messages are not counted, so the peer resends them at the next Logon.
  if (session.state !== 'up' || !headerHolds(session, view, number)) return;

  const isReset = view.msgType === 'A' && session.rules.hasResetSeqNumFlag && view.flag(141);
  if (isReset && view.unreadable === undefined) resetRequested(session, view, number);
  else if (view.msgType === '4' && !view.flag(123)) resetReceived(session, view);
  else if (view.msgType === '2') resendRequestReceived(session, view, number);
  else if (number > session.inbound.next) tooHigh(session, view, number);
  else if (number < session.inbound.next) tooLow(session, view, number);
  else process(session, view);
  takeEarly(session);
}

/** The message is the next in sequence. */
function process(session: FixSession, view: MessageView): void {
  const { inbound } = session;
  const number = inbound.next;
  if (view.flag(43) && view.msgType !== '4' && !originalTimeHolds(session, view)) {
    // A rejected message uses its number too.
    if (session.inbound.next === number) inbound.advance(number + 1);
    return;
  }
  if (!isAccepted(session, view)) {
    inbound.advance(number + 1);
    return;
  }
  if (view.msgType === '4') {
    sequenceReset(session, view);
    return;
  }
  inbound.advance(number + 1);
  inSequence(session, view);
}

/** Processes early messages that are next now. */
function takeEarly(session: FixSession): void {
  while (session.state === 'up') {
    const view = session.inbound.takeNext();
    if (view === undefined) return;
    process(session, view);
  }
}

/** A Reset (not a gap fill) counts whatever its own number is. */
function resetReceived(session: FixSession, view: MessageView): void {
  if (isAccepted(session, view)) sequenceReset(session, view);
}

/** Served at once, whatever its number: two sides that wait for each other's resend would deadlock. */
function resendRequestReceived(session: FixSession, view: MessageView, number: number): void {
  const { inbound } = session;
  if (number < inbound.next && view.flag(43)) return;
  if (isAccepted(session, view)) serveResend(session, view);
  if (number === inbound.next) inbound.advance(number + 1);
  else if (number > inbound.next) {
    inbound.keepProcessed(number);
    requestResend(session, number);
  }
}

function tooHigh(session: FixSession, view: MessageView, number: number): void {
  session.inbound.keep(number, view);
  requestResend(session, number);
}

function tooLow(session: FixSession, view: MessageView, number: number): void {
  if (!view.flag(43)) {
    const text = `MsgSeqNum too low, expecting ${session.inbound.next} but received ${number}`;
    session.terminate(text, 'MsgSeqNum too low');
    return;
  }
  // A duplicate is ignored, but its times are validated.
  if (view.msgType !== '4') originalTimeHolds(session, view);
}

/** OrigSendingTime(122) of a resent message is present, and not later than SendingTime(52). */
function originalTimeHolds(session: FixSession, view: MessageView): boolean {
  if (!view.has(122)) {
    session.rejectWith(view, REJECT_REASONS.REQUIRED_TAG_MISSING, 122);
    return false;
  }
  if (!(view.time(122) > view.time(52))) return true;
  session.rejectWith(view, REJECT_REASONS.SENDING_TIME_ACCURACY, 122);
  session.logout(undefined);
  return false;
}

/** CompIDs and SendingTime(52), where present: the rest of the header is the dictionary's. */
function headerHolds(session: FixSession, view: MessageView, number: number): boolean {
  const isSender = isAbsentOr(view, 49, session.id.targetCompId);
  if (!isSender || !isAbsentOr(view, 56, session.id.senderCompId)) {
    rejectAndLogout(session, view, number, REJECT_REASONS.COMPID_PROBLEM, isSender ? 56 : 49);
    return false;
  }
  if (isTimely(view, session.host.clock.now(), session.profile.maxLatencyS)) return true;
  rejectAndLogout(session, view, number, REJECT_REASONS.SENDING_TIME_ACCURACY, 52);
  return false;
}

/** True when the field is absent, empty, or this text. */
function isAbsentOr(view: MessageView, tag: number, text: string): boolean {
  const i = view.find(tag);
  return i < 0 || view.valueEndAt(i) === view.valueStartAt(i) || view.isTextAt(i, text);
}

/** False when SendingTime(52) is a time, and too far from ours. */
export function isTimely(view: MessageView, nowMs: number, maxLatencyS: number): boolean {
  return !(Math.abs(view.time(52) - nowMs) > maxLatencyS * 1000);
}

/** Reject(3), then Logout(5): wrong CompIDs, or a SendingTime(52) out of range. */
function rejectAndLogout(
  session: FixSession,
  view: MessageView,
  number: number,
  reason: RejectReason,
  tag: number,
): void {
  session.rejectWith(view, reason, tag);
  if (number === session.inbound.next) session.inbound.advance(number + 1);
  session.logout(undefined);
}

/** False: it violates the dictionary, and is rejected. An administrative message that does not is shown to the application. */
function isAccepted(session: FixSession, view: MessageView): boolean {
  const violation = session.protocol.validate(view, session.applVerId, session.profile);
  if (violation === undefined) {
    if (isAdministrative(view.msgType)) session.host.application.fromAdmin?.(session, view);
    return true;
  }
  session.reject(view, violation.reason, violation.tag, violation.text);
  return false;
}

const { REQUIRED_TAG_MISSING, VALUE_INCORRECT } = REJECT_REASONS;

/** Processes a valid message in sequence, its number counted. SequenceReset(4) and Logout(5) are handled elsewhere. */
function inSequence(session: FixSession, view: MessageView): void {
  switch (view.msgType) {
    case '0':
      if (view.has(112)) session.answered(view.string(112) ?? '');
      return;
    case '1':
      session.sendAdmin('0', view.has(112) ? [[112, view.string(112) ?? '']] : [], view);
      return;
    case '3':
      session.count('peer-rejected', 'reject');
      if (session.numberReset.isRequested && view.string(372) === 'A') {
        session.terminate(undefined, `reset rejected: ${printable(view.string(58) ?? 'no reason given')}`);
      }
      return;
    case 'A':
      // A Logon without ResetSeqNumFlag(141) on a session that is up changes nothing.
      return;
    default:
      application(session, view);
  }
}

function application(session: FixSession, view: MessageView): void {
  if (session.profile.supported.has(view.msgType)) {
    session.host.application.onMessage(session, view);
    return;
  }
  // A reject is never answered by a reject.
  if (view.msgType === 'j') {
    session.count('peer-rejected', 'business-reject');
    return;
  }
  const text = session.rules.hasBusinessReject ? 'Unsupported Message Type' : 'Unsupported message type';
  session.businessReject(view, 3, text, session.profile.unsupportedFields);
}

/** SequenceReset(4): a gap fill that is next in sequence, or a reset, whose own number is ignored. Never backwards. */
function sequenceReset(session: FixSession, view: MessageView): void {
  const { inbound } = session;
  const next = numberOf(session, view, 36);
  if (next === undefined) {
    if (view.flag(123)) inbound.advance(inbound.next + 1);
  } else if (next > inbound.next) {
    inbound.advance(next);
    session.outbound.flow.probeAgain();
  } else if (next < inbound.next) session.rejectWith(view, VALUE_INCORRECT, 36);
}

function serveResend(session: FixSession, view: MessageView): void {
  const from = numberOf(session, view, 7);
  if (from === undefined) return;
  const asked = numberOf(session, view, 16);
  if (asked === undefined) return;
  const to = asked === session.rules.resendWithoutEnd ? 0 : asked;
  if (from < 0 || to < 0 || (to !== 0 && to < from)) session.rejectWith(view, VALUE_INCORRECT, 16);
  else if (from > session.nextOut) session.rejectWith(view, VALUE_INCORRECT, 7);
  else if (from === session.nextOut) session.skipNumber();
  else session.resend.request(from, to);
}

/** A sequence number in a field; undefined: it is missing, or above 2^53 - 1, and the message is rejected. */
function numberOf(session: FixSession, view: MessageView, tag: number): number | undefined {
  const number = view.int(tag);
  if (number === undefined) session.rejectWith(view, view.has(tag) ? VALUE_INCORRECT : REQUIRED_TAG_MISSING, tag);
  return number;
}

/** Answers a Logout(5) whatever its number; the session ends. */
function logoutReceived(session: FixSession, view: MessageView, number: number): void {
  if (number === session.inbound.next) session.inbound.advance(number + 1);
  session.host.application.fromAdmin?.(session, view);
  const text = view.string(58);
  const reason = session.endedAs ?? (text === undefined ? 'logout' : `logout by the peer: ${printable(text)}`);
  session.terminate(undefined, reason);
}

/** Logon(A) with ResetSeqNumFlag(141) on a session that is up: both sides reset their numbers to 1. */
function resetRequested(session: FixSession, view: MessageView, number: number): void {
  if (number !== 1) {
    session.rejectWith(view, VALUE_INCORRECT, 34);
    return;
  }
  session.host.application.fromAdmin?.(session, view);
  if (session.numberReset.isRequested) {
    session.numberReset.answer();
    return;
  }
  const answer = logonBody(session, true, view.has(789) ? 2 : undefined);
  void session.numberReset.begin().then((begun) => {
    if (!begun) return;
    session.inbound.advance(2);
    session.sendAdmin('A', answer);
    session.numberReset.resume();
  });
}
