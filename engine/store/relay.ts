/**
 * The rate relay: what the engine with the feed publishes each turn for the gateways. A channel keeps nothing; the snapshot is for cold
 * starts. Only who holds the feed's lease is heard, and each message says when the store passed it on.
 */
import type { Connection } from './connection.js';
import { FEED_LEASE, leaseKey } from './lease.js';
import { script } from './scripts.js';
import { ServerClock } from './server-clock.js';

export interface Relay {
  /**
   * Under the name of a holding of the feed's lease. Resolves to how many listen, where that is known; undefined also when it was dropped,
   * because the store is away and a rate is only worth something now; `not-held` when that holding is over. Never rejects.
   */
  publish(holding: string, bytes: Uint8Array): Promise<number | 'not-held' | undefined>;
  /**
   * `underWayMs`: how long ago the store passed it on, by the store's own clock, and at most 250 ms too much. Resolves, to what ends it, when
   * that clock is known or the store is away; never rejects. What comes while the clock is not known is not heard.
   */
  subscribe(heard: (bytes: Buffer, underWayMs: number) => void): Promise<() => void>;
  /** Replaces the last known rates, by pair; false when that holding is over. Every 30 s: each write waits for the disk. */
  writeSnapshot(holding: string, rates: Readonly<Record<string, string>>): Promise<boolean>;
  readSnapshot(): Promise<Readonly<Record<string, string>>>;
  /** How many publications were dropped. */
  readonly dropped: number;
}

const CHANNEL = 'relay:rates';
const LEASE = leaseKey(FEED_LEASE);
/** In the slot of the lease. */
const SNAPSHOT = `relay:{${LEASE}}:snapshot`;
/** A store that has stopped answering must not gather a queue of old rates. */
const UNDER_WAY_MAX = 64;
const CLOCK_MS = 1_000;
const CLOCK_FIRST_MS = 50;
const TIME_BYTES = 8;
const PUBLISH = script('publish-rates');
const WRITE = script('write-rates');
const TIME = script('server-time');

export function relay(connection: Connection): Relay {
  let dropped = 0;
  let underWay = 0;
  return {
    async publish(holding, bytes) {
      if (!connection.isUp() || underWay >= UNDER_WAY_MAX) {
        dropped += 1;
        return undefined;
      }
      underWay += 1;
      try {
        const heard = (await connection.passingStep(
          PUBLISH,
          [LEASE],
          [holding, CHANNEL, Buffer.from(bytes)],
        )) as number;
        if (heard < 0) return 'not-held';
        return connection.knowsHearers ? heard : undefined;
      } catch {
        dropped += 1;
        return undefined;
      } finally {
        underWay -= 1;
      }
    },
    async subscribe(heard) {
      const clock = leaseClock(connection);
      const stop = connection.listen(CHANNEL, (message) => {
        const nowMs = clock.now();
        if (nowMs === undefined || message.length < TIME_BYTES) return;
        heard(message.subarray(TIME_BYTES), Math.max(0, nowMs - message.readDoubleLE(0)));
      });
      await clock.asked;
      return () => {
        clock.stop();
        stop();
      };
    },
    async writeSnapshot(holding, rates) {
      return (await connection.passingStep(WRITE, [LEASE, SNAPSHOT], [holding, ...Object.entries(rates).flat()])) === 1;
    },
    readSnapshot: () => connection.read((redis) => redis.hgetall(SNAPSHOT)),
    get dropped() {
      return dropped;
    },
  };
}

/** The clock of the server that has the lease: of a cluster's it is the one that publishes. */
function leaseClock(connection: Connection): { now(): number | undefined; asked: Promise<void>; stop(): void } {
  const clock = new ServerClock();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const ask = async (): Promise<void> => {
    await clock.ask(async () => (await connection.passingStep(TIME, [LEASE], [])) as [string, string]).catch(() => {});
    if (!stopped) timer = setTimeout(ask, clock.now() === undefined ? CLOCK_FIRST_MS : CLOCK_MS).unref();
  };
  // Another server may answer next.
  const unwatch = connection.onUpChange(() => clock.forget());
  return {
    asked: ask(),
    now: () => clock.now(),
    stop() {
      stopped = true;
      clearTimeout(timer);
      unwatch();
    },
  };
}
