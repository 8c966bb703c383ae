/** Figures of several runs in one line: medians, and beside a ratio the spread between the runs. */
import { markdownTable, median } from '../measure.js';
import type { CallersResult } from './callers.js';

export function shown(results: readonly CallersResult[]): string {
  const of = (figure: (result: CallersResult) => number) => Math.round(median(results.map(figure)));
  return `${of((r) => r.perSecond)}/s, p50 ${of((r) => r.p50us)} us, p99 ${of((r) => r.p99us)} us, ${of((r) => r.cpuUs)} us CPU`;
}

export function said(results: readonly CallersResult[]): string {
  return [...new Set(results.flatMap(({ faults }) => faults))].join('; ') || 'none';
}

export function spread(found: readonly number[]): string {
  return `${(((Math.max(...found) - Math.min(...found)) / median(found)) * 100).toFixed(0)} %`;
}

export function ratio(ratios: readonly number[]): string {
  return `${median(ratios).toFixed(2)} (${spread(ratios)})`;
}

export const perSecondRatios = (ours: readonly CallersResult[], bare: readonly CallersResult[]): number[] =>
  ours.map(({ perSecond }, i) => perSecond / bare[i]!.perSecond);

/** CPU time of a bare request over that of ours: as above, where the server alone is the limit. */
export const cpuRatios = (ours: readonly CallersResult[], bare: readonly CallersResult[]): number[] =>
  ours.map(({ cpuUs }, i) => bare[i]!.cpuUs / cpuUs);

export function print(title: string, headings: readonly string[], rows: readonly (readonly string[])[]): void {
  process.stdout.write(`\n${title}\n\n${markdownTable(headings, rows)}\n`);
}
