import type { FixSession } from './session.js';

/**
 * Opens the session's store and reads its numbers, or resets them to 1: when requested, when the profile requires it at each Logon, or
 * when the stored numbers are of an earlier session period. False: the session is live in another process. Rejects when the store does.
 */
export async function openNumbers(session: FixSession, reset: boolean): Promise<boolean> {
  const { store, profile, host } = session;
  const stored = await store.open(() => session.takenOver());
  if (stored === undefined) return false;
  const nowMs = host.clock.now();
  const over = profile.schedule !== undefined && stored.createdAtMs < profile.schedule.periodStart(nowMs);
  const isReset = reset || profile.resetOnLogon || over;
  if (isReset) await store.reset(nowMs);
  await session.outbound.numbers.begin(isReset ? 1 : stored.nextOut);
  session.inbound.restart(isReset ? 1 : stored.nextIn);
  return true;
}
