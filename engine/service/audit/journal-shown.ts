/** What an operator is shown of a journal. */
import type { Client } from '../../store/access/clients.js';
import { JOURNAL_START, type JournalEntry, movesOf } from '../../store/ledger/journal.js';
import type { Store } from '../../store/store.js';

/** With its moves; those that are none stay as they are: an operator who looks for a fault must see it. */
export const withMoves = (entry: JournalEntry) => ({ ...entry, moves: movesOf(entry.moves) ?? entry.moves });

/** The last entry of a client's journal that was archived; undefined: none was. */
export async function archivedUntil(store: Store, client: Client): Promise<string | undefined> {
  const until = await store.journalArchive.until(client);
  return until === JOURNAL_START ? undefined : until;
}
