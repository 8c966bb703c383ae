/**
 * From a provider's tick to N desks: the capacity of the built engine on one CPU, the delay of a price, the effect of a stalled desk on the
 * others, the memory of a session; next to a baseline in the same run, because only ratios of one run on one machine mean anything.
 *
 *   npm run build && npx tsx benchmarks/tick-to-desk.ts [--only own-100,paced-100] [--runs 3] [--seconds 4] [--json file]
 */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { holdStore, provision, runLoad, startBaseline, startEngine } from './load/engine.js';
import type { LoadPlan, LoadResult } from './load/plan.js';
import { markdownTable, median } from './measure.js';

/** One line of the table: a figure of the engine, or its ratio to the comparison. */
interface Figure {
  readonly what: string;
  readonly goal: string;
  readonly of: (engine: LoadResult, other: LoadResult) => number;
}

interface Scenario {
  readonly name: string;
  readonly sessions: number;
  /** Different margins; as many as sessions: a body per desk and tick. */
  readonly tiers: number;
  readonly pace: LoadPlan['pace'];
  /** The comparison: a write per turn or per message of the baseline, or the engine itself without a stalled desk. */
  readonly against: 'turn' | 'each' | 'itself';
  /** One more desk stops reading. */
  readonly stalls?: true;
  /** Minimum duration: the kernel's buffers fill first, then a stalled desk may stay for ten seconds. */
  readonly atLeastS?: number;
  readonly figures: readonly Figure[];
}

const perCpuSecond = (goal: string): Figure => ({
  what: 'messages per CPU-second, ratio',
  goal,
  of: (engine, other) => engine.messagesPerCpuSecond / other.messagesPerCpuSecond,
});
const cost: Figure = {
  what: 'CPU per message, ratio',
  goal: '1.35, better 1.15',
  of: (engine, other) => other.messagesPerCpuSecond / engine.messagesPerCpuSecond,
};
const p50: Figure = {
  what: 'tick to desk p50, ratio',
  goal: '1.4, better 1.2',
  of: (engine, other) => engine.latencyUs.p50 / other.latencyUs.p50,
};
const p99 = (goal: string): Figure => ({
  what: 'tick to desk p99, ratio',
  goal,
  of: (engine, other) => engine.latencyUs.p99 / other.latencyUs.p99,
});
const memory: Figure = {
  what: 'memory per session, KiB',
  goal: '60, better 30',
  of: (engine) => engine.memoryKiBPerSession,
};
const gone: Figure = {
  what: 'the stalled desk is gone after, s',
  goal: '10 and what the buffers take',
  of: (engine) => engine.stalledGoneS ?? Number.POSITIVE_INFINITY,
};

const everyTick = (sessions: number, ticksPerSecond = 1000) => ({
  sessions,
  tiers: sessions,
  pace: { ticksPerSecond },
});
const closed = (sessions: number, tiers: number, window: number) => ({ sessions, tiers, pace: { window } });
const latencies = [p50, p99('2, better 1.5')];

const SCENARIOS: readonly Scenario[] = [
  { name: 'own-100', ...closed(100, 100, 16), against: 'turn', figures: [perCpuSecond('0.40, better 0.70')] },
  { name: 'tiers-100', ...closed(100, 8, 16), against: 'turn', figures: [perCpuSecond('0.30, better 0.5')] },
  { name: 'own-1000', ...closed(1000, 1000, 4), against: 'turn', figures: [perCpuSecond('0.5, better 0.75'), memory] },
  { name: 'paced-10', ...everyTick(10), against: 'each', figures: latencies },
  { name: 'paced-100', ...everyTick(100), against: 'each', figures: [cost, ...latencies] },
  {
    name: 'stalled-100',
    ...everyTick(100),
    against: 'itself',
    stalls: true,
    atLeastS: 20,
    figures: [p99('1.1'), gone],
  },
];

const PAIRS = 'EUR/USD GBP/USD USD/JPY AUD/USD USD/CHF USD/CAD NZD/USD EUR/GBP EUR/JPY USD/SGD'.split(' ');

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    runs: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    json: { type: 'string' },
  },
});
const runs = Number(values.runs);
const only = values.only?.split(',');

const dataDir = mkdtempSync(path.join(tmpdir(), 'ratewire-benchmark-'));
const store = await holdStore(dataDir);
try {
  const rows: string[][] = [];
  for (const scenario of SCENARIOS) {
    if (only === undefined || only.includes(scenario.name)) rows.push(...(await measure(scenario)));
  }
  const headings = ['scenario', 'what', 'value', 'spread of runs', 'goal', 'engine', 'compared with', 'faults'];
  process.stdout.write(
    `${cpus()[0]?.model}, ${cpus().length} CPUs, Node ${process.version}, median of ${runs} runs\n\n`,
  );
  process.stdout.write(`${markdownTable(headings, rows)}\n`);
} finally {
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Both in turn, so that other load on the machine affects both. */
async function measure(scenario: Scenario): Promise<string[][]> {
  await provision(dataDir, scenario.sessions + 1, scenario.tiers);
  const engine: LoadResult[] = [];
  const other: LoadResult[] = [];
  for (let run = 0; run < runs; run++) {
    engine.push(await runEngine(scenario, scenario.stalls ? 'stalls' : 'none'));
    other.push(
      scenario.against === 'itself'
        ? await runEngine(scenario, 'reads')
        : await runBaseline(scenario, scenario.against),
    );
  }
  const faults = [...engine, ...other].flatMap((result) => result.faults);
  const said = faults.length === 0 ? 'none' : [...new Set(faults)].join('; ');
  return scenario.figures.map(({ what, goal, of }) => {
    const runsOf = engine.map((result, i) => of(result, other[i]!));
    const spread = (Math.max(...runsOf) - Math.min(...runsOf)) / median(runsOf);
    const value = median(runsOf).toFixed(2);
    return [scenario.name, what, value, `${(spread * 100).toFixed(0)} %`, goal, shown(engine), shown(other), said];
  });
}

async function runEngine(scenario: Scenario, heavyDesk: LoadPlan['heavyDesk']): Promise<LoadResult> {
  const port = 19_880;
  const engine = await startEngine(dataDir, port, port + 1);
  try {
    return kept(scenario, 'engine', await runLoad(plan(scenario, 'ws', port, engine.pid, heavyDesk)));
  } finally {
    await engine.stop();
  }
}

async function runBaseline(scenario: Scenario, mode: 'turn' | 'each'): Promise<LoadResult> {
  const port = 19_890;
  const baseline = await startBaseline(port, port + 1, scenario.tiers, mode);
  try {
    return kept(scenario, 'baseline', await runLoad(plan(scenario, 'lines', port, baseline.pid, 'none')));
  } finally {
    await baseline.stop();
  }
}

function plan(
  scenario: Scenario,
  kind: 'ws' | 'lines',
  port: number,
  pid: number,
  heavyDesk: LoadPlan['heavyDesk'],
): LoadPlan {
  return {
    servers: [{ port, pid }],
    feed: { kind, port: port + 1 },
    targetCompId: 'FXENGINE',
    sessions: scenario.sessions,
    pairs: PAIRS,
    pace: scenario.pace,
    warmUpS: 1.5,
    seconds: Math.max(Number(values.seconds), scenario.atLeastS ?? 0),
    heavyDesk,
  };
}

function kept({ name }: Scenario, server: string, result: LoadResult): LoadResult {
  if (values.json)
    appendFileSync(values.json, `${JSON.stringify({ at: new Date(), scenario: name, server, ...result })}\n`);
  return result;
}

function shown(results: readonly LoadResult[]): string {
  const of = (figure: (result: LoadResult) => number) => Math.round(median(results.map(figure)));
  const perCpu = of((r) => r.messagesPerCpuSecond / 1000);
  return `${perCpu} k/CPU-s, p50 ${of((r) => r.latencyUs.p50)} µs, p99 ${of((r) => r.latencyUs.p99)} µs`;
}
