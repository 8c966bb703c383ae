/**
 * The rate relay: the engine with the feed publishes prices each turn for the gateways. A channel stores nothing; the snapshot is for cold
 * starts. Only messages of the feed lease's holder are accepted. Each has the time at which the store published it, and a signature: a
 * right to PUBLISH does not suffice to set a price.
 */
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { ServerClock } from '../connection/server-clock.js';
import { FEED_LEASE, LEASE_MS, leaseKey } from './lease.js';
import type { SignedChannels, SignedMessage } from './signed-messages.js';

export interface Relay {
  /**
   * `holding` is a holding of the feed's lease. Resolves to the number of subscribers, if known; undefined also when the message was
   * dropped because the store is unavailable, since a price is useful only now; `not-held` when that holding has ended. Never rejects.
   */
  publish(holding: string, bytes: Uint8Array): Promise<number | 'not-held' | undefined>;
  /**
   * `underWayMs`: how long ago the store relayed the message, by the store's own clock, at most 250 ms too high. Resolves, to a function
   * that unsubscribes, when that clock is known or the store is unavailable; never rejects. Messages before the clock is known are not
   * delivered.
   */
  subscribe(receive: (bytes: Buffer, underWayMs: number) => void): Promise<() => void>;
  /** Replaces the last known rates, by pair; false when that holding has ended. Every 30 s: each write waits for the disk. */
  writeSnapshot(holding: string, rates: Readonly<Record<string, string>>): Promise<boolean>;
  readSnapshot(): Promise<Readonly<Record<string, string>>>;
  /** How many own publications were dropped. Dropped received messages are counted in `messagesDropped`. */
  readonly dropped: number;
}

const CHANNEL = 'relay:rates';
const LEASE = leaseKey(FEED_LEASE);
/** In the slot of the lease. */
const SNAPSHOT = `relay:{${LEASE}}:snapshot`;
/** A store that has stopped answering must not accumulate a queue of old rates. */
const UNDER_WAY_MAX = 64;
const CLOCK_MS = 1_000;
const CLOCK_FIRST_MS = 50;
const TIME_BYTES = 8;
/** Maximum difference between the publishing step's stamp and the signed estimate of the same clock. */
const STAMP_MS = 1_000;
const OLD_MS = 10_000;
export const PUBLISH_RATES = step(import.meta.url, 'publish-rates', {
  inReserve: true,
  keys: ['lease'],
  args: ['holding', 'channel', 'message'],
});
/** Alternating pairs and rates. */
export const WRITE_RATES = step(import.meta.url, 'write-rates', {
  inReserve: true,
  keys: ['lease', 'rates'],
  args: ['holding'],
  rest: 'byPair',
});
export const SERVER_TIME = step(import.meta.url, 'server-time', { readsOnly: true, keys: ['key'] });

export function relay(connection: Connection, messages: SignedChannels): Relay {
  const { signer, nextNumber } = messages;
  const counts = messages.dropped.relay;
  const subscribers = new Set<(bytes: Buffer, underWayMs: number) => void>();
  const order = new HoldingOrder();
  let listening: { readonly known: Promise<void>; stop(): void } | undefined;
  let dropped = 0;
  let underWay = 0;

  const listen = () => {
    const clock = leaseClock(connection);
    const stop = connection.subscribe(CHANNEL, (message) => {
      const nowMs = clock.now();
      if (nowMs === undefined) return;
      // After the stamp that the publishing step prepends.
      const read = message.length < TIME_BYTES ? 'version' : signer.verify(CHANNEL, message.subarray(TIME_BYTES));
      const stampMs = message.length < TIME_BYTES ? 0 : message.readDoubleLE(0);
      const reason = typeof read === 'string' ? read : order.dropReason(read, stampMs, nowMs);
      if (reason !== undefined) counts[reason] += 1;
      else if (typeof read !== 'string')
        for (const receive of subscribers) receive(read.body, Math.max(0, nowMs - stampMs));
    });
    return {
      known: clock.asked,
      stop() {
        clock.stop();
        stop();
      },
    };
  };

  return {
    async publish(holding, bytes) {
      const atMs = connection.serverMs(LEASE);
      if (!connection.isUp() || underWay >= UNDER_WAY_MAX || atMs === undefined) {
        dropped += 1;
        return undefined;
      }
      underWay += 1;
      try {
        const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        const message = signer.sign(CHANNEL, { sender: holding, number: nextNumber(), atMs, body });
        const reached = (await connection.runUnreplicated(
          PUBLISH_RATES,
          { lease: LEASE },
          { holding, channel: CHANNEL, message },
        )) as number;
        if (reached < 0) return 'not-held';
        return connection.isCluster ? undefined : reached;
      } catch {
        dropped += 1;
        return undefined;
      } finally {
        underWay -= 1;
      }
    },
    async subscribe(receive) {
      subscribers.add(receive);
      listening ??= listen();
      await listening.known;
      return () => {
        if (!subscribers.delete(receive) || subscribers.size > 0) return;
        listening?.stop();
        listening = undefined;
      };
    },
    async writeSnapshot(holding, rates) {
      const args = { holding, byPair: Object.entries(rates).flat() };
      return (await connection.runUnreplicated(WRITE_RATES, { lease: LEASE, rates: SNAPSHOT }, args)) === 1;
    },
    readSnapshot: () => connection.read((redis) => redis.hgetall(SNAPSHOT)),
    get dropped() {
      return dropped;
    },
  };
}

/** Whether a message is newer than those received: within one holding by its number, between two holdings by the later holding's start. */
export class HoldingOrder {
  #holding = '';
  #beganUs = 0;
  #number = 0;
  #receivedAtMs = 0;

  /** `stampMs`: when the store relayed it; `nowMs`: its clock now. */
  dropReason({ sender, number, atMs }: SignedMessage, stampMs: number, nowMs: number): 'old' | 'order' | undefined {
    // Written so that NaN is rejected too. An attacker who replays a message can give it a new stamp, but not another estimate.
    if (!(Math.abs(stampMs - atMs) <= STAMP_MS && Math.abs(nowMs - stampMs) <= OLD_MS)) return 'old';
    if (sender === this.#holding) {
      if (!(number > this.#number)) return 'order';
    } else {
      const beganUs = Number(sender.slice(sender.indexOf(' ') + 1));
      // The clock of a node that took over may lag: an earlier time is accepted when the later holding is silent, and only for a message
      // just sent.
      const isSilent = performance.now() - this.#receivedAtMs > LEASE_MS && Math.abs(nowMs - atMs) <= STAMP_MS;
      if (!(beganUs > this.#beganUs || isSilent)) return 'order';
      this.#holding = sender;
      this.#beganUs = beganUs;
    }
    this.#number = number;
    this.#receivedAtMs = performance.now();
    return undefined;
  }
}

/** The clock of the server that has the lease: of a cluster the node that publishes. */
function leaseClock(connection: Connection): { now(): number | undefined; asked: Promise<void>; stop(): void } {
  const clock = new ServerClock();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const ask = async (): Promise<void> => {
    await clock
      .ask(async () => (await connection.runUnreplicated(SERVER_TIME, { key: LEASE }, {})) as [string, string])
      .catch(() => {});
    // The age of a message needs the clock of its stamp, right or wrong: no step is judged by this one.
    if (clock.turnedMs !== 0) clock.accept();
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
