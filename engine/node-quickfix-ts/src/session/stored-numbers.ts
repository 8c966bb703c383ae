import type { FixSession } from './session.js';

/**
 * Opens the session's store and takes its numbers, or starts again at 1: when asked, when the profile says so at each Logon,
 * or when what is stored belongs to a session period that is over. False: the session is live in another process. Rejects when the
 * store does.
 */
export async function openNumbers(session: FixSession, reset: boolean): Promise<boolean> {
  const { store, profile, host } = session;
  const stored = await store.open(() => session.takenOver());
  if (stored === undefined) return false;
  const nowMs = host.clock.now();
  const over = profile.schedule !== undefined && stored.createdAtMs < profile.schedule.periodStart(nowMs);
  const startAgain = reset || profile.resetOnLogon || over;
  if (startAgain) await store.reset(nowMs);
  await session.outbound.numbers.begin(startAgain ? 1 : stored.nextOut);
  session.inbound.restart(startAgain ? 1 : stored.nextIn);
  return true;
}
