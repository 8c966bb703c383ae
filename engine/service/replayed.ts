/** What the replays of fundings and of payments have in common: how they say what differs, and which steps are still to come. */
import { isBefore } from '../store/journal.js';

/** A place, what should be there, and what is. */
export type Differing = readonly [what: string, expected: string, found: string];

export const NONE = 'none';

/** Nothing where both say the same. */
export function difference(what: string, expected: string, found: string | undefined): Differing[] {
  return found === expected ? [] : [[what, expected || NONE, found || NONE]];
}

/** A place in a journal, as far as one can be read: what stands in the store may have been altered. */
export const isPlace = (entry: string): boolean => /^\d{1,20}-\d{1,20}$/.test(entry);

/** Steps that records name, and that no entry has told so far. */
export class StepsAhead {
  readonly #what: 'funding' | 'payment';
  /** Id to the entry of its last step. */
  readonly #last = new Map<string, string>();

  constructor(what: 'funding' | 'payment') {
    this.#what = what;
  }

  /** When `entry` has been played, of a record that names `last` as its last. */
  played(id: string, entry: string, last: string): void {
    if (entry === last) this.#last.delete(id);
    else if (isPlace(last) && isBefore(entry, last)) this.#last.set(id, last);
  }

  /** When all entries up to `lastEntry` have been played. */
  compare(lastEntry: string): Differing[] {
    return [...this.#last]
      .filter(([, entry]) => !isBefore(lastEntry, entry))
      .map(([id, entry]) => [`${this.#what} ${id}: journal entry`, entry, NONE]);
  }
}
