import { expect, test } from 'vitest';
import { BackOff } from '../../engine/rates/feeds/back-off.js';
import { fixSettings } from '../../engine/rates/feeds/fix-settings.js';

test('a provider that comes back is tried within 5 s, however long it was away', () => {
  const waits = new BackOff();
  const all = Array.from({ length: 200 }, () => waits.next());
  expect(Math.max(...all)).toBeLessThan(5_000);
  expect(Math.min(...all.slice(2))).toBeGreaterThan(3_000);
  waits.reset();
  expect(waits.next()).toBeLessThanOrEqual(1_200);
});

test('a FIX provider is too, unless its URL has the smallest interval of Logons', () => {
  const reconnect = (more: string) => fixSettings(`fix://lp:1?sender=US&target=LP${more}`).reconnect;
  expect(reconnect('')).toEqual({ firstMs: 1_000, maxMs: 4_500 });
  expect(reconnect('&interval=45')).toEqual({ waitsMs: [45_000] });
});
