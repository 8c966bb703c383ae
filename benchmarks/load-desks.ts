/**
 * The load: feeds ticks to a server under test and reads them back as N desks, all in one process, so that the time a tick is sent and the
 * time a desk has read it are on one clock. Started by tick-to-desk.ts with a LoadPlan; prints a LoadResult.
 */
import { Desk, Readings } from './load/desk.js';
import type { LoadPlan, LoadResult } from './load/plan.js';
import { TickSource } from './load/tick-source.js';
import { cpuOf, openDescriptors, Percentiles, residentKiB } from './measure.js';

const START_S = 60;
const LOGONS_AT_ONCE = 50;
/** The kernel buffers megabytes for a connection: a desk stalls only when these are full, so it subscribes many times over. */
const HEAVY_REQUESTS = 15;

const plan: LoadPlan = JSON.parse(process.argv[2]!);
const { servers, firstDesk = 1, beside = [] } = plan;
const memoryKiB = () => servers.reduce((sum, { pid }) => sum + (residentKiB(pid) ?? Number.NaN), 0);
const source = new TickSource(plan);
const readings = new Readings();

run().then(
  (result) => process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0)),
  (error: Error) => process.stderr.write(`${error.message}\n`, () => process.exit(1)),
);

async function run(): Promise<LoadResult> {
  const bare = memoryKiB();
  await source.open();
  const desks = await logOn(plan.sessions);
  const [heavy] = plan.heavyDesk === 'none' ? [] : await logOn(1, plan.sessions);
  for (const desk of desks) desk.subscribe(1);
  heavy?.subscribe(HEAVY_REQUESTS);
  await until('the server took the feed', () => source.taken);
  await pause(500);
  const subscribed = memoryKiB();

  await feed(plan.warmUpS);
  const stalledGone = plan.heavyDesk === 'stalls' && heavy ? stall(heavy) : () => undefined;

  readings.latency = new Percentiles();
  const from = {
    sent: source.sent,
    messages: readings.messages,
    server: cpuOf(servers),
    own: process.cpuUsage(),
    beside: beside.map((process) => cpuOf([process])),
  };
  const seconds = await feed(plan.seconds);
  const messages = readings.messages - from.messages;
  const serverCpuS = cpuOf(servers) - from.server;
  const own = process.cpuUsage(from.own);
  const besideCpu = beside.map((process, i) => (cpuOf([process]) - from.beside[i]!) / seconds);
  const fed = (source.sent - from.sent) * plan.sessions;
  await pause(300);
  const stalledGoneS = stalledGone();
  const { latency } = readings;
  const result = {
    messages,
    seconds,
    messagesPerCpuSecond: messages / serverCpuS,
    serverCpu: serverCpuS / seconds,
    loadCpu: (own.user + own.system) / 1e6 / seconds,
    besideCpu,
    latencyUs: {
      p50: latency.at(0.5),
      p90: latency.at(0.9),
      p99: latency.at(0.99),
      p999: latency.at(0.999),
      max: latency.max,
    },
    delivered: Math.min(1, (readings.messages - from.messages) / fed),
    memoryKiBPerSession: (subscribed - bare) / plan.sessions,
    memoryKiB: memoryKiB(),
    faults: readings.faults(),
    ...(stalledGoneS !== undefined && { stalledGoneS }),
  };
  readings.isEnding = true;
  for (const desk of desks) desk.logOut();
  await pause(200);
  return result;
}

async function logOn(count: number, after = 0): Promise<Desk[]> {
  const desks: Desk[] = [];
  while (desks.length < count) {
    const last = Math.min(count, desks.length + LOGONS_AT_ONCE);
    while (desks.length < last) desks.push(new Desk(after + desks.length + firstDesk, plan, readings));
    await until('logons', () => desks.every(({ state }) => state !== 'connecting'));
  }
  return desks;
}

/** Feeds for this long, by the schedule or as far as the desks have read; returns the seconds it took. */
async function feed(seconds: number): Promise<number> {
  const { pace } = plan;
  const from = { at: performance.now(), sent: source.sent, messages: readings.messages };
  const elapsedS = () => (performance.now() - from.at) / 1000;
  while (elapsedS() < seconds) {
    const sent = source.sent - from.sent;
    if ('window' in pace) {
      const unread = sent - (readings.messages - from.messages) / plan.sessions;
      source.emit(Math.max(0, Math.floor(pace.window - unread)));
      await new Promise(setImmediate);
    } else {
      source.emit(Math.max(0, Math.floor(elapsedS() * pace.ticksPerSecond) - sent));
      await pause(1);
    }
  }
  return elapsedS();
}

/** Stalls the desk; the returned function gives the seconds until the server closed it. */
function stall(desk: Desk): () => number | undefined {
  desk.stall();
  const descriptors = () => openDescriptors(servers[0]!.pid);
  const before = descriptors() ?? 0;
  const at = performance.now();
  let goneS: number | undefined;
  const look = setInterval(() => {
    const open = descriptors() ?? before;
    if (goneS === undefined && open < before) goneS = (performance.now() - at) / 1000;
  }, 100);
  return () => {
    clearInterval(look);
    return goneS;
  };
}

async function until(what: string, reached: () => boolean): Promise<void> {
  const last = performance.now() + START_S * 1000;
  while (!reached()) {
    if (performance.now() > last) throw new Error(`${what}: not within ${START_S} s; ${readings.faults().join('; ')}`);
    await pause(5);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
