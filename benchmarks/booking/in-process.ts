/** Book FX through the service, and the same Lua function sent raw with prepared arguments: one process, one store, in turn. */
import { Redis } from 'ioredis';
import type { Store } from '../../engine/store/store.js';
import type { Ground } from '../load/ground.js';
import { cpuOf, Percentiles } from '../measure.js';
import { built, type FundedClient, servicesOn } from './ledger.js';

export interface Rate {
  readonly perSecond: number;
  readonly p50us: number;
  readonly p99us: number;
  /** CPU time of this process per booking: little affected by noise. */
  readonly cpuUs: number;
  /** CPU time of the store per booking. */
  readonly storeCpuUs: number;
}

export interface Subject {
  readonly name: string;
  /** One booking by the `n`th call ever; rejects when it was not booked. */
  book(n: number): Promise<void>;
  close(): Promise<void>;
}

export async function throughService(store: Store, clients: readonly FundedClient[]): Promise<Subject> {
  const services = await servicesOn(store);
  const { perform } = await built<typeof import('../../engine/service/perform.js')>('service/perform.js');
  return {
    name: 'service',
    async book(n) {
      const input = {
        requestId: `s${n}`,
        description: 'benchmark',
        buyAmount: 1_000,
        buyCurrency: 'EUR',
        sellCurrency: 'USD',
      };
      const booked = await perform(services, 'bookFxByCurrency', clients[n % clients.length]!.caller, input);
      if ('refusal' in booked) throw new Error(booked.text);
    },
    close: async () => {},
  };
}

/** The step as the service sends it; only the ids change from one call to the next. */
async function rawScript(
  store: Store,
  clients: readonly FundedClient[],
  address: { readonly host: string; readonly port: number; readonly password: string },
): Promise<Subject> {
  const { BOOK_FX, bookFxCall } = await built<typeof import('../../engine/store/conversions/bookings.js')>(
    'store/conversions/bookings.js',
  );
  const service = await throughService(store, clients);
  await service.book(-1 + clients.length);
  const { text, sha } = BOOK_FX;
  const redis = new Redis({ ...address, lazyConnect: true });
  await redis.connect();
  await redis.script('LOAD', text);
  const receipt = await store.bookings.receipt(clients.at(-1)!, `s${clients.length - 1}`);
  if (receipt?.kind !== 'booked') throw new Error('the first booking has no receipt');
  const { sellAccount: _sell, buyAccount: _buy, status: _status, settledAtMs: _at, ...facts } = receipt.booking;
  const calls = clients.map((client) =>
    bookFxCall(client, {
      fingerprint: 'benchmark',
      type: facts.type,
      requestId: 'r',
      confirmationId: 'BFX0000000000',
      sellAccount: undefined,
      buyAccount: undefined,
      sellCurrency: 'USD',
      buyCurrency: 'EUR',
      holdId: undefined,
      rememberRefusal: false,
      session: undefined,
      facts,
    }),
  );
  return {
    name: 'raw',
    async book(n) {
      const [keys, args] = calls[n % calls.length]!;
      const id = `BFX${String(n).padStart(10, '0')}`;
      const receipt = `${keys.receipt}${n}`;
      const [named, given] = BOOK_FX.order({ ...keys, receipt }, { ...args, confirmationId: id });
      const [outcome] = (await redis.evalsha(sha, named.length, ...named, ...given)) as string[];
      if (outcome !== 'booked') throw new Error(`raw: ${outcome}`);
    },
    async close() {
      redis.disconnect();
    },
  };
}

let calls = 1_000;

export interface StoreRates {
  readonly callers: number;
  readonly raw: readonly Rate[];
  readonly service: readonly Rate[];
}

/** Both in turn, for each number of callers. */
export async function inTheStore(
  { dataDir, store, clients }: Ground,
  callerCounts: readonly number[],
  runs: number,
  seconds: number,
): Promise<StoreRates[]> {
  const { readStoreFile } = await built<typeof import('../../engine/store/managed-redis/store-file.js')>(
    'store/managed-redis/store-file.js',
  );
  const file = readStoreFile(dataDir)!;
  const service = await throughService(store, clients);
  const raw = await rawScript(store, clients, file);
  try {
    for (const subject of [raw, service]) await closedLoop(subject, 64, Math.min(1_500, seconds * 1_000));
    const found: StoreRates[] = [];
    for (const callers of callerCounts) {
      const of = { callers, raw: [] as Rate[], service: [] as Rate[] };
      for (let run = 0; run < runs; run++) {
        of.raw.push(await closedLoop(raw, callers, seconds * 1_000, file.server));
        of.service.push(await closedLoop(service, callers, seconds * 1_000, file.server));
      }
      found.push(of);
    }
    return found;
  } finally {
    await raw.close();
  }
}

/** `callers` callers, each sending the next booking when the last is answered. */
export async function closedLoop(
  subject: Subject,
  callers: number,
  ms: number,
  server?: { readonly pid: number },
): Promise<Rate> {
  const latency = new Percentiles();
  const storeFrom = server ? cpuOf([server]) : Number.NaN;
  const cpu = process.cpuUsage();
  const from = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let at = performance.now(); at - from < ms; ) {
        await subject.book(calls++);
        const answered = performance.now();
        latency.record((answered - at) * 1000);
        at = answered;
      }
    }),
  );
  const seconds = (performance.now() - from) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    perSecond: latency.count / seconds,
    p50us: latency.at(0.5),
    p99us: latency.at(0.99),
    cpuUs: (user + system) / latency.count,
    storeCpuUs: server ? ((cpuOf([server]) - storeFrom) * 1e6) / latency.count : Number.NaN,
  };
}
