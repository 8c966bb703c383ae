/**
 * The way to Redis, one server or a cluster: connections for money, for reads, and one that listens. Every wait is bounded, nothing is
 * queued while Redis is away, and all of them reconnect by themselves.
 */

import type { Redis } from 'ioredis';
import type { Log } from '../../domain/log.js';
import { Ears } from './ears.js';
import { StoreUnavailable, storeError } from './errors.js';
import { COMMAND_TIMEOUT_MS, type RedisOptions } from './redis-client.js';
import { inOrder, type Script, type Step } from './scripts.js';
import { guarded, ServerLink } from './server-link.js';
import type { MemoryUse } from './store-memory.js';

export type { RedisOptions };

export interface ConnectionOptions {
  /** Where Redis is now. Asked again before each attempt, because a server that we start may come back elsewhere. */
  readonly address: () => RedisOptions;
  /** So many replicas have each step and each write before it is acknowledged. Default 0. */
  readonly replicas?: number | undefined;
  readonly log: Log;
}

/** One server, as it stands. */
export interface ServerState {
  /** `host:port`; '' where there is but one. */
  readonly name: string;
  readonly isUp: boolean;
  /** Its replicas have not caught up with what was written, so that nothing more is. */
  readonly isBehind: boolean;
  /** What it has used of its memory, 0 to 1; undefined where it has no limit, or does not say. */
  readonly memoryRatio: number | undefined;
  /** How far this machine's clock is ahead of its own, ms, below 0 behind; undefined while it has not said its time. */
  readonly hostAheadMs: number | undefined;
  /** Undefined where it does not say. */
  readonly memory: MemoryUse | undefined;
}

interface TakeStep {
  <Keys, Args>(step: Step<Keys, Args>, keys: NoInfer<Keys>, args: NoInfer<Args>): Promise<unknown>;
  (script: Script, keys: readonly string[], args: readonly (string | Buffer)[]): Promise<unknown>;
}

/**
 * On a cluster a command goes to the server that has its key, and one that is away refuses only what lives there. While a slot moves from
 * one server to another, its commands wait, at most 2 seconds: what was refused was not begun.
 */
export interface Connection {
  /** Of single commands, each of one key. Reads are pipelined with the other reads of the same turn. Rejects with StoreUnavailable within 2 seconds. */
  read<T>(ask: (redis: Redis) => Promise<T>): Promise<T>;
  /** A write of one command; of several in a MULTI where the key `at` says which server is meant. */
  write<T>(ask: (redis: Redis) => Promise<T>, at?: string): Promise<T>;
  /** One atomic step: a Lua file. Strings and byte strings in; numbers, strings and lists of them out. All keys are of one slot. */
  step: TakeStep;
  /** A step that keeps nothing worth keeping longer than some seconds: it does not wait for replicas. */
  passingStep: TakeStep;
  /** How many keys there are is unknown: about `count` of each call are looked at, from cursor '0' until it is '0' again. */
  scan(cursor: string, pattern: string, count: number): Promise<[cursor: string, keys: string[]]>;
  /** How many have heard it. */
  publish(channel: string, message: string | Buffer): Promise<number>;
  /** A message on a channel: a doorbell, which may get lost. Never rejects. */
  ring(channel: string, message: string | Buffer): void;
  /** Messages of a channel until the returned function is called; a message sent while Redis is away is lost. */
  listen(channel: string, heard: (message: Buffer) => void): () => void;
  /** When nobody waits any more for the answer to a step on that key that is sent now: epoch ms by its server's own clock, if that is known. */
  waitEndsAt(key: string): number | undefined;
  /**
   * The clock of the server that has the key, or of any that answers, epoch ms: at most 250 ms too late, and undefined while it is not known;
   * the `best` estimate may be either way, and of another server or of the one before.
   */
  serverMs(key?: string, best?: 'best'): number | undefined;
  /** By a server's word of a moment ago it has little memory left. */
  isFull(): boolean;
  /** Something can be served: of a cluster at least one server answers. */
  isUp(): boolean;
  onUpChange(changed: (up: boolean) => void): () => void;
  /** PUBLISH of a step says how many have heard it. False on a cluster, whose servers know of their own hearers only. */
  readonly knowsHearers: boolean;
  servers(): readonly ServerState[];
  /** Has every server rewrite its append-only file. Rejects where one does not allow or cannot begin it. */
  rewriteFile(): Promise<void>;
  readonly log: Log;
  close(): Promise<void>;
}

/** Connects to one server, and resolves when all connections are ready; rejects with StoreUnavailable when that takes too long. */
export async function connect({ address, replicas = 0, log }: ConnectionOptions): Promise<Connection> {
  const watchers = new Set<(up: boolean) => void>();
  let isOpen = false;
  const ears = new Ears(address);
  const link = new ServerLink({
    address,
    name: '',
    replicas,
    log,
    onUpChange(up) {
      if (!isOpen) return;
      if (up) log.info({}, 'The store answers.');
      else log.warn({}, 'The store is away: commands are refused until it answers again; check that Redis runs.');
      for (const changed of watchers) changed(up);
    },
    onSilence: () => ears.reconnect(),
  });
  const { reads } = link;
  const close = async (): Promise<void> => {
    watchers.clear();
    await Promise.all([link.close(), ears.close()]);
  };
  try {
    await Promise.all([link.open(), ears.open()]);
  } catch (error) {
    await close();
    throw storeError(error);
  }
  isOpen = true;

  return {
    read: (ask) => guarded(() => inTime(ask(reads))),
    write: (ask) => guarded(() => link.write(ask)),
    step: (script: Script, ...named: readonly [object, object]) =>
      guarded(() => link.step(script, ...inOrder(script, named))),
    passingStep: (script: Script, ...named: readonly [object, object]) =>
      guarded(() => link.passingStep(script, ...inOrder(script, named))),
    scan: (cursor, pattern, count) => guarded(() => inTime(reads.scan(cursor, 'MATCH', pattern, 'COUNT', count))),
    publish: (channel, message) => guarded(() => link.passing.publish(channel, message)),
    ring: (channel, message) => void link.passing.publish(channel, message).catch(() => {}),
    listen: (channel, heard) => ears.listen(channel, heard),
    waitEndsAt: () => waitEndsAt(link),
    serverMs: (_key, best) => (best ? link.clock.estimate() : link.clock.now()),
    isFull: () => link.memory.isFull,
    isUp: () => link.isUp,
    onUpChange(changed) {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    knowsHearers: true,
    servers: () => [stateOf(link)],
    rewriteFile: () => guarded(async () => void (await link.money.bgrewriteaof())),
    log,
    close,
  };
}

export function waitEndsAt({ clock }: ServerLink): number | undefined {
  const now = clock.now();
  return now === undefined ? undefined : now + COMMAND_TIMEOUT_MS;
}

export const stateOf = ({ name, isUp, isBehind, memory, clock }: ServerLink): ServerState => ({
  name,
  isUp,
  isBehind,
  memoryRatio: memory.ratio,
  hostAheadMs: clock.hostAheadMs,
  memory: memory.use,
});

/** Reads of a turn leave when those before them are answered: without a limit here they would wait for both. */
export function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new StoreUnavailable('unknown')), COMMAND_TIMEOUT_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(late));
  });
}
