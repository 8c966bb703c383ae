/**
 * What generated message types (`node-quickfix-ts generate`) call at run time: pure functions, so that a bundler keeps only what is used.
 * A reader is a view on a view: it copies nothing, and reads a field when its getter is called.
 */

/** What a reader reads from: a `MessageView`, or a `GroupEntry` of one. */
export interface FieldSource {
  has(tag: number): boolean;
  string(tag: number): string | undefined;
  int(tag: number): number | undefined;
  groups(countTag: number): readonly FieldSource[];
}

/** The text of a required field. Throws an Error that names the tag when the message does not have it: a session with a dictionary has refused it before. */
export function requiredText(from: FieldSource, tag: number): string {
  return from.string(tag) ?? missing(tag);
}

/** The whole number of a required field. Throws as `requiredText` does, and for what is no whole number of up to 15 digits. */
export function requiredInt(from: FieldSource, tag: number): number {
  return from.int(tag) ?? missing(tag);
}

/** `Y` is true, anything else false. Throws as `requiredText` does. */
export function requiredFlag(from: FieldSource, tag: number): boolean {
  return requiredText(from, tag) === 'Y';
}

/** `Y` is true, anything else false; undefined when the field is not there. */
export function optionalFlag(from: FieldSource, tag: number): boolean | undefined {
  const value = from.string(tag);
  return value === undefined ? undefined : value === 'Y';
}

/** The values of a MultipleValueString, which a space separates. Throws as `requiredText` does. */
export function requiredList(from: FieldSource, tag: number): string[] {
  return requiredText(from, tag).split(' ');
}

/** The values of a MultipleValueString; undefined when the field is not there. */
export function optionalList(from: FieldSource, tag: number): string[] | undefined {
  return from.string(tag)?.split(' ');
}

/** The entries of a required repeating group. Throws as `requiredText` does. */
export function requiredEntries<Reader>(
  from: FieldSource,
  countTag: number,
  reader: new (from: FieldSource) => Reader,
): Reader[] {
  return optionalEntries(from, countTag, reader) ?? missing(countTag);
}

/** The entries of a repeating group; undefined when its count is not there. */
export function optionalEntries<Reader>(
  from: FieldSource,
  countTag: number,
  reader: new (from: FieldSource) => Reader,
): Reader[] | undefined {
  return from.has(countTag) ? from.groups(countTag).map((entry) => new reader(entry)) : undefined;
}

function missing(tag: number): never {
  throw new Error(`Field ${tag} is required, and is missing or malformed`);
}
