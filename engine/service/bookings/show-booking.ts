import { z } from 'zod';
import { refuse } from '../../domain/refusal.js';
import { CLIENT_ID, ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

/** A client's conversion as it stands, for the operator. Refuses with UNKNOWN_CLIENT, NOT_FOUND. */
export const showBooking = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID, confirmationId: ID }),
  async execute({ store }, _operator, { clientId, confirmationId }) {
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    const booking = await store.bookings.read(client, confirmationId);
    return booking ? { booking } : refuse('NOT_FOUND', `No such conversion of ${clientId}: check the confirmation id`);
  },
});
