/** A lease: at most one process holds it, and loses it 3 seconds after it was last renewed. */
import type { Connection } from './connection.js';
import { mustMatch } from './ids.js';
import { script } from './scripts.js';

export interface Lease {
  /** True when this process holds the lease from now on. */
  acquire(): Promise<boolean>;
  /** To be called each second; false when the lease has gone to another or has lapsed. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

export const LEASE_MS = 3_000;
const RENEW = script('renew-lease');
const RELEASE = script('release-lease');

export function lease(connection: Connection, engineId: string, name: string): Lease {
  const key = `lease:${mustMatch(/^[a-z][a-z0-9-]{0,31}$/, 'lease', name)}`;
  const renew = async () => (await connection.step(RENEW, [key], [engineId, String(LEASE_MS)])) === 1;
  return {
    async acquire() {
      const taken = await connection.write((redis) => redis.set(key, engineId, 'PX', LEASE_MS, 'NX'));
      return taken === 'OK' || renew();
    },
    renew,
    async release() {
      await connection.step(RELEASE, [key], [engineId]);
    },
  };
}
