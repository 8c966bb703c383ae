import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Ladder, type LadderSide } from '../../engine/domain/money/ladder.js';
import type { RateBookOptions } from '../../engine/rates/book-price.js';
import type { RelayChannel } from '../../engine/rates/feed.js';
import { RelayFeed } from '../../engine/rates/feeds/relay-feed.js';
import { ProviderNames } from '../../engine/rates/quote-origins.js';
import { RateBook } from '../../engine/rates/rate-book.js';
import { RelayWriter, readRelayEntries, readRelayHeader } from '../../engine/rates/relay-message.js';
import { RelayPublisher } from '../../engine/rates/relay-publisher.js';
import { startTestStore, type TestStore } from '../support/store.js';
import { until } from '../support/until.js';
import { indexOf, quoteLadder } from './clock.js';

const EURUSD = indexOf('EUR/USD');
const USDJPY = indexOf('USD/JPY');
const ANY = Number.POSITIVE_INFINITY;
const log = { info() {}, warn() {} };

let redis: TestStore;
let holding: string;
let renewal: NodeJS.Timeout;
beforeAll(async () => {
  redis = await startTestStore();
  const lease = redis.store.lease('feed');
  const renew = async () => {
    holding = (await lease.acquire())!;
  };
  await renew();
  renewal = setInterval(renew, 1_000);
});
afterAll(async () => {
  clearInterval(renewal);
  await redis.stop();
});

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function channel(): RelayChannel {
  const { relay } = redis.store;
  return {
    async publish(message) {
      const subscribers = await relay.publish(holding, message);
      return subscribers === 'not-held' ? undefined : subscribers;
    },
    subscribe: (listener) => relay.subscribe(listener),
    writeSnapshot: (rates) => relay.writeSnapshot(holding, rates),
  };
}

/** An engine with a feed, and one that follows it; with `now` on one clock of the test's. */
async function engines(now = () => performance.now()) {
  const source = new RateBook({ now });
  const lp = source.registerProvider('LP');
  const tick = (pair: number, bid: number, offer: number, sourceTimeUs: number) =>
    source.tick(lp, pair, bid, offer, 3e6, 2e6, sourceTimeUs, 0);
  const follower = new RateBook({ now });
  const feed = new RelayFeed({ book: follower, log, relay: channel(), now });
  await feed.start();
  stops.push(() => feed.stop());
  const publisher = new RelayPublisher(source, channel(), now);
  return { source, lp, tick, follower, publisher };
}

/** An engine that follows the messages that the test delivers. */
async function followerBy(now: () => number, options: RateBookOptions = {}) {
  const follower = new RateBook({ ...options, now });
  let deliver = (_message: Uint8Array, _underWayMs: number): void => {};
  const relay: RelayChannel = {
    publish: async () => 0,
    subscribe: async (listener) => {
      deliver = listener;
      return () => {};
    },
  };
  const feed = new RelayFeed({ book: follower, log, relay, now });
  await feed.start();
  stops.push(() => feed.stop());
  return { follower, deliver: (message: Uint8Array, underWayMs = 0) => deliver(message, underWayMs) };
}

test('a follower has the kinds of the feed that it follows, from message to message, and none of a silent one', async () => {
  const { source, follower, tick, publisher } = await engines();
  expect(follower.feedKinds).toEqual([]);
  source.feedKinds = ['replay'];
  publisher.start();
  stops.push(async () => publisher.stop());
  await until(() => follower.feedKinds.length > 0);
  expect(follower.feedKinds).toEqual(['replay']);
  source.feedKinds = ['market', 'simulated'];
  tick(EURUSD, 13_944_300, 13_945_600, 1);
  await until(() => follower.feedKinds.length > 1);
  expect(follower.feedKinds).toEqual(['market', 'simulated']);
  publisher.stop();
  await until(() => follower.feedKinds.length === 0);
});

test('a delayed message has prices that are as old, although the clocks do not agree', async () => {
  let nowMs = 1_000;
  const { follower, deliver } = await followerBy(() => nowMs);
  const messageOf = (bid: number, sentAtMs: number) => {
    const writer = new RelayWriter(1, new ProviderNames());
    writer.begin(1, 1, true, sentAtMs);
    writer.add('EURUSD', 7, bid, bid + 100, 0, 0, 0, 50);
    return writer.finish();
  };
  const clockOfTheOther = 70_000;
  deliver(messageOf(13_944_300, clockOfTheOther + nowMs - 2));
  expect(follower.read(EURUSD)?.ageMs).toBe(50);
  // It waited: for us, or for the store.
  const waits = [1_000, 2_500, 6_000].map((afterMs) =>
    messageOf(13_944_300 + afterMs, clockOfTheOther + 1_000 + afterMs),
  );
  nowMs += 6_002;
  deliver(waits[0]!);
  expect(follower.read(EURUSD)).toBeUndefined();
  deliver(waits[1]!);
  expect(follower.read(EURUSD)).toMatchObject({ bid: 13_946_800, ageMs: 50 + 3_500 });
  deliver(waits[2]!);
  expect(follower.read(EURUSD)).toMatchObject({ bid: 13_950_300, ageMs: 50 });
  // The other's clock has run apart: for a minute or two that is lateness, then it is forgotten.
  for (let minute = 0; minute < 3; minute++) {
    nowMs += 60_000;
    deliver(messageOf(13_944_300 + minute, clockOfTheOther + nowMs - 502));
  }
  expect(follower.read(EURUSD)?.ageMs).toBe(50);
});

test('the first message after a stop is as old as the store reports', async () => {
  let nowMs = 1_000;
  const { follower, deliver } = await followerBy(() => nowMs);
  const say = (publisher: number, bid: number, underWayMs: number) => {
    const writer = new RelayWriter(1, new ProviderNames());
    writer.begin(publisher, 1, true, nowMs);
    writer.add('EURUSD', 7, bid, bid + 100, 0, 0, 0, 50);
    deliver(writer.finish(), underWayMs);
    return follower.read(EURUSD);
  };
  expect(say(1, 13_944_300, 2)).toMatchObject({ bid: 13_944_300, ageMs: 52 });
  nowMs += 10_000;
  // Of an engine that took the feed over while we were stopped: there is nothing to measure it by but the store's clock.
  expect(say(2, 13_950_000, 9_000)).toBeUndefined();
  expect(say(2, 13_950_100, 1_000)).toMatchObject({ bid: 13_950_100, ageMs: 1_050 });
  expect(say(2, 13_950_200, 1)).toMatchObject({ bid: 13_950_200, ageMs: 51 });
});

test('a message reads back as it was written, and any other input is rejected', () => {
  const writer = new RelayWriter(2, new ProviderNames());
  writer.begin(4_000_000_000, 7, true, 12_345.678, 5);
  writer.add('EURUSD', 7, 13_944_300, 13_945_600, 3e6, 2e6, 1_763_625_600_123_456, 12.5);
  const message = writer.finish();
  expect(readRelayHeader(message)).toEqual({
    version: 1,
    everyPair: true,
    feedKinds: ['market', 'simulated'],
    publisher: 4_000_000_000,
    number: 7,
    sentAtMs: 12_345.678,
  });
  readRelayEntries(message, (entry) =>
    expect(entry).toEqual({
      symbol: 'EURUSD',
      priceDigits: 7,
      bid: 13_944_300,
      offer: 13_945_600,
      bidSize: 3e6,
      offerSize: 2e6,
      sourceTimeUs: 1_763_625_600_123_456,
      ageMs: 12.5,
      ladder: undefined,
    }),
  );
  for (let end = 0; end < message.length; end++) expect(readRelayHeader(message.subarray(0, end))).toBeUndefined();
});

test('a message carries every level of the book', () => {
  const writer = new RelayWriter(2, new ProviderNames());
  const ladder = new Ladder(160);
  for (let level = 0; level < 160; level++) ladder.bid.add(13_944_300 - level, level || ANY, 12.5 + level);
  ladder.offer.add(13_945_600, 2e6, 0);
  for (const shown of [ladder, undefined]) {
    writer.begin(1, 1, true, 0);
    writer.add('EURUSD', 7, 13_944_300, 13_945_600, 3e6, 2e6, 0, 12.5, shown);
    writer.add('USDJPY', 5, 10_000_000, 10_000_100, 0, 0, 0, 0);
    const message = writer.finish();
    const entries: unknown[] = [];
    readRelayEntries(message, ({ symbol, ladder: levels }) => {
      const of = ({ count, price, size, ageMs }: LadderSide) =>
        [...price.subarray(0, count)].map((at, i) => [at, size[i], ageMs[i]]);
      entries.push([symbol, levels && [of(levels.bid), of(levels.offer)]]);
    });
    const bids = Array.from({ length: 160 }, (_, level) => [13_944_300 - level, level || ANY, level]);
    const levels = shown && [bids, [[13_945_600, 2e6, 0]]];
    expect(entries).toEqual([
      ['EURUSD', levels],
      ['USDJPY', undefined],
    ]);
    for (let end = 0; end < message.length; end++) expect(readRelayHeader(message.subarray(0, end))).toBeUndefined();
    message[24 + 7] = 161;
    expect(readRelayHeader(message)).toBeUndefined();
  }
});

test('levels reach the other engine with their age, and a change behind the best price does too', async () => {
  // The clock does not advance: the time that a message was under way is added to both ages alike.
  const { source, lp, follower, publisher } = await engines(() => 100_000);
  const second = source.registerProvider('second');
  const bids = '1.3944x1000000 1.3940x2000000';
  quoteLadder(source, lp, ['EUR/USD', bids, '1.3945x1000000 1.3950x2000000']);
  source.readAgeMs = 2_000;
  quoteLadder(source, second, ['EUR/USD', '1.3942x1000000', '1.3948x1000000']);
  publisher.start();
  stops.push(() => publisher.stop());
  const price = (units: number) => follower.priceFor(EURUSD, true, BigInt(units * 100));
  await until(() => price(1_000_000) !== undefined);
  expect(price(1_000_000)?.price).toBe(13_944_000);
  expect(price(2_000_000)?.price).toBe(13_943_000);
  expect(price(2_000_000)!.ageMs).toBeGreaterThanOrEqual(2_000);
  expect(price(2_000_000)!.ageMs - price(1_000_000)!.ageMs).toBe(2_000);
  // The second provider has one level, which carries any amount.
  expect(price(5_000_000)?.price).toBe(13_942_400);
  quoteLadder(source, second, ['EUR/USD', '1.3942x1000000 1.3930x1000000', '1.3948x1000000']);
  await until(() => price(5_000_000)?.price === 13_939_200);
  expect(price(5_000_001)).toBeUndefined();
  // Of one price alone the message has no levels.
  source.withdraw(second, EURUSD);
  quoteLadder(source, lp, ['EUR/USD', '1.3944x1000000', '1.3945x1000000'], 0, false);
  await until(() => price(5_000_000)?.price === 13_944_000);
});

test('a tick that confirms its price is sent of a pair whose newest tick matters, and of no other', async () => {
  const source = new RateBook();
  const [lp, ofEntry] = [source.registerProvider('LP'), [] as string[][]];
  const publisher = new RelayPublisher(
    source,
    {
      async publish(message) {
        const symbols: string[] = [];
        readRelayEntries(message, ({ symbol }) => symbols.push(String(symbol)));
        ofEntry.push(symbols);
        return 1;
      },
      subscribe: async () => () => {},
    },
    undefined,
    (pair) => pair === EURUSD,
  );
  const tick = (pair: number) => source.tick(lp, pair, 13_944_000, 13_945_600, 0, 0, 0, 0);
  tick(EURUSD);
  tick(indexOf('GBP/USD'));
  publisher.start();
  stops.push(() => publisher.stop());
  await until(() => ofEntry.length === 1);
  tick(indexOf('GBP/USD'));
  tick(EURUSD);
  await until(() => ofEntry.length === 2);
  expect(ofEntry[1]).toHaveLength(1);
});

describe('every amount has the price that it has at the engine with the feed', () => {
  /** What the engine with the feed publishes now, at a follower. */
  async function both(isFirm: boolean, quotes: readonly [string, string, string, string, boolean?][]) {
    const now = () => 1_000;
    const source = new RateBook({ isFirm, now, maxSpreadPercent: 100 });
    for (const [provider, symbol, bids, offers, isLadder] of quotes)
      quoteLadder(source, source.registerProvider(provider), [symbol, bids, offers], 0, isLadder);
    const sent: Uint8Array[] = [];
    const publisher = new RelayPublisher(
      source,
      { publish: async (message) => sent.push(message), subscribe: async () => () => {} },
      now,
    );
    publisher.start();
    publisher.stop();
    // Its own LIQUIDITY decides nothing.
    const { follower, deliver } = await followerBy(now, { isFirm: !isFirm });
    deliver(sent[0]!);
    const priced = (book: RateBook) =>
      ['EUR/USD', 'USD/JPY', 'EUR/JPY', 'GBP/USD', 'EUR/GBP'].flatMap((symbol) =>
        [1, 0.5e6, 1e6, 1.5e6, 5e6, 11e6, 30e6, 200e6].flatMap((units) =>
          [true, false].map((isBid) => {
            const price = book.priceFor(indexOf(symbol), isBid, BigInt(units * 100))?.price;
            return `${symbol} ${units} ${isBid ? 'bid' : 'offer'} ${price}`;
          }),
        ),
      );
    const limits = (book: RateBook) => {
      const { bidLimit, offerLimit, bidSize, offerSize } = book.read(EURUSD)!;
      return [bidLimit, offerLimit, bidSize, offerSize];
    };
    expect(limits(follower)).toEqual(limits(source));
    expect(priced(follower)).toEqual(priced(source));
    return source;
  }

  const tenOf = (first: number, step: number, size = 1e6) =>
    Array.from({ length: 10 }, (_, level) => `${(first + step * level).toFixed(4)}x${size}`).join(' ');

  test('of several providers with ten levels, and one with a single price behind them', async () => {
    const source = await both(false, [
      ['A', 'EUR/USD', tenOf(1.1, -0.0001), tenOf(1.101, 0.0001)],
      ['B', 'EUR/USD', tenOf(1.1, -0.0002), tenOf(1.1012, 0.0001, 7e6)],
      ['C', 'EUR/USD', '1.0950x1000000', '1.1020x1000000', false],
      ['A', 'USD/JPY', tenOf(150, -0.01, 3e6), tenOf(150.1, 0.01, 3e6)],
      ['B', 'USD/JPY', tenOf(150, -0.02, 3e6), tenOf(150.1, 0.01, 3e6)],
      ['C', 'GBP/USD', '1.3000', '1.3010', false],
    ]);
    expect(source.ladder(EURUSD)!.bid.count).toBe(21);
    expect(source.priceFor(EURUSD, true, 20_000_000_000n)).toBeDefined();
  });

  test('of a ladder with one level of a side', () =>
    both(false, [
      ['A', 'EUR/USD', '1.1000x1000000 1.0990x1000000', '1.1010x1000000'],
      ['B', 'USD/JPY', '150.00x1000000 149.00', '150.10 150.20x1000000'],
    ]));

  test('of firm sizes, and of a price without one', () =>
    both(true, [
      ['A', 'EUR/USD', '1.1000x1000000', '1.1010x2000000', false],
      ['A', 'USD/JPY', '150.00', '150.10x2000000', false],
      ['A', 'GBP/USD', '1.3000x1000000 1.2990', '1.3010x1000000 1.3020x20000000'],
      ['B', 'GBP/USD', '1.2995x1000000', '1.3011', false],
    ]));
});

test('a ladder that ends at the same price is published at once', async () => {
  const book = new RateBook();
  const lp = book.registerProvider('LP');
  const changes: unknown[] = [];
  const publisher = new RelayPublisher(book, {
    publish: async (message) => {
      if (!readRelayHeader(message)!.everyPair)
        readRelayEntries(message, ({ ladder }) => changes.push(ladder?.bid.count));
      return 1;
    },
    subscribe: async () => () => {},
  });
  publisher.start();
  stops.push(() => publisher.stop());
  const quote = (bids: string) => quoteLadder(book, lp, ['EUR/USD', bids, '1.3945x1000000']);
  quote('1.3944x1000000 1.3940x2000000');
  await until(() => changes.length === 1);
  quote('1.3944x1000000');
  await until(() => changes.length === 2);
  expect(changes).toEqual([2, undefined]);
});

test('prices, changes, withdrawals and the source time reach the other engine', async () => {
  const { source, lp, tick, follower, publisher } = await engines();
  tick(EURUSD, 13_944_300, 13_945_600, 5_000);
  publisher.start();
  stops.push(() => publisher.stop());
  await until(() => follower.bid[EURUSD] === 13_944_300);
  expect(follower.read(EURUSD)).toMatchObject({ offer: 13_945_600, bidSize: 3e6, offerSize: 2e6, sourceTimeUs: 5_000 });

  // Judged at the source: an older time is not judged again, and a far price is confirmed by the next message.
  source.providerUp(lp);
  tick(EURUSD, 14_944_300, 14_945_600, 4_000);
  tick(USDJPY, 10_250_000, 10_250_100, 4_000);
  await until(() => follower.bid[EURUSD] === 14_944_300 && follower.bid[USDJPY] === 10_250_000);
  source.withdraw(lp, USDJPY);
  await until(() => follower.bid[USDJPY] === 0);
  source.providerDown(lp);
  await until(() => follower.bid[EURUSD] === 0);
});

test('publishes a withdrawal at once, not with the next message of every pair', async () => {
  const { source, lp, tick, publisher } = await engines();
  const withdrawn: string[] = [];
  const unsubscribe = await channel().subscribe((message) => {
    if (readRelayHeader(message)?.everyPair === false)
      readRelayEntries(message, ({ symbol, bid }) => bid === 0 && withdrawn.push(symbol));
  });
  stops.push(unsubscribe);
  tick(EURUSD, 13_944_300, 13_945_600, 5_000);
  publisher.start();
  stops.push(() => publisher.stop());
  source.withdraw(lp, EURUSD);
  await until(() => withdrawn.length === 1);
  expect(withdrawn).toEqual(['EURUSD']);
});

test('rejects values that are no prices, and a jump awaits confirmation', async () => {
  const { follower, deliver } = await followerBy(() => 1_000);
  const say = (bid: number, offer: number, { size = 0, sourceUs = 0, ageMs = 0, level = 0 } = {}) => {
    const writer = new RelayWriter(1, new ProviderNames());
    writer.begin(1, 1, false, 1_000);
    const ladder = new Ladder();
    ladder.bid.add(bid, level);
    ladder.offer.add(offer, 1_000_000);
    writer.add('EURUSD', 7, bid, offer, size, 0, sourceUs, ageMs, level === 0 ? undefined : ladder);
    deliver(writer.finish());
    return follower.bid[EURUSD];
  };
  expect(say(13_944_300, 13_945_600)).toBe(13_944_300);
  const none: [number, number, object?][] = [
    [13_944_300.5, 13_945_600],
    [13_944_400, 13_945_600.25],
    [2 ** 53, 2 ** 53 + 2],
    [-13_944_400, 13_945_600],
    [Number.NaN, 13_945_600],
    [13_944_400, Number.POSITIVE_INFINITY],
    [13_945_700, 13_945_600],
    [13_944_400, 13_945_600, { size: Number.NaN }],
    [13_944_400, 13_945_600, { sourceUs: -1 }],
    [13_944_400, 13_945_600, { ageMs: Number.POSITIVE_INFINITY }],
    [13_944_400, 13_945_600, { level: 1_000_000.5 }],
    [13_944_400, 13_945_600, { level: -1 }],
  ];
  for (const [bid, offer, more] of none) expect(say(bid, offer, more), `${bid} ${offer}`).toBe(13_944_300);
  expect(follower.refused.malformed).toBe(none.length);
  expect(say(17_000_000, 17_001_000)).toBe(13_944_300);
  expect(follower.refused.jump).toBe(1);
  expect(say(17_000_000, 17_001_000)).toBe(17_000_000);
});

test('a price is older at the follower than at the publisher', async () => {
  const { source, tick, follower, publisher } = await engines();
  source.readAgeMs = 3_000;
  tick(EURUSD, 13_944_300, 13_945_600, 5_000);
  publisher.start();
  stops.push(() => publisher.stop());
  await until(() => follower.read(EURUSD) !== undefined);
  expect(follower.read(EURUSD)?.ageMs).toBeGreaterThanOrEqual(3_000);
  await until(() => follower.read(EURUSD) === undefined);
});

test('a silent relay has no prices', async () => {
  const { source, tick, follower, publisher } = await engines();
  tick(EURUSD, 13_944_300, 13_945_600, 5_000);
  publisher.start();
  await until(() => follower.read(EURUSD) !== undefined);
  publisher.stop();
  tick(EURUSD, 13_944_400, 13_945_600, 6_000);
  await until(() => follower.bid[EURUSD] === 0);
  expect(follower.providers()[0]).toMatchObject({ name: 'relay', up: false });
  expect(source.bid[EURUSD]).toBe(13_944_400);
});

test('publishes a readable snapshot', async () => {
  const { tick, publisher } = await engines();
  tick(EURUSD, 13_944_300, 13_945_600, 5_000);
  publisher.start();
  stops.push(() => publisher.stop());
  const snapshot = () => redis.store.relay.readSnapshot();
  await expect.poll(snapshot).toEqual({ 'EUR/USD': '1.3944300 1.3945600' });
});

test('counts and ignores a message of another release', async () => {
  const { follower } = await engines();
  const writer = new RelayWriter(1, new ProviderNames());
  writer.begin(1, 1, true, 0);
  writer.add('EURUSD', 7, 13_944_300, 13_945_600, 0, 0, 0, 0);
  const message = writer.finish();
  message[2] = 2;
  redis.store.relay.publish(holding, message);
  redis.store.relay.publish(holding, Buffer.from('noise noise'));
  await until(() => follower.refused.malformed === 2);
  expect(follower.bid[EURUSD]).toBe(0);
});

test('sends no tick without subscribers, and a new subscriber has every pair within a tenth of a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] });
  onTestFinished(() => void vi.useRealTimers());
  let nowMs = 1_000;
  const now = () => nowMs;
  const book = new RateBook({ now });
  const lp = book.registerProvider('LP');
  const sent: boolean[] = [];
  let listeners = 0;
  const relay: RelayChannel = {
    publish: async (message) => {
      sent.push(readRelayHeader(message)!.everyPair);
      return listeners;
    },
    subscribe: async () => () => {},
  };
  const publisher = new RelayPublisher(book, relay, now);
  const tick = (bid: number) => book.tick(lp, EURUSD, bid, bid + 100, 0, 0, bid, 0);
  /** What is sent meanwhile: of every pair or not. */
  const passes = async (ms: number): Promise<readonly boolean[]> => {
    for (let i = 0; i < ms; i++) {
      nowMs++;
      await vi.advanceTimersByTimeAsync(1);
    }
    return sent.splice(0);
  };
  publisher.start();
  stops.push(() => publisher.stop());
  expect(await passes(1)).toEqual([true]);
  tick(13_944_300);
  expect(await passes(200)).toEqual([true, true]);

  listeners = 1;
  expect(await passes(100)).toEqual([true]);
  tick(13_944_400);
  expect(await passes(2)).toEqual([false]);
  // Every pair once more, as it was due, and from then on once a second.
  expect(await passes(98)).toEqual([true]);
  expect(await passes(900)).toEqual([]);
  expect(await passes(100)).toEqual([true]);

  listeners = 2;
  tick(13_944_500);
  expect(await passes(2)).toEqual([false]);
  expect(await passes(100)).toEqual([true]);
  expect(await passes(900)).toEqual([]);
});
