import { SHARDS } from '../keys/redis-keys.js';
import type { Connection } from './connection.js';
import { StoreUnavailable } from './errors.js';

/** Calls to a cluster at once: more would delay ticks by half a millisecond. */
const AT_ONCE = 16;

/**
 * What `read` finds in each shard: with one call for the first and the keys of the others, or on a cluster with one for each; of a cluster
 * the shards of unavailable nodes are left out. Rejects with StoreUnavailable where all are.
 */
export async function readAllShards<Found>(
  { isCluster }: Pick<Connection, 'isCluster'>,
  keyOf: (shard: number) => string,
  read: (shard: number, others: readonly string[]) => Promise<readonly Found[]>,
): Promise<(Found & { readonly shard: number })[]> {
  if (!isCluster) {
    const others = Array.from({ length: SHARDS - 1 }, (_, i) => keyOf(i + 1));
    return (await read(0, others)).map((found, shard) => ({ ...found, shard }));
  }
  const all: (Found & { readonly shard: number })[] = [];
  let unavailable: StoreUnavailable | undefined;
  const one = async (shard: number): Promise<void> => {
    try {
      for (const found of await read(shard, [])) all.push({ ...found, shard });
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      unavailable = error;
    }
  };
  for (let from = 0; from < SHARDS; from += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => one(from + i)));
  }
  if (unavailable && all.length === 0) throw unavailable;
  return all;
}
