/**
 * `npm run test:dates`: the whole suite under each of the clocks, with a random order of files, twice; hours. Options after `--`:
 * `--clock Thanksgiving` (every clock whose name has it), `--orders 1`, `--seed 7`, `--reports folder` (keeps Vitest's report of each run), and
 * files as Vitest takes them. Needs Linux and a C
 * compiler, for the library that turns the clock of every program.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CLOCKS, type Clock } from './clocks.js';

/** A run that takes longer hangs. */
const RUN_MS = 3_600_000;

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    clock: { type: 'string', default: '' },
    orders: { type: 'string', default: '2' },
    reports: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
  },
});
const clocks = CLOCKS.filter(({ name }) => name.includes(values.clock));
if (clocks.length === 0)
  fail(`no clock has "${values.clock}" in its name: ${CLOCKS.map(({ name }) => name).join('; ')}`);

const folder = mkdtempSync(join(tmpdir(), 'ratewire-dates-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const reports = values.reports ?? folder;
mkdirSync(reports, { recursive: true });
const library = join(folder, 'clock.so');
const source = fileURLToPath(new URL('clock.c', import.meta.url));
const built = spawnSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, source, '-ldl'], { encoding: 'utf8' });
if (built.error) fail('there is no C compiler: install one that is called cc (apt-get install gcc libc6-dev)');
if (built.status !== 0) fail(`${source} does not compile:\n${built.stderr}`);

let running: ChildProcess | undefined;
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isStopped = true;
    running?.kill('SIGTERM');
  });

let failed = 0;
for (let order = 0; order < Number(values.orders); order++)
  for (const clock of clocks) if (!isStopped && !(await passes(clock, Number(values.seed) + order))) failed++;
tell(failed === 0 ? 'Every run has passed.' : `${failed} runs have failed.`);
process.exit(failed === 0 && !isStopped ? 0 : 1);

interface Results {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** One run of the suite; prints a line of it, and one for each test that fails. */
async function passes({ name, at }: Clock, seed: number): Promise<boolean> {
  const began = performance.now();
  const report = join(reports, `${at.slice(0, 10)}-${seed}.json`);
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
  running = spawn(
    process.execPath,
    [vitest, 'run', `--sequence.seed=${seed}`, '--reporter=json', `--outputFile=${report}`, ...files],
    {
      env: { ...process.env, LD_PRELOAD: library, BBX_CLOCK_MS: String(Date.parse(at) - Date.now()) },
      stdio: 'ignore',
      timeout: RUN_MS,
    },
  );
  const code = await new Promise<number | null>((resolve) => running!.once('exit', resolve));
  const seconds = Math.round((performance.now() - began) / 1_000);
  const found = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as Results) : undefined;
  const { numTotalTests = 0, numPassedTests = 0, numFailedTests = 0, testResults = [] } = found ?? {};
  const skipped = numTotalTests - numPassedTests - numFailedTests;
  const counts = `${numPassedTests} tests passed, ${numFailedTests} failed, ${skipped} skipped`;
  tell(`${at} ${name}: ${testResults.length} files, ${counts}, ${seconds} s, seed ${seed}`);
  for (const { name: file, status, message, assertionResults } of testResults) {
    const failures = assertionResults.filter((test) => test.status === 'failed');
    for (const { fullName } of failures) tell(`  ${file}: ${fullName}`);
    if (status === 'failed' && failures.length === 0) tell(`  ${file}: ${message}`);
  }
  if (code !== 0 && numFailedTests === 0) tell(`  Vitest ended with ${code}: run it with this seed to see why.`);
  return code === 0;
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
