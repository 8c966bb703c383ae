/** No sequence of public operations makes money: the short form of `npm run crash -- --profit`. */
import { expect, test } from 'vitest';
import { profitRun } from '../crash/profit/profit-run.js';
import { cases } from '../support/sizes.js';

const SEED = Number(process.env.RATEWIRE_SEED ?? 20_261_109);

test('no sequence of operations lets a group withdraw more than it paid in and has gained', {
  timeout: 600_000,
}, async () => {
  const lines: string[] = [];
  const run = await profitRun({ rounds: cases(4, 40), steps: 60, seed: SEED, tell: (line) => lines.push(line) });
  expect(run.violations).toEqual([]);
  const often = ['book', 'cancel', 'convert', 'split', 'pay in', 'pay out', 'margin'];
  expect(often.filter((what) => (run.done[what] ?? 0) === 0)).toEqual([]);
});
