import type { SessionProfile } from '../types.js';

/** The defaults of a FIX 4.4 session. */
export const DEFAULT_PROFILE: SessionProfile = {
  heartBtIntMin: 0,
  heartBtIntMax: 60,
  maxLatencyS: 120,
  resetOnLogon: false,
  sendNextExpected: false,
  encoding: 'latin1',
  userTags: 'ignore',
  stored: new Set(),
  unstoredFields: new Set(),
  supported: new Set(),
  unsupportedFields: [],
  rejects: 'full',
  storeWaitMs: 200,
  logoutOnTimeout: true,
  congestedBytes: 16 * 1024,
  maxBacklogBytes: 4 * 1024 * 1024,
  probeBytes: 64 * 1024,
  probeAfterMs: 250,
  maxUnansweredBytes: 256 * 1024,
  maxUndrainedMs: 10_000,
};

/** The default profile with some of it changed. */
export function profile(changes: Partial<SessionProfile>): SessionProfile {
  return { ...DEFAULT_PROFILE, ...changes };
}
