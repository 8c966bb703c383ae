import { z } from 'zod';
import { refuse } from '../domain/refusal.js';
import { CLIENT_ID } from './create-client.js';
import { defineOpenOperation } from './operation.js';

/** Gives up a scheduled conversion that has not settled. Refuses with UNKNOWN_CLIENT, NOT_FOUND, NOT_CANCELLABLE. */
export const cancelBooking = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID, confirmationId: z.string() }),
  audited: {
    subject: ({ clientId, confirmationId }) => `conversion ${confirmationId} of client ${clientId}`,
    async state({ store }, { clientId, confirmationId }) {
      const client = await store.clients.get(clientId);
      const booking = client && (await store.bookings.read(client, confirmationId));
      return booking && { status: booking.status, settledAtMs: booking.settledAtMs };
    },
  },
  async execute({ store, now }, _operator, { clientId, confirmationId }) {
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    const booking = await store.bookings.read(client, confirmationId);
    if (booking === undefined)
      return refuse('NOT_FOUND', `No such conversion of ${clientId}: check the confirmation id`);
    const outcome = await store.settlements.cancel(client, booking, now());
    if (outcome !== 'cancelled')
      return refuse('NOT_CANCELLABLE', `The conversion is ${outcome}: only OPEN and OVERDUE end`);
    return { booking: { ...booking, status: 'CANCELLED' as const } };
  },
});
