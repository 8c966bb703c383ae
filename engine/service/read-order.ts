import { z } from 'zod';
import { isRefusal, refuse } from '../domain/refusal.js';
import { clientOf } from './book-fx.js';
import { defineOperation } from './operation.js';

/** What became of a request to book, by its request id, ClOrdID(11), from either door. Refuses with UNKNOWN_ORDER. */
export const readOrder = defineOperation({
  input: z.object({ requestId: z.string() }),
  right: 'trade',
  async execute(services, caller, { requestId }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    return (await services.store.bookings.receipt(client, requestId)) ?? refuse('UNKNOWN_ORDER');
  },
});
