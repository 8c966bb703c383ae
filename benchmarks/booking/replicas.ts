/** The cost of STORE_REPLICAS=1: two stores on one redis-server with one replica, with and without, in turn. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NO_REDIS_SERVER, type RedisProcess, redisServer, startRedis } from '../../test/support/redis-process.js';
import { closedLoop, type Rate, type Subject, throughService } from './in-process.js';
import { built, fund } from './ledger.js';

export interface ReplicaRates {
  readonly callers: number;
  readonly without: readonly Rate[];
  readonly waiting: readonly Rate[];
}

/** Undefined where no redis-server is installed. */
export async function measureReplicas(
  callerCounts: readonly number[],
  runs: number,
  ms: number,
): Promise<readonly ReplicaRates[] | undefined> {
  if (redisServer() === undefined) {
    process.stdout.write(`\nSTORE_REPLICAS: ${NO_REDIS_SERVER}\n`);
    return undefined;
  }
  const dataDir = mkdtempSync(path.join(tmpdir(), 'ratewire-benchmark-'));
  const master = await startRedis();
  const replica = await startRedis({ replicaOf: master });
  const { openStore } = await built<typeof import('../../engine/store/store.js')>('store/store.js');
  const log = { info() {}, warn() {}, error() {} };
  const open = (replicas: number) =>
    openStore({ redisUrl: master.redisUrl, dataDir, own: 'start-if-absent', log, replicas });
  try {
    await synced(master);
    const stores = [await open(0), await open(1)];
    const names = Array.from({ length: 8 }, (_, i) => `bench${i + 1}`);
    const clients = await fund(stores[0]!, names);
    const [without, waiting] = (await Promise.all(stores.map((store) => throughService(store, clients)))) as [
      Subject,
      Subject,
    ];
    for (const subject of [without, waiting]) await closedLoop(subject, 64, 1_500);
    const rates: ReplicaRates[] = [];
    for (const callers of callerCounts) {
      const of = { callers, without: [] as Rate[], waiting: [] as Rate[] };
      for (let run = 0; run < runs; run++) {
        of.without.push(await closedLoop(without, callers, ms));
        of.waiting.push(await closedLoop(waiting, callers, ms));
      }
      rates.push(of);
    }
    for (const store of stores) await store.close();
    return rates;
  } finally {
    await replica.stop();
    await master.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const SYNC_MS = 30_000;

/** Resolves when the replica has its copy and answers. */
async function synced({ redis }: RedisProcess): Promise<void> {
  const late = performance.now() + SYNC_MS;
  while (!(await redis.info('replication')).includes('state=online')) {
    if (performance.now() > late) throw new Error('the replica does not become online');
    await pause(50);
  }
}
