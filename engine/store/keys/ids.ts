/** Shards and the names in keys: no name becomes part of a key before its pattern (domain/ids.ts) was checked. */
import { createHash } from 'node:crypto';

export const SHARDS = 64;

/** Throws: the caller has let an unchecked name through. The name itself is not shown. */
export function mustMatch(pattern: RegExp, what: string, name: string): string {
  if (!pattern.test(name)) throw new TypeError(`not a ${what}: expected ${pattern.source}`);
  return name;
}

/**
 * Part of the key of what is counted of somebody, who may be any text from the wire. A hash, whatever it is: nothing of it becomes part of a
 * key, and no client key or address is to be read from one.
 */
export function countedName(kind: string, who: string): string {
  const name = createHash('sha256').update(who).digest('base64url');
  return `${mustMatch(/^[a-z]{1,32}$/, 'kind of count', kind)}:${name}`;
}

/** The shard that a new client is given, for ever: it is kept in the client's record. */
export function shardFor(clientId: string): number {
  return createHash('sha256').update(clientId).digest()[0] % SHARDS;
}

/** The hash tag of a shard: keys that carry it live in one slot of a cluster, so that one step can touch them all. */
export function shardTag(shard: number): string {
  if (!Number.isInteger(shard) || shard < 0 || shard >= SHARDS) throw new RangeError('a shard is 0 to 63');
  return `{s${String(shard).padStart(2, '0')}}`;
}
