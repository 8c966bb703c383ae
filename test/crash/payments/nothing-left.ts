/** Background work: duplicated while it is processed, abandoned by killed workers, and completed in the end. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import type { Violation } from '../audit.js';
import type { CrashClient } from '../clients.js';
import type { Site } from '../site.js';

const GROUP = 'workers';
const BELL = 'work';
const LOOK_MS = 50;
const DONE_MS = 30_000;
/** The age at which another worker claims an abandoned entry. */
const LEFT_MS = 60_000;
/** An entry claimed for this long is abandoned, unless its worker is just processing it. */
const IN_HAND_MS = 300;
/** Due entries of the sandbox, of a retry and of a funding. */
const RESCHEDULED = /^(work|fund):/;
/** An attempt to fund waiting payments: for a rate or the expiry of a hold; it may be rescheduled once more. */
const LOOK_AGAIN = /^wake:/;

type Entry = [id: string, fields: string[]];
type InHand = [id: string, worker: string, idleMs: number, times: number];

/** Gives work to a second worker too, as when a running worker is presumed dead; as soon as the work appears. */
export async function handOutTwice(site: Site, clients: readonly CrashClient[], isOver: () => boolean): Promise<void> {
  const seen = new Set<string>();
  const whileUp = async (redis: Redis, ears: Redis): Promise<void> => {
    ears.on('message', () => {
      for (const { work } of shardsOf(clients)) double(redis, work, seen).catch(() => {});
    });
    await ears.subscribe(BELL);
    while (!isOver() && ears.status === 'ready') await pause(LOOK_MS);
  };
  while (!isOver()) {
    const listening = site.look((redis) => site.look((ears) => whileUp(redis, ears)));
    // The store is unavailable just now.
    await listening.catch(() => pause(LOOK_MS));
  }
}

async function double(redis: Redis, work: string, seen: Set<string>): Promise<void> {
  const entries = (await redis.xrange(work, '-', '+')) as Entry[];
  for (const [id, fields] of entries) {
    const name = `${work} ${id}`;
    if (seen.has(name) || fields.includes('copy')) continue;
    seen.add(name);
    await redis.xadd(work, '*', ...fields, 'copy', '1');
    await redis.publish(BELL, work.slice(2, 4));
  }
}

/**
 * Advances the clock past the times of rescheduled work, and makes the entries of killed workers old enough to be claimed; those are
 * recorded in `left`.
 */
export async function turnClocks(
  redis: Redis,
  clients: readonly CrashClient[],
  left: Set<string>,
  isOver: () => boolean,
): Promise<void> {
  for (; !isOver(); await pause(LOOK_MS))
    for (const { work, due } of shardsOf(clients)) await turnClock(redis, work, due, left);
}

/** Until streams are empty, due work is done, and nothing of a payment is rescheduled. */
export async function untilNothingIsLeft(
  redis: Redis,
  clients: readonly CrashClient[],
  left: Set<string>,
  violation: Violation,
): Promise<void> {
  const late = performance.now() + DONE_MS;
  for (const { due } of shardsOf(clients)) await comesNow(redis, due, LOOK_AGAIN);
  for (const { work, due } of shardsOf(clients))
    for (let undone = await undoneIn(redis, work, due); undone.length > 0; undone = await undoneIn(redis, work, due)) {
      if (performance.now() > late) return violation(`work is left: ${undone.join(', ')}`);
      await turnClock(redis, work, due, left);
      await pause(LOOK_MS);
    }
}

async function undoneIn(redis: Redis, work: string, due: string): Promise<string[]> {
  const [entries, rescheduled, isDue] = await Promise.all([
    redis.xrange(work, '-', '+'),
    redis.zrange(due, '0', '-1'),
    redis.zrangebyscore(due, '-inf', Date.now()),
  ]);
  const inStream = entries.map(([id, fields]) => `${work} ${id} ${fields.join(' ')}`);
  return [...inStream, ...rescheduled.filter((entry) => RESCHEDULED.test(entry)), ...isDue];
}

async function turnClock(redis: Redis, work: string, due: string, left: Set<string>): Promise<void> {
  await comesNow(redis, due, RESCHEDULED);
  if ((await redis.exists(work)) === 0) return;
  for (const [id, worker] of (await redis.xpending(work, GROUP, 'IDLE', IN_HAND_MS, '-', '+', 100)) as InHand[]) {
    await redis.call('XCLAIM', work, GROUP, worker, 0, id, 'IDLE', LEFT_MS, 'JUSTID');
    left.add(`${work} ${id}`);
  }
}

async function comesNow(redis: Redis, due: string, kind: RegExp): Promise<void> {
  const now = Date.now();
  for (const entry of await redis.zrange(due, '0', '-1'))
    if (kind.test(entry)) await redis.zadd(due, 'XX', 'LT', now, entry);
}

/** Workers that have ever claimed an entry of these clients, as long as the store remembers them. */
export async function workersOf(redis: Redis, clients: readonly CrashClient[]): Promise<string[]> {
  const names: string[] = [];
  for (const { work } of shardsOf(clients)) {
    if ((await redis.exists(work)) === 0) continue;
    const workers = (await redis.call('XINFO', 'CONSUMERS', work, GROUP)) as unknown[][];
    for (const worker of workers) names.push(String(worker[worker.indexOf('name') + 1]));
  }
  return names;
}

function shardsOf(clients: readonly CrashClient[]): { readonly work: string; readonly due: string }[] {
  const shards = new Map(clients.map((client) => [ledgerKeys(client).work, ledgerKeys(client).due]));
  return [...shards].map(([work, due]) => ({ work, due }));
}
