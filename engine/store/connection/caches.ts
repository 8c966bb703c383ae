/**
 * What a process caches of the store. Single records that every command needs live for a second. A configuration, such as margin rules, is
 * cached whole: a change applies everywhere within a second, because a notification announces it at once, and its version is read every
 * 800 ms in case the notification was lost.
 */
import type { Redis } from 'ioredis';
import { keepLast } from '../../domain/core/keep-last.js';
import { throttledLog } from '../../domain/core/log.js';
import type { Connection } from './connection.js';
import { refusalOf, StoreUnavailable } from './errors.js';

const TTL_MS = 1_000;
const ENTRIES_MAX = 10_000;

/** Without a promise where nothing is read: each request needs several. */
export type Cached<Value> = Value | Promise<Value>;

/** Of records that rarely change. */
export class TtlCache<Value extends object> {
  readonly #known = new Map<string, { readonly value: Value; readonly readAt: number }>();

  /** By its name: as it is cached, or a promise where it is read now. A missing record is not cached. */
  get<Found extends Value | undefined>(name: string, read: () => Promise<Found>): Cached<Found | Value> {
    const before = this.#known.get(name);
    const readAt = performance.now();
    if (before && readAt - before.readAt < TTL_MS) return before.value;
    return read().then((value) => {
      // Moved to the end: the entry read longest ago is evicted first.
      if (value !== undefined) keepLast(this.#known, name, { value, readAt }, ENTRIES_MAX);
      return value;
    });
  }

  /** For a record that was changed. */
  forget(name: string): void {
    this.#known.delete(name);
  }
}

interface ConfigParts<T> {
  /** In the plural: margins. */
  readonly name: string;
  /** Key of a number that rises with each change, in the step that makes the change. */
  readonly version: string;
  readonly channel: string;
  load(): Promise<T>;
}

interface VersionedConfig<T> {
  /**
   * Called with the whole configuration after each change, and once soon after the first subscription; the newest applies. One that throws
   * StoreUnavailable gets it again.
   */
  onChange(changed: (all: T) => void): () => void;
  /**
   * Notifies the other processes of a change; resolves when this one has taken it over, if anything here follows it. Where the store cannot be read
   * now, that of before is in force until the next read.
   */
  announce(): Promise<void>;
  close(): void;
}

const POLL_MS = 800;

/** Of a command that changes nothing. A master that refuses writes for another reason has everything. */
function unlessReplica(error: unknown): void {
  const refusal = refusalOf(error);
  if (refusal === undefined || refusal === 'READONLY') throw error;
}

export function versionedConfig<T>(
  connection: Connection,
  { name, version, channel, load }: ConfigParts<T>,
): VersionedConfig<T> {
  const subscribers = new Set<(all: T) => void>();
  let seen: string | undefined;
  let isRefreshing = false;
  let refreshAgain = false;
  /** Called at the end of the next reading that succeeds, or fails: changes of others that follow it are not waited for. */
  let waiting: (() => void)[] = [];
  let poll: NodeJS.Timeout | undefined;

  const failed = throttledLog((fault) =>
    connection.log.warn(
      { fault },
      `The ${name} could not be taken over from the store (${fault}): those of before stay in force. See that all programs are of one release, and who else writes to Redis.`,
    ),
  );
  const versionOf = async (redis: Redis): Promise<string> => (await redis.get(version)) ?? '0';
  // A server that has become a replica is empty until it has copied its master. Limits and halts that it does not have would not apply.
  const versionOfMaster = async (redis: Redis): Promise<string> => {
    const [, now] = await Promise.all([redis.persist(version).catch(unlessReplica), versionOf(redis)]);
    return now;
  };
  /** False: the version fell while it was read, and must be read again. */
  const isTakenOver = async (): Promise<boolean> => {
    // The version first: a change between the two reads is then read once more, never missed.
    const now = await connection.read(versionOf);
    if (now === seen) return true;
    const all = await load();
    const later = await connection.read(versionOfMaster);
    if (later !== now && (seen === undefined || Number(now) <= Number(seen))) return false;
    for (const changed of subscribers) changed(all);
    seen = now;
    return true;
  };
  const takeOver = async (): Promise<void> => {
    isRefreshing = true;
    do {
      refreshAgain = false;
      const waited = waiting;
      waiting = [];
      try {
        if (!(await isTakenOver())) {
          refreshAgain = true;
          waiting.unshift(...waited);
          continue;
        }
      } catch (error) {
        // The cached configuration applies until the next read. An unavailable store is logged elsewhere.
        if (!(error instanceof StoreUnavailable)) failed(error);
      }
      for (const resolve of waited) resolve();
    } while (refreshAgain);
    isRefreshing = false;
  };
  const refresh = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      refreshAgain = true;
      if (!isRefreshing) void takeOver();
    });
  const stopListening = connection.subscribe(channel, () => {
    if (subscribers.size > 0) void refresh();
  });

  return {
    onChange(changed) {
      subscribers.add(changed);
      seen = undefined;
      poll ??= setInterval(refresh, POLL_MS).unref();
      void refresh();
      return () => subscribers.delete(changed);
    },
    async announce() {
      connection.notify(channel, '');
      if (subscribers.size > 0) await refresh();
    },
    close() {
      clearInterval(poll);
      stopListening();
      subscribers.clear();
    },
  };
}
