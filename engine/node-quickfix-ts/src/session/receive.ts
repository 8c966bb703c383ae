import type { MessageView } from '../codec/message-view.js';
import { REJECT_REASONS, type RejectReason } from '../dictionary/reject-reason.js';
import { validate } from '../dictionary/validate.js';
import { inSequence, logoutReceived, resetRequested, sequenceReset, serveResend } from './admin.js';
import { hasValue, isText, isTimely, timeAt } from './compare.js';
import { requestResend } from './gap.js';
import { logonAnswered } from './initiate.js';
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
  if (!isText(view, 0, session.id.beginString)) {
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
  // Our Logout is sent: further messages are not counted, so the peer resends them at the next Logon.
  if (session.state !== 'up' || !headerHolds(session, view, number)) return;

  if (view.msgType === 'A' && view.flag(141)) resetRequested(session, view, number);
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
  if (!isValid(session, view)) {
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
  if (isValid(session, view)) sequenceReset(session, view);
}

/** Served at once, whatever its number: two sides that wait for each other's resend would deadlock. */
function resendRequestReceived(session: FixSession, view: MessageView, number: number): void {
  const { inbound } = session;
  if (number < inbound.next && view.flag(43)) return;
  if (isValid(session, view)) serveResend(session, view);
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
  const i = view.find(122);
  if (i < 0) {
    session.rejectWith(view, REJECT_REASONS.REQUIRED_TAG_MISSING, 122);
    return false;
  }
  if (!(timeAt(view, i) > timeAt(view, view.find(52)))) return true;
  session.rejectWith(view, REJECT_REASONS.SENDING_TIME_ACCURACY);
  session.logout(undefined);
  return false;
}

/** CompIDs and SendingTime(52), where present: the rest of the header is the dictionary's. */
function headerHolds(session: FixSession, view: MessageView, number: number): boolean {
  const sender = view.find(49);
  const target = view.find(56);
  const wrongSender = hasValue(view, sender) && !isText(view, sender, session.id.targetCompId);
  const wrongTarget = hasValue(view, target) && !isText(view, target, session.id.senderCompId);
  if (wrongSender || wrongTarget) {
    rejectAndLogout(session, view, number, REJECT_REASONS.COMPID_PROBLEM);
    return false;
  }
  if (isTimely(view, session.host.clock.now(), session.profile.maxLatencyS)) return true;
  rejectAndLogout(session, view, number, REJECT_REASONS.SENDING_TIME_ACCURACY);
  return false;
}

/** Reject(3), then Logout(5): wrong CompIDs, or a SendingTime(52) out of range. */
function rejectAndLogout(session: FixSession, view: MessageView, number: number, reason: RejectReason): void {
  session.rejectWith(view, reason);
  if (number === session.inbound.next) session.inbound.advance(number + 1);
  session.logout(undefined);
}

function isValid(session: FixSession, view: MessageView): boolean {
  const { dictionary } = session.host;
  const violation = dictionary === undefined ? undefined : validate(view, dictionary, session.profile);
  if (violation === undefined) return true;
  session.reject(view, violation.reason, violation.tag, violation.text);
  return false;
}
