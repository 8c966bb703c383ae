/**
 * Names that may become part of a Redis key. Whatever comes from a wire passes one of these first, so that no key, no hash tag
 * and no log line can be forged.
 */
import { createHash } from 'node:crypto';

export const CLIENT_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/;
/** As the session layer takes them: points alone are none. */
export const COMP_ID = /^(?!\.+$)[A-Za-z0-9._-]{1,32}$/;
/** Client keys that we issue are `CK_` and 24 letters; one brought along (`keys.provision`) may be any such name. */
export const CLIENT_KEY = /^[A-Za-z0-9][A-Za-z0-9_.-]{2,63}$/;
/** 32 bytes in base64url. */
export const TOKEN = /^[A-Za-z0-9_-]{43}$/;
export const TOKEN_HASH = /^[0-9a-f]{64}$/;

/** An IPv4 or IPv6 address, or a block of them. */
export const ADDRESS_BLOCK = /^[0-9A-Fa-f.:]{2,45}(\/\d{1,3})?$/;

/** In market convention, or every pair. */
export const PAIR_OR_ALL = /^(\*|[A-Z]{3}\/[A-Z]{3})$/;

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
