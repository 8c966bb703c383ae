import { z } from 'zod';
import { isRefusal, refuse } from '../domain/refusal.js';
import { clientOf } from './caller.js';
import { defineOperation } from './operation.js';

/** Gives a held rate back. Refuses with HOLD_NOT_FOUND, HOLD_USED, HOLD_EXPIRED. */
export const releaseHold = defineOperation({
  input: z.object({ holdId: z.string() }),
  right: 'trade',
  async execute(services, caller, { holdId }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const outcome = await services.store.holds.release(client, holdId, services.now());
    return outcome.kind === 'released' ? { hold: outcome.hold } : refuse(outcome.code);
  },
});
