/** A connection to one server, as everything in this folder uses it: every wait is bounded, nothing is queued, nothing is resent. */

import { type RedisOptions as AllRedisOptions, Redis } from 'ioredis';
import { withTimeout } from '../../domain/core/with-timeout.js';
import { StoreUnavailable } from './errors.js';

/** How to reach Redis, and how long a command may take there: `commandTimeout`. Replies keep the shapes that this folder expects. */
export type RedisOptions = Omit<AllRedisOptions, 'replyMapping'>;

/** How long a command may take, ms, where the address has no `commandTimeout`. */
export const COMMAND_TIMEOUT_MS = 2_000;
const CONNECT_TIMEOUT_MS = 2_000;
const FIRST_CONNECT_MS = 15_000;
const RETRY_FIRST_MS = 20;
const RETRY_MAX_MS = 1_000;

/** How long a command may take, ms; after that its outcome is unknown. */
export const answerMsOf = ({ commandTimeout = COMMAND_TIMEOUT_MS }: RedisOptions): number => commandTimeout;

/** A connection that reconnects by itself. */
export function openRedis(address: () => RedisOptions, extra: RedisOptions): Redis {
  const redis = new Redis(connectionOptions(address(), extra));
  redis.options.retryStrategy = (attempt) => {
    Object.assign(redis.options, address());
    return Math.min(RETRY_FIRST_MS * 2 ** Math.min(attempt, 10), RETRY_MAX_MS);
  };
  // The state is read from `status`; without a listener ioredis would print the error with the address.
  redis.on('error', () => {});
  return redis;
}

/** The options of every connection here, also of the one that checks Redis before the start. */
function connectionOptions(address: RedisOptions, extra: RedisOptions = {}): RedisOptions {
  return {
    ...address,
    lazyConnect: true,
    enableOfflineQueue: false,
    commandTimeout: answerMsOf(address),
    connectTimeout: CONNECT_TIMEOUT_MS,
    // A command whose connection broke is rejected at once and never resent without the caller's knowledge.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    // CLIENT SETINFO needs an additional right, which a user of Redis 7.0 cannot be given.
    disableClientInfo: true,
    ...extra,
  };
}

/** Rejects with StoreUnavailable when it does not become ready. */
export async function ready(redis: Redis): Promise<void> {
  redis.connect().catch(() => {});
  if (redis.status === 'ready') return;
  const isReady = new Promise<void>((resolve) => redis.once('ready', () => resolve()));
  await withTimeout(isReady, FIRST_CONNECT_MS, () => Promise.reject(new StoreUnavailable('none')));
}

export async function leave(redis: Redis): Promise<void> {
  // QUIT lets pending replies arrive; the command timeout bounds the wait.
  if (redis.status === 'ready') await redis.quit().catch(() => {});
  redis.disconnect();
}

/** Commands of one event loop turn are sent in one write: under load a write costs more than the command in it. */
export function writeTogether({ stream }: { readonly stream?: Redis['stream'] }): void {
  // Undefined before the first connection.
  if (stream === undefined || stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}

/** Whether it accepts this password. */
export async function answers(address: RedisOptions): Promise<boolean> {
  return (await ask(address, async (redis) => redis.ping())) === 'PONG';
}

/** Stops a server without an owner; what it has acknowledged is kept. */
export async function shutDown(address: RedisOptions): Promise<void> {
  await ask(address, (redis) => redis.call('SHUTDOWN', 'NOSAVE'));
}

async function ask<T>(address: RedisOptions, question: (redis: Redis) => Promise<T>): Promise<T | undefined> {
  if (!address.port && !address.sentinels) return undefined;
  const redis = connectOnce(address);
  try {
    await redis.connect();
    return await question(redis);
  } catch {
    return undefined;
  } finally {
    redis.disconnect();
  }
}

/** A connection that connects once, without retries. */
export function connectOnce(address: RedisOptions): Redis {
  const redis = new Redis(
    connectionOptions(address, {
      retryStrategy: () => null,
      sentinelRetryStrategy: () => null,
      maxLoadingRetryTime: 1_000,
    }),
  );
  redis.on('error', () => {});
  return redis;
}
