import { z } from 'zod';
import { holdStatusAt } from '../../domain/booking.js';
import { refuse } from '../../domain/refusal.js';
import { CLIENT_ID, ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

/**
 * Takes a held rate back: it can be booked no more, and a desk that holds it is told as when a hold ends. Refuses with UNKNOWN_CLIENT,
 * HOLD_NOT_FOUND, WRONG_STATE (it is open no more).
 */
export const revokeHold = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID, holdId: ID }),
  audited: {
    subject: ({ clientId, holdId }) => `hold ${holdId} of client ${clientId}`,
    async state({ store }, { clientId, holdId }) {
      const client = await store.clients.get(clientId);
      const hold = client && (await store.holds.read(client, holdId));
      return hold && { status: holdStatusAt(hold, store.clock.now(client)), pair: hold.pair, owner: hold.owner };
    },
  },
  async execute({ store }, _operator, { clientId, holdId }) {
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    const hold = await store.holds.read(client, holdId);
    if (hold === undefined)
      return refuse('HOLD_NOT_FOUND', `No such hold of ${clientId}: \`ratewire holds list\` shows them`);
    if (await store.holds.withdraw(client, holdId, hold.owner)) return { clientId, holdId, status: 'withdrawn' };
    const after = await store.holds.read(client, holdId);
    return refuse(
      'WRONG_STATE',
      `The hold is ${after ? holdStatusAt(after, store.clock.now(client)) : 'over'}: only an open one ends`,
    );
  },
});
