/** A real Redis Cluster for a test: masters without replicas, each a redis-server process of its own. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, type RedisProcess, startRedis } from './redis-process.js';

export { NO_REDIS_SERVER, redisServer } from './redis-process.js';

export interface RedisCluster {
  /** With the addresses of all masters. */
  readonly redisUrl: string;
  /** The masters, in order of their slots. */
  readonly nodes: readonly RedisProcess[];
  /** The master that has the slot. */
  ownerOf(slot: number): Promise<RedisProcess>;
  /** Moves a slot with all that is in it, key by key, while everybody goes on. */
  moveSlot(slot: number, to: RedisProcess): Promise<void>;
  /** Begins to move one: a move that is interrupted. */
  beginMove(slot: number, to: RedisProcess): Promise<SlotMove>;
  /** Until every master finds every slot covered. */
  whole(): Promise<void>;
  /** Ends its own processes, and removes their directories. */
  stop(): Promise<void>;
}

export interface SlotMove {
  keys(...names: string[]): Promise<void>;
  /** With all that is left in it. */
  end(): Promise<void>;
}

const SLOTS = 16_384;
const WHOLE_MS = 30_000;
const MIGRATE_MS = 5_000;

export async function startRedisCluster(masters = 3): Promise<RedisCluster> {
  const password = randomBytes(24).toString('base64url');
  const nodes: RedisProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    for (let i = 0; i < masters; i++) nodes.push(await startNode(password));
    await join(nodes);
    await wholeOf(nodes);
  } catch (error) {
    await stop();
    throw error;
  }
  const ownerOf = async (slot: number): Promise<RedisProcess> => {
    const port = await ownerPort(nodes[0]!, slot);
    return nodes.find((node) => node.port === port)!;
  };
  return {
    redisUrl: `redis://:${password}@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    nodes,
    ownerOf,
    async moveSlot(slot, to) {
      const from = await ownerOf(slot);
      if (from !== to) await (await beginMove(slot, from, to, nodes)).end();
    },
    beginMove: async (slot, to) => beginMove(slot, await ownerOf(slot), to, nodes),
    whole: () => wholeOf(nodes),
    stop,
  };
}

async function startNode(password: string): Promise<RedisProcess> {
  return startRedis({
    password,
    settings: [
      'cluster-enabled yes',
      // Else the bus listens 10,000 above the port, which may not exist.
      `cluster-port ${await freePort()}`,
      'cluster-node-timeout 2000',
      'cluster-require-full-coverage no',
    ],
  });
}

async function join([first, ...others]: readonly RedisProcess[]): Promise<void> {
  const nodes = [first!, ...others];
  for (const [i, { redis }] of nodes.entries()) {
    const from = Math.ceil((SLOTS * i) / nodes.length);
    const to = Math.ceil((SLOTS * (i + 1)) / nodes.length) - 1;
    await redis.call('CLUSTER', 'SET-CONFIG-EPOCH', String(i + 1));
    await redis.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String(to));
  }
  for (const { port, redis } of others) {
    const [, bus] = (await redis.config('GET', 'cluster-port')) as string[];
    await first!.redis.call('CLUSTER', 'MEET', '127.0.0.1', String(port), bus!);
  }
}

async function wholeOf(nodes: readonly RedisProcess[]): Promise<void> {
  const late = performance.now() + WHOLE_MS;
  for (const { redis } of nodes) {
    for (;;) {
      const info = String(await redis.cluster('INFO').catch(() => ''));
      const covered = info.includes('cluster_state:ok') && info.includes(`cluster_slots_ok:${SLOTS}`);
      if (covered && info.includes(`cluster_size:${nodes.length}`)) break;
      if (performance.now() > late) throw new Error(`the cluster does not form: ${info}`);
      await pause(50);
    }
  }
}

async function ownerPort({ redis }: RedisProcess, slot: number): Promise<number> {
  const ranges = await redis.cluster('SLOTS');
  const owner = ranges.find(([from, to]) => from <= slot && slot <= to)?.[2];
  if (!owner) throw new Error(`nobody has slot ${slot}`);
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
      // The new owner first: else the old one may refuse to let go.
      for (const node of [to, from, ...nodes]) await set(node, 'NODE', toId);
    },
  };
}
