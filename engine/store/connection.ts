/**
 * The way to Redis: one connection for money (each command leaves at once), one for reads (those of a turn leave together), and
 * one that listens. Every wait is bounded, nothing is queued while Redis is away, and all three reconnect by themselves.
 */
import { type RedisOptions as AllRedisOptions, Redis } from 'ioredis';
import { StoreUnavailable, storeError } from './errors.js';
import type { Script } from './scripts.js';
import { ServerClock } from './server-clock.js';
import { StoreMemory } from './store-memory.js';

/** How to reach Redis. Replies keep the shapes that this folder is written for. */
export type RedisOptions = Omit<AllRedisOptions, 'replyMapping'>;

export interface StoreLog {
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}

export interface ConnectionOptions {
  /** Where Redis is now. Asked again before each attempt, because a server that we start may come back elsewhere. */
  readonly address: () => RedisOptions;
  readonly log: StoreLog;
}

export interface Connection {
  /** Reads are pipelined with the other reads of the same turn. Rejects with StoreUnavailable within 2 seconds. */
  read<T>(ask: (redis: Redis) => Promise<T>): Promise<T>;
  /** A write of one command. */
  write<T>(ask: (redis: Redis) => Promise<T>): Promise<T>;
  /** One atomic step: a Lua file. Strings and byte strings in; numbers, strings and lists of them out. */
  step(script: Script, keys: readonly string[], args: readonly (string | Buffer)[]): Promise<unknown>;
  /** A message on a channel: a doorbell, which may get lost. Never rejects. */
  ring(channel: string, message: string): void;
  /** Messages of a channel until the returned function is called; a message sent while Redis is away is lost. */
  listen(channel: string, heard: (message: Buffer) => void): () => void;
  /** When nobody waits any more for the answer to a step that is sent now: epoch ms by the server's own clock, if that is known. */
  waitEndsAt(): number | undefined;
  /** What the server uses of its memory, by its word of a moment ago. */
  readonly memory: Pick<StoreMemory, 'ratio' | 'isFull'>;
  isUp(): boolean;
  onUpChange(changed: (up: boolean) => void): () => void;
  close(): Promise<void>;
}

const COMMAND_TIMEOUT_MS = 2_000;
const CONNECT_TIMEOUT_MS = 2_000;
const FIRST_CONNECT_MS = 15_000;
const RETRY_FIRST_MS = 20;
const RETRY_MAX_MS = 1_000;
const PULSE_MS = 500;
/** The memory is looked at with each fourth pulse. */
const PULSES_TO_MEMORY = 4;
/** After so many pulses without an answer the socket is given up: the peer may have vanished without a FIN. */
const PULSES_TO_RECONNECT = 4;

/** Connects, and resolves when all three connections are ready; rejects with StoreUnavailable when that takes too long. */
export async function connect({ address, log }: ConnectionOptions): Promise<Connection> {
  const open = (extra: RedisOptions): Redis => {
    const redis = new Redis(connectionOptions(address(), extra));
    redis.options.retryStrategy = (attempt) => {
      Object.assign(redis.options, address());
      return Math.min(RETRY_FIRST_MS * 2 ** Math.min(attempt, 10), RETRY_MAX_MS);
    };
    // The state is judged by `status`; without a listener ioredis would print the error with the address.
    redis.on('error', () => {});
    return redis;
  };
  const money = open({ connectionName: 'ratewire-money' });
  const reads = open({ connectionName: 'ratewire-reads', enableAutoPipelining: true });
  const ears = open({ connectionName: 'ratewire-ears' });
  const all = [money, reads, ears];
  const listeners = new Map<string, Set<(message: Buffer) => void>>();
  const watchers = new Set<(up: boolean) => void>();
  let up = false;
  const clock = new ServerClock();
  const memory = new StoreMemory(log);
  let pulses = 0;
  let silentPulses = 0;

  let closing = false;

  const judge = (): void => {
    if (closing) return;
    const now = money.status === 'ready' && reads.status === 'ready' && silentPulses === 0;
    if (now === up) return;
    up = now;
    if (up) log.info('The store answers.');
    else log.warn('The store is away: commands are refused until it answers again; check that Redis runs.');
    for (const changed of watchers) changed(up);
  };
  const pulse = setInterval(async () => {
    if (money.status !== 'ready' || reads.status !== 'ready') return;
    if (++pulses % PULSES_TO_MEMORY === 0) void memory.look(reads);
    try {
      await Promise.all([clock.ask(() => money.time()), reads.ping()]);
      silentPulses = 0;
    } catch {
      silentPulses += 1;
      if (silentPulses % PULSES_TO_RECONNECT === 0) for (const redis of all) redis.disconnect(true);
    }
    judge();
  }, PULSE_MS);
  pulse.unref();

  const hear = (channels: readonly string[]): void => {
    if (ears.status === 'ready' && channels.length > 0) ears.subscribe(...channels).catch(() => {});
  };
  ears.on('ready', () => hear([...listeners.keys()]));
  ears.on('messageBuffer', (channel: Buffer, message: Buffer) => {
    for (const heard of listeners.get(channel.toString()) ?? []) heard(message);
  });

  const close = async (): Promise<void> => {
    closing = true;
    up = false;
    clearInterval(pulse);
    watchers.clear();
    listeners.clear();
    await Promise.all(all.map(leave));
  };
  try {
    await Promise.all(all.map(ready));
    await Promise.all([clock.ask(() => money.time()).catch(() => {}), memory.look(reads)]);
  } catch (error) {
    await close();
    throw storeError(error);
  }
  up = true;
  money.on('close', () => clock.forget());
  money.on('ready', () => void clock.ask(() => money.time()).catch(() => {}));
  reads.on('ready', () => void memory.look(reads));
  for (const redis of [money, reads]) for (const event of ['ready', 'close', 'end']) redis.on(event, judge);

  const guarded = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      throw storeError(error);
    }
  };
  return {
    read: (ask) => guarded(() => inTime(ask(reads))),
    write: (ask) => guarded(() => ask(money)),
    step: (script, keys, args) => guarded(() => evaluate(money, script, keys, args)),
    ring: (channel, message) => void money.publish(channel, message).catch(() => {}),
    listen(channel, heard) {
      const hearers = listeners.get(channel) ?? new Set();
      listeners.set(channel, hearers.add(heard));
      if (hearers.size === 1) hear([channel]);
      return () => {
        hearers.delete(heard);
        if (hearers.size > 0 || listeners.get(channel) !== hearers) return;
        listeners.delete(channel);
        if (ears.status === 'ready') ears.unsubscribe(channel).catch(() => {});
      };
    },
    waitEndsAt() {
      const now = clock.now();
      return now === undefined ? undefined : now + COMMAND_TIMEOUT_MS;
    },
    memory,
    isUp: () => up,
    onUpChange(changed) {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    close,
  };
}

/** Reads of a turn leave when those before them are answered: without a limit here they would wait for both. */
function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new StoreUnavailable('unknown')), COMMAND_TIMEOUT_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(late));
  });
}

/** The options of every connection here, also of the one that looks at Redis before the start. */
export function connectionOptions(address: RedisOptions, extra: RedisOptions = {}): RedisOptions {
  return {
    ...address,
    lazyConnect: true,
    enableOfflineQueue: false,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // A command whose connection broke is rejected at once and never sent a second time behind the caller's back.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    ...extra,
  };
}

/** What is sent in one turn of the event loop leaves in one write: under load a write costs more than the command in it. */
function writeTogether({ stream }: { readonly stream?: Redis['stream'] }): void {
  // Before the first connection there is none.
  if (stream === undefined || stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}

/** EVALSHA; a server that has restarted has forgotten the script, and is sent it once more. */
async function evaluate(redis: Redis, script: Script, keys: readonly string[], args: readonly (string | Buffer)[]) {
  try {
    writeTogether(redis);
    return await redis.evalsha(script.sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return redis.eval(script.text, keys.length, ...keys, ...args);
  }
}

async function ready(redis: Redis): Promise<void> {
  redis.connect().catch(() => {});
  if (redis.status === 'ready') return;
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new StoreUnavailable('none')), FIRST_CONNECT_MS);
    redis.once('ready', () => {
      clearTimeout(late);
      resolve();
    });
  });
}

async function leave(redis: Redis): Promise<void> {
  // QUIT lets the replies under way arrive; the command timeout bounds the wait.
  if (redis.status === 'ready') await redis.quit().catch(() => {});
  redis.disconnect();
}
