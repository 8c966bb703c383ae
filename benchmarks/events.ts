/**
 * What an event costs the store: bookings of clients that have events, and of as many that have none, in turn on one store, by the service.
 * Also the bytes of an event, by MEMORY USAGE, and the one command that a client without events pays in each step.
 *
 *   npm run build && REDIS_SERVER=$(command -v redis-server) npx tsx benchmarks/events.ts [--callers 64] [--runs 40] [--seconds 0.5]
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import { closedLoop, type Rate, throughService } from './booking/in-process.js';
import { built, fund } from './booking/ledger.js';
import { onFreshStore } from './load/ground.js';
import { cpuOf } from './measure.js';

const { values } = parseArgs({
  options: {
    callers: { type: 'string', default: '64' },
    runs: { type: 'string', default: '40' },
    seconds: { type: 'string', default: '0.5' },
  },
});
const CLIENTS = 64;
const [callers, runs, ms] = [Number(values.callers), Number(values.runs), Number(values.seconds) * 1_000];
/** In one script: the time of each is the script's divided by so many. */
const TYPES = 1_000_000;

const { rates, typeUs, bytes } = await onFreshStore(CLIENTS, async ({ dataDir, store, clients }) => {
  const stored = await built<typeof import('../engine/store/managed-redis/store-file.js')>(
    'store/managed-redis/store-file.js',
  );
  const { ledgerKeys } = await built<typeof import('../engine/store/keys/redis-keys.js')>('store/keys/redis-keys.js');
  const file = stored.readStoreFile(dataDir)!;
  const having = await fund(
    store,
    Array.from({ length: CLIENTS }, (_, i) => `events${i}`),
  );
  for (const client of having) await store.events.enable(client);
  const subjects = [await throughService(store, clients), await throughService(store, having)] as const;
  for (const subject of subjects) await closedLoop(subject, callers, 1_000);
  const rates: [without: Rate, having: Rate][] = [];
  for (let run = 0; run < runs; run++) {
    const first = run % 2;
    const one = await closedLoop(subjects[first]!, callers, ms, file.server);
    const other = await closedLoop(subjects[1 - first]!, callers, ms, file.server);
    rates.push(first === 0 ? [one, other] : [other, one]);
  }
  const redis = new Redis({ ...file, lazyConnect: true });
  await redis.connect();
  const absent = ledgerKeys(clients[0]!).events;
  const from = cpuOf([file.server]);
  await redis.eval(`for _ = 1, ${TYPES} do redis.call('TYPE', KEYS[1]) end`, 1, absent);
  const typeUs = ((cpuOf([file.server]) - from) * 1e6) / TYPES;
  let [used, count] = [0, 0];
  for (const client of having) {
    const { events } = ledgerKeys(client);
    used += Number(await redis.memory('USAGE', events, 'SAMPLES', 0));
    count += await redis.xlen(events);
  }
  redis.disconnect();
  return { rates, typeUs, bytes: used / count };
});

/** Other programs only add: of all runs the least quarter is compared. */
const leastQuarter = (of: (pair: readonly [Rate, Rate]) => Rate): number =>
  rates.map((pair) => of(pair).storeCpuUs).sort((a, b) => a - b)[rates.length >> 2]!;
const [without, having] = [leastQuarter(([one]) => one), leastQuarter(([, other]) => other)];
process.stdout.write(`${cpus()[0]?.model}, ${cpus().length} CPUs, Node ${process.version}, ${callers} callers, ${runs} pairs of runs
store CPU of a booking without events: ${without.toFixed(1)} us
store CPU of a booking with an event: ${having.toFixed(1)} us
the event: ${(having - without).toFixed(1)} us (goal: at most 8)
bytes of an event in memory: ${bytes.toFixed(0)} (goal: at most 200)
for a client without events, one TYPE in each step: ${typeUs.toFixed(2)} us
`);
process.exit(0);
