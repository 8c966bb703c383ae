import { z } from 'zod';
import { isRefusal, refuse } from '../../domain/refusal.js';
import { clientOf } from '../core/caller.js';
import { ID } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';

/** A conversion of the caller as it stands. Refuses with NOT_FOUND, also for another client's conversion. */
export const readBooking = defineOperation({
  input: z.object({ confirmationId: ID }),
  right: 'read',
  async execute(services, caller, { confirmationId }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const booking = await services.store.bookings.read(client, confirmationId);
    return booking ? { booking } : refuse('NOT_FOUND', 'No such conversion of yours: check the confirmation id');
  },
});
