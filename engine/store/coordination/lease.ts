/** A lease: at most one process holds it, and loses it 3 seconds after it was last renewed. */
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { mustMatch } from '../keys/redis-keys.js';

export interface Lease {
  /**
   * To be called each second. Returns the name of this holding, constant until it ends: a process that lost the lease and acquired it again
   * has another. Undefined: another process has the lease.
   */
  acquire(): Promise<string | undefined>;
  /** Releases it at once, and publishes a notification. */
  release(): Promise<void>;
  /** Called when a holder has released it, until the returned function is called; may be missed. */
  onRelease(released: () => void): () => void;
}

export const LEASE_MS = 3_000;
/** Its holder runs the feed and publishes prices. */
export const FEED_LEASE = 'feed';
/** Its holder reads the positions and publishes risk figures. */
export const RISK_LEASE = 'risk';
export const TAKE_LEASE = step(import.meta.url, 'take-lease', {
  inReserve: true,
  keys: ['lease'],
  args: ['engine', 'leaseMs'],
});
export const RELEASE_LEASE = step(import.meta.url, 'release-lease', {
  inReserve: true,
  keys: ['lease'],
  args: ['engine'],
});

export const leaseKey = (name: string): string => `lease:${mustMatch(/^[a-z][a-z0-9-]{0,31}$/, 'lease', name)}`;

export function lease(connection: Connection, engineId: string, name: string): Lease {
  const key = leaseKey(name);
  return {
    async acquire() {
      const holding = (await connection.runUnreplicated(
        TAKE_LEASE,
        { lease: key },
        { engine: engineId, leaseMs: LEASE_MS },
      )) as string;
      return holding === '' ? undefined : holding;
    },
    async release() {
      if ((await connection.runUnreplicated(RELEASE_LEASE, { lease: key }, { engine: engineId })) === 1)
        connection.notify(key, '');
    },
    onRelease: (released) => connection.subscribe(key, () => released()),
  };
}
