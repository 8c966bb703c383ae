/**
 * From a provider's tick to N desks: the capacity of the built engine on one CPU, the delay of a price, the effect of a stalled desk on the
 * others, the memory of a session; next to a baseline in the same run, because only ratios of one run on one machine mean anything.
 *
 *   npm run build && npx tsx benchmarks/tick-to-desk.ts [--only own-100,paced-100] [--runs 3] [--seconds 4] [--json file] [--pricing]
 *
 * With --pricing every price has a skew by a position of the house, and the spread has a floor and a ceiling.
 */
import { appendFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import { positionKey } from '../engine/store/keys/redis-keys.js';
import { readStoreFile } from '../engine/store/managed-redis/store-file.js';
import type { Store } from '../engine/store/store.js';
import { GOALS, goalText } from './goals.js';
import { holdStore } from './load/engine.js';
import { onFreshDirectory } from './load/ground.js';
import type { LoadResult } from './load/plan.js';
import { faultsOf, spread } from './load/report.js';
import { PAIRS, runScenario, SCENARIOS, type Scenario, type ScenarioRuns } from './load/scenarios.js';
import { markdownTable, median } from './measure.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    runs: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    json: { type: 'string' },
    pricing: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const only = values.only?.split(',');

await onFreshDirectory(async (dataDir) => {
  const store = await holdStore(dataDir);
  try {
    if (values.pricing) await skewPrices(store, dataDir);
    const rows: string[][] = [];
    for (const scenario of SCENARIOS) {
      if (only === undefined || only.includes(scenario.name)) rows.push(...(await measure(dataDir, scenario)));
    }
    const headings = ['what', 'value', 'spread of runs', 'goal', 'engine', 'compared with', 'faults'];
    process.stdout.write(
      `${cpus()[0]?.model}, ${cpus().length} CPUs, Node ${process.version}, median of ${runs} runs\n\n`,
    );
    process.stdout.write(`${markdownTable(headings, rows)}\n`);
  } finally {
    await store.close();
  }
});

/** A position of 5 million in each pair, as if clients had dealt it, and a rule for all pairs of which each part is computed on each price. */
async function skewPrices({ pricingRules }: Store, dataDir: string): Promise<void> {
  const { port, password } = readStoreFile(dataDir)!;
  const redis = new Redis({ port, password });
  await redis.hset(
    positionKey(0),
    Object.fromEntries(PAIRS.map((pair) => [`${pair}|20991231|Bq`, '500000000 500000000 0'])),
  );
  await redis.quit();
  const rule = { pair: '*', skew: 500, skewMax: 2_000, widenAfterMs: 4_000, widenBy: 1_000 };
  await pricingRules.change('*', () => ({ ...rule, spreadMin: 10, spreadMax: 9_999_999 }));
}

async function measure(dataDir: string, scenario: Scenario): Promise<string[][]> {
  const found = await runScenario(dataDir, scenario, runs, Number(values.seconds));
  if (values.json) append(values.json, scenario, found);
  const { engine, other } = found;
  const faults = faultsOf([...engine, ...other]).join('; ') || 'none';
  return scenario.figures.map(({ row, of }) => {
    const runsOf = engine.map((result, i) => of(result, other[i]!));
    const value = median(runsOf).toFixed(2);
    return [GOALS[row].what, value, spread(runsOf), goalText(row), shown(engine), shown(other), faults];
  });
}

function append(file: string, { name, against }: Scenario, { engine, other }: ScenarioRuns): void {
  const line = (server: string, result: LoadResult) =>
    appendFileSync(file, `${JSON.stringify({ at: new Date(), scenario: name, server, ...result })}\n`);
  for (const [i, result] of engine.entries()) {
    line('engine', result);
    line(against === 'itself' ? 'engine' : 'baseline', other[i]!);
  }
}

function shown(results: readonly LoadResult[]): string {
  const of = (figure: (result: LoadResult) => number) => Math.round(median(results.map(figure)));
  const perCpu = of((r) => r.messagesPerCpuSecond / 1000);
  return `${perCpu} k/CPU-s, p50 ${of((r) => r.latencyUs.p50)} µs, p99 ${of((r) => r.latencyUs.p99)} µs`;
}
