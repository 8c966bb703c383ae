import type { RefusalCode } from '../domain/refusal.js';

/** Counters of the gateway: plain numbers, read at scrape. Labels come from closed lists, never from the wire. */
export interface FixCounters {
  /** Sessions logged on now. */
  sessions: number;
  logons: number;
  logouts: number;
  /** By MsgType(35). */
  readonly received: Map<string, number>;
  readonly sent: Map<string, number>;
  /** Refusals by ErrorCode(20011), failed logons among them. */
  readonly refusals: Map<RefusalCode, number>;
  /** Events of the session layer by kind: rejected, resend-requested, store-failed ... */
  readonly events: Map<string, number>;
  garbled: number;
  logonFailures: number;
  throttled: number;
  slowConsumers: number;
}

export function createFixCounters(): FixCounters {
  return {
    sessions: 0,
    logons: 0,
    logouts: 0,
    received: new Map(),
    sent: new Map(),
    refusals: new Map(),
    events: new Map(),
    garbled: 0,
    logonFailures: 0,
    throttled: 0,
    slowConsumers: 0,
  };
}

export function countUp<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
