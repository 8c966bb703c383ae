/**
 * The store, the engine and the sidecars are killed at random moments under load. Every acknowledged booking exists once, every other at
 * most once and can be queried, each currency sums to zero, and no hold books twice or after its expiry. Every payment reaches its expected
 * status, by steps that each were executed once, whichever program was killed during one. `npm run crash` runs more rounds.
 */
import { expect, test } from 'vitest';
import { cases } from '../support/sizes.js';
import { crashRun } from './crash-run.js';

const ROUNDS = cases(6, 40);

test('a kill -9 at any moment loses no acknowledged booking and repeats none', { timeout: 300_000 }, async () => {
  const seed = Math.floor(Math.random() * 1_000_000);
  const lines = [`seed ${seed}`];
  const tally = await crashRun({ rounds: ROUNDS, seed, tell: (line) => lines.push(line) });
  expect(tally.violations.join('\n'), lines.join('\n')).toBe('');
  expect(tally.rounds).toBe(ROUNDS);
  // Rounds without bookings or kills would prove nothing.
  expect(tally.acknowledged).toBeGreaterThan(20 * ROUNDS);
  expect(tally.changes).toBeGreaterThan(ROUNDS);
  expect(tally.contestsWon).toBeGreaterThan(0);
  expect(tally.payments.created).toBeGreaterThan(10 * ROUNDS);
  expect(tally.payments.steps).toBeGreaterThan(tally.payments.created);
  expect(tally.payments.resumed).toBeGreaterThan(0);
  expect(tally.payments.retried).toBeGreaterThan(0);
});
