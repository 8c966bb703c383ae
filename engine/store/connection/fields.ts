import { createHash } from 'node:crypto';

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
