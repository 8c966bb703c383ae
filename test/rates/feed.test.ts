import { expect, test } from 'vitest';
import { createFeeds, type FeedDeps, FeedSettingError, feedKinds } from '../../engine/rates/feed.js';

// A faulty setting is rejected before any of these is used.
const NOTHING = {} as FeedDeps;

test.each([
  ['carrier-pigeon', "'carrier-pigeon' is no feed"],
  ['fx://user:s3cret@host:1', "'fx://***@host:1' is no feed"],
  ['fx://user:p/s3cret@host:1', "'fx://***@host:1' is no feed"],
  ['fx://user:p@s3cret@host:1', "'fx://***@host:1' is no feed"],
  // The comma separates feeds: the text after it is read as one.
  ['s3cret@host:1?sender=A', "'***@host:1?sender=A' is no feed"],
])('rejects the unknown feed %s, without its password in the text', (setting, text) => {
  expect(() => createFeeds(setting, NOTHING)).toThrow(FeedSettingError);
  expect(() => createFeeds(setting, NOTHING)).toThrow(text);
});

test.each([
  ['relay,replay', "'relay' goes with no other feed"],
  ['simulated, simulated', "'simulated' is listed twice"],
  ['ws://u:s3cret@h:1,ws://u:s3cret@h:1', "'ws://***@h:1' is listed twice"],
])('rejects feeds that exclude each other: %s', (setting, text) => {
  expect(() => createFeeds(setting, NOTHING)).toThrow(FeedSettingError);
  expect(() => createFeeds(setting, NOTHING)).toThrow(text);
});

test.each([
  ['replay', ['replay']],
  ['replay:ticks.csv@2014-05-06T12:15:00Z', ['replay']],
  ['simulated:7, replay', ['replay', 'simulated']],
  ['fixs://u:p@lp.example:1?sender=US&target=LP,simulated', ['market', 'simulated']],
  ['ws://lp.example:1/', ['market']],
  ['relay', []],
])('the prices of %s are %j', (setting, kinds) => {
  expect(feedKinds(setting)).toEqual(kinds);
});
