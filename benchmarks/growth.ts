/**
 * Lists, statements and bookings in a large store against a store of 1,000 bookings, and the start of the large one:
 *
 *   npm run build && npx tsx benchmarks/growth.ts [--bookings 1000000] [--payments 100000] [--clients 8] [--runs 3] [--reads 1000]
 *     [--store redis-server|embedded] [--json now.json] [--compare earlier.json]
 *
 * Both stores are prepared through the steps themselves, without the API, with `appendfsync everysec`; they are measured with `always`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Store } from '../engine/store/store.js';
import { inTheStore, rawScript } from './booking/in-process.js';
import { built, type FundedClient, fund, servicesOn } from './booking/ledger.js';
import { payments } from './booking/payments.js';
import type { RowName, StoreKind } from './goals.js';
import { holdStore } from './load/engine.js';
import { type Ground, onFreshDirectory } from './load/ground.js';
import { type BenchRun, machineText, type Result, resultTable } from './load/report.js';
import { Percentiles } from './measure.js';

const { values } = parseArgs({
  options: {
    bookings: { type: 'string', default: '1000000' },
    payments: { type: 'string', default: '100000' },
    clients: { type: 'string', default: '8' },
    runs: { type: 'string', default: '3' },
    reads: { type: 'string', default: '1000' },
    store: { type: 'string', default: 'redis-server' },
    json: { type: 'string' },
    compare: { type: 'string' },
  },
});
const kind: StoreKind = values.store === 'embedded' ? 'embedded' : 'redis-server';
const runs = Number(values.runs);
const clientIds = Array.from({ length: Number(values.clients) }, (_, i) => `bench${i + 1}`);
const storeOptions = { prefer: kind, redisServer: process.env.REDIS_SERVER };
/** Two full pages for each of eight clients. */
const SMALL = { bookings: 1_000, payments: 1_000 };
const AT_ONCE = 256;
const READERS = 8;

type Sizes = typeof SMALL;
type Subject = Ground & { readonly services: Awaited<ReturnType<typeof servicesOn>>; readonly startS: number };

/** First pages, full in both stores, and the second page by its cursor. */
const LISTS: Readonly<Record<string, 'listBookings' | 'listPayments' | 'listAccountEntries'>> = {
  'growth/bookings': 'listBookings',
  'growth/payments': 'listPayments',
  'growth/statement': 'listAccountEntries',
};

const earlier = values.compare ? (JSON.parse(readFileSync(values.compare, 'utf8')) as BenchRun) : undefined;
const at = new Date().toISOString();
const machine = machineText();
const large = { bookings: Number(values.bookings), payments: Number(values.payments) };
const results = await onFreshDirectory((smallDir) =>
  onFreshDirectory(async (largeDir) => {
    await prepare(smallDir, SMALL);
    await prepare(largeDir, large);
    const small = await opened(smallDir);
    try {
      const big = await opened(largeDir);
      try {
        return await compared(small, big);
      } finally {
        await big.store.close();
      }
    } finally {
      await small.store.close();
    }
  }),
);
process.stdout.write(`${at}, ${machine}, ${large.bookings} bookings, ${large.payments} payments, ${runs} runs\n\n`);
process.stdout.write(`${resultTable(results, earlier)}\n`);
if (values.json) writeFileSync(values.json, `${JSON.stringify({ at, machine, results }, undefined, 2)}\n`);
process.exit(0);

async function prepare(dataDir: string, sizes: Sizes): Promise<void> {
  const from = performance.now();
  const { readStoreFile } = await built<typeof import('../engine/store/managed-redis/store-file.js')>(
    'store/managed-redis/store-file.js',
  );
  const store = await holdStore(dataDir, { ...storeOptions, fsync: 'everysec' });
  try {
    const clients = await fund(store, clientIds);
    const raw = await rawScript(store, clients, readStoreFile(dataDir)!);
    // Other numbers than those that `inTheStore` gives its bookings.
    await times(sizes.bookings, (n) => raw.book(1_000_000_000 + n));
    await raw.close();
    await payments(await servicesOn(store), clients, sizes.payments);
  } finally {
    await store.close();
  }
  const seconds = ((performance.now() - from) / 1_000).toFixed(0);
  process.stderr.write(`prepared ${sizes.bookings} bookings and ${sizes.payments} payments in ${seconds} s\n`);
}

async function times(count: number, run: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function opened(dataDir: string): Promise<Subject> {
  const from = performance.now();
  const store: Store = await holdStore(dataDir, storeOptions);
  const startS = (performance.now() - from) / 1_000;
  const rights = new Set(['read', 'rates', 'trade', 'pay'] as const);
  const clients: FundedClient[] = [];
  for (const id of clientIds) {
    const client = (await store.clients.get(id))!;
    clients.push({ id, shard: client.shard, caller: { clientId: id, keyId: 'benchmark', rights } });
  }
  return { dataDir, store, clients, services: await servicesOn(store), startS };
}

/** Both in turn. */
async function compared(small: Subject, big: Subject): Promise<Result[]> {
  const found: Result[] = [];
  for (const [row, operation] of Object.entries(LISTS)) {
    const ratios: number[] = [];
    for (let run = -1; run < runs; run++) {
      const [of, to] = [await p99Of(big, operation), await p99Of(small, operation)];
      if (run >= 0) ratios.push(of / to);
    }
    found.push({ row: row as RowName, store: kind, values: ratios });
  }
  const cpu: number[] = [];
  for (let run = 0; run < runs; run++) {
    const [of] = await inTheStore(big, [64], 1, 1);
    const [to] = await inTheStore(small, [64], 1, 1);
    cpu.push(of!.service[0]!.storeCpuUs / to!.service[0]!.storeCpuUs);
  }
  found.push({ row: 'growth/store-cpu', store: kind, values: cpu });
  found.push({ row: 'growth/start', store: kind, values: [big.startS] });
  return found;
}

async function p99Of({ services, clients }: Subject, operation: (typeof LISTS)[string]): Promise<number> {
  const { perform } = await built<typeof import('../engine/service/core/perform.js')>('service/core/perform.js');
  const accounts = await Promise.all(
    clients.map(async (client) => {
      const all = await services.store.accounts.list(client);
      return all.find(({ currency }) => currency === 'EUR')!.number;
    }),
  );
  const latency = new Percentiles();
  const page = async (n: number, cursor: string): Promise<string> => {
    const of = n % clients.length;
    const account = operation === 'listAccountEntries' ? { accountNumber: accounts[of]! } : {};
    const from = performance.now();
    const found = await perform(services, operation, clients[of]!.caller, { ...account, cursor });
    latency.record((performance.now() - from) * 1_000);
    if ('refusal' in found) throw new Error(`${operation}: ${found.text}`);
    return found.nextCursor;
  };
  let next = 0;
  const reader = async (): Promise<void> => {
    for (let n = next++; n < Number(values.reads); n = next++) {
      const cursor = await page(n, '');
      if (cursor !== '') await page(n, cursor);
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  return latency.at(0.99);
}
