import { createHash } from 'node:crypto';
import { CLOCK_MARGIN_MS } from '../keys/redis-keys.js';
import type { Connection } from './connection.js';

/** Converts a reply of alternating names and values. */
export function fieldsOf(list: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let i = 0; i + 1 < list.length; i += 2) fields[list[i]!] = list[i + 1]!;
  return fields;
}

/** Hash of a record's facts as stored; facts_hash of prelude.lua writes the same into the journal. */
export function factsHash(facts: string | null | undefined): string {
  return createHash('sha1')
    .update(facts ?? '')
    .digest('hex')
    .slice(0, 16);
}

/** The value of a record; undefined also where it is unreadable, because it was altered. */
export function decodeOrUndefined<Kept>(read: () => Kept | undefined): Kept | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The value of a key while it counts, as has_ended of prelude.lua judges it; on the connection for money. */
export async function countingValue(connection: Connection, key: string): Promise<string | null> {
  const [value, ends] = await connection.write((redis) => Promise.all([redis.get(key), redis.pexpiretime(key)]));
  const now = connection.serverMs(key, 'best') ?? 0;
  return ends > 0 && ends - CLOCK_MARGIN_MS <= now ? null : value;
}
