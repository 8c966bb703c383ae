import type { FixSession } from './session.js';

/** TestRequest(1) and then the end, in units of HeartBtInt(108) of silence. */
const TEST_AFTER = 1.5;
const TIMEOUT_AFTER = 2.4;
/** The timer of a session runs at least this often: schedule, backlog. */
const TIMER_MS = 1_000;

/** Handles timeouts, heartbeats and the schedule. Returns when to run again, monotonic ms. */
export function onTimer(session: FixSession, nowMs: number): number {
  const { outbound, profile } = session;
  if (nowMs >= session.answerByMs) {
    session.wire.destroy();
    if (session.numberReset.isRequested) session.end('reset not answered');
    else session.disconnected();
    return Infinity;
  }
  if (slow(session, nowMs)) {
    session.count('slow-consumer', 'slow-consumer');
    session.terminate('SLOW_CONSUMER', 'SLOW_CONSUMER');
    session.wire.destroy();
    return Infinity;
  }
  const storedBy = outbound.waitsForStore ? outbound.expire(nowMs) : Infinity;
  session.resend.resume();
  const undrainedAt = outbound.backlogSinceMs === 0 ? Infinity : outbound.backlogSinceMs + profile.maxUndrainedMs;
  const nextTimerMs = Math.min(session.answerByMs, storedBy, undrainedAt, outbound.flow.overdueAtMs, nowMs + TIMER_MS);
  if (session.state !== 'up') return nextTimerMs;

  // HeartBtInt(108)=0: no heartbeats, and silence is no fault.
  const heartBtMs = session.heartBtMs || Infinity;
  const silentMs = nowMs - session.lastReceivedMs;
  endAtBoundary(session);
  if (!session.loggedOn) return nextTimerMs;
  if (silentMs >= heartBtMs * TIMEOUT_AFTER) return timeout(session);
  else if (!session.testRequested && silentMs >= heartBtMs * TEST_AFTER) {
    session.testRequested = true;
    session.sendAdmin('1', [[112, 'TEST']]);
  } else if (nowMs - outbound.lastSentMs >= heartBtMs) session.sendAdmin('0', []);
  if (nowMs >= outbound.flow.probeAtMs && session.loggedOn) session.sendProbe();
  outbound.flush();

  const silent = session.testRequested ? TIMEOUT_AFTER : TEST_AFTER;
  return Math.min(
    nextTimerMs,
    outbound.flow.probeAtMs,
    outbound.lastSentMs + heartBtMs,
    session.lastReceivedMs + heartBtMs * silent,
  );
}

/** Logs out a session that is up outside its schedule, or in the next period. */
export function endAtBoundary(session: FixSession): void {
  const { schedule } = session.profile;
  if (schedule?.isOpen(session.host.clock.now()) === false || session.isPeriodOver) session.logout('SESSION_END');
}

function timeout(session: FixSession): number {
  if (session.profile.logoutOnTimeout) session.terminate('Heartbeat timeout', 'Heartbeat timeout');
  else {
    session.wire.destroy();
    session.end('Heartbeat timeout');
  }
  return Infinity;
}

/** Unsent bytes are too old or too many; or a TestRequest(1) behind published data is unanswered for too long. */
function slow(session: FixSession, nowMs: number): boolean {
  const { outbound, profile, wire } = session;
  if (outbound.flow.isOverdue(nowMs)) return true;
  if (outbound.backlogSinceMs === 0) return false;
  // A small backlog drains without an event of the socket.
  if (wire.backlogBytes === 0) {
    session.drained();
    return false;
  }
  return outbound.tooSlow || nowMs - outbound.backlogSinceMs >= profile.maxUndrainedMs;
}
