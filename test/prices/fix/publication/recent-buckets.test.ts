/** Percentiles of the last ten seconds, from counts that only grow. */
import { expect, test } from 'vitest';
import { LogBuckets, RecentBuckets } from '../../../../engine/domain/system/log-buckets.js';

const NONE = { count: 0, p50: 0, p90: 0, p99: 0, max: 0 };

test('none where nothing was measured', () => {
  expect(new RecentBuckets(new LogBuckets()).read()).toEqual(NONE);
});

test('percentiles lie in the bucket of their duration', () => {
  const buckets = new LogBuckets();
  const recent = new RecentBuckets(buckets);
  for (let i = 0; i < 90; i++) buckets.record(12);
  for (let i = 0; i < 9; i++) buckets.record(100);
  buckets.record(9_000);
  const { count, p50, p90, p99, max } = recent.read();
  expect(count).toBe(100);
  expect([p50 > 8 && p50 < 16, p90, p99, max]).toEqual([true, 16, 128, 16_384]);
});

test('reports a duration above the longest bucket as that bucket', () => {
  const buckets = new LogBuckets(4);
  const recent = new RecentBuckets(buckets);
  buckets.record(1e9);
  expect(recent.read()).toEqual({ count: 1, p50: 8, p90: 8, p99: 8, max: 8 });
});

test('what is older than ten seconds counts no more, and asking changes nothing', () => {
  const buckets = new LogBuckets();
  const recent = new RecentBuckets(buckets);
  buckets.record(1_000);
  for (let second = 0; second < 10; second++) {
    expect(recent.read()).toMatchObject({ count: 1, max: 1_024 });
    expect(recent.read()).toMatchObject({ count: 1, max: 1_024 });
    recent.onTimer();
  }
  expect(recent.read()).toEqual(NONE);
  buckets.record(3);
  expect(recent.read()).toMatchObject({ count: 1, max: 4 });
});
