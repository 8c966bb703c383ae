/** The connection to a Redis Cluster: one node connection per master; each command goes to the master of its key. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../domain/log.js';
import { migrationGuardKey, slotOf } from '../keys/redis-keys.js';
import { bounded, type Connection, type RedisOptions, stateOf, waitEndsAt } from './connection.js';
import { StoreUnavailable, storeError } from './errors.js';
import { guarded, NodeConnection } from './node-connection.js';
import { SlotMap } from './slot-map.js';
import { SlotRouter } from './slot-router.js';
import { Subscriber } from './subscriber.js';

export interface ClusterOptions {
  /** Of some of its nodes; all with the same user, password and TLS. */
  readonly addresses: readonly RedisOptions[];
  readonly replicas?: number | undefined;
  readonly log: Log;
}

/** How long a command waits for a migrating slot, and the pause between its attempts. */
const MOVING_MS = 2_000;
const TRY_AGAIN_MS = 20;
const LOOK_MS = 500;
/** While all nodes answer, the slot map is read at each tenth check only. */
const LOOKS_WHEN_WELL = 10;

/** Connects to every master; rejects with StoreUnavailable at the timeout. */
export async function connectCluster({ addresses, replicas = 0, log }: ClusterOptions): Promise<Connection> {
  const watchers = new Set<(up: boolean) => void>();
  let isOpen = false;
  let wasUp = false;
  let looks = 0;
  const isUp = (): boolean => map.links.some((link) => link.isUp);
  const newLink = (name: string, address: RedisOptions): NodeConnection =>
    new NodeConnection({
      address: () => address,
      name,
      replicas,
      log,
      onUpChange(up) {
        if (!isOpen) return;
        if (up) log.info({ server: name }, `The store's server ${name} answers.`);
        else
          log.warn(
            { server: name },
            `The store's server ${name} is away: what lives there is refused until it answers again.`,
          );
        if (isUp() === wasUp) return;
        wasUp = isUp();
        for (const changed of watchers) changed(wasUp);
      },
      onSilence: () => listenElsewhere(name),
    });
  /** The subscriber's connection may be open although nothing arrives over it any more. */
  const listenElsewhere = (name: string): void => {
    if (heardAt === name) subscriber.reconnect();
  };
  const map = new SlotMap(addresses, newLink, listenElsewhere);
  // A message published at any node reaches all: one node that answers suffices.
  let heardAt = '';
  const subscriber = new Subscriber(() => {
    const link = map.any();
    heardAt = link?.name ?? '';
    return link?.address ?? addresses[0]!;
  });
  const close = async (): Promise<void> => {
    isOpen = false;
    clearInterval(look);
    watchers.clear();
    await Promise.all([map.close(), subscriber.close()]);
  };
  const look = setInterval(() => {
    const isWell = map.links.every((link) => link.isUp);
    if (!isWell || ++looks % LOOKS_WHEN_WELL === 0) void map.refresh();
  }, LOOK_MS).unref();
  try {
    await map.open();
    await subscriber.open();
  } catch (error) {
    await close();
    throw storeError(error);
  }
  isOpen = true;
  wasUp = isUp();

  /** Sent to the master of the key, and retried while its slot migrates. */
  const routed = async <T>(key: string, ask: (link: NodeConnection) => Promise<T>): Promise<T> => {
    const lateMs = performance.now() + MOVING_MS;
    for (;;) {
      const link = map.linkOf(slotOf(key));
      if (link === undefined) throw new StoreUnavailable('none');
      // A node that has just become a master: rejecting now would reject a planned failover.
      if (link.arriving !== undefined) await link.arriving;
      try {
        return await ask(link);
      } catch (error) {
        const isMoving = map.learn(error) !== undefined;
        if (!isMoving || performance.now() > lateMs) throw error;
      }
      await pause(TRY_AGAIN_MS);
    }
  };
  const guard = (keys: readonly string[]): string[] => [...keys, migrationGuardKey(keys[0]!)];
  const money = new SlotRouter(map, (link) => ({ redis: link.money, acknowledged: link.acknowledged() }));
  const reads = new SlotRouter(map, (link) => ({ redis: link.reads }));
  const anyone = (): NodeConnection => {
    const link = map.any();
    if (!link) throw new StoreUnavailable('none');
    return link;
  };
  /** Each node knows its own subscribers only; a message reaches the subscribers of all nodes, wherever it is published. */
  const hearersOf = async (channel: string): Promise<number> => {
    const ask = async (link: NodeConnection): Promise<number> => {
      const [, count] = (await link.reads.pubsub('NUMSUB', channel)) as [string, number];
      return Number(count);
    };
    const counts = await Promise.all(map.links.filter((link) => link.isUp).map(ask));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const publish = async (channel: string, message: string | Buffer): Promise<number> => {
    const hearers = await hearersOf(channel);
    await anyone().passing.publish(channel, message);
    return hearers;
  };

  return {
    read: (ask) => guarded(() => bounded(ask(reads))),
    write: (ask, at) => guarded(() => (at === undefined ? ask(money) : routed(at, (link) => link.write(ask)))),
    step: (step, ...named) =>
      guarded(() => {
        const [keys, args] = step.order(...named);
        return routed(keys[0]!, (link) => link.step(step, guard(keys), args));
      }),
    runUnreplicated: (step, ...named) =>
      guarded(() => {
        const [keys, args] = step.order(...named);
        return routed(keys[0]!, (link) => link.runUnreplicated(step, guard(keys), args));
      }),
    scan: (cursor, pattern, count) => guarded(() => bounded(scanAll(map.links, cursor, pattern, count))),
    publish: (channel, message) => guarded(() => publish(channel, message)),
    ring: (channel, message) =>
      void map
        .any()
        ?.passing.publish(channel, message)
        .catch(() => {}),
    listen: (channel, heard) => subscriber.listen(channel, heard),
    waitEndsAt(key) {
      const link = map.linkOf(slotOf(key));
      return link && waitEndsAt(link);
    },
    serverMs(key, best) {
      const links = [key === undefined ? undefined : map.linkOf(slotOf(key)), map.any()];
      if (!best) return (key === undefined ? links[1] : links[0])?.clock.now();
      return links.map((link) => link?.clock.estimate()).find((ms) => ms !== undefined);
    },
    isFull: () => map.links.some(({ memory }) => memory.isFull),
    isUp,
    onUpChange(changed) {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    knowsHearers: false,
    rewriteFile: () =>
      guarded(async () => void (await Promise.all(map.links.map((link) => link.money.bgrewriteaof())))),
    servers: () => map.links.map(stateOf),
    log,
    close,
  };
}

/** One master after the other; the cursor names the master. Keys of a slot that migrates meanwhile may be missed or returned twice. */
async function scanAll(
  links: readonly NodeConnection[],
  cursor: string,
  pattern: string,
  count: number,
): Promise<[cursor: string, keys: string[]]> {
  const [at = '0', name = links[0]?.name] = cursor.split('@');
  const index = links.findIndex((link) => link.name === name);
  // It has left the cluster, or was unavailable when the scan began.
  if (index < 0) throw new StoreUnavailable('none');
  const [next, keys] = await links[index]!.reads.scan(at, 'MATCH', pattern, 'COUNT', count);
  if (next !== '0') return [`${next}@${name}`, keys];
  const following = links[index + 1];
  return [following ? `0@${following.name}` : '0', keys];
}
