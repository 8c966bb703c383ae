/** Compares journal entries with the fundings, and overdue conversions with their two indexes. */
import { FUNDING_STATUSES, FUNDING_STEPS, type FundingStatus, movesOfFunding } from '../../domain/fundings/funding.js';
import type { KeptFunding } from '../../store/audit/kept-records.js';
import type { Evidence } from '../../store/audit/ledger-audit.js';
import type { LedgerSnapshot } from '../../store/audit/ledger-snapshot.js';
import { isBefore, isPlace, JOURNAL_START } from '../../store/ledger/journal.js';
import { type Differing, difference, NONE, PendingSteps } from './recompute.js';

const STATUS_OF = new Map<string, FundingStatus>(FUNDING_STATUSES.map((status) => [FUNDING_STEPS[status], status]));

export const isFundingStep = (step: string): boolean => STATUS_OF.has(step);

export class FundingReplay {
  readonly #client: string;
  readonly #ahead: PendingSteps;

  constructor(client: string, ahead?: PendingSteps['state']) {
    this.#client = client;
    this.#ahead = new PendingSteps('funding', ahead);
  }

  /** State for a replay that continues from here. */
  get state(): PendingSteps['state'] {
    return this.#ahead.state;
  }

  /** `name` is the entry's; with `mayHaveEnded` the receipt may be missing. */
  check({ entry, funding, receipt }: Evidence, name: string, mayHaveEnded: boolean): Differing[] {
    const { id } = entry;
    if (funding === undefined) return [[`funding ${id}`, `as in ${name}`, NONE]];
    const status = STATUS_OF.get(entry.step)!;
    const found: Differing[] = [];
    const differs = (...places: Parameters<typeof difference>) => found.push(...difference(...places));
    differs(`${name}: moves`, movesOfFunding(status, funding), entry.moves);
    differs(`funding ${id}: journal entry of ${status}`, entry.entry, funding.entries.get(status));
    const [lastStatus, lastEntry] = lastOf(funding);
    differs(`funding ${id}: status`, lastStatus, funding.status);
    this.#ahead.played(id, entry.entry, lastEntry);
    if (status !== 'PENDING') return found;
    differs(`funding ${id}: hash of its facts`, entry.hash, funding.factsHash);
    differs(`client of funding ${id}`, this.#client, funding.holder);
    if (!funding.isListed) found.push([`list of fundings: ${id}`, 'there', NONE]);
    if (funding.requestId !== '' && !mayHaveEnded) differs(`receipt ${funding.requestId}`, id, receipt);
    return found;
  }

  /** Called when all entries up to `lastEntry` have been played: reports steps that a funding names and no entry has. */
  compare(lastEntry: string): Differing[] {
    return this.#ahead.compare(lastEntry);
  }
}

/** The last step that a funding names; undefined: it never took one. */
function lastOf({ entries }: KeptFunding): readonly [FundingStatus | typeof NONE, string] {
  let last: readonly [FundingStatus | typeof NONE, string] = [NONE, JOURNAL_START];
  for (const [status, entry] of entries) {
    if (isPlace(entry) && isBefore(last[1], entry)) last = [status, entry];
  }
  return last;
}

/** A scheduled conversion that, by the journal, has not settled. */
export interface OpenByJournal {
  readonly sellCurrency: string;
  /** As it was last corrected. */
  sell: bigint;
  readonly sellAccount: string;
  readonly buyAccount: string;
  isOverdue: boolean;
}

export function compareOverdue(
  open: ReadonlyMap<string, OpenByJournal>,
  bySellAccount: LedgerSnapshot['overdue'],
  byBuyAccount: LedgerSnapshot['overdueInto'],
): Differing[] {
  const overdue = new Map([...open].filter(([, { isOverdue }]) => isOverdue));
  const found: Differing[] = [];
  for (const id of new Set([...overdue.keys(), ...Object.keys(bySellAccount)]))
    found.push(
      ...difference(`overdue ${id}: account`, overdue.get(id)?.sellAccount ?? NONE, bySellAccount[id] ?? NONE),
    );
  for (const id of new Set([...overdue.keys(), ...Object.keys(byBuyAccount)]))
    found.push(
      ...difference(
        `overdue ${id}: account bought into`,
        overdue.get(id)?.buyAccount ?? NONE,
        byBuyAccount[id] ?? NONE,
      ),
    );
  return found;
}
