import { z } from 'zod';
import { refuse } from '../../domain/refusal.js';
import { CLIENT_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

/** The CompIDs that a client's desks log on as, and what each is shown. Refuses with UNKNOWN_CLIENT. */
export const listCompIds = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID }),
  async execute({ store }, _operator, { clientId }) {
    if ((await store.clients.get(clientId)) === undefined) return refuse('UNKNOWN_CLIENT');
    const read = (await store.compIds.list(clientId)).map((compId) => store.compIds.read(compId));
    return { compIds: (await Promise.all(read)).filter((desk) => desk?.clientId === clientId) };
  },
});
