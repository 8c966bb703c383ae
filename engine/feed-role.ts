/**
 * Where this process has its rates from. One engine, the one that holds the lease, runs the feed and publishes what it has
 * on the relay; every other engine and every sidecar follows the relay.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { PAIRS } from './domain/pair.js';
import { createFeeds, type FeedDeps, type RelayChannel } from './rates/feed.js';
import type { RateBook } from './rates/rate-book.js';
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
const FIRST_PRICE_MS = 2_000;
const EVERY_PAIR_MS = 1_200;
const POLL_MS = 20;

/** The rates of the engine that has the feed. */
export async function followRelay(services: Services): Promise<Rates> {
  const rates = await begin(services, 'relay');
  if (services.book.bid.some((bid) => bid > 0)) await allPrices(services.book);
  return rates;
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
    // A lease that lapsed while the store was away is still ours when nobody else has taken it.
    const held = await lease.acquire().catch(() => holds);
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
  const feeds = await begin(services, setting);
  publisher.start();
  return {
    async stop() {
      publisher.stop();
      await feeds.stop();
    },
  };
}

async function begin(services: Services, setting: string): Promise<Rates> {
  const feeds = createFeeds(setting, feedDeps(services));
  const stop = async () => {
    await Promise.all(feeds.map((feed) => feed.stop()));
  };
  try {
    await Promise.all(feeds.map((feed) => feed.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  await firstPrice(services.book);
  return { stop };
}

/** Ready means that there are rates; but a provider that is away today must not keep the doors shut. */
async function firstPrice(book: RateBook): Promise<void> {
  if (book.bid.some((bid) => bid > 0)) return;
  await new Promise<void>((resolve) => {
    const late = setTimeout(done, FIRST_PRICE_MS);
    const unlisten = book.onChange(done);
    function done() {
      clearTimeout(late);
      unlisten();
      resolve();
    }
  });
}

/** The relay tells of every pair once a second; until then only those that happen to move are known. */
async function allPrices(book: RateBook): Promise<void> {
  const until = Date.now() + EVERY_PAIR_MS;
  while (Date.now() < until && PAIRS.some(({ index }) => !book.read(index))) await pause(POLL_MS);
}

async function acquireSoon(lease: Lease): Promise<boolean> {
  const until = Date.now() + WAIT_FOR_LEASE_MS;
  while (!(await lease.acquire())) {
    if (Date.now() > until) return false;
    await pause(RETRY_LEASE_MS);
  }
  return true;
}

function feedDeps({ book, log, store }: Services): FeedDeps {
  return { book, log, relay: channel(store.relay) };
}

function channel(relay: Relay): RelayChannel {
  return {
    publish: (message) => relay.publish(message),
    writeSnapshot: (rates) => relay.writeSnapshot(rates),
    subscribe: async (listener) => relay.subscribe(listener),
  };
}
