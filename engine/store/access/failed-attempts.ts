/** Wrong secrets and failed logons, counted over all processes: spreading attempts over several gateways gives no more of them. */
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { countedName } from '../keys/redis-keys.js';

export interface AttemptBounds {
  /** What is counted: logon, secret. */
  readonly kind: string;
  /** This many failures within the window lock for this long, counted from the last one. */
  readonly most: number;
  readonly windowMs: number;
  readonly closedMs: number;
}

export interface FailedAttempts {
  /** Counts a failure of `who`, any text, also from the wire. Returns the milliseconds until the lock ends; 0: not locked. */
  count(bounds: AttemptBounds, who: string, nowMs: number): Promise<number>;
  /** The same without counting. */
  closedMs(bounds: AttemptBounds, who: string, nowMs: number): Promise<number>;
  /** The same, and forgets the failures of `who` unless it is locked. */
  forget(bounds: AttemptBounds, who: string, nowMs: number): Promise<number>;
}

export const COUNT_FAILED_ATTEMPT = step(import.meta.url, 'count-failed-attempt', {
  inReserve: true,
  keys: ['record'],
  args: ['most', 'windowMs', 'closedMs', 'nowMs'],
});

export function failedAttempts(connection: Connection): FailedAttempts {
  const read = async ({ kind, most, closedMs }: AttemptBounds, who: string, nowMs: number) => {
    const kept = await connection.read((redis) => redis.hmget(keyOf(kind, who), 'count', 'since'));
    const [count, since] = kept.map(Number) as [number, number];
    return { count, closedMs: count >= most ? Math.max(0, since + closedMs - nowMs) : 0 };
  };
  return {
    async count({ kind, most, windowMs, closedMs }, who, nowMs) {
      const args = { most, windowMs, closedMs, nowMs: Math.trunc(nowMs) };
      return Number(await connection.step(COUNT_FAILED_ATTEMPT, { record: keyOf(kind, who) }, args));
    },
    closedMs: async (bounds, who, nowMs) => (await read(bounds, who, nowMs)).closedMs,
    async forget(bounds, who, nowMs) {
      const { count, closedMs } = await read(bounds, who, nowMs);
      // Most have no failures: only a write waits for the disk.
      if (count > 0 && closedMs === 0) await connection.write((redis) => redis.del(keyOf(bounds.kind, who)));
      return closedMs;
    },
  };
}

const keyOf = (kind: string, who: string): string => `failed-attempts:${countedName(kind, who)}`;
