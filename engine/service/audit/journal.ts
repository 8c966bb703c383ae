import { z } from 'zod';
import { HOUSE_ID } from '../../domain/core/ids.js';
import { refuse } from '../../domain/core/refusal.js';
import { HOUSE, type MoneyOf } from '../../store/keys/redis-keys.js';
import { JOURNAL_START, type JournalEntry, movesOf } from '../../store/ledger/journal.js';
import type { Store } from '../../store/store.js';
import { LEDGER_ID, patternText } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

const LIMIT = { error: 'a whole number from 1 to 1000' };

/** The last entries of a client's journal, or of the house's own, newest first, down to the archived part. Refuses with UNKNOWN_CLIENT. */
export const readJournal = defineOpenOperation({
  input: z.object({
    clientId: LEDGER_ID,
    limit: z.number(LIMIT).int(LIMIT).min(1, LIMIT).max(1_000, LIMIT).default(20),
  }),
  async execute({ store }, _operator, { clientId, limit }) {
    const client = await ledgerOf(store, clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    const latest = await store.journal.latest(client, limit);
    // When the journal that is still in the store ends.
    return {
      entries: latest.map(withMoves),
      archivedUntil: latest.length < limit ? await archivedUntil(store, client) : undefined,
    };
  },
});

const ENTRIES_MAX = 1_000;
const PLACE = 'a place in the journal, as an entry names its own';
const MS = z.int().min(0);

/**
 * A client's journal from its beginning, or from a time, page by page: `after` is the last entry of the previous page. Times are those of
 * the entry ids, by the store's clock; both are inclusive. Refuses with UNKNOWN_CLIENT.
 */
export const pageJournal = defineOpenOperation({
  input: z.object({
    clientId: LEDGER_ID,
    after: patternText(/^\d{1,15}-\d{1,15}$/, 31, PLACE).optional(),
    fromMs: MS.optional(),
    toMs: MS.optional(),
    limit: z.int().min(1).max(ENTRIES_MAX).default(ENTRIES_MAX),
  }),
  async execute({ store }, _operator, { clientId, after, fromMs, toMs, limit }) {
    const client = await ledgerOf(store, clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    const from = after ?? (fromMs ? `${fromMs - 1}-${LAST_OF_MS}` : JOURNAL_START);
    const entries = await store.journal.page(client, from, toMs === undefined ? '+' : String(toMs), limit);
    return {
      entries: entries.map(withMoves),
      isMore: entries.length === limit,
      /** The last entry that is in the archive only; undefined: nothing was archived. */
      archivedUntil: await archivedUntil(store, client),
    };
  },
});

const LAST_OF_MS = '18446744073709551615';

/** The entry with parsed moves. Malformed moves stay as text: the operator needs it to find the fault. */
export const withMoves = (entry: JournalEntry) => ({ ...entry, moves: movesOf(entry.moves) ?? entry.moves });

/** A client's ledger, or with `_house` that of the cover deals; undefined: there is no such client. */
export const ledgerOf = async (store: Store, id: string): Promise<MoneyOf | undefined> =>
  id === HOUSE_ID ? HOUSE : store.clients.get(id);

/** The last archived entry of a client's journal; undefined: nothing was archived. */
async function archivedUntil(store: Store, client: MoneyOf): Promise<string | undefined> {
  const until = await store.journalArchive.until(client);
  return until === JOURNAL_START ? undefined : until;
}
