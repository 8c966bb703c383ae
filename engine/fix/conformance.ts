import {
  DEFAULT_PROFILE,
  type LogonDecision,
  memoryStoreFactory,
  profile,
  type SessionId,
  type SessionProfile,
} from 'node-quickfix-ts';
import { isLoopback } from '../service/core/caller.js';
import { type FixGatewaySettings, FixSettingError } from './settings.js';

/** The context of the session that the public session-level test scenarios log on as; it takes orders and does nothing. */
export const CONFORMANCE = Symbol('conformance');

/** Messages that the scenarios expect an application to support. */
const TAKEN = ['D', 'd'];

export interface Conformance {
  /** The decision on a logon with these CompIDs; undefined: they are not those of the scenarios. */
  decide(id: SessionId): LogonDecision | undefined;
}

/** `TW44:ISLD`: SenderCompID(49) TW44 to TargetCompID(56) ISLD logs on without credentials, so only on loopback. */
export function conformanceOf({ fixConformance, ...settings }: FixGatewaySettings): Conformance | undefined {
  if (fixConformance === undefined) return undefined;
  const host = [settings.host, settings.tls?.host ?? settings.host].find((one) => !isLoopback(one));
  if (host !== undefined) {
    throw new FixSettingError(
      `FIX_CONFORMANCE ${fixConformance} is refused with HOST ${host}: its session needs no credentials, so set HOST to 127.0.0.1 or unset FIX_CONFORMANCE`,
    );
  }
  const [desk, engine] = fixConformance.split(':');
  return {
    decide(id) {
      const isDesk = id.targetCompId === desk;
      const isEngine = id.senderCompId === engine;
      if (isDesk && isEngine) return { accept: true, profile: CONFORMANCE_PROFILE, reply: [], context: CONFORMANCE };
      // A scenario sends one wrong CompID: it is not counted as a failed logon, so it does not close the address.
      return isDesk || isEngine ? { accept: false, silent: true } : undefined;
    },
  };
}

const CONFORMANCE_PROFILE: SessionProfile = profile({
  ...DEFAULT_PROFILE,
  heartBtIntMin: 1,
  resetOnLogon: true,
  userTags: 'strict',
  stored: new Set(['j']),
  supported: new Set(TAKEN),
  unsupportedFields: [],
  rejects: 'quickfix',
  // The suite expects a silent peer to be disconnected without a Logout(5).
  logoutOnTimeout: false,
});

export const conformanceStore = memoryStoreFactory();
