/**
 * What a booking costs: through the service, and through each door, against the same Lua function sent raw, a bare Express GET, and a
 * PostgreSQL function doing the same double entry; and what bookings cost the stream of prices. Every write waits for the disk.
 *
 *   npm run build && npx tsx benchmarks/booking.ts [--only store,rest,fix,postgres,stream] [--callers 1,16,64,256] [--runs 3] [--seconds 2]
 *
 * The store is the embedded one; with REDIS_SERVER=<path> that redis-server.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Store } from '../engine/store/store.js';
import { closedLoop, type Rate, rawScript, throughService } from './booking/in-process.js';
import { built, type FundedClient, fund } from './booking/ledger.js';
import { startPostgres } from './booking/postgres.js';
import { measureStream } from './booking/stream.js';
import type { CallersPlan, CallersResult } from './load/callers.js';
import { holdStore, provision, runCallers, startBareExpress, startEngine, startSidecar } from './load/engine.js';
import { TickSource } from './load/tick-source.js';
import { markdownTable, median } from './measure.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'store,rest,fix,postgres,stream' },
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
/** A desk may send 50 messages a second. */
const DESK_PACE = 45;
const FIX_PORT = 19_900;
const FEED_PORT = 19_901;
const REST_PORT = 19_902;
const BARE_PORT = 19_903;

const redisServer = process.env.REDIS_SERVER;

process.stdout.write(`${cpus()[0]?.model}, ${cpus().length} CPUs, Node ${process.version}, medians of ${runs} runs\n`);
if (only.includes('store')) await onFreshStore(throughTheService);
if (only.includes('postgres')) besidePostgres();
if (only.includes('rest') || only.includes('fix')) await onFreshStore(throughTheDoors);
if (only.includes('stream')) {
  await onFreshStore(async ({ dataDir, store }) => {
    process.stdout.write(await measureStream({ dataDir, store, runs: Math.max(runs, 5), seconds }));
  });
}

interface Ground {
  readonly dataDir: string;
  readonly store: Store;
  readonly clients: readonly FundedClient[];
}

/** Each with a store of its own: what one leaves behind is not the next one's to reconcile. */
async function onFreshStore(measure: (ground: Ground) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'ratewire-booking-'));
  const store = await holdStore(
    dataDir,
    redisServer ? { prefer: 'redis-server', redisServer } : { prefer: 'embedded' },
  );
  try {
    await provision(dataDir, CLIENTS, 8);
    const ids = Array.from({ length: CLIENTS }, (_, i) => `bench${i + 1}`);
    await measure({ dataDir, store, clients: await fund(store, ids) });
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function throughTheService({ dataDir, store: held, clients }: Ground): Promise<void> {
  const { readStoreFile } = await built<typeof import('../engine/store/store-file.js')>('store/store-file.js');
  const service = await throughService(held, clients);
  const raw = await rawScript(held, clients, readStoreFile(dataDir)!);
  for (const subject of [raw, service]) await closedLoop(subject, 64, 1_500);
  const rows: string[][] = [];
  for (const callers of callerCounts) {
    const rates = { raw: [] as Rate[], service: [] as Rate[] };
    for (let run = 0; run < runs; run++) {
      rates.raw.push(await closedLoop(raw, callers, seconds * 1_000));
      rates.service.push(await closedLoop(service, callers, seconds * 1_000));
    }
    const ratios = rates.service.map(({ perSecond }, i) => perSecond / rates.raw[i]!.perSecond);
    rows.push([String(callers), rate(rates.raw), rate(rates.service), ratio(ratios), '0.8, better 0.95']);
  }
  await raw.close();
  print(
    'Book FX in the store',
    ['callers', 'the Lua function raw', 'through the service', 'ratio (spread)', 'goal'],
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

async function throughTheDoors({ dataDir, store: held }: Ground): Promise<void> {
  const ticks = new TickSource({ feed: { kind: 'ws', port: FEED_PORT }, pairs: ['EUR/USD'] });
  ticks.open();
  const engine = await startEngine(dataDir, FIX_PORT, FEED_PORT);
  const sidecar = await startSidecar(dataDir, REST_PORT);
  const bare = await startBareExpress(BARE_PORT);
  const feed = setInterval(() => ticks.taken && ticks.emit(1), 200);
  try {
    const tokens = await Promise.all(
      Array.from({ length: CLIENTS }, (_, i) =>
        held.tokens.issue(`bench${i + 1}`, 'benchmark', ['read', 'rates', 'trade']),
      ),
    );
    const texts = tokens.map(({ token }) => token);
    let desks = 0;
    const call = (door: CallersPlan['door'], port: number, callers: number): Promise<CallersResult> => {
      if (door !== 'fix') {
        const plan = { door, port, callers, warmUpS: 1, seconds, tokens: texts, perCallerPerSecond: 0, firstDesk: 0 };
        return runCallers(plan);
      }
      const firstDesk = desks + callers > CLIENTS ? 1 : desks + 1;
      desks = firstDesk + callers - 1;
      return runCallers({
        door,
        port,
        callers,
        warmUpS: 1,
        seconds,
        tokens: [],
        perCallerPerSecond: DESK_PACE,
        firstDesk,
      });
    };
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await call('rest', REST_PORT, 64);
    await call('express', BARE_PORT, 64);
    if (only.includes('rest')) await overRest(call);
    if (only.includes('fix')) await overFix(call);
  } finally {
    clearInterval(feed);
    await Promise.all([bare.stop(), sidecar.stop()]);
    await engine.stop();
    ticks.close();
  }
}

type Call = (door: CallersPlan['door'], port: number, callers: number) => Promise<CallersResult>;

async function overRest(call: Call): Promise<void> {
  const rows: string[][] = [];
  for (const callers of callerCounts) {
    const bare: CallersResult[] = [];
    const rest: CallersResult[] = [];
    for (let run = 0; run < runs; run++) {
      bare.push(await call('express', BARE_PORT, callers));
      rest.push(await call('rest', REST_PORT, callers));
    }
    const ratios = rest.map(({ perSecond }, i) => perSecond / bare[i]!.perSecond);
    rows.push([String(callers), shown(bare), shown(rest), ratio(ratios), '0.55, better 0.62', said(rest)]);
  }
  print(
    'Book FX over REST',
    ['callers', 'bare Express GET', 'POST, durable', 'ratio (spread)', 'goal', 'faults'],
    rows,
  );
}

async function overFix(call: Call): Promise<void> {
  const rows: string[][] = [];
  for (const callers of callerCounts) {
    const found: CallersResult[] = [];
    for (let run = 0; run < runs; run++) found.push(await call('fix', FIX_PORT, callers));
    rows.push([String(callers), shown(found), said(found)]);
  }
  print(`Book FX over FIX, each desk ${DESK_PACE} orders a second`, ['desks', 'order to report', 'faults'], rows);
}

function rate(rates: readonly Rate[]): string {
  const of = (figure: (rate: Rate) => number) => Math.round(median(rates.map(figure)));
  return `${of((r) => r.perSecond)}/s, p50 ${of((r) => r.p50us)} us, p99 ${of((r) => r.p99us)} us, ${of((r) => r.cpuUs)} us CPU`;
}

function shown(results: readonly CallersResult[]): string {
  const of = (figure: (result: CallersResult) => number) => Math.round(median(results.map(figure)));
  return `${of((r) => r.perSecond)}/s, p50 ${of((r) => r.p50us)} us, p99 ${of((r) => r.p99us)} us`;
}

function said(results: readonly CallersResult[]): string {
  return [...new Set(results.flatMap(({ faults }) => faults))].join('; ') || 'none';
}

function spread(found: readonly number[]): string {
  return `${(((Math.max(...found) - Math.min(...found)) / median(found)) * 100).toFixed(0)} %`;
}

function ratio(ratios: readonly number[]): string {
  return `${median(ratios).toFixed(2)} (${spread(ratios)})`;
}

function print(title: string, headings: readonly string[], rows: readonly (readonly string[])[]): void {
  process.stdout.write(`\n${title}\n\n${markdownTable(headings, rows)}\n`);
}
