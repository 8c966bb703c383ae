/** Rounds of load on several machines, one of which is struck in each: killed, terminated, or suspended for a while. */
import { RIGHTS } from '../../engine/domain/core/rights.js';
import { openStore } from '../../engine/store/store.js';
import { crashRun } from '../crash/crash-run.js';
import type { CrashOptions } from '../crash/rounds.js';
import type { Tally } from '../crash/tally.js';
import { SILENT } from '../support/store.js';
import { ENGINES, type Judged, type Machine, Machines } from './machines.js';
import { startProvider } from './provider.js';
import type { SharedRedis } from './redis.js';
import { Watch } from './watch.js';

/**
 * Each kind of strike hits the feed's engine, and others hit a gateway and a sidecar. Where the feed is struck twice in a round, the second
 * strike hits the engine that has taken over.
 */
export const PLAN: readonly (readonly string[])[] = [
  ['feed KILL', 'feed PAUSE', 'sidecar1 KILL'],
  ['feed STOP', 'gateway1 STOP', 'gateway2 KILL'],
  ['feed TERM', 'sidecar2 TERM', 'gateway1 TERM'],
];
/** The same in fewer rounds. */
export const SHORT_PLAN: typeof PLAN = [
  ['feed KILL', 'feed PAUSE', 'gateway1 TERM', 'sidecar1 KILL'],
  ['feed STOP', 'gateway2 KILL', 'sidecar2 TERM', 'feed TERM'],
];
/** The guarantee: every running machine has a fresh price within this time. `npm run machines` checks it, on an otherwise idle machine. */
export const STREAM_MS = 5_000;

export interface Outcome {
  readonly tally: Tally;
  /**
   * For each strike: how long until each surviving machine had a price made after it, and the longest time without a fresh price in the
   * seconds after it, ms.
   */
  readonly gaps: readonly { readonly strike: string; readonly longestMs: number; readonly silentMs: number }[];
  readonly drains: ReadonlyMap<string, number>;
  readonly prices: number;
  readonly judged: Readonly<Judged>;
  readonly oldestMs: number;
}

export async function machinesRun(redis: SharedRedis, options: CrashOptions, plan = PLAN): Promise<Outcome> {
  const violations: string[] = [];
  const violation = (text: string) => {
    if (!violations.includes(text)) violations.push(text);
  };
  const provider = await startProvider();
  const machines = await Machines.start(redis, provider, (round) => plan[(round - 1) % plan.length]!, violation);
  const watch = new Watch(machines, provider, await provisionWatch(machines), violation);
  let tally: Tally;
  try {
    tally = await crashRun(options, machines);
    await watch.stop();
  } finally {
    await machines.stop();
    await provider.close();
  }
  const gaps = machines.ended.map(({ machine, how, hadFeed, atMs, others: ran }) => {
    const others = ran.filter((one) => !isStruck(machines, one, atMs));
    const found = others.map((other) => watch.gapMs(other, atMs) ?? Number.POSITIVE_INFINITY);
    const longestMs = Math.max(...found);
    if (!Number.isFinite(longestMs)) violation(`no fresh price after ${machine} ${how}`);
    const silent = others.map((other) => watch.longestMs(other, atMs, atMs + STREAM_MS));
    const silentMs = Math.max(...silent);
    return { strike: `${machine} ${how}${hadFeed ? ', which had the feed' : ''}`, longestMs, silentMs };
  });
  tally.violations.push(...violations);
  return {
    tally,
    gaps,
    drains: machines.drains,
    prices: watch.prices,
    judged: machines.judged,
    oldestMs: watch.oldestMs,
  };
}

/** Struck before it had to have a fresh price. */
const isStruck = ({ ended }: Machines, machine: Machine, sinceMs: number): boolean =>
  ended.some((one) => one.machine === machine && one.atMs >= sinceMs && one.atMs - sinceMs < STREAM_MS);

async function provisionWatch(machines: Machines) {
  const store = await openStore({ ...machines.storeOptions(), own: 'start-if-absent', log: SILENT });
  try {
    await store.clients.create({ id: 'watch', name: 'watch', defaultType: 'PREFUNDING' });
    await store.margins.set({ clientId: '*', pair: '*', type: '*', marginPpm: 2_500 });
    for (const engine of ENGINES)
      await store.compIds.assign(`W-${engine.toUpperCase()}`, 'watch', { sourceTime: true });
    return (await store.keys.issue('watch', RIGHTS))!;
  } finally {
    await store.close();
  }
}
