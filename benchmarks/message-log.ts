/**
 * The stream of prices with the message log off, on, and on with prices: the built engine on one CPU with the thread of its log, 100 desks with
 * margins of their own, in turn. What was dropped is read from the log itself.
 *
 *   npm run build && npx tsx benchmarks/message-log.ts [--only paced-100,own-100] [--runs 3] [--seconds 4]
 */
import { rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { messageLogDirectory, readMessages } from '../engine/service/audit/message-log.js';
import { holdStore, provision } from './load/engine.js';
import { onFreshDirectory } from './load/ground.js';
import type { LoadResult } from './load/plan.js';
import { faultsOf, spread } from './load/report.js';
import { runEngine, SCENARIOS } from './load/scenarios.js';
import { markdownTable, median } from './measure.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'paced-100,own-100' },
    runs: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
  },
});
const MODES = ['off', 'on', 'prices'] as const;
const scenarios = SCENARIOS.filter(({ name }) => values.only.split(',').includes(name));

interface Run {
  readonly result: LoadResult;
  readonly logged: number;
  readonly dropped: number;
}

/** What the engine of one run has logged; the log is removed. */
function logged(dataDir: string): { logged: number; dropped: number } {
  const found = { logged: 0, dropped: 0 };
  for (const { sign, text } of readMessages(messageLogDirectory(dataDir), {})) {
    if (sign !== '*') found.logged++;
    else found.dropped += Number(/^(\d+) (?:writes were dropped|messages before)/.exec(text)?.[1] ?? 0);
  }
  rmSync(messageLogDirectory(dataDir), { recursive: true, force: true });
  return found;
}

await onFreshDirectory(async (dataDir) => {
  const store = await holdStore(dataDir);
  try {
    const rows: string[][] = [];
    for (const scenario of scenarios) {
      await provision(dataDir, scenario.sessions + 1, scenario.tiers);
      const runs: Record<(typeof MODES)[number], Run[]> = { off: [], on: [], prices: [] };
      for (let run = 0; run < Number(values.runs); run++) {
        for (const mode of MODES) {
          process.env.MESSAGE_LOG = mode;
          const result = await runEngine(dataDir, scenario, Number(values.seconds), 'none');
          runs[mode].push({ result, ...logged(dataDir) });
        }
      }
      for (const mode of MODES) rows.push(row(scenario.name, mode, runs[mode], runs.off));
    }
    const headings = [
      'scenario',
      'MESSAGE_LOG',
      'p50 µs',
      'p99 µs',
      'p99 to off',
      'k messages/CPU-s',
      'logged',
      'dropped',
      'faults',
    ];
    process.stdout.write(
      `${cpus()[0]?.model}, ${cpus().length} CPUs, Node ${process.version}, ${values.runs} runs\n\n`,
    );
    process.stdout.write(`${markdownTable(headings, rows)}\n`);
  } finally {
    await store.close();
  }
});

function row(scenario: string, mode: string, runs: readonly Run[], off: readonly Run[]): string[] {
  const of = (figure: (run: Run) => number): number => median(runs.map(figure));
  const ratios = runs.map(({ result }, i) => result.latencyUs.p99 / off[i]!.result.latencyUs.p99);
  return [
    ...[scenario, mode, of(({ result }) => result.latencyUs.p50).toFixed(0)],
    ...[of(({ result }) => result.latencyUs.p99).toFixed(0), `${median(ratios).toFixed(2)} (${spread(ratios)})`],
    ...[of(({ result }) => result.messagesPerCpuSecond / 1_000).toFixed(0)],
    ...[of(({ logged }) => logged).toFixed(0), of(({ dropped }) => dropped).toFixed(0)],
    faultsOf(runs.map(({ result }) => result)).join('; ') || 'none',
  ];
}
