/** The name that was probably meant, for a name that does not exist. */

/** A longer name is no misspelling. */
const LENGTH_MAX = 48;

/**
 * The most similar of `names`, which may be paths (`beneficiary.name`); undefined: none is near. Case, `_`, `-` and `.` do not count, and a name
 * is near that has or lacks a word of the other.
 */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  if (given.length > LENGTH_MAX) return undefined;
  const meant = plain(given);
  if (meant === '') return undefined;
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const distance = distanceOf(meant, plain(name), Math.min(least - 1, Math.max(1, Math.floor(meant.length / 3))));
    if (distance === undefined) continue;
    least = distance;
    nearest = name;
  }
  return nearest ?? names.find((name) => hasWords(name, given)) ?? names.find((name) => hasWords(given, name));
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Whether the last words of `name` are all those of `part`: `fx_hold_id` has `hold_id`. */
function hasWords(name: string, part: string): boolean {
  const words = wordsOf(name);
  const parts = wordsOf(part);
  return parts.length > 0 && parts.length < words.length && parts.join(' ') === words.slice(-parts.length).join(' ');
}

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** Letters to insert, remove, replace or exchange with their neighbour, where they are `most` or fewer. */
function distanceOf(one: string, other: string, most: number): number | undefined {
  if (Math.abs(one.length - other.length) > most) return undefined;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    before = last;
    last = row;
  }
  return last[other.length]! <= most ? last[other.length] : undefined;
}
