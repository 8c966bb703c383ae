/**
 * What the risk role costs an engine: CPU and time of a round, and memory, with the positions of many clients in 64 shards; against the same
 * process without the role, in turn. Then the daily walk over all clients.
 *
 *     npm run build && npx tsx benchmarks/risk-role.ts [--clients 10000] [--pairs 20] [--dates 4] [--seconds 10] [--rounds 3] [--changes 0] [--limits]
 *
 * The hashes are written directly: as many fields as that number of pairs and value dates leaves in each shard, and one pair in each client's.
 * With `--changes` so many shards a second change. With `--limits` the house and each client have limits: of the net open position and the total,
 * and of the daily loss.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import { PAIRS } from '../engine/domain/money/pair.js';
import { built, servicesOn } from './booking/ledger.js';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '10000' },
    pairs: { type: 'string', default: '20' },
    dates: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    changes: { type: 'string', default: '0' },
    limits: { type: 'boolean' },
  },
});
const [clients, pairs, dates, seconds, rounds] = [
  values.clients,
  values.pairs,
  values.dates,
  values.seconds,
  values.rounds,
].map(Number) as [number, number, number, number, number];

const directory = mkdtempSync(join(tmpdir(), 'ratewire-risk-'));
const { openStore } = await built<typeof import('../engine/store/store.js')>('store/store.js');
const { readStoreFile } = await built<typeof import('../engine/store/managed-redis/store-file.js')>(
  'store/managed-redis/store-file.js',
);
const { limitSlices } =
  await built<typeof import('../engine/roles/risk/limit-slices.js')>('roles/risk/limit-slices.js');
const { startRiskRole } = await built<typeof import('../engine/roles/risk/risk-role.js')>('roles/risk/risk-role.js');
const log = { info() {}, warn() {}, error: (fields: object, text: string) => console.error(text, fields) };
const store = await openStore({ dataDir: directory, log, own: 'must-start', fsync: 'everysec' });
const { host, port, password } = readStoreFile(directory)!;
const redis = new Redis({ host, port, password: password ?? '' });
let changing: NodeJS.Timeout | undefined;
try {
  await fill();
  const services = await servicesOn(store);
  const { book } = services;
  if (values.limits)
    services.limits.replace(
      new Map([
        ['house', { base: 'USD', nop: 1e14, nopOf: { EUR: 1e14 } }],
        ['*', { base: 'USD', dailyLoss: 1e9 }],
      ]),
    );
  let changes = 0;
  const change = () => {
    const position = `{s${String(++changes % 64).padStart(2, '0')}}:position`;
    void redis.hset(
      position,
      'EUR/USD|0|Bq',
      `${123_456_789_012 + changes} 117283949561 29320987`,
      'last',
      String(changes),
    );
  };
  changing = Number(values.changes) > 0 ? setInterval(change, 1_000 / Number(values.changes)) : undefined;
  const provider = book.registerProvider('LP');
  const tick = () => {
    for (const { index } of PAIRS.slice(0, pairs))
      book.tick(provider, index, 10_000_000, 10_000_100, 0, 0, Date.now() * 1_000, 0);
  };
  setInterval(tick, 100).unref();
  tick();

  console.log(`${clients} clients, ${pairs} pairs on ${dates} value dates: ${await fields()} fields in 64 shards`);
  const walking = startRiskRole(services);
  const began = performance.now();
  const cpuBefore = process.cpuUsage();
  const of = async () => ({ day: (await store.riskFigures.dayBegun())?.day ?? '', baseCurrency: services.limits.base });
  while (!(await store.dayStarts.isComplete(await of()))) await pause(20);
  const { user, system } = process.cpuUsage(cpuBefore);
  console.log(
    `the walk over all clients, once a day: ${((performance.now() - began) / 1_000).toFixed(1)} s, ${Math.round((user + system) / 1_000)} ms of CPU with the rounds meanwhile`,
  );
  await walking.stop();

  for (let round = 0; round < rounds; round++) {
    const without = await measured();
    const role = startRiskRole(services, [limitSlices(services)]);
    while (role.counts.done < 4) await pause(20);
    const before = role.counts.done;
    const heapBefore = heap();
    const withRole = await measured();
    const done = role.counts.done - before;
    const heapAfter = heap();
    const { counts, bounds } = role.roundTimes;
    await role.stop();
    const ms = (withRole - without) / done / 1_000;
    console.log(
      `round ${round + 1}: ${done} rounds in ${seconds} s, ${ms.toFixed(2)} ms of CPU each (${((100 * (withRole - without)) / seconds / 1e6).toFixed(1)} % of a core; without the role ${((100 * without) / seconds / 1e6).toFixed(1)} %), p50 ${quantile(counts, bounds, 0.5)}, p99 ${quantile(counts, bounds, 0.99)} at most, heap ${heapBefore.toFixed(1)} -> ${heapAfter.toFixed(1)} MiB`,
    );
  }
} finally {
  clearInterval(changing);
  redis.disconnect();
  await store.close();
  rmSync(directory, { recursive: true });
}

/** Microseconds of CPU of this process. */
async function measured(): Promise<number> {
  const before = process.cpuUsage();
  await pause(1_000 * seconds);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1_048_576;
}

function quantile(counts: ArrayLike<number>, bounds: ArrayLike<number>, part: number): string {
  const all = Array.from(counts);
  const wanted = part * all.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  const at = all.findIndex((count) => {
    seen += count;
    return seen >= wanted;
  });
  return `${(bounds[Math.min(at, bounds.length - 1)]! / 1_000).toFixed(1)} ms`;
}

async function fill(): Promise<void> {
  if (!(pairs > 0 && dates > 0)) throw new RangeError('at least one pair and one value date');
  const valueDates = ['0', ...Array.from({ length: dates - 1 }, (_, i) => `209912${String(10 + i)}`)];
  const sums = '123456789012 117283949561 29320987';
  for (let shard = 0; shard < 64; shard++) {
    const position = `{s${String(shard).padStart(2, '0')}}:position`;
    const written = PAIRS.slice(0, pairs).flatMap(({ symbol }) =>
      valueDates.flatMap((date) => ['Bb', 'Bq', 'Sb', 'Sq'].flatMap((what) => [`${symbol}|${date}|${what}`, sums])),
    );
    await redis.hset(position, ...written, 'last', 'written');
  }
  const of = await built<typeof import('../engine/store/keys/redis-keys.js')>('store/keys/redis-keys.js');
  for (let from = 0; from < clients; from += 100) {
    await Promise.all(
      Array.from({ length: Math.min(100, clients - from) }, async (_, i) => {
        const client = (await store.clients.create({
          id: `c${from + i}`,
          name: 'a client',
          defaultType: 'PREFUNDING',
        }))!;
        const fieldsOf = valueDates
          .slice(0, 2)
          .flatMap((date) => [`EUR/USD|${date}|Bq`, sums, `EUR/USD|${date}|Sb`, sums]);
        await redis.hset(of.ledgerKeys(client).position, ...fieldsOf);
      }),
    );
  }
}

async function fields(): Promise<number> {
  const lengths = await Promise.all(
    Array.from({ length: 64 }, (_, shard) => redis.hlen(`{s${String(shard).padStart(2, '0')}}:position`)),
  );
  return lengths.reduce((sum, length) => sum + length, 0);
}
