import { z } from 'zod';
import type { HoldStatus } from '../domain/booking.js';
import { isRefusal, refuse } from '../domain/refusal.js';
import { clientOf } from './book-fx.js';
import { defineOperation } from './operation.js';

/** A held rate as it stands at this moment. Refuses with HOLD_NOT_FOUND. */
export const readHold = defineOperation({
  input: z.object({ holdId: z.string() }),
  right: 'trade',
  async execute(services, caller, { holdId }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const hold = await services.store.holds.read(client, holdId);
    if (hold === undefined) return refuse('HOLD_NOT_FOUND');
    const isOver = hold.status === 'open' && services.now() > hold.expiryMs;
    const status: HoldStatus = isOver ? 'expired' : hold.status;
    return { hold: { ...hold, status } };
  },
});
