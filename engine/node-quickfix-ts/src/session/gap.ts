import type { FixSession } from './session.js';

/** A gap that the peer does not close is requested again at the next message after so many heartbeats, so often. */
const PATIENCE_HEARTBEATS = 2;
const MAX_ASKED = 4;

/** Sends a ResendRequest(2) from the next expected number on, once, and again only when it is not answered. */
export function requestResend(session: FixSession, number: number): void {
  const { inbound } = session;
  const nowMs = session.host.clock.elapsed();
  if (!inbound.mustRequestResend(number, nowMs, session.heartBtMs * PATIENCE_HEARTBEATS)) return;
  if (inbound.resendRequests >= MAX_ASKED) {
    session.logout('ResendRequest not answered');
    return;
  }
  inbound.resendRequested(number, nowMs);
  session.count('resend-requested', 'resend-requested');
  session.sendAdmin('2', [
    [7, inbound.next],
    [16, 0],
  ]);
}
