/** How many requests somebody has sent in a minute, over all processes: one counter for each name and minute, gone soon after it. */
import type { Connection } from '../connection/connection.js';
import { script } from '../connection/scripts.js';
import { countedName } from '../keys/ids.js';

export interface PermitsWanted {
  /** What is limited: reads, writes, authentication. */
  readonly kind: string;
  /** Any text, also from the wire. */
  readonly who: string;
  /** Minutes since the epoch. */
  readonly minute: number;
  readonly limit: number;
  readonly wanted: number;
  /** Given out while the store could not be asked. */
  readonly lent: number;
}

export interface Permits {
  /** `given`: in all, to everybody who asked. Each granted permit is its caller's alone. */
  take(wanted: PermitsWanted): Promise<{ readonly granted: number; readonly given: number }>;
}

const TAKE = script('take-permits');
/** Two minutes: clocks of processes need not agree to the second. */
const KEPT_MS = '120000';

export function permits(connection: Connection): Permits {
  return {
    async take({ kind, who, minute, limit, wanted, lent }) {
      const numbers = [limit, wanted, lent].map(String);
      const taken = await connection.passingStep(TAKE, [keyOf(kind, who, minute)], [...numbers, KEPT_MS]);
      const [granted, given] = taken as [number, number];
      return { granted, given };
    },
  };
}

const keyOf = (kind: string, who: string, minute: number): string =>
  `permits:${countedName(kind, who)}:${Math.trunc(minute)}`;
