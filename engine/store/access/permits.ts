/** Requests per minute and client or address, over all processes: one counter for each name and minute, which expires soon after it. */
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { countedName } from '../keys/redis-keys.js';

export interface PermitsWanted {
  /** What is limited: reads, writes, authentication. */
  readonly kind: string;
  /** Any text, also from the wire. */
  readonly who: string;
  /** Minutes since the epoch. */
  readonly minute: number;
  readonly limit: number;
  readonly wanted: number;
  /** Granted locally while the store was unavailable. */
  readonly borrowed: number;
}

export interface Permits {
  /** `given`: the total over all processes. Each granted permit is for this caller only. */
  take(wanted: PermitsWanted): Promise<{ readonly granted: number; readonly given: number }>;
}

/** `borrowed`: granted locally while the store was unavailable. */
export const TAKE_PERMITS = step(import.meta.url, 'take-permits', {
  inReserve: true,
  keys: ['minute'],
  args: ['limit', 'wanted', 'borrowed', 'keptMs'],
});
/** Two minutes: clocks of processes may differ by seconds. */
const KEPT_MS = 120_000;

export function permits(connection: Connection): Permits {
  return {
    async take({ kind, who, minute, limit, wanted, borrowed }) {
      const args = { limit, wanted, borrowed, keptMs: KEPT_MS };
      const taken = await connection.runUnreplicated(TAKE_PERMITS, { minute: keyOf(kind, who, minute) }, args);
      const [granted, given] = taken as [number, number];
      return { granted, given };
    },
  };
}

const keyOf = (kind: string, who: string, minute: number): string =>
  `permits:${countedName(kind, who)}:${Math.trunc(minute)}`;
