/** What the replays of fundings and of payments have in common: how they say what differs, and which steps are still to come. */
import { isBefore, isPlace } from '../../store/ledger/journal.js';

/** A place, what should be there, and what is. */
export type Differing = readonly [what: string, expected: string, found: string];

export const NONE = 'none';

/** Nothing where both say the same. */
export function difference(what: string, expected: string, found: string | undefined): Differing[] {
  return found === expected ? [] : [[what, expected || NONE, found || NONE]];
}

/** Steps that records name, and that no entry has told so far. */
export class StepsAhead {
  readonly #what: 'funding' | 'payment';
  /** Id to the entry of its last step. */
  readonly #last: Map<string, string>;

  constructor(what: 'funding' | 'payment', last: Iterable<readonly [string, string]> = []) {
    this.#what = what;
    this.#last = new Map(last);
  }

  /** For one that goes on from here. */
  get state(): [id: string, lastEntry: string][] {
    return [...this.#last];
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
