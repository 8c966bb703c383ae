/** The connection to a Redis Cluster: one node connection per master; each command goes to the master of its key. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../domain/core/log.js';
import { withTimeout } from '../../domain/core/with-timeout.js';
import { migrationGuardKey, slotOf } from '../keys/redis-keys.js';
import { type Connection, type RedisOptions, stateOf, waitEndsAt } from './connection.js';
import { StoreUnavailable, storeError } from './errors.js';
import { guarded, NodeConnection } from './node-connection.js';
import { answerMsOf } from './redis-client.js';
import { MOVING_MS, SlotMap, TRY_AGAIN_MS } from './slot-map.js';
import { SlotRouter } from './slot-router.js';
import { Subscriber } from './subscriber.js';

export interface ClusterOptions {
  /** Of some of its nodes; all with the same user, password, TLS and time for a command. */
  readonly addresses: readonly RedisOptions[];
  readonly replicas?: number | undefined;
  readonly log: Log;
}

const CHECK_MS = 500;
/** While all nodes answer, the slot map is read at each tenth check only. */
const CHECKS_WHEN_UP = 10;

/** Connects to every master; rejects with StoreUnavailable at the timeout. */
export async function connectCluster({ addresses, replicas = 0, log }: ClusterOptions): Promise<Connection> {
  const answerMs = answerMsOf(addresses[0]!);
  const watchers = new Set<(up: boolean) => void>();
  let isOpen = false;
  let wasUp = false;
  let checks = 0;
  const isUp = (): boolean => map.nodes.some((node) => node.isUp);
  const newNode = (name: string, address: RedisOptions): NodeConnection =>
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
      onSilence: () => resubscribeElsewhere(name),
      otherMs: () => map.nodes.map(({ clock }) => Number(clock.expected())).find((ms) => ms !== 0),
    });
  /** The subscriber's connection may be open although nothing arrives over it any more. */
  const resubscribeElsewhere = (name: string): void => {
    if (subscribedAt === name) subscriber.reconnect();
  };
  const map = new SlotMap(addresses, newNode, resubscribeElsewhere);
  // A message published at any node reaches all: one node that answers suffices.
  let subscribedAt = '';
  const subscriber = new Subscriber(() => {
    const node = map.any();
    subscribedAt = node?.name ?? '';
    return node?.address ?? addresses[0]!;
  });
  const close = async (): Promise<void> => {
    isOpen = false;
    clearInterval(check);
    watchers.clear();
    await Promise.all([map.close(), subscriber.close()]);
  };
  const check = setInterval(() => {
    const areUp = map.nodes.every((node) => node.isUp);
    if (!areUp || ++checks % CHECKS_WHEN_UP === 0) void map.refresh();
  }, CHECK_MS).unref();
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
  const routed = async <T>(key: string, ask: (node: NodeConnection) => Promise<T>): Promise<T> => {
    const lateMs = performance.now() + MOVING_MS;
    for (;;) {
      const node = map.nodeOf(slotOf(key));
      if (node === undefined) throw new StoreUnavailable('none');
      // A node that has just become a master: rejecting now would reject a planned failover.
      if (node.arriving !== undefined) await node.arriving;
      try {
        return await ask(node);
      } catch (error) {
        const isMoving = map.learn(error) !== undefined;
        if (!isMoving || performance.now() > lateMs) throw error;
      }
      await pause(TRY_AGAIN_MS);
    }
  };
  /** A command may wait for a first connection and be sent again: the limit is for all of it. */
  const bounded = <T>(answer: Promise<T>): Promise<T> =>
    withTimeout(answer, answerMs, () => Promise.reject(new StoreUnavailable('unknown')));
  const guard = (keys: readonly string[]): string[] => [...keys, migrationGuardKey(keys[0]!)];
  const money = new SlotRouter(map, (node) => ({ redis: node.money, acknowledged: node.acknowledged() }));
  const reads = new SlotRouter(map, (node) => ({ redis: node.reads }));
  const anyNode = (): NodeConnection => {
    const node = map.any();
    if (!node) throw new StoreUnavailable('none');
    return node;
  };
  /** Each node knows its own subscribers only; a message reaches the subscribers of all nodes, wherever it is published. */
  const subscribersOf = async (channel: string): Promise<number> => {
    const ask = async (node: NodeConnection): Promise<number> => {
      const [, count] = (await node.reads.pubsub('NUMSUB', channel)) as [string, number];
      return Number(count);
    };
    const counts = await Promise.all(map.nodes.filter((node) => node.isUp).map(ask));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const publish = async (channel: string, message: string | Buffer): Promise<number> => {
    const subscribers = await subscribersOf(channel);
    await anyNode().passing.publish(channel, message);
    return subscribers;
  };

  return {
    read: (ask) => guarded(() => bounded(ask(reads))),
    write: (ask, at) => guarded(() => (at === undefined ? ask(money) : routed(at, (node) => node.write(ask)))),
    step: (step, ...named) =>
      guarded(() => {
        const [keys, args] = step.order(...named);
        return routed(keys[0]!, (node) => node.step(step, guard(keys), args));
      }),
    runUnreplicated: (step, ...named) =>
      guarded(() => {
        const [keys, args] = step.order(...named);
        return routed(keys[0]!, (node) => node.runUnreplicated(step, guard(keys), args));
      }),
    scan: (cursor, pattern, count) => guarded(() => bounded(scanAll(map.nodes, cursor, pattern, count))),
    publish: (channel, message) => guarded(() => publish(channel, message)),
    notify: (channel, message) =>
      void map
        .any()
        ?.passing.publish(channel, message)
        .catch(() => {}),
    subscribe: (channel, receive) => subscriber.subscribe(channel, receive),
    waitEndsAt(key) {
      const node = map.nodeOf(slotOf(key));
      return node && waitEndsAt(node);
    },
    serverMs(key, best) {
      const nodes = [key === undefined ? undefined : map.nodeOf(slotOf(key)), map.any()];
      if (!best) return (key === undefined ? nodes[1] : nodes[0])?.clock.now();
      return nodes.map((node) => node?.clock.estimate()).find((ms) => ms !== undefined);
    },
    acceptClocks() {
      for (const { clock } of map.nodes) clock.accept();
    },
    isFull: () => map.nodes.some(({ memory }) => memory.isFull),
    isUp,
    onUpChange(changed) {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    isCluster: true,
    servers: () => map.nodes.map(stateOf),
    log,
    close,
  };
}

/** One master after the other; the cursor names the master. Keys of a slot that migrates meanwhile may be missed or returned twice. */
async function scanAll(
  nodes: readonly NodeConnection[],
  cursor: string,
  pattern: string,
  count: number,
): Promise<[cursor: string, keys: string[]]> {
  const [at = '0', name = nodes[0]?.name] = cursor.split('@');
  const index = nodes.findIndex((node) => node.name === name);
  // It has left the cluster, or was unavailable when the scan began.
  if (index < 0) throw new StoreUnavailable('none');
  const [next, keys] = await nodes[index]!.reads.scan(at, 'MATCH', pattern, 'COUNT', count);
  if (next !== '0') return [`${next}@${name}`, keys];
  const following = nodes[index + 1];
  return [following ? `0@${following.name}` : '0', keys];
}
