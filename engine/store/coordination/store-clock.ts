/**
 * The store's clock, by which every step judges and writes times (step_now of prelude.lua): that of the server which has the client's
 * shard, and in a sandbox what an operator has turned it ahead by. What a process makes before a step takes its estimate of it.
 */
import type { Connection } from '../connection/connection.js';
import { StoreUnavailable } from '../connection/errors.js';
import { watched } from '../connection/watched.js';
import { SHARDS, shardTag } from '../keys/ids.js';

export interface StoreClock {
  /** For what is made before a step: epoch ms, whole. Throws StoreUnavailable(`none`) while the shard's server has not said its time. */
  now(of: { readonly shard: number }): number;
  /** For what is looked up by time, and judged by a step: never too early. */
  steps(of: { readonly shard: number }): number;
  /** The same by whichever server answers; undefined where none has said its time. */
  estimate(): number | undefined;
  /** What the steps add to the server's time, ms; 0 where no operator has turned the clock. Read from the store. */
  readOffset(): Promise<number>;
  /** Sets the offset in every shard, and in every process within a second. The caller has seen that this is a sandbox. */
  setOffset(ms: number): Promise<void>;
  /** How far this machine's clock is ahead of the servers', ms, below 0 behind: of the one from which it differs most. */
  hostAheadMs(): number | undefined;
  close(): void;
}

const clockKey = (shard: number): string => `${shardTag(shard)}:clock`;
/** Stands for all: it is sent last. */
const FIRST = clockKey(0);
/** A hundred years: beyond it, times have more than 13 digits one day. */
export const OFFSET_MAX_MS = 100 * 365 * 24 * 60 * 60 * 1_000;

/** What is made before a step has the time of `made`, where it is given: a test's. Resolves when the offset is known. */
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
  const all = watched(connection, { name: 'clock', version: FIRST, channel: 'clock:changed', load });
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
      all.ring();
    },
    hostAheadMs: () =>
      connection
        .servers()
        .map(({ hostAheadMs }) => hostAheadMs ?? 0)
        .reduce((most, ms) => (Math.abs(ms) > Math.abs(most) ? ms : most), 0),
    close: all.close,
  };
}
