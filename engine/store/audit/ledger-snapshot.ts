/** A client's ledger at one moment, for a reconciliation. */
import type { Connection } from '../connection/connection.js';
import { fieldsOf } from '../connection/fields.js';
import { step } from '../connection/scripts.js';
import { type JournalledList, ledgerKeys, type MoneyOf } from '../keys/redis-keys.js';

/** Consistent at one moment. */
export interface LedgerSnapshot {
  /** `EUR/<account or house sub-account>` to minor units. */
  readonly balances: Readonly<Record<string, string>>;
  /** Account number to its record, which begins with the currency; and `default:EUR` to a number. */
  readonly accounts: Readonly<Record<string, string>>;
  /** The last journal entry included in the balances. */
  readonly lastEntry: string;
  readonly entries: number;
  /** Currency to the open scheduled sells in it. */
  readonly scheduled: Readonly<Record<string, string>>;
  /** Confirmation id to sell account; to all of them, separated by spaces, where the index has several. */
  readonly overdue: Readonly<Record<string, string>>;
  /** The same by the account bought into. */
  readonly overdueInto: Readonly<Record<string, string>>;
  /** The hash of the house's position from the client's deals (positions.ts). */
  readonly position: Readonly<Record<string, string>>;
  /** Members of the client's receivables: receivables.lua. */
  readonly receivables: readonly string[];
  /** Members of its gains that are paid later, and the ids of those that have a time for it: pay-gain.lua. */
  readonly gains: readonly string[];
  readonly gainsDue: ReadonlySet<string>;
  /** Its conversions that its group has as open, by id, and whether its group has it among those that owe: groups.lua. */
  readonly openInGroup: readonly string[];
  readonly isOwing: boolean;
  readonly openHolds: number;
  /** Ids of the payments that await funds. */
  readonly waiting: readonly string[];
  /** Entries ever added to the journal, by its stream; undefined: there is no stream. */
  readonly added: number | undefined;
  /** Entries that were archived. */
  readonly archived: number;
  /** Number of records in each list. */
  readonly listed: Readonly<Record<JournalledList, number>>;
  /** The server's clock, by which receipts expire. */
  readonly serverMs: number;
}

export const READ_LEDGER = step(import.meta.url, 'read-ledger', {
  readsOnly: true,
  keys: [
    'balances',
    'accounts',
    'journal',
    'scheduled',
    'overdue',
    'overdueInto',
    'openHolds',
    'waiting',
    'archived',
    'bookings',
    'payments',
    'fundings',
    'position',
    'changes',
    'receivables',
    'gains',
    'due',
    'groupOpen',
    'groupOwing',
  ],
  args: ['client'],
});

export async function readLedger(connection: Connection, of: MoneyOf): Promise<LedgerSnapshot> {
  const keys = ledgerKeys(of);
  const read = await connection.step(
    READ_LEDGER,
    {
      balances: keys.balances,
      accounts: keys.accounts,
      journal: keys.journal,
      scheduled: keys.scheduled,
      overdue: keys.overdue,
      overdueInto: keys.overdueInto,
      openHolds: keys.openHolds,
      waiting: keys.waiting,
      archived: keys.archived,
      bookings: keys.index('bookings'),
      payments: keys.index('payments'),
      fundings: keys.index('fundings'),
      position: keys.position,
      changes: keys.changes,
      receivables: keys.receivables,
      gains: keys.gains,
      due: keys.due,
      groupOpen: keys.groupOpen,
      groupOwing: keys.groupOwing,
    },
    { client: of.id },
  );
  const [money, records, lastEntry, entries, sells, late, holds, serverMs, awaiting, ...counts] = read as [
    string[],
    string[],
    string,
    number,
    string[],
    string[],
    number,
    string,
    string[],
    ...(string | number | string[])[],
  ];
  const [added, archivedCount, bookings, payments, fundings, lateInto, positions, changes, ...more] = counts;
  const [owed, gains, gainsDue, opened, owing] = more;
  return {
    balances: fieldsOf(money),
    accounts: fieldsOf(records),
    lastEntry,
    entries,
    scheduled: fieldsOf(sells),
    overdue: overdueOf(late),
    overdueInto: overdueOf(lateInto as string[]),
    position: fieldsOf(positions as string[]),
    receivables: owed as string[],
    gains: gains as string[],
    gainsDue: new Set(gainsDue as string[]),
    openInGroup: (opened as string[]).map((member) => member.split('|')[1] ?? ''),
    isOwing: owing === 'owes',
    openHolds: holds,
    waiting: awaiting.map((member) => member.split('|')[0]!),
    serverMs: Number(serverMs),
    added: added === '' ? undefined : Number(added),
    archived: Number(archivedCount),
    listed: {
      bookings: Number(bookings),
      payments: Number(payments),
      fundings: Number(fundings),
      changes: Number(changes),
    },
  };
}

/** From members `<account>|<confirmation id>`. */
function overdueOf(members: readonly string[]): Record<string, string> {
  const accounts = new Map<string, string>();
  for (const member of members) {
    const [account = '', id = ''] = member.split('|');
    const others = accounts.get(id);
    accounts.set(id, others === undefined ? account : `${others} ${account}`);
  }
  return Object.fromEntries(accounts);
}
