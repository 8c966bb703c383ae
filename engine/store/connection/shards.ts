import { SHARDS } from '../keys/redis-keys.js';
import { StoreUnavailable } from './errors.js';

/** Reading all at once would delay ticks by half a millisecond. */
const AT_ONCE = 16;

/** Reads every shard; of a cluster those of unavailable nodes are left out. Rejects with StoreUnavailable where all are. */
export async function readAllShards<T>(read: (shard: number) => Promise<T>): Promise<T[]> {
  const found: T[] = [];
  let unavailable: StoreUnavailable | undefined;
  const one = async (shard: number): Promise<void> => {
    try {
      found.push(await read(shard));
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      unavailable = error;
    }
  };
  for (let from = 0; from < SHARDS; from += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => one(from + i)));
  }
  if (unavailable && found.length === 0) throw unavailable;
  return found;
}
