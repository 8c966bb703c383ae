import { z } from 'zod';
import { refuse } from '../../domain/refusal.js';
import { CLIENT_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

/** Margin rules, those of one client or all. Refuses with UNKNOWN_CLIENT. */
export const listMargins = defineOpenOperation({
  input: z.object({ clientId: z.union([z.literal('*'), CLIENT_ID]).optional() }),
  async execute({ store }, _operator, { clientId }) {
    if (clientId !== undefined && clientId !== '*' && (await store.clients.get(clientId)) === undefined) {
      return refuse('UNKNOWN_CLIENT');
    }
    return { margins: await store.margins.list(clientId) };
  },
});
