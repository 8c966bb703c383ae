/** A real Redis Cluster for a test: three masters, with a replica each or without, every one a redis-server process of its own. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.js';
import { type RedisProcess, startRedis, type TlsFiles } from './redis-process.js';

export { NO_REDIS_SERVER, redisServer } from './redis-process.js';

export interface RedisCluster {
  /** With the addresses of all masters. */
  readonly redisUrl: string;
  /** The masters, in order of their slots. */
  readonly nodes: readonly RedisProcess[];
  /** The replica of each master, in the same order; empty if none were requested. */
  readonly replicas: readonly RedisProcess[];
  /** The master that has the slot, as reported by one that answers. */
  ownerOf(slot: number, asked?: RedisProcess): Promise<RedisProcess>;
  /** Migrates a slot with all its keys, one by one, while clients use it. */
  moveSlot(slot: number, to: RedisProcess): Promise<void>;
  /** Begins a migration, to be interrupted. */
  beginMove(slot: number, to: RedisProcess): Promise<SlotMove>;
  /** Until every node has all slots covered, and every replica has its master. */
  whole(): Promise<void>;
  /** Ends its own processes, and removes their directories. */
  stop(): Promise<void>;
}

export interface SlotMove {
  keys(...names: string[]): Promise<void>;
  /** Completes it with all keys that are left. */
  end(): Promise<void>;
}

interface ClusterOrder {
  /** Each master has one. */
  readonly withReplicas?: boolean;
  readonly tls?: TlsFiles;
}

const MASTERS = 3;
const SLOTS = 16_384;
const WHOLE_MS = 30_000;
const MIGRATE_MS = 5_000;

export async function startRedisCluster({ withReplicas = false, tls }: ClusterOrder = {}): Promise<RedisCluster> {
  const password = randomBytes(24).toString('base64url');
  const all: RedisProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(all.map((node) => node.stop()));
  };
  try {
    for (let i = 0; i < (withReplicas ? 2 : 1) * MASTERS; i++)
      all.push(await startNode(password, withReplicas ? 1_000 : 2_000, tls));
    await join(all);
    await wholeOf(all);
  } catch (error) {
    await stop();
    throw error;
  }
  const nodes = all.slice(0, MASTERS);
  const ownerOf = async (slot: number, asked = nodes[0]!): Promise<RedisProcess> => {
    const port = await ownerPort(asked, slot);
    return all.find((node) => node.port === port)!;
  };
  return {
    redisUrl: `redis${tls ? 's' : ''}://:${password}@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    nodes,
    replicas: all.slice(MASTERS),
    ownerOf,
    async moveSlot(slot, to) {
      const from = await ownerOf(slot);
      if (from !== to) await (await beginMove(slot, from, to, nodes)).end();
    },
    beginMove: async (slot, to) => beginMove(slot, await ownerOf(slot), to, nodes),
    whole: () => wholeOf(all),
    stop,
  };
}

async function startNode(password: string, timeoutMs: number, tls?: TlsFiles): Promise<RedisProcess> {
  return startRedis({
    password,
    tls,
    settings: [
      ...(tls ? ['tls-cluster yes'] : []),
      'cluster-enabled yes',
      // Otherwise the bus listens on the port + 10,000, which may not exist.
      `cluster-port ${await freePort()}`,
      `cluster-node-timeout ${timeoutMs}`,
      'cluster-require-full-coverage no',
    ],
  });
}

async function join(all: readonly RedisProcess[]): Promise<void> {
  const [first] = all;
  for (const [i, { redis }] of all.entries()) {
    await redis.call('CLUSTER', 'SET-CONFIG-EPOCH', String(i + 1));
    if (i >= MASTERS) continue;
    const from = Math.ceil((SLOTS * i) / MASTERS);
    const to = Math.ceil((SLOTS * (i + 1)) / MASTERS) - 1;
    await redis.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String(to));
  }
  for (const { port, redis } of all.slice(1)) {
    const [, bus] = (await redis.config('GET', 'cluster-port')) as string[];
    await first!.redis.call('CLUSTER', 'MEET', '127.0.0.1', String(port), bus!);
  }
  for (const [i, { redis }] of all.slice(MASTERS).entries()) {
    const id = String(await all[i]!.redis.call('CLUSTER', 'MYID'));
    // It does not know its master at once.
    await untilSo(
      () => redis.call('CLUSTER', 'REPLICATE', id).catch(String),
      (answer) => answer === 'OK',
    );
  }
}

async function wholeOf(all: readonly RedisProcess[]): Promise<void> {
  const marks = ['cluster_state:ok', `cluster_slots_ok:${SLOTS}`, `cluster_size:${MASTERS}`];
  for (const { redis } of all) {
    const covered = (info: unknown) => marks.every((mark) => String(info).includes(mark));
    await untilSo(() => redis.cluster('INFO').catch(() => ''), covered);
    const linked = (info: unknown) => /^role:master|^master_link_status:up/m.test(String(info));
    await untilSo(() => redis.info('replication').catch(() => ''), linked);
  }
}

async function untilSo(ask: () => Promise<unknown>, isSo: (answer: unknown) => boolean): Promise<void> {
  const late = performance.now() + WHOLE_MS;
  for (;;) {
    const answer = await ask();
    if (isSo(answer)) return;
    if (performance.now() > late) throw new Error(`the cluster does not form: ${answer}`);
    await pause(50);
  }
}

async function ownerPort({ redis }: RedisProcess, slot: number): Promise<number> {
  const ranges = await redis.cluster('SLOTS');
  const owner = ranges.find(([from, to]) => from <= slot && slot <= to)?.[2];
  if (!owner) throw new Error(`no master has slot ${slot}`);
  return owner[1];
}

async function beginMove(
  slot: number,
  from: RedisProcess,
  to: RedisProcess,
  nodes: readonly RedisProcess[],
): Promise<SlotMove> {
  const [fromId, toId] = await Promise.all([from, to].map(({ redis }) => redis.call('CLUSTER', 'MYID')));
  const set = ({ redis }: RedisProcess, ...words: unknown[]) =>
    redis.call('CLUSTER', 'SETSLOT', String(slot), ...words.map(String));
  const keys = async (...names: string[]): Promise<void> => {
    const address = ['127.0.0.1', String(to.port), '', '0', String(MIGRATE_MS)];
    await from.redis.call('MIGRATE', ...address, 'AUTH', to.password, 'KEYS', ...names);
  };
  await set(to, 'IMPORTING', fromId);
  await set(from, 'MIGRATING', toId);
  return {
    keys,
    async end() {
      for (;;) {
        const left = (await from.redis.call('CLUSTER', 'GETKEYSINSLOT', String(slot), '20')) as string[];
        if (left.length === 0) break;
        await keys(...left);
      }
      // The new owner first: otherwise the old one may refuse to release it.
      for (const node of [to, from, ...nodes]) await set(node, 'NODE', toId);
    },
  };
}
