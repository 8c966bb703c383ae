/** Figures of several runs: medians with the spread between the runs, as text, as a table against the goals, and against an earlier run. */
import { cpus, loadavg } from 'node:os';
import { GOALS, goalText, limitOf, type RowName, type StoreKind } from '../goals.js';
import { markdownTable, median } from '../measure.js';
import type { CallersResult } from './callers.js';

/** One row of `npm run bench`. */
export interface Result {
  readonly row: RowName;
  /** Absent where the store does not matter. */
  readonly store?: StoreKind;
  /** One of each run, in the row's unit; empty: not measured. */
  readonly values: readonly number[];
  /** Refusals and errors during the runs, or why nothing was measured. */
  readonly faults?: readonly string[];
}

/** The JSON file of a run. */
export interface BenchRun {
  readonly at: string;
  readonly machine: string;
  readonly results: readonly Result[];
}

export function machineText(): string {
  const load = loadavg()[0]!.toFixed(2);
  return `${cpus()[0]?.model}, ${cpus().length} CPUs, Node ${process.version}, load ${load} at the start`;
}

export const notMeasured = (rows: readonly RowName[], why: string, store?: StoreKind): Result[] =>
  rows.map((row) => ({ row, ...(store && { store }), values: [], faults: [`not measured: ${why}`] }));

/** All results against the goals; with an earlier run, the ratio of each row with it. */
export function resultTable(results: readonly Result[], earlier?: BenchRun): string {
  const headings = ['what', 'store', 'value', 'spread', 'must, better', 'reached', 'faults'];
  const rows = results.map((result) => {
    const { row, store = '', values, faults = [] } = result;
    const figures = values.length === 0 ? ['', ''] : [figure(result), spread(values)];
    const goal = goalText(row, result.store);
    return [GOALS[row].what, store, ...figures, goal, reached(result), faults.join('; ') || 'none'];
  });
  if (earlier === undefined) return markdownTable(headings, rows);
  const compared = results.map((result) => comparison(result, earlier));
  return markdownTable(
    [...headings, 'earlier', 'now / earlier', 'spread of both'],
    rows.map((row, i) => [...row, ...compared[i]!]),
  );
}

function figure({ row, values }: Result): string {
  const value = median(values);
  const { unit } = GOALS[row];
  return `${value.toFixed(unit === 'us' || unit === 'B' ? 0 : 2)} ${unit}`;
}

function reached({ row, store, values }: Result): string {
  const { must, better, higher } = GOALS[row];
  const meets = (limit: number) => (higher ? median(values) >= limit : median(values) <= limit);
  const [least, most] = [limitOf(must, store), limitOf(better, store)];
  if (values.length === 0 || least === undefined) return '';
  if (most !== undefined && meets(most)) return 'better';
  return meets(least) ? 'must' : 'no';
}

/** The spread of both: from the lowest to the highest ratio of a value of this run with one of the earlier. */
function comparison(result: Result, { results }: BenchRun): string[] {
  const before = results.find(({ row, store }) => row === result.row && store === result.store);
  if (before === undefined || before.values.length === 0 || result.values.length === 0) return ['', '', ''];
  const of = (values: readonly number[]) => [Math.min(...values), Math.max(...values)] as const;
  const [[low, high], [lowBefore, highBefore]] = [of(result.values), of(before.values)];
  const range = [low / highBefore, high / lowBefore].map((ratio) => ratio.toFixed(2)).join(' to ');
  return [figure(before), (median(result.values) / median(before.values)).toFixed(2), range];
}

export function shown(results: readonly CallersResult[]): string {
  const of = (figure: (result: CallersResult) => number) => Math.round(median(results.map(figure)));
  return `${of((r) => r.perSecond)}/s, p50 ${of((r) => r.p50us)} us, p99 ${of((r) => r.p99us)} us, ${of((r) => r.cpuUs)} us CPU`;
}

export const faultsOf = (results: readonly { readonly faults: readonly string[] }[]): string[] => [
  ...new Set(results.flatMap(({ faults }) => faults)),
];

export const said = (results: readonly CallersResult[]): string => faultsOf(results).join('; ') || 'none';

export function spread(found: readonly number[]): string {
  return `${(((Math.max(...found) - Math.min(...found)) / median(found)) * 100).toFixed(0)} %`;
}

export function ratio(ratios: readonly number[]): string {
  return `${median(ratios).toFixed(2)} (${spread(ratios)})`;
}

export const perSecondRatios = (
  ours: readonly { readonly perSecond: number }[],
  others: readonly { readonly perSecond: number }[],
): number[] => ours.map(({ perSecond }, i) => perSecond / others[i]!.perSecond);

/** CPU time of a bare request over that of ours: as above, where the server alone is the limit. */
export const cpuRatios = (ours: readonly CallersResult[], bare: readonly CallersResult[]): number[] =>
  ours.map(({ cpuUs }, i) => bare[i]!.cpuUs / cpuUs);

export function print(title: string, headings: readonly string[], rows: readonly (readonly string[])[]): void {
  process.stdout.write(`\n${title}\n\n${markdownTable(headings, rows)}\n`);
}
