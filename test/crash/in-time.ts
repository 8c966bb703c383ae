/** Due work of the engine, and how long it may take after a crash. */
import { setTimeout as pause } from 'node:timers/promises';
import { ledgerKeys } from '../../engine/store/keys/redis-keys.js';
import type { CrashClient } from './clients.js';
import { isGiven, type RestCaller } from './rest-caller.js';
import type { Site } from './site.js';

const RATES_MS = 20_000;
const PAIRS = ['EUR&buy_currency=USD', 'USD&buy_currency=JPY', 'GBP&buy_currency=USD'];

/** Advances the clock past the due times of the scheduled conversions: the engine settles them in its next second. */
export async function fallDue(site: Site, clients: readonly CrashClient[], atMs: number): Promise<void> {
  await pause(atMs);
  const turned = site.look(async (redis) => {
    for (const due of dueKeys(clients)) {
      const waiting = await redis.zrange(due, '0', '-1');
      for (const entry of waiting) if (entry.startsWith('settle:')) await redis.zadd(due, 'XX', Date.now(), entry);
    }
  });
  // The store has just been killed: another round will cover it.
  await turned.catch(() => {});
}

const dueKeys = (clients: readonly CrashClient[]): ReadonlySet<string> =>
  new Set(clients.map((client) => ledgerKeys(client).due));

/** The sidecars get rates from the relay once the killed engine's lease has expired. */
export async function untilThereAreRates(site: Site, caller: RestCaller, client: CrashClient): Promise<void> {
  const late = performance.now() + RATES_MS;
  for (;;) {
    const ask = (door: string) =>
      PAIRS.map((pair) => caller.get(client, `/api/v1/bookfx/rate?sell_currency=${pair}`, door));
    const replies = await Promise.all(site.restDoors().flatMap(ask));
    if (replies.length > 0 && replies.every(isGiven)) return;
    if (performance.now() > late) throw new Error(`no rates: ${JSON.stringify(replies)} ${site.words()}`);
    await pause(20);
  }
}
