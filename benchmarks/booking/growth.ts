/** Lists, statements and bookings in a large store against a store of 1,000 bookings, and the start of the large one. */
import type { Store } from '../../engine/store/store.js';
import type { RowName, StoreKind } from '../goals.js';
import { holdStore, startLauncher } from '../load/engine.js';
import { type Ground, onFreshDirectory } from '../load/ground.js';
import type { Result } from '../load/report.js';
import { Percentiles } from '../measure.js';
import { inTheStore, throughService } from './in-process.js';
import { built, type FundedClient, fund, servicesOn } from './ledger.js';
import { payments } from './payments.js';

export interface GrowthOptions {
  readonly bookings: number;
  readonly payments: number;
  readonly clients: number;
  readonly runs: number;
  /** First pages that are read for each figure. */
  readonly reads: number;
}

type Sizes = Pick<GrowthOptions, 'bookings' | 'payments'>;
type Subject = Ground & { readonly services: Awaited<ReturnType<typeof servicesOn>>; readonly startS: number };

/** Two full pages for each of eight clients. */
const SMALL: Sizes = { bookings: 1_000, payments: 1_000 };
const AT_ONCE = 64;
const READERS = 8;

/** First pages, full in both stores, and the second page by its cursor. */
const LISTS = {
  'growth/bookings': 'listBookings',
  'growth/payments': 'listPayments',
  'growth/statement': 'listAccountEntries',
} as const satisfies Partial<Record<RowName, string>>;
type ListName = (typeof LISTS)[keyof typeof LISTS];

/** Both stores are prepared by the steps themselves with `appendfsync everysec`, and measured with `always`. */
export function measureGrowth(kind: StoreKind, options: GrowthOptions): Promise<Result[]> {
  const clientIds = Array.from({ length: options.clients }, (_, i) => `bench${i + 1}`);
  return onFreshDirectory((smallDir) =>
    onFreshDirectory(async (largeDir) => {
      await prepare(kind, smallDir, clientIds, SMALL);
      await prepare(kind, largeDir, clientIds, options);
      const small = await opened(kind, smallDir, clientIds);
      const found: Result[] = [];
      try {
        const large = await opened(kind, largeDir, clientIds);
        try {
          found.push(...(await compared(kind, small, large, options)));
        } finally {
          await large.store.close();
        }
      } finally {
        await small.store.close();
      }
      return [...found, { row: 'growth/ready', store: kind, values: [await readyS(largeDir)] }];
    }),
  );
}

async function prepare(kind: StoreKind, dataDir: string, clientIds: readonly string[], sizes: Sizes): Promise<void> {
  const from = performance.now();
  const store = await held(kind, dataDir, 'everysec');
  try {
    const clients = await fund(store, clientIds);
    await book(store, clients, sizes.bookings);
    await payments(await servicesOn(store), clients, sizes.payments);
  } finally {
    await store.close();
  }
  const seconds = ((performance.now() - from) / 1_000).toFixed(0);
  process.stderr.write(`${sizes.bookings} bookings and ${sizes.payments} payments in ${seconds} s; `);
}

const held = (prefer: StoreKind, dataDir: string, fsync: 'always' | 'everysec' = 'always'): Promise<Store> =>
  holdStore(dataDir, { prefer, redisServer: process.env.REDIS_SERVER, fsync });

/** By the step, with the facts of a booking of the service. */
async function book(store: Store, clients: readonly FundedClient[], count: number): Promise<void> {
  const { newId } = await built<typeof import('../../engine/service/core/ids.js')>('service/core/ids.js');
  const service = await throughService(store, clients);
  await service.book(0);
  const receipt = await store.bookings.receipt(clients[0]!, 's0');
  if (receipt?.kind !== 'booked') throw new Error('the first booking has no receipt');
  const { sellAccount: _sell, buyAccount: _buy, status: _status, settledAtMs: _at, ...first } = receipt.booking;
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) {
      const [requestId, confirmationId] = [`growth${n}`, newId('BFX', Date.now())];
      const { kind } = await store.bookings.book(clients[n % clients.length]!, {
        fingerprint: 'benchmark',
        type: first.type,
        requestId,
        confirmationId,
        sellAccount: undefined,
        buyAccount: undefined,
        sellCurrency: first.sellCurrency,
        buyCurrency: first.buyCurrency,
        holdId: undefined,
        rememberRefusal: false,
        session: undefined,
        facts: { ...first, id: confirmationId, requestId, createdAtMs: Date.now() },
      });
      if (kind !== 'booked') throw new Error(`not booked: ${kind}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function opened(kind: StoreKind, dataDir: string, clientIds: readonly string[]): Promise<Subject> {
  const from = performance.now();
  const store = await held(kind, dataDir);
  const startS = (performance.now() - from) / 1_000;
  const rights = new Set(['read', 'rates', 'trade', 'pay'] as const);
  const clients: FundedClient[] = [];
  for (const id of clientIds) {
    const client = (await store.clients.get(id))!;
    clients.push({ id, shard: client.shard, caller: { clientId: id, keyId: 'benchmark', rights } });
  }
  return { dataDir, store, clients, services: await servicesOn(store), startS };
}

/** Of all programs. The first start is not counted. */
async function readyS(dataDir: string): Promise<number> {
  await (await startLauncher(dataDir)).stop();
  const from = performance.now();
  const launcher = await startLauncher(dataDir);
  const seconds = (performance.now() - from) / 1_000;
  await launcher.stop();
  return seconds;
}

/** Both in turn. */
async function compared(
  kind: StoreKind,
  small: Subject,
  large: Subject,
  { runs, reads }: GrowthOptions,
): Promise<Result[]> {
  const found: Result[] = [];
  for (const [row, operation] of Object.entries(LISTS)) {
    const ratios: number[] = [];
    for (let run = -1; run < runs; run++) {
      const [of, to] = [await p99Of(large, operation, reads), await p99Of(small, operation, reads)];
      if (run >= 0) ratios.push(of / to);
    }
    found.push({ row: row as RowName, store: kind, values: ratios });
  }
  const cpu: number[] = [];
  for (let run = 0; run < runs; run++) {
    const [of] = await inTheStore(large, [64], 1, 1);
    const [to] = await inTheStore(small, [64], 1, 1);
    cpu.push(of!.service[0]!.storeCpuUs / to!.service[0]!.storeCpuUs);
  }
  found.push({ row: 'growth/store-cpu', store: kind, values: cpu });
  found.push({ row: 'growth/start', store: kind, values: [large.startS] });
  return found;
}

async function p99Of({ services, clients }: Subject, operation: ListName, reads: number): Promise<number> {
  const { perform } = await built<typeof import('../../engine/service/perform.js')>('service/perform.js');
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
    for (let n = next++; n < reads; n = next++) {
      const cursor = await page(n, '');
      if (cursor !== '') await page(n, cursor);
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  return latency.at(0.99);
}
