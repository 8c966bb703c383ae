/**
 * The cost of a booking: through the service, by FIX and by REST, against the same Lua function sent raw, a bare Express GET, and a
 * PostgreSQL function with the same double entry; and the effect of bookings on the stream of prices. Every write waits for the disk.
 *
 *   npm run build && npx tsx benchmarks/booking.ts [--only store,replicas,rest,fix,postgres,stream] [--callers 1,16,64,256] [--runs 3]
 *   [--seconds 2]
 *
 * The store is the embedded one; with REDIS_SERVER=<path> that redis-server.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { inTheStore, type Rate } from './booking/in-process.js';
import { DESK_PACE, orders } from './booking/orders.js';
import { startPostgres } from './booking/postgres.js';
import { measureReplicas } from './booking/replicas.js';
import { measureStream } from './booking/stream.js';
import { goalText } from './goals.js';
import { type CallersResult, httpPlan } from './load/callers.js';
import { runCallers } from './load/engine.js';
import { type Doors, type Ground, onFreshStore, tokensOf, withDoors } from './load/ground.js';
import { cpuRatios, perSecondRatios, print, ratio, said, shown, spread } from './load/report.js';
import { BARE, bookFx } from './load/requests.js';
import { median } from './measure.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'store,replicas,rest,fix,postgres,stream' },
    callers: { type: 'string', default: '1,16,64,256' },
    runs: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
  },
});
const only = values.only.split(',');
const callerCounts = values.callers.split(',').map(Number);
const runs = Number(values.runs);
const seconds = Number(values.seconds);
const CLIENTS = 256;
process.stdout.write(`${cpus()[0]?.model}, ${cpus().length} CPUs, Node ${process.version}, medians of ${runs} runs\n`);
if (only.includes('store')) await onFreshStore(CLIENTS, throughTheService);
if (only.includes('replicas')) await besideReplicas();
if (only.includes('postgres')) besidePostgres();
if (only.includes('rest') || only.includes('fix')) await onFreshStore(CLIENTS, throughTheDoors);
if (only.includes('stream')) {
  await onFreshStore(CLIENTS, async ({ dataDir, store, clients }) => {
    // 16 callers, each 20 bookings a second.
    const [token] = await tokensOf(store, clients.slice(199, 200));
    const beside = { what: 'bookings', requests: [[bookFx(token!)]], callers: 16, perCallerPerSecond: 20 };
    process.stdout.write(await measureStream({ dataDir, beside, runs: Math.max(runs, 5), seconds }));
  });
}

async function throughTheService(ground: Ground): Promise<void> {
  const found = await inTheStore(ground, callerCounts, runs, seconds);
  const rows = found.map(({ callers, raw, service }) => {
    const ratios = ratio(perSecondRatios(service, raw));
    return [String(callers), rate(raw), rate(service), ratios, goalText(`book-fx/${callers}`)];
  });
  print(
    'Book FX in the store',
    ['callers', 'the Lua function raw', 'through the service', 'ratio (spread)', 'goal'],
    rows,
  );
}

async function besideReplicas(): Promise<void> {
  const found = await measureReplicas(callerCounts, runs, seconds * 1_000);
  if (found === undefined) return;
  const rows = found.map(({ callers, without, waiting }) => {
    return [String(callers), rate(without), rate(waiting), ratio(perSecondRatios(waiting, without))];
  });
  print(
    'Book FX on a redis-server with one replica',
    ['callers', 'STORE_REPLICAS=0', 'STORE_REPLICAS=1', 'ratio (spread)'],
    rows,
  );
}

function besidePostgres(): void {
  const postgres = startPostgres();
  if (postgres === undefined) {
    process.stdout.write('\nPostgreSQL is not installed here: not compared\n');
    return;
  }
  try {
    const rows = callerCounts.map((callers) => {
      const found = Array.from({ length: runs }, () => postgres.run(callers, Math.max(1, seconds)));
      return [String(callers), `${Math.round(median(found))}/s`, spread(found)];
    });
    print('The same double entry in PostgreSQL, synchronous_commit=on', ['callers', 'bookings', 'spread'], rows);
  } finally {
    postgres.stop();
  }
}

function throughTheDoors({ dataDir, store, clients }: Ground): Promise<void> {
  return withDoors(dataDir, async (doors) => {
    const bookings = (await tokensOf(store, clients)).map((token) => [bookFx(token)]);
    const book = (callers: number) => runCallers(httpPlan(doors.rest, callers, seconds, bookings));
    const bare = (callers: number) => runCallers(httpPlan(doors.bare, callers, seconds, [[BARE]]));
    await book(64);
    await bare(64);
    if (only.includes('rest')) await overRest(book, bare);
    if (only.includes('fix')) await overFix(doors.fix);
  });
}

type Call = (callers: number) => Promise<CallersResult>;

async function overRest(book: Call, getBare: Call): Promise<void> {
  const rows: string[][] = [];
  for (const callers of callerCounts) {
    const bare: CallersResult[] = [];
    const rest: CallersResult[] = [];
    for (let run = 0; run < runs; run++) {
      bare.push(await getBare(callers));
      rest.push(await book(callers));
    }
    const ratios = perSecondRatios(rest, bare);
    rows.push([String(callers), shown(bare), shown(rest), ratio(ratios), ratio(cpuRatios(rest, bare)), said(rest)]);
  }
  print(
    'Book FX over REST',
    ['callers', 'bare Express GET', 'POST, durable', 'ratio (spread)', 'by CPU', 'faults'],
    rows,
  );
}

async function overFix(door: Doors['fix']): Promise<void> {
  const rows: string[][] = [];
  const send = orders(door, CLIENTS, seconds);
  for (const callers of callerCounts) {
    const found: CallersResult[] = [];
    for (let run = 0; run < runs; run++) found.push(await send(callers));
    rows.push([String(callers), shown(found), said(found)]);
  }
  print(`Book FX over FIX, each desk ${DESK_PACE} orders a second`, ['desks', 'order to report', 'faults'], rows);
}

function rate(rates: readonly Rate[]): string {
  const of = (figure: (rate: Rate) => number) => Math.round(median(rates.map(figure)));
  return `${of((r) => r.perSecond)}/s, p50 ${of((r) => r.p50us)} us, p99 ${of((r) => r.p99us)} us, ${of((r) => r.cpuUs)} us CPU`;
}
