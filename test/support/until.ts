import { expect } from 'vitest';

/**
 * How long a test waits for a condition before it fails: a bound for what hangs. A machine that is busy with other work is slow, and
 * not wrong, so no test expects an answer sooner.
 */
const PATIENCE_MS = 120_000;
export const SOON = { timeout: PATIENCE_MS, interval: 20 };

/** Waits for what another socket or timer brings about. */
export async function until(condition: () => boolean): Promise<void> {
  const late = performance.now() + PATIENCE_MS;
  while (!condition() && performance.now() < late) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(condition()).toBe(true);
}
