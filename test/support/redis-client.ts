import { Cluster, Redis } from 'ioredis';

/** Direct access of a test to Redis; on a cluster, each command goes to the node of its key. */
export function redisAt(redisUrl: string): Redis {
  const [, username, password = '', hosts = ''] = /^redis:\/\/([^:]*):([^@]*)@([^/]*)/.exec(redisUrl) ?? [];
  if (!hosts.includes(',')) return quiet(new Redis(redisUrl));
  const nodes = hosts.split(',').map((host) => ({ host: host.split(':')[0], port: Number(host.split(':')[1]) }));
  // It has every command that a test sends to a single server.
  return quiet(new Cluster(nodes, { redisOptions: { password, ...(username && { username }) } }) as unknown as Redis);
}

/** A test may stop the server. */
function quiet(redis: Redis): Redis {
  return redis.on('error', () => {});
}

/** Every key, in order. */
export async function keysOf(redis: Redis, pattern = '*'): Promise<string[]> {
  // Before the first answer a client of a cluster knows no nodes.
  await redis.exists('nothing');
  const nodes = redis.isCluster ? (redis as unknown as Cluster).nodes('master') : [redis];
  const found = await Promise.all(nodes.map((node) => node.keys(pattern)));
  return found.flat().sort();
}
