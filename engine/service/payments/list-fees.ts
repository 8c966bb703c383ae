import { z } from 'zod';
import { refuse } from '../../domain/refusal.js';
import { CLIENT_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

/** The fee rules of a client. Refuses with UNKNOWN_CLIENT. */
export const listFees = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID }),
  async execute({ store }, _operator, { clientId }) {
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    return { fees: (await store.fees.list(client)).map((rule) => ({ clientId, ...rule })) };
  },
});
