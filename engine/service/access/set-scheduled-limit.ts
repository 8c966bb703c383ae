import { z } from 'zod';
import { refuse } from '../../domain/refusal.js';
import { CLIENT_ID, patternText } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import { clientAudited } from './client-audited.js';

/** How much a client may have sold in open scheduled conversions, in units of each sell currency; 0: none. Refuses with UNKNOWN_CLIENT. */
export const setScheduledLimit = defineOpenOperation({
  input: z.object({
    clientId: CLIENT_ID,
    limit: patternText(/^\d{1,12}$/, 12, 'whole units, at most 12 digits'),
  }),
  audited: clientAudited('clientId'),
  async execute({ store }, _operator, { clientId, limit }) {
    const isSet = await store.clients.setScheduledLimit(clientId, limit);
    return isSet ? { clientId, scheduledLimit: limit } : refuse('UNKNOWN_CLIENT');
  },
});
