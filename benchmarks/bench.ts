/**
 * Every row of goals.ts in one table, on redis-server and on the embedded store:
 *
 *   npm run bench -- [--quick] [--only book-fx,rest] [--json now.json] [--compare earlier.json]
 *
 * At most about 20 minutes, on a machine that is slower by shorter runs of what would not fit; with --quick, one short run of each part. It is a
 * report: the exit code is 0 whatever the figures are.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PARTS } from './bench/parts.js';
import type { StoreKind } from './goals.js';
import { endPrograms } from './load/engine.js';
import { type BenchRun, machineText, notMeasured, type Result, resultTable } from './load/report.js';
import { SCENARIOS } from './load/scenarios.js';

const FULL = { runs: 3, seconds: 2, records: 2_000, idleSeconds: 10, bookings: 50_000, scenarios: SCENARIOS };
const SHORT_SCENARIOS = SCENARIOS.filter(({ name }) => name === 'own-100' || name === 'paced-100');
const QUICK = { runs: 1, seconds: 1, records: 300, idleSeconds: 3, bookings: 5_000, scenarios: SHORT_SCENARIOS };
/** A part is measured in the quick form where the rest would take longer than this otherwise, and no part begins after it. */
const LIMIT_S = 19 * 60;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    stores: { type: 'string', default: 'redis-server,embedded' },
    callers: { type: 'string', default: '1,16,64' },
    quick: { type: 'boolean', default: false },
    runs: { type: 'string' },
    seconds: { type: 'string' },
    json: { type: 'string' },
    compare: { type: 'string' },
  },
});
const callers = values.callers.split(',').map(Number);
const given = {
  ...(values.runs && { runs: Number(values.runs) }),
  ...(values.seconds && { seconds: Number(values.seconds) }),
};
const stores = (['redis-server', 'embedded'] as const).filter((store) => values.stores.split(',').includes(store));
const only = values.only?.split(',');
const unknown = only?.filter((name) => !PARTS.some((part) => part.name === name)) ?? [];
if (unknown.length > 0 || stores.length === 0) {
  process.stderr.write(`--only: ${PARTS.map(({ name }) => name).join(', ')}; --stores: redis-server, embedded\n`);
  process.exit(2);
}
/** Read first: a wrong file is reported before the measurements. */
const earlier = values.compare && (JSON.parse(readFileSync(values.compare, 'utf8')) as BenchRun);

let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isStopping = true;
    endPrograms();
  });

const at = new Date().toISOString();
const machine = machineText();
const results: Result[] = [];
const jobs = PARTS.filter(({ name }) => only?.includes(name) ?? true).flatMap((part) =>
  (part.once ? stores.slice(0, 1) : stores).map((store) => ({ part, store })),
);
for (const [i, { part, store }] of jobs.entries()) {
  const needsS = jobs.slice(i).reduce((sum, { part }) => sum + part.seconds, 0);
  results.push(...(await measured(part, store, performance.now() / 1_000 + needsS > LIMIT_S)));
}
const run: BenchRun = { at, machine, results };
const { runs, seconds } = { ...(values.quick ? QUICK : FULL), ...given };
process.stdout.write(`${at}, ${machine}, medians of ${runs} runs of ${seconds} s\n\n`);
process.stdout.write(`${resultTable(results, earlier || undefined)}\n`);
if (values.json) writeFileSync(values.json, `${JSON.stringify(run, undefined, 2)}\n`);
process.exit(isStopping ? 130 : 0);

/** A part that fails is reported as not measured: the others are measured nevertheless. */
async function measured(part: (typeof PARTS)[number], store: StoreKind, isLate: boolean): Promise<readonly Result[]> {
  const missing = (why: string) => notMeasured(part.rows, why, part.once ? undefined : store);
  if (isStopping) return missing('stopped by a signal');
  const from = performance.now();
  if (from > LIMIT_S * 1_000) return missing('no time left of the 20 minutes');
  process.stderr.write(`${part.name}${part.once ? '' : `, ${store}`} ... `);
  try {
    if (values.quick || !isLate)
      return await part.measure(store, { callers, ...(values.quick ? QUICK : FULL), ...given });
    const found = await part.measure(store, { callers, ...QUICK });
    return found.map((result) => ({ ...result, faults: [...(result.faults ?? []), 'quick form, for lack of time'] }));
  } catch (error) {
    return missing(isStopping ? 'stopped by a signal' : (error as Error).message);
  } finally {
    process.stderr.write(`${((performance.now() - from) / 1_000).toFixed(0)} s\n`);
  }
}
