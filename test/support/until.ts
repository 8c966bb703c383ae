import { expect } from 'vitest';

/** Waits for what another socket or timer brings about; fails after twenty seconds. */
export async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 4_000 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(condition()).toBe(true);
}
