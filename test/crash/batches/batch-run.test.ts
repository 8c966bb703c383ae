/** Programs are killed while batches are filled, funded, drawn and cancelled: no item is paid twice, none is lost. */
import { expect, test } from 'vitest';
import { cases } from '../../support/sizes.js';
import { batchRun } from './batch-run.js';

const ROUNDS = cases(2, 30);

test('a kill -9 at any moment pays no item of a batch twice, and loses none', { timeout: 600_000 }, async () => {
  const seed = Math.floor(Math.random() * 1_000_000);
  const lines = [`seed ${seed}`];
  const tally = await batchRun({ rounds: ROUNDS, seed, tell: (line) => lines.push(line) });
  expect(tally.violations.join('\n'), lines.join('\n')).toBe('');
  expect(tally.rounds).toBe(ROUNDS);
  // Rounds without kills, payments or repeated requests would prove nothing.
  expect(tally.kills).toBeGreaterThan(0);
  expect(tally.created).toBeGreaterThan(10 * ROUNDS);
});
