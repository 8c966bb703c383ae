/**
 * How far FIX gateways scale: desks, messages a second and bookings a second for 1, 2 and 4 of them on one store, each load raised until
 * the desks wait; and the CPU share of each program, from which a machine of another size is calculated.
 *
 *   npm run build && npx tsx benchmarks/scale.ts [--gateways 1,2,4] [--desks 100,200,400,800,1600] [--callers 32,64,128,256] [--seconds 4]
 *
 * The store is the embedded one; with REDIS_SERVER=<path> that redis-server. Gateways share the first CPU; the engine with the feed, the
 * store and the load share the second.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { built } from './booking/ledger.js';
import { type CallersResult, httpPlan } from './load/callers.js';
import { LOAD_CPU, runCallers, runLoad, type Server, startEngine, startGateway } from './load/engine.js';
import { type Ground, onFreshStore } from './load/ground.js';
import type { LoadResult, ServerUnderTest } from './load/plan.js';
import { print } from './load/report.js';
import { TickSource } from './load/tick-source.js';
import { cpuOf } from './measure.js';

const { values } = parseArgs({
  options: {
    gateways: { type: 'string', default: '1,2,4' },
    desks: { type: 'string', default: '100,200,400,800,1600' },
    callers: { type: 'string', default: '32,64,128,256' },
    seconds: { type: 'string', default: '4' },
  },
});
const numbers = (text: string) => text.split(',').map(Number);
const deskSteps = numbers(values.desks);
const callerSteps = numbers(values.callers);
const seconds = Number(values.seconds);

const PAIRS = 'EUR/USD GBP/USD USD/JPY AUD/USD USD/CHF USD/CAD NZD/USD EUR/GBP EUR/JPY USD/SGD'.split(' ');
/** Ten pairs, ten prices a second of each. */
const TICKS_PER_SECOND = 100;
/** A desk may send 50 messages a second. */
const DESK_PACE = 45;
/** Beyond the knee: one price in a hundred waits longer than this, or one order in a hundred. */
const PRICE_P99_MS = 20;
const ORDER_P99_MS = 100;
const FEED_PORT = 19_921;
const GATEWAY_PORT = 19_930;

process.stdout.write(`${cpus()[0]?.model}, ${cpus().length} CPUs, Node ${process.version}, ${seconds} s a step\n`);
for (const gateways of numbers(values.gateways)) await measure(gateways);

async function measure(gateways: number): Promise<void> {
  // Each step with desks of its own: one that has just logged on a few times may not again at once.
  const prices: Step<LoadResult>[] = [];
  const clients = sum(deskSteps) + sum(callerSteps);
  await onFreshStore(clients, async (ground) => {
    let firstDesk = 1;
    for (const desks of deskSteps) {
      prices.push({ load: desks, result: await pricesTo(ground, gateways, desks, firstDesk) });
      firstDesk += desks;
      if (!isFast(prices.at(-1)!.result)) break;
    }
    const orders = await onEngines(ground, gateways, (engine, servers, store) =>
      ordersBy(servers, engine, store, sum(deskSteps) + 1),
    );
    printTables(gateways, prices, orders);
  });
}

interface Step<Result> {
  readonly load: number;
  readonly result: Result;
}

type Orders = CallersResult & { readonly engineCpu: number; readonly storeCpu: number; readonly gatewayCpu: number };

function isFast({ latencyUs }: LoadResult): boolean {
  return latencyUs.p99 <= PRICE_P99_MS * 1_000;
}

function isPrompt({ p99us, faults }: Orders): boolean {
  return p99us <= ORDER_P99_MS * 1_000 && faults.length === 0;
}

/** The load process feeds the engine; desks read at the gateways. */
function pricesTo(ground: Ground, gateways: number, desks: number, firstDesk: number): Promise<LoadResult> {
  return onEngines(ground, gateways, (engine, servers, store) =>
    runLoad({
      servers,
      beside: [engine, store],
      feed: { kind: 'ws', port: FEED_PORT },
      targetCompId: 'FXENGINE',
      sessions: desks,
      firstDesk,
      pairs: PAIRS,
      pace: { ticksPerSecond: TICKS_PER_SECOND },
      warmUpS: 2,
      seconds,
      heavyDesk: 'none',
    }),
  );
}

async function ordersBy(
  servers: readonly ServerUnderTest[],
  engine: Server,
  store: { readonly pid: number },
  first: number,
): Promise<Step<Orders>[]> {
  const ticks = new TickSource({ feed: { kind: 'ws', port: FEED_PORT }, pairs: ['EUR/USD'] });
  await ticks.open();
  const feed = setInterval(() => ticks.taken && ticks.emit(1), 200);
  const found: Step<Orders>[] = [];
  let firstDesk = first;
  try {
    // The engine reconnects at growing intervals while the provider is down; then the gateways have to learn of it.
    while (!ticks.taken) await new Promise((resolve) => setTimeout(resolve, 100));
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    for (const callers of callerSteps) {
      const plan = { ...httpPlan(servers[0]!, callers, seconds, []), servers, door: 'fix', firstDesk } as const;
      const from = { engine: cpuOf([engine]), store: cpuOf([store]), gateways: cpuOf(servers), at: performance.now() };
      const result = await runCallers({ ...plan, perCallerPerSecond: DESK_PACE });
      const share = (before: number, now: number) => ((now - before) * 1_000) / (performance.now() - from.at);
      const engineCpu = share(from.engine, cpuOf([engine]));
      const storeCpu = share(from.store, cpuOf([store]));
      found.push({
        load: callers,
        result: { ...result, engineCpu, storeCpu, gatewayCpu: share(from.gateways, cpuOf(servers)) },
      });
      firstDesk += callers;
      if (!isPrompt(found.at(-1)!.result)) break;
    }
    return found;
  } finally {
    clearInterval(feed);
    ticks.close();
  }
}

/** The engine that has the feed, and this many gateways on its relay. */
async function onEngines<Result>(
  { dataDir }: Ground,
  gateways: number,
  use: (engine: Server, servers: readonly ServerUnderTest[], store: { readonly pid: number }) => Promise<Result>,
): Promise<Result> {
  const { readStoreFile } = await built<typeof import('../engine/store/managed-redis/store-file.js')>(
    'store/managed-redis/store-file.js',
  );
  const store = readStoreFile(dataDir)!.server!;
  const started: Server[] = [await startEngine(dataDir, GATEWAY_PORT - 1, FEED_PORT, LOAD_CPU)];
  try {
    for (let i = 0; i < gateways; i++) started.push(await startGateway(dataDir, GATEWAY_PORT + i));
    const servers = started.slice(1).map(({ pid }, i) => ({ pid, port: GATEWAY_PORT + i }));
    return await use(started[0]!, servers, store);
  } finally {
    for (const server of started.reverse()) await server.stop();
  }
}

function printTables(gateways: number, prices: readonly Step<LoadResult>[], orders: readonly Step<Orders>[]): void {
  const share = (cpu: number | undefined) => (cpu ?? Number.NaN).toFixed(2);
  const us = (micros: number) => `${(micros / 1_000).toFixed(1)} ms`;
  const gatewaysText = `${gateways} ${gateways === 1 ? 'gateway' : 'gateways'}`;
  const priceRows = prices.map(({ load, result: r }) => [
    String(load),
    `${Math.round(r.messages / r.seconds)} of ${load * TICKS_PER_SECOND}`,
    us(r.latencyUs.p50),
    us(r.latencyUs.p99),
    share(r.serverCpu),
    `${((r.serverCpu * r.seconds * 1e6) / r.messages).toFixed(1)} us`,
    share(r.besideCpu[0]),
    share(r.besideCpu[1]),
    share(r.loadCpu),
    `${Math.round(r.memoryKiBPerSession)} KiB`,
    r.faults.join('; ') || 'none',
  ]);
  const cpu = ['CPU of the gateways', 'of that for a message', 'engine', 'store', 'load'];
  print(
    `Prices, ${gatewaysText}; ${knee(prices.findLast(({ result }) => isFast(result))?.load, 'desks')}`,
    ['desks', 'messages/s of those sent', 'p50', 'p99', ...cpu, 'memory of a desk', 'faults'],
    priceRows,
  );
  const orderRows = orders.map(({ load, result: r }) => [
    String(load),
    `${Math.round(r.perSecond)} of ${load * DESK_PACE}`,
    us(r.p50us),
    us(r.p99us),
    share(r.gatewayCpu),
    `${r.cpuUs.toFixed(0)} us`,
    share(r.engineCpu),
    share(r.storeCpu),
    r.faults.join('; ') || 'none',
  ]);
  const prompt = orders.filter(({ result }) => isPrompt(result)).map(({ result }) => Math.round(result.perSecond));
  print(
    `Bookings by FIX, ${gatewaysText}; ${knee(prompt.at(-1), 'bookings a second')}`,
    ['desks', 'bookings/s of those asked', 'p50', 'p99', ...cpu.slice(0, -1), 'faults'],
    orderRows,
  );
}

function knee(reached: number | undefined, what: string): string {
  return reached === undefined
    ? 'the first step is beyond the knee'
    : `the last step before the knee: ${reached} ${what}`;
}

function sum(all: readonly number[]): number {
  return all.reduce((total, one) => total + one, 0);
}
