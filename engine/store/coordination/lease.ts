/** A lease: at most one process holds it, and loses it 3 seconds after it was last renewed. */
import type { Connection } from '../connection/connection.js';
import { script } from '../connection/scripts.js';
import { mustMatch } from '../keys/ids.js';

export interface Lease {
  /**
   * To be called each second. The name of this holding, the same one until it ends: who lost the lease and has it again has another.
   * Undefined: another process has the lease.
   */
  acquire(): Promise<string | undefined>;
  /** Ends it at once, and rings. */
  release(): Promise<void>;
  /** Called when a holder has let go, until the returned function is called; may be missed. */
  onRelease(heard: () => void): () => void;
}

export const LEASE_MS = 3_000;
/** Whoever holds it runs the feed, and publishes. */
export const FEED_LEASE = 'feed';
const TAKE = script('take-lease');
const RELEASE = script('release-lease');

export const leaseKey = (name: string): string => `lease:${mustMatch(/^[a-z][a-z0-9-]{0,31}$/, 'lease', name)}`;

export function lease(connection: Connection, engineId: string, name: string): Lease {
  const key = leaseKey(name);
  return {
    async acquire() {
      const holding = (await connection.passingStep(TAKE, [key], [engineId, String(LEASE_MS)])) as string;
      return holding === '' ? undefined : holding;
    },
    async release() {
      if ((await connection.passingStep(RELEASE, [key], [engineId])) === 1) connection.ring(key, '');
    },
    onRelease: (heard) => connection.listen(key, () => heard()),
  };
}
