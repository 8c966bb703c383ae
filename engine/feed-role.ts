/**
 * Where this process has its rates from. One engine, the one that holds the lease, runs the feed and publishes what it has
 * on the relay; every other engine and every sidecar follows the relay.
 */
import { createFeeds, type Feed, type FeedDeps, type RelayChannel } from './rates/feed.js';
import { RelayPublisher } from './rates/relay-publisher.js';
import type { Services } from './service/services.js';
import type { Lease } from './store/lease.js';
import type { Relay } from './store/relay.js';

export interface Rates {
  stop(): Promise<void>;
}

const RENEW_MS = 1_000;
/** The lease of an engine that was killed lapses within three seconds. */
const WAIT_FOR_LEASE_MS = 3_500;
const RETRY_LEASE_MS = 250;

/** The rates of the engine that has the feed. */
export async function followRelay(services: Services): Promise<Rates> {
  return startAll(createFeeds('relay', feedDeps(services)));
}

/** The feeds that FEED names, under the lease. Throws FeedSettingError. */
export async function runFeed(services: Services, setting: string): Promise<Rates> {
  if (setting === 'relay') return followRelay(services);
  const { store, log } = services;
  const lease = store.lease('feed');
  // A wrong setting ends the start even when another engine has the feed today.
  createFeeds(setting, feedDeps(services));

  let holds = await acquireSoon(lease);
  let rates = holds ? await ownRates(services, setting) : await followRelay(services);
  if (!holds) log.warn({}, 'another engine has the feed: following its relay until its lease ends');

  const turn = async () => {
    const held = await (holds ? lease.renew() : lease.acquire()).catch(() => holds);
    if (held === holds || stopped) return;
    holds = held;
    log.warn({ holds }, holds ? 'this engine has the feed from now on' : 'another engine has taken the feed');
    await rates.stop();
    rates = holds ? await ownRates(services, setting) : await followRelay(services);
  };
  let stopped = false;
  let turning = Promise.resolve();
  const renewal = setInterval(() => {
    turning = turning
      .then(turn)
      .catch((error: unknown) => log.error({ err: error }, 'the feed could not change hands'));
  }, RENEW_MS);

  return {
    async stop() {
      stopped = true;
      clearInterval(renewal);
      await turning;
      await rates.stop();
      if (holds) await lease.release().catch(() => {});
    },
  };
}

async function ownRates(services: Services, setting: string): Promise<Rates> {
  const publisher = new RelayPublisher(services.book, channel(services.store.relay));
  const feeds = await startAll(createFeeds(setting, feedDeps(services)));
  publisher.start();
  return {
    async stop() {
      publisher.stop();
      await feeds.stop();
    },
  };
}

async function startAll(feeds: readonly Feed[]): Promise<Rates> {
  const stop = async () => {
    await Promise.all(feeds.map((feed) => feed.stop()));
  };
  try {
    await Promise.all(feeds.map((feed) => feed.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

async function acquireSoon(lease: Lease): Promise<boolean> {
  const until = Date.now() + WAIT_FOR_LEASE_MS;
  while (!(await lease.acquire())) {
    if (Date.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, RETRY_LEASE_MS));
  }
  return true;
}

function feedDeps({ book, log, store }: Services): FeedDeps {
  return { book, log, relay: channel(store.relay) };
}

function channel(relay: Relay): RelayChannel {
  return {
    publish(message) {
      relay.publish(message);
      return undefined;
    },
    writeSnapshot: (rates) => relay.writeSnapshot(rates),
    subscribe: async (listener) => relay.subscribe(listener),
  };
}
