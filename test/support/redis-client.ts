import { Cluster, Redis } from 'ioredis';

/** Redis as a test looks at it past the store; of a cluster, each command goes where its key is. */
export function redisAt(redisUrl: string): Redis {
  const [, username, password = '', hosts = ''] = /^redis:\/\/([^:]*):([^@]*)@([^/]*)/.exec(redisUrl) ?? [];
  if (!hosts.includes(',')) return quiet(new Redis(redisUrl));
  const nodes = hosts.split(',').map((host) => ({ host: host.split(':')[0], port: Number(host.split(':')[1]) }));
  // It has every command that a test sends to a single one.
  return quiet(new Cluster(nodes, { redisOptions: { password, ...(username && { username }) } }) as unknown as Redis);
}

/** A test may stop the server. */
function quiet(redis: Redis): Redis {
  return redis.on('error', () => {});
}

/** Every key there is, in order. */
export async function keysOf(redis: Redis, pattern = '*'): Promise<string[]> {
  // Before the first answer a client of a cluster knows no nodes.
  await redis.exists('nothing');
  const nodes = redis.isCluster ? (redis as unknown as Cluster).nodes('master') : [redis];
  const found = await Promise.all(nodes.map((node) => node.keys(pattern)));
  return found.flat().sort();
}
