import { z } from 'zod';
import { refuse } from '../domain/refusal.js';
import { CLIENT_ID } from './create-client.js';
import { defineOpenOperation } from './operation.js';

export const COMP_ID = z.string().regex(/^[A-Za-z0-9._-]{1,32}$/, { error: '1 to 32 letters, digits, point, _ or -' });

/** Lets a desk of the client log on as this SenderCompID(49). Refuses with UNKNOWN_CLIENT, COMPID_TAKEN. */
export const assignCompId = defineOpenOperation({
  // `sourceTime`: the desk's prices carry SourceTime(20017), the provider's own time of the tick.
  input: z.object({ compId: COMP_ID, clientId: CLIENT_ID, sourceTime: z.boolean().default(false) }),
  async execute({ store }, _operator, { compId, clientId, sourceTime }) {
    if ((await store.clients.get(clientId)) === undefined) return refuse('UNKNOWN_CLIENT');
    const assigned = await store.compIds.assign(compId, clientId, { sourceTime });
    return assigned ? { compId, clientId, sourceTime } : refuse('COMPID_TAKEN');
  },
});
