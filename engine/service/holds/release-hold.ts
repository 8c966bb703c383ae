import { z } from 'zod';
import { isRefusal, refuse } from '../../domain/refusal.js';
import { clientOf } from '../core/caller.js';
import { ID } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';
import { takenOver } from '../core/taken-over.js';

/** Gives a held rate back. Refuses with WRONG_STATE where another engine has the FIX session, HOLD_NOT_FOUND, HOLD_USED, HOLD_EXPIRED. */
export const releaseHold = defineOperation({
  input: z.object({
    holdId: ID,
    /** CompID of the FIX session that asks. */
    session: ID.optional(),
  }),
  right: 'trade',
  async execute(services, caller, { holdId, session }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const outcome = await services.store.holds.release(client, holdId, session);
    if (outcome.kind === 'released') return { hold: outcome.hold };
    return outcome.kind === 'taken-over' ? takenOver() : refuse(outcome.code);
  },
});
