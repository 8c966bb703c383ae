/**
 * Every row of goals.ts in one table, on redis-server and on the embedded store:
 *
 *   npm run bench -- [--quick] [--only book-fx,rest] [--json now.json] [--compare earlier.json]
 *
 * At most about 20 minutes; with --quick, one short run of each part. It is a report: the exit code is 0 whatever the figures are.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PARTS } from './bench/parts.js';
import type { StoreKind } from './goals.js';
import { endPrograms } from './load/engine.js';
import { type BenchRun, machineText, notMeasured, type Result, resultTable } from './load/report.js';

const FULL = { runs: '3', seconds: '2', records: '2000', idle: '10' };
const QUICK = { runs: '1', seconds: '1', records: '300', idle: '3' };
/** No part begins after this: the last ones take less than two minutes. */
const LAST_BEGIN_MS = 18 * 60_000;

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
const form = values.quick ? QUICK : FULL;
const options = {
  runs: Number(values.runs ?? form.runs),
  seconds: Number(values.seconds ?? form.seconds),
  callers: values.callers.split(',').map(Number),
  records: Number(form.records),
  idleSeconds: Number(form.idle),
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
for (const part of PARTS) {
  if (only !== undefined && !only.includes(part.name)) continue;
  for (const store of part.once ? stores.slice(0, 1) : stores) results.push(...(await measured(part, store)));
}
const run: BenchRun = { at, machine, results };
process.stdout.write(`${at}, ${machine}, medians of ${options.runs} runs of ${options.seconds} s\n\n`);
process.stdout.write(`${resultTable(results, earlier || undefined)}\n`);
if (values.json) writeFileSync(values.json, `${JSON.stringify(run, undefined, 2)}\n`);
process.exit(isStopping ? 130 : 0);

/** A part that fails is reported as not measured: the others are measured nevertheless. */
async function measured(part: (typeof PARTS)[number], store: StoreKind): Promise<readonly Result[]> {
  const missing = (why: string) => notMeasured(part.rows, why, part.once ? undefined : store);
  if (isStopping) return missing('stopped by a signal');
  if (performance.now() > LAST_BEGIN_MS) return missing('no time left of the 20 minutes');
  const from = performance.now();
  process.stderr.write(`${part.name}${part.once ? '' : `, ${store}`} ... `);
  try {
    return await part.measure(store, options);
  } catch (error) {
    return missing(isStopping ? 'stopped by a signal' : (error as Error).message);
  } finally {
    process.stderr.write(`${((performance.now() - from) / 1_000).toFixed(0)} s\n`);
  }
}
