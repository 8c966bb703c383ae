/**
 * The store's clock, by which every step checks and writes times (step_now of prelude.lua): that of the server with the client's shard,
 * plus in a sandbox the offset that an operator has set. A process that prepares a step uses its own estimate of it.
 */

import { versionedConfig } from '../connection/caches.js';
import type { Connection } from '../connection/connection.js';
import { StoreUnavailable } from '../connection/errors.js';
import { SHARDS, shardTag } from '../keys/redis-keys.js';

export interface StoreClock {
  /** For the preparation of a step: epoch ms, whole. Throws StoreUnavailable(`none`) until the shard's server has answered. */
  now(of: { readonly shard: number }): number;
  /** For lookups by time that a step then checks: never too early. */
  steps(of: { readonly shard: number }): number;
  /** The same by any server that answers; undefined where none has. */
  estimate(): number | undefined;
  /** What the steps add to the server's time, ms; 0 unless an operator has advanced the clock. Read from the store. */
  readOffset(): Promise<number>;
  /** Sets the offset in every shard, and in every process within a second. The caller has checked that this is a sandbox. */
  setOffset(ms: number): Promise<void>;
  /** This machine's clock minus the servers', ms: of the server from which it differs most. */
  hostAheadMs(): number | undefined;
  close(): void;
}

const clockKey = (shard: number): string => `${shardTag(shard)}:clock`;
/** Represents all shards: it is written last. */
const FIRST = clockKey(0);
/** A hundred years: later times would have more than 13 digits eventually. */
export const OFFSET_MAX_MS = 100 * 365 * 24 * 60 * 60 * 1_000;

/** With `made`, a test's clock, the preparation of steps uses its time. Resolves when the offset is known. */
export async function storeClock(connection: Connection, made: (() => number) | undefined): Promise<StoreClock> {
  const readOffset = async (): Promise<number> => Number((await connection.read((redis) => redis.get(FIRST))) ?? '0');
  let offsetMs = await readOffset();
  let begun = 0;
  let underWay = 0;
  // An offset that was read while this process sets another one may be the older of the two: it is read again.
  const load = async (): Promise<number> => {
    const before = begun;
    const ms = underWay > 0 ? undefined : await readOffset();
    if (ms === undefined || begun !== before) throw new StoreUnavailable('none');
    return ms;
  };
  const all = versionedConfig(connection, { name: 'clock', version: FIRST, channel: 'clock:changed', load });
  all.onChange((ms) => {
    offsetMs = ms;
  });
  const estimate = (key?: string): number | undefined => {
    const ms = connection.serverMs(key, 'best');
    return ms === undefined ? undefined : ms + offsetMs;
  };
  const known = (ms: number | undefined): number => {
    if (ms === undefined) throw new StoreUnavailable('none');
    return ms;
  };
  return {
    now: ({ shard }) => known(made ? made() : estimate(clockKey(shard))),
    steps({ shard }) {
      const ms = connection.serverMs(clockKey(shard));
      return ms === undefined ? known(estimate(clockKey(shard))) : ms + offsetMs;
    },
    estimate: () => (made ? made() : estimate()),
    readOffset,
    async setOffset(ms) {
      if (!Number.isSafeInteger(ms) || Math.abs(ms) > OFFSET_MAX_MS) throw new RangeError('no offset of a clock');
      const set = (shard: number) => connection.write((redis) => redis.set(clockKey(shard), String(ms)));
      const before = offsetMs;
      offsetMs = ms;
      begun++;
      underWay++;
      try {
        await Promise.all(Array.from({ length: SHARDS }, (_, i) => set(SHARDS - 1 - i)));
      } catch (error) {
        offsetMs = before;
        throw error;
      } finally {
        underWay--;
      }
      all.notify();
    },
    hostAheadMs: () =>
      connection
        .servers()
        .map(({ hostAheadMs }) => hostAheadMs ?? 0)
        .reduce((most, ms) => (Math.abs(ms) > Math.abs(most) ? ms : most), 0),
    close: all.close,
  };
}
