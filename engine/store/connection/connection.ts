/**
 * The connection to Redis, one server or a cluster: connections for money, for reads, and for subscriptions. Every wait is bounded, nothing
 * is queued while Redis is unavailable, and all of them reconnect by themselves.
 */

import type { Redis } from 'ioredis';
import type { Log } from '../../domain/core/log.js';
import { storeError } from './errors.js';
import { guarded, type MemoryUse, NodeConnection } from './node-connection.js';
import type { RedisOptions } from './redis-client.js';
import type { Step } from './scripts.js';
import { Subscriber } from './subscriber.js';

export type { RedisOptions };

export interface ConnectionOptions {
  /** The current address, and how long a command may take. Read before each attempt: a managed server may restart at another one. */
  readonly address: () => RedisOptions;
  /** This many replicas have each step and each write before it is acknowledged. Default 0. */
  readonly replicas?: number | undefined;
  readonly log: Log;
}

/** The state of one server. */
export interface ServerState {
  /** `host:port`; '' if there is only one. */
  readonly name: string;
  readonly isUp: boolean;
  /** Its replicas lag behind: further writes are rejected until they have caught up. */
  readonly isReplicaLagging: boolean;
  /** The reply by which it refuses writes, such as READONLY; '' while it takes them. */
  readonly refusal: string;
  /** Used part of its memory limit, 0 to 1; undefined without a limit, or if unknown. */
  readonly memoryRatio: number | undefined;
  /** This machine's clock minus the server's, ms; undefined until the server has answered. */
  readonly hostAheadMs: number | undefined;
  /** By how much its clock was turned while this process ran, ms; 0 unless by more than a minute: then no step that uses the time is executed. */
  readonly clockTurnedMs: number;
  /** Undefined if unknown. */
  readonly memory: MemoryUse | undefined;
}

type TakeStep = <Keys, Args>(step: Step<Keys, Args>, keys: NoInfer<Keys>, args: NoInfer<Args>) => Promise<unknown>;

/**
 * On a cluster a command goes to the node that has its key, and an unavailable node affects only the keys there. While a slot migrates, its
 * commands wait, at most 2 seconds: a rejected command was not executed.
 */
export interface Connection {
  /** Single commands of one key each. Reads of one event loop turn are sent in one write. Rejects with StoreUnavailable when one is late. */
  read<T>(ask: (redis: Redis) => Promise<T>): Promise<T>;
  /** A write of one command, or of several in a MULTI; then the key `at` selects the server. */
  write<T>(ask: (redis: Redis) => Promise<T>, at?: string): Promise<T>;
  /**
   * One atomic step: a Lua file. Arguments are strings and byte strings; results are numbers, strings and lists of them. All keys are in
   * one slot.
   */
  step: TakeStep;
  /** A step whose writes matter for seconds only: it does not wait for replicas. */
  runUnreplicated: TakeStep;
  /** The number of keys is unknown: each call visits about `count`, from cursor '0' until it is '0' again. */
  scan(cursor: string, pattern: string, count: number): Promise<[cursor: string, keys: string[]]>;
  /** Resolves to the number of subscribers that received it. */
  publish(channel: string, message: string | Buffer): Promise<number>;
  /** Publishes a notification, which may get lost. Never rejects. */
  notify(channel: string, message: string | Buffer): void;
  /** Messages of a channel until the returned function is called; a message published while Redis is unavailable is lost. */
  subscribe(channel: string, receive: (message: Buffer) => void): () => void;
  /** When the caller of a step on that key, sent now, times out: epoch ms by its server's own clock, if that is known. */
  waitEndsAt(key: string): number | undefined;
  /**
   * The clock of the server that has the key, or of any that answers, epoch ms: at most 250 ms late, and undefined until it is known; the
   * `best` estimate may err either way, and be of another server or of the previous one.
   */
  serverMs(key?: string, best?: 'best'): number | undefined;
  /** The clocks of the servers are right, whatever they say. */
  acceptClocks(): void;
  /** A server reported recently that it has little memory left. */
  isFull(): boolean;
  /** Commands can be executed: of a cluster at least one node answers. */
  isUp(): boolean;
  onUpChange(changed: (up: boolean) => void): () => void;
  /** Keys of a call are of one slot, and PUBLISH in a step does not return the number of subscribers: a node knows only its own. */
  readonly isCluster: boolean;
  servers(): readonly ServerState[];
  readonly log: Log;
  close(): Promise<void>;
}

/** Connects to one server; resolves when all connections are ready, and rejects with StoreUnavailable at the timeout. */
export async function connect({ address, replicas = 0, log }: ConnectionOptions): Promise<Connection> {
  const watchers = new Set<(up: boolean) => void>();
  let isOpen = false;
  const subscriber = new Subscriber(address);
  const node = new NodeConnection({
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
    onSilence: () => subscriber.reconnect(),
  });
  const close = async (): Promise<void> => {
    watchers.clear();
    await Promise.all([node.close(), subscriber.close()]);
  };
  try {
    await Promise.all([node.open(), subscriber.open()]);
  } catch (error) {
    await close();
    throw storeError(error);
  }
  isOpen = true;

  return {
    read: (ask) => guarded(() => node.read(ask)),
    write: (ask) => guarded(() => node.write(ask)),
    step: (step, keys, args) => guarded(() => node.step(step, ...step.order(keys, args))),
    runUnreplicated: (step, keys, args) => guarded(() => node.runUnreplicated(step, ...step.order(keys, args))),
    scan: (cursor, pattern, count) => guarded(() => node.reads.scan(cursor, 'MATCH', pattern, 'COUNT', count)),
    publish: (channel, message) => guarded(() => node.passing.publish(channel, message)),
    notify: (channel, message) => void node.passing.publish(channel, message).catch(() => {}),
    subscribe: (channel, receive) => subscriber.subscribe(channel, receive),
    waitEndsAt: () => waitEndsAt(node),
    serverMs: (_key, best) => (best ? node.clock.estimate() : node.clock.now()),
    acceptClocks: () => node.clock.accept(),
    isFull: () => node.memory.isFull,
    isUp: () => node.isUp,
    onUpChange(changed) {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    isCluster: false,
    servers: () => [stateOf(node)],
    log,
    close,
  };
}

export function waitEndsAt({ clock, answerMs }: NodeConnection): number | undefined {
  const now = clock.now();
  return now === undefined ? undefined : now + answerMs;
}

export const stateOf = ({ name, isUp, isReplicaLagging, refusal, memory, clock }: NodeConnection): ServerState => ({
  name,
  isUp,
  isReplicaLagging,
  refusal,
  memoryRatio: memory.ratio,
  hostAheadMs: clock.hostAheadMs,
  clockTurnedMs: clock.turnedMs,
  memory: memory.use,
});
