import type { Client } from '../store/clients.js';
import { JOURNAL_START } from '../store/journal.js';
import type { Store } from '../store/store.js';

/** The last entry of a client's journal that was archived; undefined: none was. */
export async function archivedUntil(store: Store, client: Client): Promise<string | undefined> {
  const until = await store.journalArchive.until(client);
  return until === JOURNAL_START ? undefined : until;
}
