import { createHash } from 'node:crypto';

/** What Redis replies as a list of names and values in turn. */
export function fieldsOf(list: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let i = 0; i + 1 < list.length; i += 2) fields[list[i]!] = list[i + 1]!;
  return fields;
}

/** Of a record's facts as they are kept; as facts_hash of prelude.lua writes it into the journal. */
export function factsHash(facts: string | null | undefined): string {
  return createHash('sha1')
    .update(facts ?? '')
    .digest('hex')
    .slice(0, 16);
}
