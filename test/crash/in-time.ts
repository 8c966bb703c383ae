/** What the engine does when its time has come, and how long that may take after a crash. */
import { setTimeout as pause } from 'node:timers/promises';
import { ledgerKeys } from '../../engine/store/ledger-keys.js';
import type { Violation } from './audit.js';
import type { CrashClient } from './clients.js';
import type { Cluster } from './cluster.js';
import { isGiven, type RestCaller } from './rest-caller.js';

const RATES_MS = 20_000;
const DUE_MS = 15_000;
const PAIRS = ['EUR&buy_currency=USD', 'USD&buy_currency=JPY', 'GBP&buy_currency=USD'];

/** Turns the clock for the scheduled conversions: their time has come, and the engine settles them in its next second. */
export async function fallDue(cluster: Cluster, clients: readonly CrashClient[], atMs: number): Promise<void> {
  await pause(atMs);
  const turned = cluster.look(async (redis) => {
    for (const due of dueKeys(clients)) {
      const waiting = await redis.zrange(due, '0', '-1');
      for (const entry of waiting) if (entry.startsWith('settle:')) await redis.zadd(due, 'XX', Date.now(), entry);
    }
  });
  // The store has just been killed: another round will do.
  await turned.catch(() => {});
}

export async function untilNothingIsDue(
  cluster: Cluster,
  clients: readonly CrashClient[],
  violation: Violation,
): Promise<void> {
  const late = performance.now() + DUE_MS;
  await cluster.look(async (redis) => {
    for (const due of dueKeys(clients))
      while ((await redis.zcount(due, '-inf', Date.now())) > 0) {
        if (performance.now() > late) return violation(`what is due in ${due} is not done`);
        await pause(50);
      }
  });
}

const dueKeys = (clients: readonly CrashClient[]): ReadonlySet<string> =>
  new Set(clients.map((client) => ledgerKeys(client).due));

/** The relay tells the sidecar, once the engine that was killed has lost its lease. */
export async function untilThereAreRates(cluster: Cluster, caller: RestCaller, client: CrashClient): Promise<void> {
  const late = performance.now() + RATES_MS;
  for (;;) {
    const ask = (pair: string) => caller.get(client, `/api/v1/bookfx/rate?sell_currency=${pair}`);
    const replies = await Promise.all(PAIRS.map(ask));
    if (replies.every(isGiven)) return;
    if (performance.now() > late) throw new Error(`no rates: ${JSON.stringify(replies)} ${cluster.words()}`);
    await pause(20);
  }
}
