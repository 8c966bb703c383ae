import type { MessageView } from '../codec/message-view.js';
import { REJECT_REASONS } from '../dictionary/reject-reason.js';
import type { FixSession } from './session.js';

const { REQUIRED_TAG_MISSING, VALUE_INCORRECT } = REJECT_REASONS;

/** Processes a valid message in sequence, its number counted. SequenceReset(4) and Logout(5) are handled elsewhere. */
export function inSequence(session: FixSession, view: MessageView): void {
  switch (view.msgType) {
    case '0':
      if (view.has(112)) session.answered(view.string(112) ?? '');
      return;
    case '1':
      session.sendAdmin('0', view.has(112) ? [[112, view.string(112) ?? '']] : [], view);
      return;
    case '3':
      session.count('peer-rejected', 'reject');
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
  session.businessReject(view, 3, 'Unsupported Message Type', session.profile.unsupportedFields);
}

/** SequenceReset(4): a gap fill that is next in sequence, or a reset, whose own number is ignored. Never backwards. */
export function sequenceReset(session: FixSession, view: MessageView): void {
  const { inbound } = session;
  const next = view.int(36);
  if (next === undefined) session.rejectWith(view, REQUIRED_TAG_MISSING, 36);
  else if (next > inbound.next) {
    inbound.advance(next);
    session.outbound.flow.probeAgain();
  } else if (next < inbound.next) session.rejectWith(view, VALUE_INCORRECT);
}

export function serveResend(session: FixSession, view: MessageView): void {
  const from = view.int(7);
  const to = view.int(16);
  if (from === undefined) session.rejectWith(view, REQUIRED_TAG_MISSING, 7);
  else if (to === undefined) session.rejectWith(view, REQUIRED_TAG_MISSING, 16);
  else if (from < 0 || to < 0 || (to !== 0 && to < from)) session.rejectWith(view, VALUE_INCORRECT, 16);
  else session.resend.ask(from, to);
}

/** Answers a Logout(5) whatever its number; the session ends. */
export function logoutReceived(session: FixSession, view: MessageView, number: number): void {
  if (number === session.inbound.next) session.inbound.advance(number + 1);
  const text = view.string(58);
  const reason = session.endedAs ?? (text === undefined ? 'logout' : `logout by the peer: ${printable(text)}`);
  session.terminate(undefined, reason);
}

/** The reason is logged: the peer's text is kept short and on one line. */
function printable(text: string): string {
  return text.slice(0, 120).replace(/[^\x20-\x7e]/g, '?');
}

/** Logon(A) with ResetSeqNumFlag(141) on a session that is up: both sides reset their numbers to 1. */
export function resetRequested(session: FixSession, view: MessageView, number: number): void {
  if (number !== 1) {
    session.rejectWith(view, VALUE_INCORRECT, 34);
    return;
  }
  const answer: [number, string | number][] = [
    [98, 0],
    [108, session.heartBtMs / 1000],
    [141, 'Y'],
  ];
  if (view.has(789)) answer.push([789, 2]);
  void session.resetSequenceNumbers().then((begun) => {
    if (!begun) return;
    session.inbound.advance(2);
    session.sendAdmin('A', answer);
    session.resume();
  });
}
