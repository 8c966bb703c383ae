import { z } from 'zod';
import { refuse } from '../../domain/refusal.js';
import { CLIENT_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

/** A client's keys, without their secrets. Refuses with UNKNOWN_CLIENT. */
export const listKeys = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID }),
  async execute({ store }, _operator, { clientId }) {
    if ((await store.clients.get(clientId)) === undefined) return refuse('UNKNOWN_CLIENT');
    return { keys: await store.keys.list(clientId) };
  },
});
