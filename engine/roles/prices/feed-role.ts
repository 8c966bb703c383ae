/**
 * The source of this process's rates. The engine that holds the lease runs the feed and publishes its rates on the relay; every other
 * engine and every sidecar subscribes to the relay.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { withTimeout } from '../../domain/core/with-timeout.js';
import { PAIRS } from '../../domain/money/pair.js';
import { createFeeds, type FeedDeps, feedKinds, type RelayChannel } from '../../rates/feed.js';
import type { RateBook } from '../../rates/rate-book.js';
import { RelayPublisher } from '../../rates/relay-publisher.js';
import type { Services } from '../../service/core/services.js';
import { FEED_LEASE, type Lease } from '../../store/coordination/lease.js';
import type { Relay } from '../../store/coordination/relay.js';
import type { DayRecord } from '../record/day-record.js';

export interface Rates {
  /** The current one: another engine may acquire the feed. */
  readonly role: 'runs' | 'follows';
  /** Of its relay, while it runs the feed. */
  readonly publisher?: Pick<RelayPublisher, 'id' | 'number'> | undefined;
  stop(): Promise<void>;
}

/** The lease of a killed engine expires within three seconds. */
const WAIT_FOR_LEASE_MS = 3_500;
/** How often an engine without the lease tries to acquire it; its holder renews it each second. */
const RETRY_LEASE_MS = 250;
const RETRIES_TO_RENEW = 4;
const FIRST_PRICE_MS = 2_000;
const EVERY_PAIR_MS = 1_200;
const POLL_MS = 20;

/** The rates of the engine that holds the feed lease. */
export async function followRelay(services: Services): Promise<Rates> {
  const rates = await begin(services, 'relay');
  if (services.book.bid.some((bid) => bid > 0)) await allPrices(services.book);
  return rates;
}

/** The feeds that FEED names, under the lease. Throws FeedSettingError. */
export async function runFeed(
  services: Services,
  setting: string,
  messageLog?: FeedDeps['messageLog'],
  record?: DayRecord,
): Promise<Rates> {
  if (setting === 'relay') return followRelay(services);
  const { store, log } = services;
  const lease = store.lease(FEED_LEASE);
  // A wrong setting ends the start even when another engine holds the feed lease.
  createFeeds(setting, feedDeps(services));

  let holding = await acquireSoon(lease);
  let stopped = false;
  let turning = Promise.resolve();
  const turnSoon = (): void => {
    turning = turning
      .then(turn)
      .catch((error: unknown) => log.error({ err: error }, 'the feed could not change hands'));
  };
  const out: RelayChannel = {
    ...channel(store.relay),
    async publish(message) {
      if (holding === undefined) return undefined;
      const received = await store.relay.publish(holding, message);
      if (received !== 'not-held') return received;
      turnSoon();
      return undefined;
    },
    writeSnapshot: (rates) => (holding === undefined ? undefined : store.relay.writeSnapshot(holding, rates)),
  };
  const begun = () =>
    holding === undefined ? followRelay(services) : ownRates(services, setting, out, messageLog, record);
  let rates = await begun();
  if (holding === undefined) log.warn({}, 'another engine has the feed: following its relay until its lease ends');

  async function turn(): Promise<void> {
    const had = holding;
    // A lease that expired during a store outage remains with this engine unless another one has acquired it.
    const now = await lease.acquire().catch(() => had);
    if (stopped) return;
    holding = now;
    if ((had === undefined) === (now === undefined)) return;
    const holds = now !== undefined;
    log.warn({ holds }, holds ? 'this engine has the feed from now on' : 'another engine has taken the feed');
    await rates.stop();
    try {
      rates = await begun();
    } catch (error) {
      // Another engine may be able to start the feed: this one follows it, and retries later.
      holding = undefined;
      await lease.release().catch(() => {});
      rates = await followRelay(services);
      throw error;
    }
  }
  let retries = 0;
  const renewal = setInterval(() => {
    if (holding === undefined || ++retries % RETRIES_TO_RENEW === 0) turnSoon();
  }, RETRY_LEASE_MS);
  const unsubscribe = lease.onRelease(turnSoon);

  return {
    get role() {
      return stopped ? 'follows' : rates.role;
    },
    get publisher() {
      return rates.publisher;
    },
    async stop() {
      stopped = true;
      clearInterval(renewal);
      unsubscribe();
      await turning;
      await rates.stop();
      // Last: a provider that accepts one session of ours has ended this one before the next engine logs on.
      await lease.release().catch(() => {});
    },
  };
}

async function ownRates(
  services: Services,
  setting: string,
  out: RelayChannel,
  messageLog: FeedDeps['messageLog'],
  record: DayRecord | undefined,
): Promise<Rates> {
  const publisher = new RelayPublisher(services.book, out, undefined, (pair) =>
    services.pricing.shifts.needsEachTick(pair),
  );
  record?.feedBegins(publisher);
  const feeds = await begin(services, setting, messageLog).catch((error: unknown) => {
    record?.feedEnds();
    throw error;
  });
  publisher.start();
  return {
    role: 'runs',
    publisher,
    async stop() {
      publisher.stop();
      await feeds.stop();
      record?.feedEnds();
    },
  };
}

async function begin(services: Services, setting: string, messageLog?: FeedDeps['messageLog']): Promise<Rates> {
  const feeds = createFeeds(setting, { ...feedDeps(services), ...(messageLog && { messageLog }) });
  const { book } = services;
  // Before the first tick; those of a relay come with its messages.
  book.feedKinds = feedKinds(setting);
  const stop = async () => {
    book.feedKinds = [];
    await Promise.all(feeds.map((feed) => feed.stop()));
    book.endProviders();
  };
  try {
    await Promise.all(feeds.map((feed) => feed.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  await firstPrice(book);
  return { role: 'follows', stop };
}

/** Ready means that there are rates; but the start does not wait for a provider that is unavailable. */
async function firstPrice(book: RateBook): Promise<void> {
  if (book.bid.some((bid) => bid > 0)) return;
  let unlisten = (): void => {};
  const priced = new Promise<void>((resolve) => {
    unlisten = book.onChange(() => resolve());
  });
  await withTimeout(priced, FIRST_PRICE_MS, () => {});
  unlisten();
}

/** The relay publishes every pair once a second; before that, only pairs whose price has changed are known. */
async function allPrices(book: RateBook): Promise<void> {
  const until = Date.now() + EVERY_PAIR_MS;
  while (Date.now() < until && PAIRS.some(({ index }) => !book.read(index))) await pause(POLL_MS);
}

async function acquireSoon(lease: Lease): Promise<string | undefined> {
  const until = Date.now() + WAIT_FOR_LEASE_MS;
  for (;;) {
    const holding = await lease.acquire();
    if (holding !== undefined || Date.now() > until) return holding;
    await pause(RETRY_LEASE_MS);
  }
}

function feedDeps({ book, log, store }: Services): FeedDeps {
  return { book, log, relay: channel(store.relay) };
}

/** Subscribes only: an engine without the lease publishes nothing. */
function channel(relay: Relay): RelayChannel {
  return {
    publish: async () => undefined,
    subscribe: (listener) => relay.subscribe(listener),
  };
}
