/** Shards and the names in keys: no name becomes part of a key before its pattern (domain/ids.ts) was checked. */
import { createHash } from 'node:crypto';

export const SHARDS = 64;

/** Throws: the caller has not checked the name. The name itself is not shown. */
export function mustMatch(pattern: RegExp, what: string, name: string): string {
  if (!pattern.test(name)) throw new TypeError(`not a ${what}: expected ${pattern.source}`);
  return name;
}

/**
 * The part of a counter's key that identifies who is counted, any text from the wire. Always a hash: no such text becomes part of a key,
 * and no client key or address can be read from one.
 */
export function countedName(kind: string, who: string): string {
  const name = createHash('sha256').update(who).digest('base64url');
  return `${mustMatch(/^[a-z]{1,32}$/, 'kind of count', kind)}:${name}`;
}

/** The shard of a new client, permanent: it is kept in the client's record. */
export function shardFor(clientId: string): number {
  return createHash('sha256').update(clientId).digest()[0] % SHARDS;
}

/** The hash tag of a shard: keys that carry it are in one slot of a cluster, so that one step can use them all. */
export function shardTag(shard: number): string {
  if (!Number.isInteger(shard) || shard < 0 || shard >= SHARDS) throw new RangeError('a shard is 0 to 63');
  return `{s${String(shard).padStart(2, '0')}}`;
}
