import { expect, test } from 'vitest';
import { BackOff } from '../../engine/rates/feeds/back-off.js';

test('a provider that comes back is tried within 5 s, however long it was away', () => {
  const waits = new BackOff();
  const all = Array.from({ length: 200 }, () => waits.next());
  expect(Math.max(...all)).toBeLessThan(5_000);
  expect(Math.min(...all.slice(2))).toBeGreaterThan(3_000);
  waits.reset();
  expect(waits.next()).toBeLessThanOrEqual(1_200);
});
