import type { FixSession } from './session.js';

/** A gap that the peer does not close is asked for again, at the next message after so many heartbeats, so often. */
const PATIENCE_HEARTBEATS = 2;
const MAX_ASKED = 4;

/** Asks for the messages from the next expected one on, once, and again only when nothing comes of it. */
export function askFor(session: FixSession, number: number): void {
  const { inbound } = session;
  const nowMs = session.host.clock.elapsed();
  if (!inbound.mustAsk(number, nowMs, session.heartBtMs * PATIENCE_HEARTBEATS)) return;
  if (inbound.asked >= MAX_ASKED) {
    session.logout('ResendRequest not answered');
    return;
  }
  inbound.askedFor(number, nowMs);
  session.count('resend-requested', 'resend-requested');
  session.sendAdmin('2', [
    [7, inbound.next],
    [16, 0],
  ]);
}
