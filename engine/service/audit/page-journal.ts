import { z } from 'zod';
import { refuse } from '../../domain/refusal.js';
import { JOURNAL_START } from '../../store/ledger/journal.js';
import { CLIENT_ID, patternText } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import { archivedUntil, withMoves } from './journal-shown.js';

const ENTRIES_MAX = 1_000;
const PLACE = 'a place in the journal, as an entry names its own';
const MS = z.int().min(0);

/**
 * A client's journal from its beginning, or from a time, a page at a time: `after` is the last entry of the page before. Times are those of
 * the entries' places, the store's clock; both are included. Refuses with UNKNOWN_CLIENT.
 */
export const pageJournal = defineOpenOperation({
  input: z.object({
    clientId: CLIENT_ID,
    after: patternText(/^\d{1,15}-\d{1,15}$/, 31, PLACE).optional(),
    fromMs: MS.optional(),
    toMs: MS.optional(),
    limit: z.int().min(1).max(ENTRIES_MAX).default(ENTRIES_MAX),
  }),
  async execute({ store }, _operator, { clientId, after, fromMs, toMs, limit }) {
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    const from = after ?? (fromMs ? `${fromMs - 1}-${LAST_OF_MS}` : JOURNAL_START);
    const entries = await store.journal.page(client, from, toMs === undefined ? '+' : String(toMs), limit);
    return {
      entries: entries.map(withMoves),
      isMore: entries.length === limit,
      /** The last entry that is not here any more, but in the archive; undefined: nothing is. */
      archivedUntil: await archivedUntil(store, client),
    };
  },
});

const LAST_OF_MS = '18446744073709551615';
