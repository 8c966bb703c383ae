import type { MessageView } from '../codec/message-view.js';
import type { Field } from '../types.js';
import { logonBody } from './logon-body.js';
import type { FixSession } from './session.js';

/** How long the peer may take to answer our Logon(A), ms. */
const LOGON_WAIT_MS = 10_000;

/** Opens the store of a new session and sends our Logon(A). Rejects when the store does, and when another process has the session. */
export async function sendLogon(session: FixSession, resetOnLogon: boolean, extra: readonly Field[]): Promise<void> {
  if (!(await session.openNumbers(resetOnLogon))) throw new Error('another process has this session');
  if (session.state !== 'logging-on') return;
  session.sendAdmin('A', [...logonBody(session, resetOnLogon), ...extra]);
  session.expectAnswer(LOGON_WAIT_MS);
  session.flush();
}

/** Processes the first message after our Logon(A): the peer's Logon(A), or a Logout(5) with the reason. */
export function logonAnswered(session: FixSession, view: MessageView): void {
  const { inbound, id } = session;
  const number = view.int(34);
  if (!view.isTextAt(0, id.beginString) || view.string(49) !== id.targetCompId || view.string(56) !== id.senderCompId) {
    abortLogon(session, 'answered by another peer: check BeginString and CompIDs');
    return;
  }
  if (view.msgType === '5') {
    abortLogon(session, `logon refused: ${view.string(58) ?? 'no reason given'}`);
    return;
  }
  if (view.msgType !== 'A' || number === undefined) {
    abortLogon(session, 'logon not answered by a Logon');
    return;
  }
  session.applVerId = view.string(1137) ?? session.ownApplVerId;
  const fault = session.protocol.applVerIdFault(session.applVerId);
  if (fault !== undefined) {
    session.terminate(fault, `answered with DefaultApplVerID ${session.applVerId}: ${fault}`);
    return;
  }
  if (view.flag(141)) inbound.restart(1);
  if (number < inbound.next) {
    const text = `MsgSeqNum too low, expecting ${inbound.next} but received ${number}`;
    session.terminate(text, 'MsgSeqNum too low');
    return;
  }
  const ours = session.outbound.numbers.next - 1;
  const expects = view.int(789);
  session.begin();
  if (number === inbound.next) inbound.advance(number + 1);
  else {
    inbound.keepProcessed(number);
    session.requestResend(number);
  }
  if (expects !== undefined && expects < ours) session.resend.request(expects, ours - 1);
  session.host.application.onLogon(session, view);
}

function abortLogon(session: FixSession, reason: string): void {
  session.wire.destroy();
  session.end(reason);
}
