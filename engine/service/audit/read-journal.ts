import { z } from 'zod';
import { refuse } from '../../domain/refusal.js';
import { CLIENT_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import { archivedUntil, withMoves } from './journal-shown.js';

const LIMIT = { error: 'a whole number from 1 to 1000' };

/** The last entries of a client's journal, newest first, as far as they were not archived. Refuses with UNKNOWN_CLIENT. */
export const readJournal = defineOpenOperation({
  input: z.object({
    clientId: CLIENT_ID,
    limit: z.number(LIMIT).int(LIMIT).min(1, LIMIT).max(1_000, LIMIT).default(20),
  }),
  async execute({ store }, _operator, { clientId, limit }) {
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    const latest = await store.journal.latest(client, limit);
    // Where the journal that is here has ended.
    return {
      entries: latest.map(withMoves),
      archivedUntil: latest.length < limit ? await archivedUntil(store, client) : undefined,
    };
  },
});
