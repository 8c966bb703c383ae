/**
 * The stream of prices with the message log off and on, in turn, until `--within` seconds have passed: the built engine on one CPU with the
 * thread of its log, 100 desks with margins of their own. p99 with it on may be 1.1 times p99 with it off. What was dropped is read from
 * the log itself. Mode `record` is the day record without the message log.
 *
 *   npm run build && npx tsx benchmarks/message-log.ts [--only paced-100,own-100] [--modes off,on,prices,record] [--within 55] [--seconds 3]
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageLogDirectory, readMessages } from '../engine/service/audit/message-log.js';
import { readRecord, recordFolders } from '../engine/service/record/read-record.js';
import { logFiles } from '../engine/store/day-files/block-files.js';
import { holdStore, provision } from './load/engine.js';
import { onFreshDirectory } from './load/ground.js';
import type { LoadResult } from './load/plan.js';
import { faultsOf, machineText, print, ratio } from './load/report.js';
import { runEngine, SCENARIOS, type Scenario } from './load/scenarios.js';
import { median } from './measure.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'paced-100' },
    modes: { type: 'string', default: 'off,on' },
    within: { type: 'string', default: '55' },
    seconds: { type: 'string', default: '3' },
  },
});
const endMs = performance.now() + Number(values.within) * 1_000;
const modes = values.modes.split(',');
const scenarios = SCENARIOS.filter(({ name }) => values.only.split(',').includes(name));

const RECORD = 'record';
const recordDirectory = (dataDir: string): string => join(dataDir, RECORD);

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
  for (const folder of recordFolders(recordDirectory(dataDir)))
    for (const line of readRecord(logFiles(join(recordDirectory(dataDir), folder)))) {
      if (line.kind === 'tick') found.logged++;
      if (line.kind === 'gap') found.dropped += line.count;
    }
  rmSync(recordDirectory(dataDir), { recursive: true, force: true });
  return found;
}

/** Rounds of all modes, every other one backwards, as long as another fits before `untilMs`; at least one. */
async function runsOf(dataDir: string, scenario: Scenario, untilMs: number): Promise<Map<string, Run[]>> {
  const runs = new Map<string, Run[]>(modes.map((mode) => [mode, []]));
  const order = [...modes];
  for (let longestMs = 0; longestMs === 0 || performance.now() + longestMs < untilMs; ) {
    const beganMs = performance.now();
    for (const mode of order) {
      process.env.MESSAGE_LOG = mode === RECORD ? 'off' : mode;
      process.env.RECORD = mode === RECORD ? recordDirectory(dataDir) : '';
      const result = await runEngine(dataDir, scenario, Number(values.seconds), 'none');
      runs.get(mode)!.push({ result, ...logged(dataDir) });
      const { p50, p99 } = result.latencyUs;
      process.stdout.write(`${scenario.name} ${mode}: p50 ${p50.toFixed(0)} us, p99 ${p99.toFixed(0)} us\n`);
    }
    order.reverse();
    longestMs = Math.max(longestMs, performance.now() - beganMs);
  }
  return runs;
}

process.stdout.write(`${machineText()}\n`);
await onFreshDirectory(async (dataDir) => {
  const store = await holdStore(dataDir);
  try {
    const rows: string[][] = [];
    for (const [i, scenario] of scenarios.entries()) {
      await provision(dataDir, scenario.sessions + 1, scenario.tiers);
      const shareMs = (endMs - performance.now()) / (scenarios.length - i);
      const runs = await runsOf(dataDir, scenario, performance.now() + shareMs);
      for (const mode of modes) rows.push(row(scenario.name, mode, runs.get(mode)!, runs.get(modes[0]!)!));
    }
    const headings = ['MESSAGE_LOG', 'runs', 'p50 us', 'p99 us', `p99 to ${modes[0]}`, 'k messages/CPU-s', 'logged'];
    print('Tick to desk', ['scenario', ...headings, 'dropped', 'faults'], rows);
    process.stdout.write('p99 with the log must be within 1.1 x of that without.\n');
  } finally {
    await store.close();
  }
});

function row(scenario: string, mode: string, runs: readonly Run[], base: readonly Run[]): string[] {
  const of = (figure: (run: Run) => number): string => median(runs.map(figure)).toFixed(0);
  const ratios = runs.map(({ result }, i) => result.latencyUs.p99 / base[i]!.result.latencyUs.p99);
  return [
    ...[scenario, mode, String(runs.length), of(({ result }) => result.latencyUs.p50)],
    ...[of(({ result }) => result.latencyUs.p99), ratio(ratios)],
    ...[
      of(({ result }) => result.messagesPerCpuSecond / 1_000),
      of(({ logged }) => logged),
      of(({ dropped }) => dropped),
    ],
    faultsOf(runs.map(({ result }) => result)).join('; ') || 'none',
  ];
}
