/**
 * Durable sequence numbers and messages of the FIX sessions. A session is claimed by one engine at a time: each claim raises its epoch, and
 * writes of an engine with an older epoch are rejected, so two engines never number one session. While the engine that has a session is
 * alive, by its lease, no other one can claim it. This is the session store of node-quickfix-ts, of which only the types are imported.
 */

import { isAscii } from 'node:buffer';
import { setTimeout as pause } from 'node:timers/promises';
import type { SessionId, SessionStore } from 'node-quickfix-ts';
import { COMP_ID } from '../../domain/core/ids.js';
import type { Connection } from '../connection/connection.js';
import { SessionTakenOver, StoreUnavailable } from '../connection/errors.js';
import { fieldsOf } from '../connection/fields.js';
import { step } from '../connection/scripts.js';
import { LEASE_MS, lease, leaseKey } from '../coordination/lease.js';
import { mustMatch, outboxKey, sessionKey } from '../keys/redis-keys.js';

type FixSessionId = Pick<SessionId, 'senderCompId' | 'targetCompId'>;

interface FixSessionStore extends SessionStore {
  /** A number that was reserved but not settled (a crash) is skipped. Another engine is waited for as long as a lease lasts. */
  open(onTakenOver?: () => void): ReturnType<SessionStore['open']>;
}

/** The claims of this process, for steps that it runs in the name of sessions. */
export interface SessionClaims {
  /** The epoch of its claim; '' where it has none, or has released it. After another engine's claim it keeps its old epoch. */
  epochOf(session: string): string;
  /** The store has reported that another engine has claimed the session since that epoch. */
  takenOver(session: string, epoch: string): void;
}

/** A message for a session without a sequence number yet: written by the step that moved the money, removed by `append`. */
export interface OutboxEntry {
  readonly id: string;
  readonly kind: string;
  readonly data: string;
}

export interface FixSessions extends SessionClaims {
  /** Every promise of the store rejects with SessionTakenOver once another process has claimed the session. */
  store(id: FixSessionId, clientShard: number): FixSessionStore;
  /** The numbers in the store, without a claim; undefined: it never logged on. `nextOut` of a live session is reserved ahead. */
  read(
    id: FixSessionId,
    clientShard: number,
  ): Promise<{ readonly nextOut: number; readonly nextIn: number } | undefined>;
  /** Entries of a session's outbox after `afterId` (undefined: from the first), oldest first, at most `limit` (and 10,000). */
  readOutbox(
    senderCompId: string,
    targetCompId: string,
    clientShard: number,
    afterId: string | undefined,
    limit: number,
  ): Promise<readonly OutboxEntry[]>;
  /** Removes an entry whose subject no longer exists. */
  dropOutboxEntry(senderCompId: string, targetCompId: string, clientShard: number, entryId: string): Promise<void>;
  /**
   * Deletes numbers, messages and outbox: the next logon with the CompID begins anew, and an engine that has the session can no longer
   * write.
   */
  forget(id: FixSessionId, clientShard: number): Promise<void>;
  /**
   * Called with the CompID of a session with a new outbox entry, written by another process or another session, until the returned function
   * is called. A notification may get lost: the engine that holds a session also polls.
   */
  onOutbox(changed: (compId: string) => void): () => void;
  /** Writes pending numbers; called by the store's own close. */
  close(): Promise<void>;
}

interface Live {
  readonly session: string;
  epoch: string;
  onTakenOver: () => void;
}

const MESSAGES_KEPT_MS = 7 * 24 * 60 * 60 * 1_000;
const SAVE_EVERY_MS = 1_000;
const READ_MAX = 10_000;
/** By then a killed holder's lease has expired. */
const HOLDER_WAIT_MS = LEASE_MS + 500;
const HOLDER_POLL_MS = 100;
const OUTBOX_CHANNEL = 'fix:outbox';
const ENTRY_ID = /^\d{1,20}-\d{1,20}$/;

export const CLAIM_SESSION = step(import.meta.url, 'claim-session', {
  inReserve: true,
  keys: ['session'],
  // `nowMs` is the creation time of a new session; `gone` is an engine that is known to have ended.
  args: ['engine', 'nowMs', 'gone?'],
});
export const RESET_SESSION = step(import.meta.url, 'reset-session', {
  inReserve: true,
  keys: ['session', 'messages'],
  args: ['epoch', 'nowMs'],
});
export const RESERVE_NUMBERS = step(import.meta.url, 'reserve-numbers', {
  inReserve: true,
  keys: ['session'],
  args: ['epoch', 'bound'],
});
/** Fields and their values. */
export const WRITE_SESSION = step(import.meta.url, 'write-session', {
  inReserve: true,
  keys: ['session'],
  args: ['epoch'],
  rest: 'fields',
});
export const APPEND_MESSAGE = step(import.meta.url, 'append-message', {
  inReserve: true,
  keys: ['session', 'messages', 'outbox'],
  args: ['epoch', 'number', 'nowMs', 'keptMs', 'message', 'outboxEntry?'],
});

/** Of entries that this process wrote for sessions that it may not hold, by CompID. */
export function notifyOutboxes(connection: Connection, compIds: readonly string[]): void {
  if (compIds.length > 0) connection.notify(OUTBOX_CHANNEL, compIds.join(' '));
}

export function fixSessions(connection: Connection, engineId: string, now: () => number): FixSessions {
  // Sessions whose NextIn is unsaved: all of a second are written in one turn, so the disk is waited for once.
  const unsaved = new Map<symbol, () => Promise<void>>();
  const saveAll = async (): Promise<void> => {
    const waiting = [...unsaved.values()];
    unsaved.clear();
    await Promise.all(waiting.map((save) => save()));
  };

  // Shows that this process is alive, to engines that want to claim its sessions.
  const presence = lease(connection, engineId, presenceOf(engineId));
  const live = new Set<Live>();
  const claims = new Map<string, Live>();
  let holding: string | undefined;
  const lost = (entry: Live): void => {
    if (live.delete(entry)) entry.onTakenOver();
  };
  const check = async (entry: Live): Promise<void> => {
    const epoch = await connection.read((redis) => redis.hget(entry.session, 'epoch'));
    if (entry.epoch !== '' && epoch !== entry.epoch) lost(entry);
  };
  const renew = async (): Promise<void> => {
    const now = await presence.acquire();
    // The lease had expired: other engines may have claimed our sessions.
    if (holding !== undefined && now !== holding) await Promise.all([...live].map(check));
    holding = now;
  };
  const timer = setInterval(() => {
    void saveAll();
    if (live.size > 0) renew().catch(() => {});
  }, SAVE_EVERY_MS).unref();

  const store = (id: FixSessionId, clientShard: number): FixSessionStore => {
    const session = sessionKey(clientShard, id.senderCompId, id.targetCompId);
    const messages = `${session}:messages`;
    const outbox = outboxKey(session);
    const waiter = Symbol(session);
    const entry: Live = { session, epoch: '', onTakenOver: () => {} };
    let isReleased = true;
    let nextIn: number | undefined;

    const endClaim = (): void => {
      isReleased = true;
      if (claims.get(session) === entry) claims.delete(session);
    };
    const owned = async (reply: Promise<unknown>): Promise<void> => {
      if ((await reply) === 1) return;
      lost(entry);
      throw new SessionTakenOver();
    };
    const write = (...fields: string[]): Promise<unknown> =>
      connection.step(WRITE_SESSION, { session }, { epoch: entry.epoch, fields });
    const saveNextIn = async (): Promise<void> => {
      const value = nextIn;
      if (value === undefined) return;
      nextIn = undefined;
      try {
        await owned(write('in', String(value)));
      } catch (error) {
        // Unavailable: retried in a second, unless a newer number waits already. Taken over: this process may no longer write it.
        if (!(error instanceof StoreUnavailable)) return;
        nextIn ??= value;
        unsaved.set(waiter, saveNextIn);
      }
    };

    /** Undefined: another engine has it and is alive. */
    const claim = async (): Promise<readonly string[] | undefined> => {
      let gone: string | undefined;
      for (const lateMs = performance.now() + HOLDER_WAIT_MS; performance.now() < lateMs; ) {
        const reply = (await connection.step(
          CLAIM_SESSION,
          { session },
          { engine: engineId, nowMs: now(), gone },
        )) as string[];
        const [holder = ''] = reply;
        if (reply.length > 1) return reply;
        const isAlive = await connection.read((redis) => redis.exists(leaseKey(presenceOf(holder))));
        if (isAlive === 0) gone = holder;
        else await pause(HOLDER_POLL_MS);
      }
      return undefined;
    };
    /** Another engine need not wait for the lease; retried until the store has it. */
    const release = async (): Promise<void> => {
      if (isReleased) return;
      try {
        await owned(write('engine', ''));
        endClaim();
      } catch (error) {
        if (error instanceof StoreUnavailable) unsaved.set(waiter, release);
      }
    };

    return {
      async open(onTakenOver = () => {}) {
        live.add(entry);
        try {
          await renew();
          const claimed = await claim();
          if (claimed === undefined) {
            live.delete(entry);
            return undefined;
          }
          const [epoch = '', out, incoming, created] = claimed;
          Object.assign(entry, { epoch, onTakenOver });
          claims.set(session, entry);
          isReleased = false;
          return { nextOut: Number(out), nextIn: Number(incoming), createdAtMs: Number(created) };
        } catch (error) {
          live.delete(entry);
          throw error;
        }
      },
      async reset(nowMs) {
        nextIn = undefined;
        await owned(connection.step(RESET_SESSION, { session, messages }, { epoch: entry.epoch, nowMs }));
      },
      reserve: (bound) =>
        owned(connection.step(RESERVE_NUMBERS, { session }, { epoch: entry.epoch, bound: number(bound) })),
      async settle(nextOut, incoming) {
        nextIn = undefined;
        await owned(write('out', number(nextOut), 'in', number(incoming), 'engine', ''));
        endClaim();
      },
      saveNextIn(incoming) {
        nextIn = incoming;
        unsaved.set(waiter, saveNextIn);
      },
      async append(sequence, message, outboxEntry) {
        const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
        const text = isAscii(bytes) ? bytes.toString('latin1') : bytes;
        if (outboxEntry !== undefined) mustMatch(ENTRY_ID, 'id of an outbox entry', outboxEntry);
        const args = {
          epoch: entry.epoch,
          number: number(sequence),
          nowMs: now(),
          keptMs: MESSAGES_KEPT_MS,
          message: text,
          outboxEntry,
        };
        await owned(connection.step(APPEND_MESSAGE, { session, messages, outbox }, args));
      },
      async read(from, to, limit) {
        const most = Math.max(0, Math.min(limit, READ_MAX));
        if (most === 0) return [];
        const found = await connection.read((redis) =>
          redis.zrangeBuffer(messages, number(from), number(to), 'BYSCORE', 'LIMIT', 0, most, 'WITHSCORES'),
        );
        return numbered(found);
      },
      async close() {
        unsaved.delete(waiter);
        await saveNextIn();
        unsaved.delete(waiter);
        live.delete(entry);
        await release();
      },
    };
  };
  return {
    store,
    async read({ senderCompId, targetCompId }, clientShard) {
      const key = sessionKey(clientShard, senderCompId, targetCompId);
      const [out, incoming] = await connection.read((redis) => redis.hmget(key, 'out', 'in'));
      return out && incoming ? { nextOut: Number(out), nextIn: Number(incoming) } : undefined;
    },
    async readOutbox(senderCompId, targetCompId, clientShard, afterId, limit) {
      const outbox = outboxKey(sessionKey(clientShard, senderCompId, targetCompId));
      const after = afterId === undefined ? '-' : `(${mustMatch(ENTRY_ID, 'id of an outbox entry', afterId)}`;
      const most = Math.max(0, Math.min(limit, READ_MAX));
      if (most === 0) return [];
      const found = await connection.read((redis) => redis.xrange(outbox, after, '+', 'COUNT', most));
      return found.map(([id, entry]) => {
        const { kind = '', data = '' } = fieldsOf(entry);
        return { id, kind, data };
      });
    },
    async dropOutboxEntry(senderCompId, targetCompId, clientShard, entryId) {
      const outbox = outboxKey(sessionKey(clientShard, senderCompId, targetCompId));
      await connection.write((redis) => redis.xdel(outbox, mustMatch(ENTRY_ID, 'id of an outbox entry', entryId)));
    },
    async forget({ senderCompId, targetCompId }, clientShard) {
      const session = sessionKey(clientShard, senderCompId, targetCompId);
      await connection.write((redis) => redis.del(session, `${session}:messages`, outboxKey(session)));
    },
    epochOf: (session) => claims.get(session)?.epoch ?? '',
    takenOver(session, epoch) {
      const entry = claims.get(session);
      if (entry?.epoch === epoch) lost(entry);
    },
    onOutbox: (changed) =>
      connection.subscribe(OUTBOX_CHANNEL, (message) => {
        for (const compId of message.toString('latin1').split(' ')) if (COMP_ID.test(compId)) changed(compId);
      }),
    async close() {
      clearInterval(timer);
      await saveAll();
      unsaved.clear();
      live.clear();
      await presence.release().catch(() => {});
    },
  };
}

const presenceOf = (engine: string): string => `engine-${engine}`;

function number(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError('a sequence number is a whole number');
  return String(value);
}

/** The reply is member, score, member, score, or pairs of them, depending on the protocol. A member is `<ms>.<number>:<message>`. */
function numbered(reply: readonly unknown[]): { number: number; message: Uint8Array }[] {
  const flat = reply.flat() as Buffer[];
  const found: { number: number; message: Uint8Array }[] = [];
  for (let i = 0; i < flat.length; i += 2) {
    const member = flat[i];
    found.push({ number: Number(String(flat[i + 1])), message: member.subarray(member.indexOf(0x3a) + 1) });
  }
  return found;
}
