import { isRefusal, type Refusal, refuse } from '../../domain/refusal.js';
import type { Client } from '../../store/access/clients.js';
import type { Standing } from '../../store/ledger/journal.js';
import { clientOf } from '../core/caller.js';
import { readCursor, writeCursor } from '../core/cursor.js';
import { ID } from '../core/inputs.js';
import { LOOKED_AT_MAX, listInput, someOf } from '../core/list-input.js';
import type { ListAsked } from '../core/list-page.js';
import { holderOf, noAccount } from '../core/of-all-clients.js';
import { defineOpenOperation, defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { type AccountEntry, accountEntry, ENTRY_TYPES, type EntryType } from './account-entries.js';

/**
 * What came into one account of the caller and what left it, newest first, with the balance after each entry; what was archived of the
 * journal is not told any more, and the list ends before it. Refuses with NOT_FOUND, also for another client's account, and with
 * VALIDATION_FAILED a cursor that is none of this list.
 */
export const listAccountEntries = defineOperation({
  input: listInput({
    accountNumber: ID,
    type: someOf(ENTRY_TYPES, 'Only entries of this type; several with commas between them'),
  }),
  right: 'read',
  async execute(services, caller, { accountNumber, type, ...asked }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const currency = await services.store.accounts.currencyOf(client, accountNumber);
    if (currency === undefined) return refuse('NOT_FOUND', 'No such account of yours: check the number');
    return entriesOf(services, client, { number: accountNumber, currency }, asked, type);
  },
});

/** The same to an operator, of any account. Refuses with UNKNOWN_ACCOUNT, and VALIDATION_FAILED for a cursor that is none of this list. */
export const listStatement = defineOpenOperation({
  input: listInput({ accountNumber: ID }),
  async execute(services, _operator, { accountNumber, ...asked }) {
    const { accounts } = services.store;
    const client = await holderOf(services, accounts, accountNumber);
    const currency = client && (await accounts.currencyOf(client, accountNumber));
    if (client === undefined || currency === undefined) return noAccount(accountNumber);
    return entriesOf(services, client, { number: accountNumber, currency }, asked, undefined);
  },
});

interface Statement {
  readonly currency: string;
  readonly items: readonly AccountEntry[];
  /** '' at the end of the list. */
  readonly nextCursor: string;
}

/** The journal is in order of what happened; the times in it are those of whoever asked, whose clocks may differ by so much. */
const CLOCKS_DIFFER_MS = 60_000;

async function entriesOf(
  { store }: Services,
  client: Client,
  { number, currency }: { readonly number: string; readonly currency: string },
  { from, to, limit, cursor }: ListAsked,
  types: readonly EntryType[] | undefined,
): Promise<Statement | Refusal> {
  const scope = { clientId: client.id, list: `entries/${number}`, filters: { from, to, types } };
  const place = cursor ? readCursor(store.subKey, scope, cursor) : undefined;
  if (isRefusal(place)) return place;
  const start = place === undefined ? await store.journal.standing(client, currency, number) : fromPlace(place);

  const items: AccountEntry[] = [];
  const isAsked = ({ createdAtMs, type }: AccountEntry): boolean =>
    (to === undefined || createdAtMs <= to) &&
    (from === undefined || createdAtMs >= from) &&
    (types === undefined || types.includes(type));
  let at: Standing | undefined = start;
  for (let looked = 0; at && items.length < limit && looked < LOOKED_AT_MAX; ) {
    const part = Math.min(Math.max(limit, looked), LOOKED_AT_MAX - looked);
    const found = await store.journal.backwards(client, at.entry, part + 1);
    let { balance }: Standing = at;
    let seen = 0;
    at = undefined;
    while (seen < Math.min(part, found.length) && items.length < limit) {
      const entry = found[seen]!;
      if (from !== undefined && entry.atMs < from - CLOCKS_DIFFER_MS) return { currency, items, nextCursor: '' };
      const one = accountEntry(entry, number, balance);
      if (one !== undefined && isAsked(one)) items.push(one);
      balance -= one?.amount ?? 0n;
      seen++;
    }
    looked += seen;
    const next = found[seen];
    if (next !== undefined) at = { entry: next.entry, balance };
  }
  return { currency, items, nextCursor: at ? writeCursor(store.subKey, scope, `${at.entry} ${at.balance}`) : '' };
}

/** A cursor names the entry that comes next, and what is in the account after it. */
function fromPlace(place: string): Standing {
  const [entry = '', balance = ''] = place.split(' ');
  return { entry, balance: BigInt(balance) };
}
