import { z } from 'zod';
import { refuse } from '../../domain/refusal.js';
import { CLIENT_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

/** One client's record. Refuses with UNKNOWN_CLIENT. */
export const showClient = defineOpenOperation({
  input: z.object({ id: CLIENT_ID }),
  async execute({ store }, _operator, { id }) {
    return (await store.clients.get(id)) ?? refuse('UNKNOWN_CLIENT');
  },
});
