import { z } from 'zod';
import { refuse } from '../domain/refusal.js';
import { ALL_RIGHTS } from '../domain/rights.js';
import { CLIENT_ID } from './create-client.js';
import { defineOpenOperation } from './operation.js';

/**
 * A client key and its secret; the secret is shown this once and kept as a keyed hash. Refuses with UNKNOWN_CLIENT, KEY_LIMIT.
 */
export const issueKey = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID, rights: z.array(z.enum(ALL_RIGHTS)).min(1).optional() }),
  audited: {
    subject: ({ clientId }) => `client ${clientId}`,
    state: async ({ store }, { clientId }) => ({ keys: (await store.keys.list(clientId)).length }),
    made: 'clientKey',
  },
  async execute({ store }, _operator, { clientId, rights }) {
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    return (await store.keys.issue(clientId, rights ?? client.rights)) ?? refuse('KEY_LIMIT');
  },
});
