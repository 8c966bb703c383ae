import { expect } from 'vitest';

/**
 * How long a test waits for a condition before it fails: a limit for what hangs. A busy machine is slow and not wrong, so no test expects
 * an answer sooner.
 */
const PATIENCE_MS = 120_000;
export const SOON = { timeout: PATIENCE_MS, interval: 20 };

/** Waits for an effect of another socket or timer. */
export async function until(condition: () => boolean): Promise<void> {
  const late = performance.now() + PATIENCE_MS;
  while (!condition() && performance.now() < late) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(condition()).toBe(true);
}
