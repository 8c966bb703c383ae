/** The parts of `npm run bench`: each measures some rows on a fresh store. */
import { measureGrowth } from '../booking/growth.js';
import { inTheStore } from '../booking/in-process.js';
import { orders } from '../booking/orders.js';
import { startPostgres } from '../booking/postgres.js';
import { recordSizes } from '../booking/sizes.js';
import { isRow, type RowName, type StoreKind } from '../goals.js';
import { type CallersResult, httpPlan } from '../load/callers.js';
import { holdStore, runCallers } from '../load/engine.js';
import { onFreshDirectory, onFreshStore, withDoors } from '../load/ground.js';
import { cpuRatios, faultsOf, notMeasured, perSecondRatios, type Result } from '../load/report.js';
import { runScenario, SCENARIOS } from '../load/scenarios.js';
import { againstBare } from '../rest/against-bare.js';
import { askersOf } from '../rest/askers.js';
import { DEAREST } from '../rest/hostile.js';
import { ROWS } from '../rest/rows.js';
import { measureStarts } from './start.js';

export interface BenchOptions {
  readonly runs: number;
  readonly seconds: number;
  /** Of Book FX in the store and against PostgreSQL. */
  readonly callers: readonly number[];
  /** Records of each kind whose bytes are measured. */
  readonly records: number;
  readonly idleSeconds: number;
  /** Bookings of a large store, which has a tenth as many payments. */
  readonly bookings: number;
  readonly scenarios: typeof SCENARIOS;
}

interface Part {
  readonly name: string;
  readonly rows: readonly RowName[];
  /** What the full form takes on a quiet machine, for each store. */
  readonly seconds: number;
  /** Measured once: the store does not matter. */
  readonly once?: true;
  measure(store: StoreKind, options: BenchOptions): Promise<readonly Result[]>;
}

const CLIENTS = 64;
/** Over REST and FIX. */
const CALLERS = 64;
const REST_ROWS = ROWS.filter(({ name }) => isRow(`rest/${name}`));

export const PARTS: readonly Part[] = [
  {
    name: 'book-fx',
    rows: ['book-fx/1', 'book-fx/16', 'book-fx/64', 'store-cpu'],
    seconds: 45,
    measure: bookFx,
  },
  { name: 'postgres', rows: ['postgres/1', 'postgres/16', 'postgres/64'], seconds: 75, measure: besidePostgres },
  {
    name: 'sizes',
    rows: ['memory/conversion', 'memory/payment', 'file/conversion', 'file/payment'],
    seconds: 20,
    measure: sizes,
  },
  { name: 'rest', rows: REST_ROWS.map(({ name }) => restRow(name)), seconds: 120, measure: overRest },
  { name: 'fix', rows: ['fix/p50', 'fix/p99', 'fix/cpu'], seconds: 40, measure: overFix },
  { name: 'start', rows: ['start/second', 'start/idle'], seconds: 75, measure: starts },
  {
    name: 'stream',
    rows: SCENARIOS.flatMap(({ figures }) => figures.map(({ row }) => row)),
    once: true,
    seconds: 270,
    measure: stream,
  },
  {
    name: 'growth',
    rows: [
      'growth/bookings',
      'growth/payments',
      'growth/statement',
      'growth/store-cpu',
      'growth/start',
      'growth/ready',
    ],
    seconds: 60,
    measure: growth,
  },
  { name: 'hostile', rows: DEAREST.map(({ row }) => row), once: true, seconds: 60, measure: hostile },
];

function bookFx(store: StoreKind, { callers, runs, seconds }: BenchOptions): Promise<Result[]> {
  return onFreshStore(
    CLIENTS,
    async (ground) => {
      const found = await inTheStore(ground, callers, runs, seconds);
      const ratios = found.map(({ callers, raw, service }) => ({
        row: rowNamed(`book-fx/${callers}`),
        store,
        values: perSecondRatios(service, raw),
      }));
      const [full] = found.filter(({ callers }) => callers === CALLERS);
      const cpu = full && { row: 'store-cpu' as const, store, values: full.service.map((rate) => rate.storeCpuUs) };
      return cpu ? [...ratios, cpu] : ratios;
    },
    store,
  );
}

async function besidePostgres(store: StoreKind, { callers, runs, seconds }: BenchOptions): Promise<Result[]> {
  const postgres = startPostgres();
  const rows = callers.map((count) => rowNamed(`postgres/${count}`));
  if (postgres === undefined) return notMeasured(rows, 'PostgreSQL is not installed', store);
  try {
    return await onFreshStore(
      CLIENTS,
      async (ground) => {
        const results: Result[] = [];
        for (const [i, row] of rows.entries()) {
          const values: number[] = [];
          for (let run = 0; run < runs; run++) {
            const perSecond = postgres.run(callers[i]!, Math.max(1, Math.round(seconds)));
            const [ours] = await inTheStore(ground, [callers[i]!], 1, seconds);
            values.push(ours!.service[0]!.perSecond / perSecond);
          }
          results.push({ row, store, values });
        }
        return results;
      },
      store,
    );
  } finally {
    postgres.stop();
  }
}

async function sizes(store: StoreKind, { records }: BenchOptions): Promise<Result[]> {
  const found = await recordSizes(store, ['conversion', 'payment'], records);
  return found.flatMap(({ kind, memory, file }) => [
    { row: rowNamed(`memory/${kind}`), store, values: [memory] },
    { row: rowNamed(`file/${kind}`), store, values: [file] },
  ]);
}

function overRest(store: StoreKind, { runs, seconds }: BenchOptions): Promise<Result[]> {
  return onFreshStore(
    CLIENTS,
    (ground) =>
      withDoors(ground.dataDir, async (doors) => {
        const results: Result[] = [];
        const load = { callers: CALLERS, runs, seconds };
        for await (const { row, fault, bare, ours } of againstBare({ ...ground, doors }, REST_ROWS, load)) {
          const faults = fault === undefined ? faultsOf([...bare, ...ours]) : [`not measured: ${fault}`];
          results.push({ row: restRow(row.name), store, values: cpuRatios(ours, bare), faults });
        }
        return results;
      }),
    store,
  );
}

function overFix(store: StoreKind, { runs, seconds }: BenchOptions): Promise<Result[]> {
  return onFreshStore(
    CALLERS * (runs + 1),
    ({ dataDir }) =>
      withDoors(dataDir, async ({ fix }) => {
        const send = orders(fix, CALLERS * (runs + 1), seconds);
        await send(CALLERS);
        const found: CallersResult[] = [];
        for (let run = 0; run < runs; run++) found.push(await send(CALLERS));
        const result = (row: RowName, of: (run: CallersResult) => number): Result => {
          return { row, store, values: found.map(of), faults: faultsOf(found) };
        };
        return [
          result('fix/p50', ({ p50us }) => p50us / 1_000),
          result('fix/p99', ({ p99us }) => p99us / 1_000),
          result('fix/cpu', ({ cpuUs }) => cpuUs),
        ];
      }),
    store,
  );
}

async function starts(store: StoreKind, { runs, idleSeconds }: BenchOptions): Promise<Result[]> {
  const { ready, idle } = await measureStarts(store, runs, idleSeconds);
  return [
    { row: 'start/second', store, values: ready },
    { row: 'start/idle', store, values: idle },
  ];
}

function stream(prefer: StoreKind, { runs, seconds, scenarios }: BenchOptions): Promise<Result[]> {
  return onFreshDirectory(async (dataDir) => {
    const store = await holdStore(dataDir, { prefer, redisServer: process.env.REDIS_SERVER });
    try {
      const results: Result[] = [];
      for (const scenario of scenarios) {
        // Long ones once.
        const { engine, other } = await runScenario(dataDir, scenario, scenario.atLeastS ? 1 : runs, seconds);
        for (const { row, of } of scenario.figures) {
          const values = engine.map((result, i) => of(result, other[i]!));
          results.push({ row, values, faults: faultsOf([...engine, ...other]) });
        }
      }
      return results;
    } finally {
      await store.close();
    }
  });
}

function growth(store: StoreKind, { bookings, runs }: BenchOptions): Promise<Result[]> {
  return measureGrowth(store, { bookings, payments: bookings / 10, clients: 8, runs, reads: 100 * runs });
}

/** By one caller: what a request costs, and not how many there are. */
function hostile(store: StoreKind, { runs, seconds }: BenchOptions): Promise<Result[]> {
  return onFreshStore(
    1,
    ({ dataDir, store: ledger, clients }) =>
      withDoors(dataDir, async ({ rest }) => {
        const [asker] = await askersOf(ledger, clients);
        const results: Result[] = [];
        for (const { row, requests } of DEAREST) {
          const plan = httpPlan(rest, 1, seconds, [requests(asker!)]);
          const values: number[] = [];
          for (let run = 0; run < runs; run++) values.push((await runCallers(plan)).cpuUs / 1_000);
          results.push({ row, values });
        }
        return results;
      }),
    store,
  );
}

function restRow(name: string): RowName {
  return rowNamed(`rest/${name}`);
}

function rowNamed(name: string): RowName {
  if (!isRow(name)) throw new Error(`goals.ts has no row ${name}`);
  return name;
}
