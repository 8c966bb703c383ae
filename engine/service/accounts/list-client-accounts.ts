import { z } from 'zod';
import { refuse } from '../../domain/refusal.js';
import { CLIENT_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

/** A client's accounts with their balances. Refuses with UNKNOWN_CLIENT. */
export const listClientAccounts = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID }),
  async execute({ store }, _operator, { clientId }) {
    const client = await store.clients.get(clientId);
    return client ? { balances: await store.accounts.balances(client) } : refuse('UNKNOWN_CLIENT');
  },
});
