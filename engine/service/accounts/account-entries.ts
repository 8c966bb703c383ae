/** What the journal says of one account, walked from the newest entry back, so that the balance after each one is exact. */
import { FUNDING_STEPS } from '../../domain/funding.js';
import { RECEIVABLE } from '../../store/ledger/accounts.js';
import { type JournalEntry, movesOf } from '../../store/ledger/journal.js';

/** What an entry of a statement is about. */
export const ENTRY_TYPES = [
  'book-fx',
  'deposit',
  'funding',
  'funding-reversal',
  'payment',
  'refund',
  'adjustment',
  'repayment',
  'close-out',
] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

export interface AccountEntry {
  readonly id: string;
  readonly createdAtMs: number;
  readonly type: EntryType;
  /** Confirmation id, payment id, reference of a funding or a deposit; of an adjustment and a repayment what they correct. */
  readonly reference: string;
  /** Minor units, below 0 when they went out. */
  readonly amount: bigint;
  /** Minor units in the account after this entry. */
  readonly balance: bigint;
  /** Minor units that the client owes since this entry beyond its balance, below 0 what it has repaid. */
  readonly receivable: bigint;
}

/** Steps of the journal, but for those of payments. */
const TYPE_OF_STEP: Readonly<Record<string, EntryType>> = {
  'book-fx': 'book-fx',
  'settle-fx': 'book-fx',
  'close-out-fx': 'close-out',
  deposit: 'deposit',
  adjust: 'adjustment',
  repay: 'repayment',
  [FUNDING_STEPS.COMPLETED]: 'funding',
  [FUNDING_STEPS.REVERSED]: 'funding-reversal',
};

/** Undefined: the entry moves nothing in or out of the account. Throws where the journal cannot be read: no balance would be exact. */
export function accountEntry(entry: JournalEntry, account: string, balance: bigint): AccountEntry | undefined {
  const moves = movesOf(entry.moves);
  if (moves === undefined) throw new Error(`the moves of journal entry ${entry.entry} cannot be read`);
  const own = moves.filter(({ from, to }) => from === account || to === account);
  if (own.length === 0) return undefined;
  const amount = own.reduce((sum, move) => (move.to === account ? sum + move.amount : sum - move.amount), 0n);
  const owed = moves.reduce((sum, { from, to, amount: minor }) => {
    if (from === RECEIVABLE) return sum + minor;
    return to === RECEIVABLE ? sum - minor : sum;
  }, 0n);
  return {
    id: entry.entry,
    createdAtMs: entry.atMs,
    type: typeOf(entry, amount),
    reference: entry.reference || entry.id,
    amount,
    balance,
    receivable: owed,
  };
}

/** A step of a payment takes money, or gives it back. */
function typeOf({ step, entry }: JournalEntry, amount: bigint): EntryType {
  if (step === 'payment') return amount > 0n ? 'refund' : 'payment';
  const type = TYPE_OF_STEP[step];
  if (type === undefined) throw new Error(`journal entry ${entry} is of a step that there is not, ${step}`);
  return type;
}
