import type { MessageView } from '../codec/message-view.js';
import { REJECT_REASONS } from '../dictionary/reject-reason.js';
import type { FixSession } from './session.js';

const { REQUIRED_TAG_MISSING, VALUE_INCORRECT } = REJECT_REASONS;

/** A valid message, in sequence, its number counted. SequenceReset(4) and Logout(5) have their own ways. */
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
  // A rejection is never answered by a rejection.
  if (view.msgType === 'j') {
    session.count('peer-rejected', 'business-reject');
    return;
  }
  session.businessReject(view, 3, 'Unsupported Message Type', session.profile.unsupportedFields);
}

/** SequenceReset(4): a gap fill that is next in sequence, or a reset, whose own number means nothing. Never backwards. */
export function sequenceReset(session: FixSession, view: MessageView): void {
  const { inbound } = session;
  const next = view.int(36);
  if (next === undefined) session.refuse(view, REQUIRED_TAG_MISSING, 36);
  else if (next > inbound.next) {
    inbound.advance(next);
    session.outbound.flow.askAgain();
  } else if (next < inbound.next) session.refuse(view, VALUE_INCORRECT);
}

export function resendAsked(session: FixSession, view: MessageView): void {
  const from = view.int(7);
  const to = view.int(16);
  if (from === undefined) session.refuse(view, REQUIRED_TAG_MISSING, 7);
  else if (to === undefined) session.refuse(view, REQUIRED_TAG_MISSING, 16);
  else if (from < 0 || to < 0 || (to !== 0 && to < from)) session.refuse(view, VALUE_INCORRECT, 16);
  else session.resend.ask(from, to);
}

/** Logout(5) is answered whatever its number, and nothing comes after it. */
export function logoutReceived(session: FixSession, view: MessageView, number: number): void {
  if (number === session.inbound.next) session.inbound.advance(number + 1);
  const text = view.string(58);
  const reason = session.endedAs ?? (text === undefined ? 'logout' : `logout by the peer: ${printable(text)}`);
  session.terminate(undefined, reason);
}

/** A reason is logged and shown: what the peer says in it stays on its line, and short. */
function printable(text: string): string {
  return text.slice(0, 120).replace(/[^\x20-\x7e]/g, '?');
}

/** Logon(A) with ResetSeqNumFlag(141) on a session that is up: both sides start again at 1. */
export function startAgainAsked(session: FixSession, view: MessageView, number: number): void {
  if (number !== 1) {
    session.refuse(view, VALUE_INCORRECT, 34);
    return;
  }
  const answer: [number, string | number][] = [
    [98, 0],
    [108, session.heartBtMs / 1000],
    [141, 'Y'],
  ];
  if (view.has(789)) answer.push([789, 2]);
  void session.startAgain().then((begun) => {
    if (!begun) return;
    session.inbound.advance(2);
    session.sendAdmin('A', answer);
    session.goOn();
  });
}
