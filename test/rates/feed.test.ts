import { expect, test } from 'vitest';
import { createFeeds, type FeedDeps, FeedSettingError } from '../../engine/rates/feed.js';

// A faulty setting is told before anything of these is touched.
const NOTHING = {} as FeedDeps;

test.each([
  ['carrier-pigeon', "'carrier-pigeon' is no feed"],
  ['fx://user:s3cret@host:1', "'fx://***@host:1' is no feed"],
  ['fx://user:p/s3cret@host:1', "'fx://***@host:1' is no feed"],
  ['fx://user:p@s3cret@host:1', "'fx://***@host:1' is no feed"],
  // The comma separates feeds: what stands behind it is taken for one.
  ['s3cret@host:1?sender=A', "'***@host:1?sender=A' is no feed"],
])('a feed that there is not: %s, named without its password', (setting, told) => {
  expect(() => createFeeds(setting, NOTHING)).toThrow(FeedSettingError);
  expect(() => createFeeds(setting, NOTHING)).toThrow(told);
});

test.each([
  ['relay,replay', "'relay' goes with no other feed"],
  ['simulated, simulated', "'simulated' stands there twice"],
  ['ws://u:s3cret@h:1,ws://u:s3cret@h:1', "'ws://***@h:1' stands there twice"],
])('feeds that do not go together: %s', (setting, told) => {
  expect(() => createFeeds(setting, NOTHING)).toThrow(FeedSettingError);
  expect(() => createFeeds(setting, NOTHING)).toThrow(told);
});
