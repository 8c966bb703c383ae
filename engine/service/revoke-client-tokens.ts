import { z } from 'zod';
import { refuse } from '../domain/refusal.js';
import { CLIENT_ID } from './create-client.js';
import { defineOpenOperation } from './operation.js';

/** Ends every live token of a client, on live sessions too; the client itself stays: it renews. Refuses with UNKNOWN_CLIENT. */
export const revokeClientTokens = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID }),
  audited: {
    subject: ({ clientId }) => `client ${clientId}`,
    state: async ({ store }, { clientId }) => ({ liveTokens: (await store.tokens.list(clientId)).length }),
  },
  async execute({ store }, _operator, { clientId }) {
    if ((await store.clients.get(clientId)) === undefined) return refuse('UNKNOWN_CLIENT');
    return { clientId, tokensEnded: await store.tokens.revokeAll(clientId) };
  },
});
