import { expect } from 'vitest';

/** Waits for what another socket or timer brings about; fails after ten seconds. */
export async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 2_000 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(condition()).toBe(true);
}
