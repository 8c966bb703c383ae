/** The scenarios from a provider's tick to N desks: the built engine and its comparison in turn. */
import { freePort } from '../../test/support/free-port.js';
import type { RowName } from '../goals.js';
import { provision, runLoad, startBaseline, startEngine } from './engine.js';
import type { LoadPlan, LoadResult, ServerUnderTest } from './plan.js';

interface Figure {
  readonly row: RowName;
  readonly of: (engine: LoadResult, other: LoadResult) => number;
}

export interface Scenario {
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

type Of = Figure['of'];
const perCpuSecond: Of = (engine, other) => engine.messagesPerCpuSecond / other.messagesPerCpuSecond;
const cost: Of = (engine, other) => 1 / perCpuSecond(engine, other);
const p50: Of = (engine, other) => engine.latencyUs.p50 / other.latencyUs.p50;
const p99: Of = (engine, other) => engine.latencyUs.p99 / other.latencyUs.p99;
const memory: Of = (engine) => engine.memoryKiBPerSession;
const gone: Of = (engine) => engine.stalledGoneS ?? Number.POSITIVE_INFINITY;

const everyTick = (sessions: number, ticksPerSecond = 1000) => ({
  sessions,
  tiers: sessions,
  pace: { ticksPerSecond },
});
const closed = (sessions: number, tiers: number, window: number) => ({ sessions, tiers, pace: { window } });

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'own-100',
    ...closed(100, 100, 16),
    against: 'turn',
    figures: [{ row: 'own-100/messages', of: perCpuSecond }],
  },
  {
    name: 'tiers-100',
    ...closed(100, 8, 16),
    against: 'turn',
    figures: [{ row: 'tiers-100/messages', of: perCpuSecond }],
  },
  {
    name: 'own-1000',
    ...closed(1000, 1000, 4),
    against: 'turn',
    figures: [
      { row: 'own-1000/messages', of: perCpuSecond },
      { row: 'own-1000/memory', of: memory },
    ],
  },
  {
    name: 'paced-10',
    ...everyTick(10),
    against: 'each',
    figures: [
      { row: 'paced-10/p50', of: p50 },
      { row: 'paced-10/p99', of: p99 },
    ],
  },
  {
    name: 'paced-100',
    ...everyTick(100),
    against: 'each',
    figures: [
      { row: 'paced-100/cpu', of: cost },
      { row: 'paced-100/p50', of: p50 },
      { row: 'paced-100/p99', of: p99 },
    ],
  },
  {
    name: 'stalled-100',
    ...everyTick(100),
    against: 'itself',
    stalls: true,
    atLeastS: 20,
    figures: [
      { row: 'stalled-100/p99', of: p99 },
      { row: 'stalled-100/gone', of: gone },
    ],
  },
];

export const PAIRS = 'EUR/USD GBP/USD USD/JPY AUD/USD USD/CHF USD/CAD NZD/USD EUR/GBP EUR/JPY USD/SGD'.split(' ');

export interface ScenarioRuns {
  readonly engine: readonly LoadResult[];
  readonly other: readonly LoadResult[];
}

export async function runScenario(
  dataDir: string,
  scenario: Scenario,
  runs: number,
  seconds: number,
): Promise<ScenarioRuns> {
  await provision(dataDir, scenario.sessions + 1, scenario.tiers);
  const duration = Math.max(seconds, scenario.atLeastS ?? 0);
  const engine: LoadResult[] = [];
  const other: LoadResult[] = [];
  for (let run = 0; run < runs; run++) {
    engine.push(await runEngine(dataDir, scenario, duration, scenario.stalls ? 'stalls' : 'none'));
    other.push(
      scenario.against === 'itself'
        ? await runEngine(dataDir, scenario, duration, 'reads')
        : await runBaseline(scenario, duration, scenario.against),
    );
  }
  return { engine, other };
}

export async function runEngine(
  dataDir: string,
  scenario: Scenario,
  seconds: number,
  heavyDesk: LoadPlan['heavyDesk'],
): Promise<LoadResult> {
  const [port, feedPort] = [await freePort(), await freePort()];
  const engine = await startEngine(dataDir, port, feedPort);
  try {
    return await runLoad(plan(scenario, { kind: 'ws', port: feedPort }, { port, pid: engine.pid }, seconds, heavyDesk));
  } finally {
    await engine.stop();
  }
}

async function runBaseline(scenario: Scenario, seconds: number, mode: 'turn' | 'each'): Promise<LoadResult> {
  const [port, feedPort] = [await freePort(), await freePort()];
  const baseline = await startBaseline(port, feedPort, scenario.tiers, mode);
  try {
    return await runLoad(
      plan(scenario, { kind: 'lines', port: feedPort }, { port, pid: baseline.pid }, seconds, 'none'),
    );
  } finally {
    await baseline.stop();
  }
}

function plan(
  scenario: Scenario,
  feed: LoadPlan['feed'],
  server: ServerUnderTest,
  seconds: number,
  heavyDesk: LoadPlan['heavyDesk'],
): LoadPlan {
  return {
    servers: [server],
    feed,
    targetCompId: 'FXENGINE',
    sessions: scenario.sessions,
    pairs: PAIRS,
    pace: scenario.pace,
    warmUpS: 1.5,
    seconds,
    heavyDesk,
  };
}
