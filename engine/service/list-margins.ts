import { z } from 'zod';
import { CLIENT_ID } from './create-client.js';
import { defineOpenOperation } from './operation.js';

/** Margin rules, those of one client or all. */
export const listMargins = defineOpenOperation({
  input: z.object({ clientId: z.union([z.literal('*'), CLIENT_ID]).optional() }),
  async execute({ store }, _operator, { clientId }) {
    return { margins: await store.margins.list(clientId) };
  },
});
