/** The setup of a run: a fresh store with funded clients, and the programs on it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Store } from '../../engine/store/store.js';
import { freePort } from '../../test/support/free-port.js';
import { type FundedClient, fund } from '../booking/ledger.js';
import type { StoreKind } from '../goals.js';
import { holdStore, provision, type Server, startBareExpress, startEngine, startSidecar } from './engine.js';
import { TickSource } from './tick-source.js';

export interface Ground {
  readonly dataDir: string;
  readonly store: Store;
  readonly clients: readonly FundedClient[];
}

/** Each measurement has a store of its own: data of an earlier one need not be reconciled. */
export function onFreshStore<Found>(
  clients: number,
  measure: (ground: Ground) => Promise<Found>,
  kind: StoreKind = process.env.REDIS_SERVER ? 'redis-server' : 'embedded',
): Promise<Found> {
  return onFreshDirectory(async (dataDir) => {
    const store = await holdStore(dataDir, { prefer: kind, redisServer: process.env.REDIS_SERVER });
    try {
      await provision(dataDir, clients, 8);
      const ids = Array.from({ length: clients }, (_, i) => `bench${i + 1}`);
      return await measure({ dataDir, store, clients: await fund(store, ids) });
    } finally {
      await store.close();
    }
  });
}

export async function onFreshDirectory<Found>(measure: (dataDir: string) => Promise<Found>): Promise<Found> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'ratewire-benchmark-'));
  try {
    return await measure(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const FIX_PORT = await freePort();
const FEED_PORT = await freePort();
export const REST_PORT = await freePort();
const BARE_PORT = await freePort();

interface Door {
  readonly port: number;
  readonly pid: number;
}
export type Doors = Readonly<Record<'fix' | 'rest' | 'bare', Door>>;

/** The engine and the sidecar with a fresh EUR/USD, and the bare Express beside them. */
export async function withDoors<Found>(dataDir: string, measure: (doors: Doors) => Promise<Found>): Promise<Found> {
  const ticks = new TickSource({ feed: { kind: 'ws', port: FEED_PORT }, pairs: ['EUR/USD'] });
  await ticks.open();
  const feed = setInterval(() => ticks.taken && ticks.emit(1), 200);
  const started: Server[] = [];
  const running = async (server: Promise<Server>): Promise<Server> => {
    started.push(await server);
    return server;
  };
  try {
    const engine = await running(startEngine(dataDir, FIX_PORT, FEED_PORT));
    const sidecar = await running(startSidecar(dataDir, REST_PORT));
    const bare = await running(startBareExpress(BARE_PORT));
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    return await measure({
      fix: { port: FIX_PORT, pid: engine.pid },
      rest: { port: REST_PORT, pid: sidecar.pid },
      bare: { port: BARE_PORT, pid: bare.pid },
    });
  } finally {
    clearInterval(feed);
    for (const server of started.reverse()) await server.stop();
    ticks.close();
  }
}

/** A token for each client. */
export function tokensOf(store: Store, clients: readonly FundedClient[]): Promise<string[]> {
  const rights = ['read', 'rates', 'trade', 'pay', 'manage'] as const;
  return Promise.all(clients.map(async ({ id }) => (await store.tokens.issue(id, 'benchmark', rights)).token));
}
