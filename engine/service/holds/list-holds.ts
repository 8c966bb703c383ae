import { z } from 'zod';
import { holdStatusAt } from '../../domain/booking.js';
import { refuse } from '../../domain/refusal.js';
import { CLIENT_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

/** The rates that a client holds now, by either door. Refuses with UNKNOWN_CLIENT. */
export const listHolds = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID }),
  async execute({ store }, _operator, { clientId }) {
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    const holds = await store.holds.open(client);
    return { clientId, holds: holds.filter((hold) => holdStatusAt(hold, store.clock.now(client)) === 'open') };
  },
});
