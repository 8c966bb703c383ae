/**
 * What every process follows: rules that are few and read whole. A change is live everywhere within a second: a message tells of it at
 * once, and the version is read every 400 ms for the case that the message was lost.
 */
import type { Connection } from './connection.js';
import { StoreUnavailable } from './errors.js';
import { seldom } from './seldom.js';

interface WatchedParts<T> {
  /** In the plural: margins. */
  readonly name: string;
  /** Key of a number that rises with each change, in the step that makes the change. */
  readonly version: string;
  readonly channel: string;
  load(): Promise<T>;
}

interface Watched<T> {
  /** Called with all of it after each change, and once soon after the first hearer; the newest wins. */
  onChange(changed: (all: T) => void): () => void;
  /** Tells the others of a change. */
  ring(): void;
  close(): void;
}

const POLL_MS = 400;

export function watched<T>(connection: Connection, { name, version, channel, load }: WatchedParts<T>): Watched<T> {
  const hearers = new Set<(all: T) => void>();
  let seen: string | undefined;
  let looking = false;
  let lookAgain = false;
  let poll: NodeJS.Timeout | undefined;

  const failed = seldom((fault) =>
    connection.log.warn(
      { fault },
      `The ${name} could not be taken over from the store (${fault}): those of before stay in force. See that all programs are of one release, and who else writes to Redis.`,
    ),
  );
  const look = async (): Promise<void> => {
    lookAgain = looking;
    if (looking) return;
    looking = true;
    try {
      // The version first: a change between the two reads is then seen once more, never missed.
      const now = (await connection.read((redis) => redis.get(version))) ?? '0';
      if (now !== seen) {
        const all = await load();
        seen = now;
        for (const changed of hearers) changed(all);
      }
    } catch (error) {
      // What is in hand holds until the next look. That the store is away is told by itself.
      if (!(error instanceof StoreUnavailable)) failed(error);
    }
    looking = false;
    if (lookAgain) await look();
  };
  const stopListening = connection.listen(channel, () => {
    if (hearers.size > 0) void look();
  });

  return {
    onChange(changed) {
      hearers.add(changed);
      seen = undefined;
      poll ??= setInterval(look, POLL_MS).unref();
      void look();
      return () => hearers.delete(changed);
    },
    ring: () => connection.ring(channel, ''),
    close() {
      clearInterval(poll);
      stopListening();
      hearers.clear();
    },
  };
}
