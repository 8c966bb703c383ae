/** The entries of one account, from the journal: read from the newest backwards, so that the balance after each entry is exact. */

import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { FUNDING_STEPS } from '../../domain/fundings/funding.js';
import type { Client } from '../../store/access/clients.js';
import { RECEIVABLE } from '../../store/accounts/accounts.js';
import { type JournalEntry, movesOf, type Standing } from '../../store/ledger/journal.js';
import { clientOf } from '../core/caller.js';
import { ID } from '../core/inputs.js';
import { type ListRequest, listInput, type Page, readPage, someOf } from '../core/lists.js';
import { defineOpenOperation, defineOperation } from '../core/operation.js';
import { holderOf, noAccount } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';

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
  'bust',
  'correction',
  'platform-share',
  'cancellation',
  'batch',
] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

export interface AccountEntry {
  readonly id: string;
  readonly createdAtMs: number;
  readonly type: EntryType;
  /**
   * Confirmation id, payment id, or reference of a funding or a deposit; of an adjustment and a repayment the reference of what they
   * correct.
   */
  readonly reference: string;
  /** Minor units, below 0 for a debit. */
  readonly amount: bigint;
  /** Minor units in the account after this entry. */
  readonly balance: bigint;
  /** Change of the client's receivable by this entry, minor units; below 0: repaid. */
  readonly receivable: bigint;
  /** Of a cancellation with a gain: when it is paid, 'YYYYMMDD'; '' else. */
  readonly paysOn: string;
}

/** Journal steps, except those of payments. */
const TYPE_OF_STEP: Readonly<Record<string, EntryType>> = {
  'book-fx': 'book-fx',
  'settle-fx': 'book-fx',
  'close-out-fx': 'close-out',
  'bust-fx': 'bust',
  'correct-fx': 'correction',
  'share-fx': 'platform-share',
  'unwind-fx': 'cancellation',
  'gain-fx': 'cancellation',
  'fund-batch': 'batch',
  'draw-item': 'batch',
  'refuse-item': 'batch',
  'cancel-batch': 'batch',
  deposit: 'deposit',
  adjust: 'adjustment',
  repay: 'repayment',
  [FUNDING_STEPS.COMPLETED]: 'funding',
  [FUNDING_STEPS.REVERSED]: 'funding-reversal',
};

/** Undefined: the entry does not change the account's balance. Throws where the journal cannot be read: no balance would be exact. */
function accountEntry(entry: JournalEntry, account: string, balance: bigint): AccountEntry | undefined {
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
    paysOn: entry.step === 'unwind-fx' ? entry.sub : '',
  };
}

/** A step of a payment debits the account, or refunds it. */
function typeOf({ step, entry }: JournalEntry, amount: bigint): EntryType {
  if (step === 'payment') return amount > 0n ? 'refund' : 'payment';
  const type = TYPE_OF_STEP[step];
  if (type === undefined) throw new Error(`journal entry ${entry} is of a step that there is not, ${step}`);
  return type;
}

/**
 * The entries of one account of the caller, newest first, with the balance after each; the list ends where the archived part of the journal
 * begins. Refuses with NOT_FOUND, also for another client's account, and with VALIDATION_FAILED for a cursor that is not of this list.
 */
export const listAccountEntries = defineOperation({
  input: listInput({
    accountNumber: ID,
    type: someOf(ENTRY_TYPES, 'Only entries of this type; several with commas between them'),
  }),
  right: 'read',
  async execute(services, caller, { accountNumber, type, ...requested }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const currency = await services.store.accounts.currencyOf(client, accountNumber);
    if (currency === undefined) return refuse('NOT_FOUND', 'No such account of yours: check the number');
    return entriesOf(services, client, { number: accountNumber, currency }, requested, type);
  },
});

/**
 * The same for the operator, of any account. Refuses with UNKNOWN_ACCOUNT, and with VALIDATION_FAILED for a cursor that is not of this
 * list.
 */
export const listStatement = defineOpenOperation({
  input: listInput({ accountNumber: ID }),
  async execute(services, _operator, { accountNumber, ...requested }) {
    const { accounts } = services.store;
    const client = await holderOf(services, accounts, accountNumber);
    const currency = client && (await accounts.currencyOf(client, accountNumber));
    if (client === undefined || currency === undefined) return noAccount(accountNumber);
    return entriesOf(services, client, { number: accountNumber, currency }, requested, undefined);
  },
});

interface Statement extends Page<AccountEntry> {
  readonly currency: string;
}

/** The journal is in order of execution; the times in it come from processes whose clocks may differ by this much. */
const CLOCKS_DIFFER_MS = 60_000;

async function entriesOf(
  services: Services,
  client: Client,
  { number, currency }: { readonly number: string; readonly currency: string },
  { from, to, ...requested }: ListRequest,
  types: readonly EntryType[] | undefined,
): Promise<Statement | Refusal> {
  const { journal } = services.store;
  const isAsked = ({ createdAtMs, type }: AccountEntry): boolean =>
    (to === undefined || createdAtMs <= to) &&
    (from === undefined || createdAtMs >= from) &&
    (types === undefined || types.includes(type));
  function* rowsOf(found: readonly JournalEntry[], count: number, balance: bigint) {
    for (const [at, entry] of found.slice(0, count).entries()) {
      const isPast = from !== undefined && entry.atMs < from - CLOCKS_DIFFER_MS;
      const one = isPast ? undefined : accountEntry(entry, number, balance);
      balance -= one?.amount ?? 0n;
      const next = found[at + 1] && `${found[at + 1]!.entry} ${balance}`;
      yield { item: one && isAsked(one) ? one : undefined, next, isPast };
    }
  }
  const scope = { clientId: client.id, list: `entries/${number}`, filters: { from, to, types } };
  const page = await readPage(services, scope, requested, async (place, count) => {
    const start = place === undefined ? await journal.standing(client, currency, number) : fromPlace(place);
    return start ? rowsOf(await journal.backwards(client, start.entry, count + 1), count, start.balance) : [];
  });
  return isRefusal(page) ? page : { currency, ...page };
}

/** A cursor names the next entry and the balance after it. */
function fromPlace(place: string): Standing {
  const [entry = '', balance = ''] = place.split(' ');
  return { entry, balance: BigInt(balance) };
}
