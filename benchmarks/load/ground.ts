/** The setup of a run: a fresh store with funded clients, and the programs on it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Store } from '../../engine/store/store.js';
import { type FundedClient, fund } from '../booking/ledger.js';
import { holdStore, provision, startBareExpress, startEngine, startSidecar } from './engine.js';
import { TickSource } from './tick-source.js';

export interface Ground {
  readonly dataDir: string;
  readonly store: Store;
  readonly clients: readonly FundedClient[];
}

/** Each measurement has a store of its own: data of an earlier one need not be reconciled. */
export async function onFreshStore(clients: number, measure: (ground: Ground) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'ratewire-benchmark-'));
  const redisServer = process.env.REDIS_SERVER;
  const store = await holdStore(
    dataDir,
    redisServer ? { prefer: 'redis-server', redisServer } : { prefer: 'embedded' },
  );
  try {
    await provision(dataDir, clients, 8);
    const ids = Array.from({ length: clients }, (_, i) => `bench${i + 1}`);
    await measure({ dataDir, store, clients: await fund(store, ids) });
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const FIX_PORT = 19_900;
const FEED_PORT = 19_901;
export const REST_PORT = 19_902;
const BARE_PORT = 19_903;

interface Door {
  readonly port: number;
  readonly pid: number;
}
export type Doors = Readonly<Record<'fix' | 'rest' | 'bare', Door>>;

/** The engine and the sidecar with a fresh EUR/USD, and the bare Express beside them. */
export async function withDoors(dataDir: string, measure: (doors: Doors) => Promise<void>): Promise<void> {
  const ticks = new TickSource({ feed: { kind: 'ws', port: FEED_PORT }, pairs: ['EUR/USD'] });
  ticks.open();
  const engine = await startEngine(dataDir, FIX_PORT, FEED_PORT);
  const sidecar = await startSidecar(dataDir, REST_PORT);
  const bare = await startBareExpress(BARE_PORT);
  const feed = setInterval(() => ticks.taken && ticks.emit(1), 200);
  try {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await measure({
      fix: { port: FIX_PORT, pid: engine.pid },
      rest: { port: REST_PORT, pid: sidecar.pid },
      bare: { port: BARE_PORT, pid: bare.pid },
    });
  } finally {
    clearInterval(feed);
    await Promise.all([bare.stop(), sidecar.stop()]);
    await engine.stop();
    ticks.close();
  }
}

/** A token for each client. */
export function tokensOf(store: Store, clients: readonly FundedClient[]): Promise<string[]> {
  const rights = ['read', 'rates', 'trade', 'pay'] as const;
  return Promise.all(clients.map(async ({ id }) => (await store.tokens.issue(id, 'benchmark', rights)).token));
}
