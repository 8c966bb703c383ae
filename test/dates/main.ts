/**
 * `npm run test:dates`: the whole suite under each of the clocks, twice, each time with another order of files; hours. It needs Linux and a
 * C compiler, for the library that turns the clock of every program. Options, after `--`, and then files as Vitest takes them:
 *
 * - `--clock Thanksgiving`: the clocks whose names have it
 * - `--orders 1`: how many orders of files
 * - `--seed 7`: of the first order
 * - `--reports folder`: keeps the report and the output of each run
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildClockLibrary } from './clock-library.js';
import { CLOCKS, type Clock } from './clocks.js';

/** A run that takes longer hangs. */
const RUN_MS = 3_600_000;
/** How long a run that is ended may take to remove what it has written. */
const END_MS = 20_000;
/** Of the output of a run that failed. */
const LAST_LINES = 40;

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    clock: { type: 'string', default: '' },
    orders: { type: 'string', default: '2' },
    reports: { type: 'string' },
    seed: { type: 'string', default: String((Date.now() % 1_000_000) + 1) },
  },
});
const clocks = CLOCKS.filter(({ name }) => name.includes(values.clock));
if (clocks.length === 0)
  fail(`no clock has "${values.clock}" in its name: ${CLOCKS.map(({ name }) => name).join('; ')}`);
const [orders, firstSeed] = [whole('orders'), whole('seed')];

const folder = mkdtempSync(join(tmpdir(), 'ratewire-dates-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
const reports = values.reports ?? folder;
mkdirSync(reports, { recursive: true });
const library = join(folder, 'clock.so');
const fault = buildClockLibrary(library);
if (fault) fail(fault);

let running: ChildProcess | undefined;
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isStopped = true;
    if (running) end(running);
  });

let failed = 0;
for (let order = 0; order < orders; order++)
  for (const clock of clocks) if (!isStopped && !(await passes(clock, firstSeed + order)) && !isStopped) failed++;
if (isStopped) tell('Stopped.');
else tell(failed === 0 ? 'Every run has passed.' : `Runs that have failed: ${failed}.`);
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

/** One run of the suite; prints a line of it, one for each test that fails, and the end of its output where it fails. */
async function passes({ name, at }: Clock, seed: number): Promise<boolean> {
  const began = performance.now();
  const path = join(reports, `${at.slice(0, 10)}-${seed}`);
  const [report, output] = [`${path}.json`, `${path}.log`];
  rmSync(report, { force: true });
  const code = await ran(at, output, [
    `--sequence.seed=${seed}`,
    '--reporter=json',
    `--outputFile=${report}`,
    ...files,
  ]);
  if (isStopped) return false;
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
  if (code !== 0) tell(readFileSync(output, 'utf8').split('\n').slice(-LAST_LINES).join('\n'));
  return code === 0;
}

/** The exit code of Vitest with its clock turned; null: it was ended. */
async function ran(at: string, output: string, options: readonly string[]): Promise<number | null> {
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
  const said = openSync(output, 'w');
  const clock = { LD_PRELOAD: library, BBX_CLOCK_MS: String(Date.parse(at) - Date.now()) };
  running = spawn(process.execPath, [vitest, 'run', ...options], {
    // What an ended run leaves is removed with the folder.
    env: { ...process.env, ...clock, TMPDIR: folder },
    stdio: ['ignore', said, said],
    // A group of its own, which is ended as a whole.
    detached: true,
  });
  const child = running;
  const late = setTimeout(() => end(child), RUN_MS);
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  clearTimeout(late);
  closeSync(said);
  return code;
}

/** Ends a run, and after a while everything of its group. */
function end(child: ChildProcess): void {
  child.kill('SIGTERM');
  const killed = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), END_MS);
  child.once('exit', () => clearTimeout(killed));
}

function whole(name: 'orders' | 'seed'): number {
  const value = Number(values[name]);
  if (!Number.isSafeInteger(value) || value < 1) fail(`--${name} ${values[name]}: give a whole number from 1`);
  return value;
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
