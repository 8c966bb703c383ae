import { z } from 'zod';
import { type Hold, holdStatusAt } from '../../domain/conversions/booking.js';
import { isRefusal, refuse } from '../../domain/core/refusal.js';
import { takenOver } from '../core/booking-refusal.js';
import { clientOf } from '../core/caller.js';
import { boundedText, ID } from '../core/inputs.js';
import { defineFind } from '../core/lists.js';
import { defineOperation, storeAnswer } from '../core/operation.js';

/** The current state of a held rate, by its id or by the FIX request that it answered. Refuses with HOLD_NOT_FOUND. */
export const readHold = defineFind({
  input: z.union([
    z.object({ holdId: ID }),
    /** CompID, and QuoteReqID(131) of the last 24 hours. */
    z.object({ session: ID, quoteRequestId: boundedText(128) }),
  ]),
  right: 'trade',
  missing: refuse('HOLD_NOT_FOUND'),
  async find({ store: { holds, clock } }, client, input) {
    const id = 'holdId' in input ? input.holdId : await holds.requested(client, input.session, input.quoteRequestId);
    const hold = id === undefined ? undefined : await holds.read(client, id);
    return hold && { hold: { ...hold, status: holdStatusAt(hold, clock.now(client)) } };
  },
});

/** The current state of a held rate, by an id in a path. Refuses with NOT_FOUND. */
export const readHeldRate = defineFind({
  input: z.object({ holdId: ID }),
  missing: refuse('NOT_FOUND', 'No such hold of yours: check the hold id'),
  async find({ store: { holds, clock } }, client, { holdId }) {
    const hold = await holds.read(client, holdId);
    return hold && { hold: { ...hold, status: holdStatusAt(hold, clock.now(client)) } };
  },
});

/** Releases a held rate. Refuses with WRONG_STATE where another engine has the FIX session, HOLD_NOT_FOUND, HOLD_USED, HOLD_EXPIRED. */
export const releaseHold = defineOperation({
  input: z.object({
    holdId: ID,
    /** CompID of the requesting FIX session. */
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

/**
 * Releases every open hold of a FIX session. `stopped`: why there may be more, which the same command releases (WRONG_STATE where another
 * engine has the session, STORE_UNAVAILABLE).
 */
export const releaseHolds = defineOperation({
  input: z.object({ session: ID }),
  right: 'trade',
  async execute(services, caller, { session }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const { holds } = services.store;
    const released: Hold[] = [];
    for (const id of await holds.openOf(client, session)) {
      const outcome = await storeAnswer(services, () => holds.release(client, id, session));
      if (isRefusal(outcome)) return { holds: released, stopped: outcome };
      if (outcome.kind === 'taken-over') return { holds: released, stopped: takenOver() };
      // Booked or expired meanwhile: its own report says so.
      if (outcome.kind === 'released') released.push(outcome.hold);
    }
    return { holds: released, stopped: undefined };
  },
});
