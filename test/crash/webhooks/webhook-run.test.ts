/** Programs are killed while events are delivered to endpoints that fail in every way: none is lost, and each resource's are in order. */
import { expect, test } from 'vitest';
import { cases } from '../../support/sizes.js';
import { webhookRun } from './webhook-run.js';

const ROUNDS = cases(3, 30);

test('a kill -9 at any moment loses no event, and keeps the order of each resource', { timeout: 600_000 }, async () => {
  const seed = Math.floor(Math.random() * 1_000_000);
  const lines = [`seed ${seed}`];
  const tally = await webhookRun({ rounds: ROUNDS, seed, tell: (line) => lines.push(line) });
  expect(tally.violations.join('\n'), lines.join('\n')).toBe('');
  expect(tally.rounds).toBe(ROUNDS);
  // Rounds without kills, events or failures would prove nothing.
  expect(tally.kills).toBeGreaterThan(0);
  expect(tally.events).toBeGreaterThan(10 * ROUNDS);
  expect(tally.rejected).toBeGreaterThan(0);
});
