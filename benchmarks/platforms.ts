/**
 * Bookings of the sub-clients of one platform, which are all in one shard, against those of as many clients of their own: by the service, in one
 * process, with the platform's share of each margin posted to both ledgers.
 *
 *   npm run build && REDIS_SERVER=$(command -v redis-server) npx tsx benchmarks/platforms.ts [--callers 64] [--runs 3] [--seconds 2]
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { closedLoop, type Rate, throughService } from './booking/in-process.js';
import { built, fund } from './booking/ledger.js';
import { onFreshStore } from './load/ground.js';
import { median } from './measure.js';

const { values } = parseArgs({
  options: {
    callers: { type: 'string', default: '64' },
    runs: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
  },
});
const CLIENTS = 64;
const PLATFORM = 'platform';
const [callers, runs, ms] = [Number(values.callers), Number(values.runs), Number(values.seconds) * 1_000];

const found = await onFreshStore(CLIENTS, async ({ dataDir, store, clients }) => {
  const file = await built<typeof import('../engine/store/managed-redis/store-file.js')>(
    'store/managed-redis/store-file.js',
  );
  const { server } = file.readStoreFile(dataDir)!;
  await fund(store, [PLATFORM]);
  await store.clients.change(PLATFORM, { isPlatform: true });
  await store.margins.set({ clientId: `${PLATFORM}~*`, pair: '*', type: '*', marginPpm: 1_000 });
  const ids = Array.from({ length: CLIENTS }, (_, i) => `${PLATFORM}~${i}`);
  const subjects = [await throughService(store, clients), await throughService(store, await fund(store, ids))] as const;
  const rates: [Rate[], Rate[]] = [[], []];
  for (const subject of subjects) await closedLoop(subject, callers, 500);
  for (let run = 0; run < runs; run++)
    for (const [i, subject] of subjects.entries()) rates[i]!.push(await closedLoop(subject, callers, ms, server));
  return rates;
});

process.stdout.write(
  `${cpus()[0]?.model}, ${cpus().length} CPUs, Node ${process.version}, medians of ${runs} runs, ${callers} callers\n`,
);
for (const [i, what] of ['clients', 'sub-clients of one platform'].entries()) {
  const of = (value: (rate: Rate) => number) => median(found[i]!.map(value));
  process.stdout.write(
    `${what}: ${Math.round(of(({ perSecond }) => perSecond))} bookings/s, store CPU ${of(({ storeCpuUs }) => storeCpuUs).toFixed(0)} us each, p99 ${(of(({ p99us }) => p99us) / 1_000).toFixed(1)} ms\n`,
  );
}
process.exit(0);
