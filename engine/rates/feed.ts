import { FEED_KINDS, type FeedKind } from '../domain/system/feed-kind.js';
import { createFixFeed } from './feeds/fix-feed.js';
import { type Feed, type FeedDeps, FeedSettingError } from './feeds/port.js';
import { RelayFeed } from './feeds/relay-feed.js';
import { createReplayFeed } from './feeds/replay-feed.js';
import { SimulatedFeed } from './feeds/simulated-feed.js';
import { createWebSocketFeed } from './feeds/websocket-feed.js';

export { type Feed, type FeedDeps, FeedSettingError, type RelayChannel } from './feeds/port.js';

const ACCEPTED =
  'replay, replay:<file>@<UTC time, 2014-05-06T12:15:00Z>, simulated, simulated:<seed>, ws://..., fix://..., relay; several separated by commas';

/** The feeds that the setting FEED names, comma-separated. Throws FeedSettingError. */
export function createFeeds(setting: string, deps: FeedDeps): readonly Feed[] {
  const specs = setting.split(',').map((spec) => spec.trim());
  const twice = specs.find((spec, i) => specs.indexOf(spec) < i);
  if (twice !== undefined)
    throw new FeedSettingError(`'${withoutUserInfo(twice)}' is listed twice; name each feed once`);
  // An engine with a feed publishes on the relay: it would take its own prices for another provider's.
  if (specs.length > 1 && specs.includes('relay'))
    throw new FeedSettingError("'relay' goes with no other feed; set FEED=relay, or the feeds without it");
  return specs.map((spec) => createFeed(spec, deps));
}

/** What the prices of these feeds are; empty: a relay's, whose messages have it. */
export function feedKinds(setting: string): readonly FeedKind[] {
  const kinds = setting.split(',').map((spec) => kindOf(spec.trim()));
  return FEED_KINDS.filter((kind) => kinds.includes(kind));
}

function kindOf(spec: string): FeedKind | undefined {
  if (spec === 'relay') return undefined;
  return (['replay', 'simulated'] as const).find((kind) => spec === kind || spec.startsWith(`${kind}:`)) ?? 'market';
}

/** One feed. Throws FeedSettingError; what can only be seen in a file, `start` rejects with. */
export function createFeed(spec: string, deps: FeedDeps): Feed {
  if (spec === 'replay' || spec.startsWith('replay:')) return createReplayFeed(spec, deps);
  if (spec === 'simulated' || spec.startsWith('simulated:')) return new SimulatedFeed(seedOf(spec), deps);
  if (spec === 'relay') return new RelayFeed(deps);
  if (/^wss?:\/\//.test(spec)) return createWebSocketFeed(spec, deps);
  if (/^fixs?:\/\//.test(spec)) return createFixFeed(spec, deps);
  throw new FeedSettingError(`'${withoutUserInfo(spec)}' is no feed; accepted: ${ACCEPTED}`);
}

function seedOf(spec: string): number {
  const seed = spec.slice('simulated:'.length) || '1';
  if (!/^\d{1,9}$/.test(seed))
    throw new FeedSettingError(`the seed of '${spec}' must be a whole number of at most 9 digits, as in simulated:7`);
  return Number(seed);
}

// The text before an @ may be a password, or the rest of one that a comma has split.
function withoutUserInfo(spec: string): string {
  return spec.replace(/^([a-z]+:\/\/)?.*@/i, '$1***@').slice(0, 100);
}
