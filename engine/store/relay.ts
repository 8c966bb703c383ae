/** The rate relay: what one engine publishes each turn for the gateways. A channel keeps nothing; the snapshot is for cold starts. */
import type { Connection } from './connection.js';

export interface Relay {
  /**
   * Resolves to how many listen; undefined when it was dropped, because the store is away and a rate is only worth something
   * now. Never rejects.
   */
  publish(bytes: Uint8Array): Promise<number | undefined>;
  subscribe(heard: (bytes: Buffer) => void): () => void;
  /** Replaces the last known rates, by pair. Every 30 s: each write waits for the disk. */
  writeSnapshot(rates: Readonly<Record<string, string>>): Promise<void>;
  readSnapshot(): Promise<Readonly<Record<string, string>>>;
  /** How many publications were dropped. */
  readonly dropped: number;
}

const CHANNEL = 'relay:rates';
const SNAPSHOT = 'relay:snapshot';
/** A store that has stopped answering must not gather a queue of old rates. */
const UNDER_WAY_MAX = 64;

export function relay(connection: Connection): Relay {
  let dropped = 0;
  let underWay = 0;
  return {
    async publish(bytes) {
      if (!connection.isUp() || underWay >= UNDER_WAY_MAX) {
        dropped += 1;
        return undefined;
      }
      underWay += 1;
      const message = Buffer.from(bytes);
      try {
        return await connection.write((redis) => redis.publish(CHANNEL, message));
      } catch {
        dropped += 1;
        return undefined;
      } finally {
        underWay -= 1;
      }
    },
    subscribe: (heard) => connection.listen(CHANNEL, heard),
    async writeSnapshot(rates) {
      await connection.write(async (redis) => {
        const step = redis.multi().del(SNAPSHOT);
        if (Object.keys(rates).length > 0) step.hset(SNAPSHOT, rates);
        for (const [error] of (await step.exec()) ?? []) if (error) throw error;
      });
    },
    readSnapshot: () => connection.read((redis) => redis.hgetall(SNAPSHOT)),
    get dropped() {
      return dropped;
    },
  };
}
