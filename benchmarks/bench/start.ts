/** The time from `npm start` to ready on an existing data directory, and the CPU of all its programs while no client is connected. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { built } from '../booking/ledger.js';
import type { StoreKind } from '../goals.js';
import { holdStore, startLauncher } from '../load/engine.js';
import { onFreshDirectory } from '../load/ground.js';
import { cpuOf } from '../measure.js';

/** Startup work that continues after ready: caches, the first reconciliation. */
const SETTLE_MS = 5_000;

export interface Starts {
  /** Seconds. */
  readonly ready: readonly number[];
  /** Percent of a core. */
  readonly idle: readonly number[];
}

/** The first start creates keys and the demo client, and is not counted. */
export function measureStarts(kind: StoreKind, runs: number, idleSeconds: number): Promise<Starts> {
  return onFreshDirectory(async (dataDir) => {
    const store = await holdStore(dataDir, { prefer: kind, redisServer: process.env.REDIS_SERVER });
    await store.close();
    const found = { ready: [] as number[], idle: [] as number[] };
    for (let run = -1; run < runs; run++) {
      const from = performance.now();
      const launcher = await startLauncher(dataDir);
      const ready = (performance.now() - from) / 1_000;
      try {
        if (run < 0) continue;
        found.ready.push(ready);
        await pause(SETTLE_MS);
        found.idle.push(await idlePercent([...programsUnder(launcher.pid), await storeServer(dataDir)], idleSeconds));
      } finally {
        await launcher.stop();
      }
    }
    return found;
  });
}

async function storeServer(dataDir: string): Promise<number> {
  const { readStoreFile } = await built<typeof import('../../engine/store/managed-redis/store-file.js')>(
    'store/managed-redis/store-file.js',
  );
  return readStoreFile(dataDir)!.server.pid;
}

async function idlePercent(pids: readonly number[], seconds: number): Promise<number> {
  const programs = [...new Set(pids)].map((pid) => ({ pid }));
  const cpu = cpuOf(programs);
  const from = performance.now();
  await pause(seconds * 1_000);
  return ((cpuOf(programs) - cpu) / ((performance.now() - from) / 1_000)) * 100;
}

/** The process and those that it started. */
function programsUnder(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It has ended meanwhile.
    }
  }
  const found = [pid];
  for (const parent of found) for (const [child, of] of parents) if (of === parent) found.push(child);
  return found;
}
