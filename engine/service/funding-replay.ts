/** The journal's entries about fundings beside the fundings themselves; which of them have gone on behind the last entry played. */
import { FUNDING_STATUSES, FUNDING_STEPS, type FundingStatus, movesOfFunding } from '../domain/funding.js';
import type { KeptFunding } from '../store/funding-audit.js';
import { isBefore } from '../store/journal.js';
import type { Evidence } from '../store/ledger-audit.js';

/** A place, what should be there, and what is. */
export type Differing = readonly [what: string, expected: string, found: string];

const STATUS_OF = new Map<string, FundingStatus>(FUNDING_STATUSES.map((status) => [FUNDING_STEPS[status], status]));
const NONE = 'none';

export const isFundingStep = (step: string): boolean => STATUS_OF.has(step);

export class FundingReplay {
  /** Id to the entry of its last step, which is still to be played. */
  readonly #ahead = new Map<string, string>();

  /** `name` is the entry's; a receipt that `mayHaveEnded` need not be there. */
  check({ entry, funding, receipt }: Evidence, name: string, mayHaveEnded: boolean): Differing[] {
    const { id } = entry;
    if (funding === undefined) return [[`funding ${id}`, `as in ${name}`, NONE]];
    const status = STATUS_OF.get(entry.step)!;
    const found: Differing[] = [];
    const differs = (what: string, expected: string, is: string | undefined): void => {
      if (is !== expected) found.push([what, expected || NONE, is || NONE]);
    };
    differs(`${name}: moves`, movesOfFunding(status, funding), entry.moves);
    differs(`funding ${id}: journal entry of ${status}`, entry.entry, funding.entries.get(status));
    const [lastStatus, lastEntry] = lastOf(funding);
    differs(`funding ${id}: status`, lastStatus, funding.status);
    if (isBefore(entry.entry, lastEntry)) this.#ahead.set(id, lastEntry);
    else this.#ahead.delete(id);
    if (status !== 'PENDING') return found;
    if (!funding.isListed) found.push([`list of fundings: ${id}`, 'there', NONE]);
    if (funding.requestId !== '' && !mayHaveEnded) differs(`receipt ${funding.requestId}`, id, receipt);
    return found;
  }

  /** When all entries up to `lastEntry` have been played: steps that a funding names, and no entry tells. */
  compare(lastEntry: string): Differing[] {
    return [...this.#ahead]
      .filter(([, entry]) => !isBefore(lastEntry, entry))
      .map(([id, entry]) => [`funding ${id}: journal entry`, entry, NONE]);
  }
}

/** The last step that a funding names; without any, it has never been. */
function lastOf({ entries }: KeptFunding): readonly [FundingStatus | typeof NONE, string] {
  let last: readonly [FundingStatus | typeof NONE, string] = [NONE, '0-0'];
  for (const [status, entry] of entries) {
    if (/^\d{1,20}-\d{1,20}$/.test(entry) && isBefore(last[1], entry)) last = [status, entry];
  }
  return last;
}
