import { z } from 'zod';
import { isRefusal, refuse } from '../../domain/refusal.js';
import { bookingRefusal } from '../core/booking-refusal.js';
import { clientOf } from '../core/caller.js';
import { ID } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';

/** What became of a request to book, by its request id, ClOrdID(11), from either door. Refuses with UNKNOWN_ORDER. */
export const readOrder = defineOperation({
  input: z.object({ requestId: ID }),
  right: 'trade',
  async execute(services, caller, { requestId }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const receipt = await services.store.bookings.receipt(client, requestId);
    if (receipt?.kind !== 'refused') return receipt ?? refuse('UNKNOWN_ORDER');
    const { refusal: code, text } = bookingRefusal(receipt);
    return { kind: 'refused' as const, code, text };
  },
});
