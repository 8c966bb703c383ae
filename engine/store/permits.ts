/** How many requests somebody has sent in a minute, over all processes: one counter for each name and minute, gone soon after it. */
import { createHash } from 'node:crypto';
import type { Connection } from './connection.js';
import { mustMatch } from './ids.js';
import { script } from './scripts.js';

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

// A hash, whatever the name is: nothing from the wire becomes part of a key, and no client key or address is to be read from it.
function keyOf(kind: string, who: string, minute: number): string {
  mustMatch(/^[a-z]{1,32}$/, 'kind of permit', kind);
  const name = createHash('sha256').update(who).digest('base64url');
  return `permits:${kind}:${name}:${Math.trunc(minute)}`;
}
