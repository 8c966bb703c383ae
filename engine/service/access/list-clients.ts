import { z } from 'zod';
import { CLIENT_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

/** Clients by id, a page at a time. */
export const listClients = defineOpenOperation({
  input: z.object({ after: CLIENT_ID.optional(), limit: z.number().int().min(1).max(1000).default(100) }),
  async execute({ store }, _operator, { after, limit }) {
    return { clients: await store.clients.list({ limit, ...(after === undefined ? {} : { after }) }) };
  },
});
