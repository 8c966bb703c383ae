/** `npm run bench`: its options, its table and its JSON, on the shortest run. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { GOALS } from '../../benchmarks/goals.js';
import { type BenchRun, resultTable } from '../../benchmarks/load/report.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'ratewire-test-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function bench(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const command = ['--import', 'tsx', 'benchmarks/bench.ts', ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: ROOT, timeout: 200_000 }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

test('measures the rows of a part, writes them as JSON and compares them with an earlier file', async () => {
  const [earlier, now] = [join(directory, 'earlier.json'), join(directory, 'now.json')];
  const before: BenchRun = {
    at: '2026-11-22T00:00:00.000Z',
    machine: 'a test',
    results: [{ row: 'book-fx/1', store: 'embedded', values: [0.5] }],
  };
  writeFileSync(earlier, JSON.stringify(before));
  const short = ['--quick', '--only', 'book-fx', '--stores', 'embedded', '--callers', '1', '--seconds', '0.2'];
  const { code, out } = await bench(...short, '--json', now, '--compare', earlier);
  expect(code).toBe(0);
  const { results } = JSON.parse(readFileSync(now, 'utf8')) as BenchRun;
  expect(results).toEqual([{ row: 'book-fx/1', store: 'embedded', values: [expect.any(Number)] }]);
  expect(results[0]!.values[0]).toBeGreaterThan(0);
  const [line] = out.split('\n').filter((text) => text.includes(GOALS['book-fx/1'].what));
  const ratio = (results[0]!.values[0]! / 0.5).toFixed(2);
  expect(line).toMatch(new RegExp(`\\| 0.50 x \\| ${ratio} \\| ${ratio} to ${ratio} \\|$`));
});

test('rejects a part that does not exist with the list of parts', async () => {
  const { code, err } = await bench('--only', 'nothing');
  expect(code).toBe(2);
  expect(err).toContain('book-fx, postgres, sizes, rest, fix, start, stream');
});

test('states for each row which goal it reaches, by store, or why it was not measured', () => {
  const table = resultTable([
    { row: 'store-cpu', store: 'redis-server', values: [40, 29, 20] },
    { row: 'store-cpu', store: 'embedded', values: [40] },
    { row: 'rest/rate', values: [0.5], faults: ['3 x STORE_UNAVAILABLE'] },
    { row: 'postgres/1', values: [], faults: ['not measured: PostgreSQL is not installed'] },
  ]);
  const cells = table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  expect(cells.slice(2).map((row) => row.slice(2, -1))).toEqual([
    ['redis-server', '29 us', '69 %', '30, better 22', 'must', 'none'],
    ['embedded', '40 us', '0 %', '60, better 45', 'better', 'none'],
    ['', '0.50 x', '0 %', '0.85, better 0.95', 'no', '3 x STORE_UNAVAILABLE'],
    ['', '', '', '0.8, better 1', '', 'not measured: PostgreSQL is not installed'],
  ]);
});
