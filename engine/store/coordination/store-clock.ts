/**
 * The store's clock, by which every step checks and writes times (step_now of clock.lua): that of the server with the client's shard,
 * plus in a sandbox the offset that an operator has set, and the one by which the client's own clock is ahead. A process that prepares a
 * step uses its own estimate of it: the client's record, as it was read, says by how much that client is ahead.
 */

import { versionedConfig } from '../connection/caches.js';
import type { Connection } from '../connection/connection.js';
import { StoreUnavailable } from '../connection/errors.js';
import { step } from '../connection/scripts.js';
import { ledgerKeys, type MoneyOf, SHARDS, shardTag } from '../keys/redis-keys.js';

export interface StoreClock {
  /** For the preparation of a step: epoch ms, whole. Throws StoreUnavailable(`none`) until the shard's server has answered. */
  now(of: { readonly shard: number; readonly clockMs?: number | undefined }): number;
  /** For lookups by time that a step then checks, and for the due list: the shard's time, never too early. */
  steps(of: { readonly shard: number }): number;
  /** The same by any server that answers; undefined where none has. */
  estimate(): number | undefined;
  /** What the steps add to the server's time, ms; 0 unless an operator has advanced the clock. Read from the store. */
  readOffset(): Promise<number>;
  /** Sets the offset in every shard, and in every process within a second. The caller has checked that this is a sandbox. */
  setOffset(ms: number): Promise<void>;
  /** How far a client's own clock is ahead of its shard's, ms. Read from the store. */
  readOwn(of: MoneyOf): Promise<number>;
  /** Advances a client's own clock, with what is due by it. The caller has checked that this is a sandbox. */
  advanceOwn(of: MoneyOf, by: { readonly ms: number } | { readonly untilMs: number }): Promise<AdvancedClock>;
  /** Whether the operator's offset is not 0, or the clock of any client was ever to be advanced on this store. */
  isTurned(): Promise<boolean>;
  /** By how much a server's clock was turned while this process ran, ms: of the server where it is most; 0 unless by more than a minute. */
  turnedMs(): number;
  /** In every process within a second: the clocks of the servers are right, whatever they say. */
  acceptServers(): Promise<void>;
  /** This machine's clock minus the servers', ms: of the server from which it differs most. */
  hostAheadMs(): number | undefined;
  close(): void;
}

export type AdvancedClock =
  | { readonly kind: 'moved'; readonly aheadMs: number; readonly nowMs: number }
  /** It would be ahead by more than OWN_OFFSET_MAX_MS. */
  | { readonly kind: 'limit'; readonly aheadMs: number }
  /** The due list of the shard is too long to be passed in one step. */
  | { readonly kind: 'busy' };

const ADVANCE_CLOCK = step(import.meta.url, 'advance-clock', {
  keys: ['clock', 'due', 'shardClock'],
  // By so many ms, or until a time of the client's clock.
  args: ['client', 'mostMs', 'mostEntries', 'byMs?', 'untilMs?'],
});
/** Clients whose own clocks may be ahead: one is added before its clock is advanced. */
const CLIENTS = 'clock:clients';
/** The sum of what a client's clock is advanced by: a year. */
export const OWN_OFFSET_MAX_MS = 366 * 24 * 3_600_000;
/** They are passed in about 60 ms, during which the shard's server does nothing else. */
export const DUE_MAX = 100_000;

/** A number that each acceptance of the servers' clocks raises. */
const ACCEPTED = 'clock:accepted';

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
  // What is read while this process sets an offset may be the older of the two, also where it is taken over only later.
  const load = async () => ({ after: underWay > 0 ? undefined : begun, ms: await readOffset() });
  const all = versionedConfig(connection, { name: 'clock', version: FIRST, channel: 'clock:changed', load });
  all.onChange(({ after, ms }) => {
    // It is read again.
    if (begun !== after) throw new StoreUnavailable('none');
    offsetMs = ms;
  });
  const accepted = versionedConfig(connection, {
    name: 'accepted clock',
    version: ACCEPTED,
    channel: 'clock:changed',
    load: async () => undefined,
  });
  let isFirst = true;
  accepted.onChange(() => {
    if (!isFirst) connection.acceptClocks();
    isFirst = false;
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
    now: ({ shard, clockMs = 0 }) => known(made ? made() : estimate(clockKey(shard))) + clockMs,
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
      await all.announce();
    },
    readOwn: async (of) => Number((await connection.read((redis) => redis.get(ledgerKeys(of).clock))) ?? '0'),
    async advanceOwn(of, by) {
      const { clock, due } = ledgerKeys(of);
      await connection.write((redis) => redis.sadd(CLIENTS, of.id));
      const [kind, first, second] = (await connection.step(
        ADVANCE_CLOCK,
        { clock, due, shardClock: clockKey(of.shard) },
        {
          client: of.id,
          mostMs: OWN_OFFSET_MAX_MS,
          mostEntries: DUE_MAX,
          byMs: 'ms' in by ? by.ms : undefined,
          untilMs: 'untilMs' in by ? by.untilMs : undefined,
        },
      )) as [AdvancedClock['kind'], string?, string?];
      if (kind === 'busy') return { kind };
      if (kind === 'moved') connection.notify('clock:changed', of.id);
      return { kind, aheadMs: Number(first), nowMs: Number(second) };
    },
    isTurned: async () => (await readOffset()) !== 0 || (await connection.read((redis) => redis.exists(CLIENTS))) === 1,
    turnedMs: () => furthest(connection.servers().map(({ clockTurnedMs }) => clockTurnedMs)),
    async acceptServers() {
      await connection.write((redis) => redis.incr(ACCEPTED));
      connection.acceptClocks();
      await accepted.announce();
    },
    hostAheadMs: () => furthest(connection.servers().map(({ hostAheadMs }) => hostAheadMs ?? 0)),
    close() {
      all.close();
      accepted.close();
    },
  };
}

/** The one of these that is furthest from 0. */
const furthest = (all: readonly number[]): number =>
  all.reduce((most, ms) => (Math.abs(ms) > Math.abs(most) ? ms : most), 0);
