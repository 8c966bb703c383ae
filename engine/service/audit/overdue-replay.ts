/** Overdue conversions by the journal against the two indexes of them: by the account sold from, and by the account bought into. */
import type { LedgerSnapshot } from '../../store/audit/ledger-audit.js';
import { type Differing, difference, NONE } from './replayed.js';

/** A scheduled conversion that has not settled by the journal. */
export interface OpenByJournal {
  readonly sellCurrency: string;
  readonly sell: bigint;
  readonly sellAccount: string;
  /** '' in what was archived before this was kept. */
  readonly buyAccount: string;
  isOverdue: boolean;
  /** Release 0.1.0 had no index by the account bought into: what it made overdue comes there with its next attempt. */
  isOverdueInto: boolean;
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
  for (const id of new Set([...overdue.keys(), ...Object.keys(byBuyAccount)])) {
    const one = overdue.get(id);
    const there = byBuyAccount[id];
    const isUnknown = one !== undefined && (one.buyAccount === '' || (!one.isOverdueInto && there === undefined));
    if (!isUnknown)
      found.push(...difference(`overdue ${id}: account bought into`, one?.buyAccount ?? NONE, there ?? NONE));
  }
  return found;
}
