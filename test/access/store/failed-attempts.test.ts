/** Wrong secrets: counted over all processes, forgotten after a right one, and never while they lock. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStore, type TestStore } from '../../support/store.js';

const BOUNDS = { kind: 'secret', most: 3, windowMs: 60_000, closedMs: 60_000 };
const NOW = 1_795_000_000_000;
let running: TestStore;

beforeAll(async () => {
  running = await startTestStore();
});
afterAll(() => running?.stop());

test('a right secret forgets the wrong ones before it', async () => {
  const { failedAttempts } = running.store;
  for (let n = 0; n < 2; n++) expect(await failedAttempts.count(BOUNDS, 'acme', NOW)).toBe(0);
  expect(await failedAttempts.forget(BOUNDS, 'acme', NOW)).toBe(0);
  for (let n = 0; n < 2; n++) expect(await failedAttempts.count(BOUNDS, 'acme', NOW)).toBe(0);
  expect(await failedAttempts.count(BOUNDS, 'acme', NOW)).toBe(60_000);
});

test('a right secret neither ends a lock nor forgets what caused it', async () => {
  const { failedAttempts } = running.store;
  for (let n = 0; n < 3; n++) await failedAttempts.count(BOUNDS, 'locked', NOW);
  expect(await failedAttempts.forget(BOUNDS, 'locked', NOW + 10_000)).toBe(50_000);
  expect(await failedAttempts.closedMs(BOUNDS, 'locked', NOW + 59_999)).toBe(1);
  expect(await failedAttempts.closedMs(BOUNDS, 'locked', NOW + 60_000)).toBe(0);
});
