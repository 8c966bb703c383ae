import { z } from 'zod';
import { type Hold, type HoldStatus, holdStatusAt, type WithdrawnFor } from '../../domain/conversions/booking.js';
import { type Refusal, refuse } from '../../domain/core/refusal.js';
import { CLIENT_ID, ID } from '../core/inputs.js';
import { defineOpenOperation, storeAnswer } from '../core/operation.js';
import type { Services } from '../core/services.js';

/** The open and the reserved holds of a client, by FIX and REST. Refuses with UNKNOWN_CLIENT. */
export const listHolds = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID }),
  async execute({ store }, _operator, { clientId }) {
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    const holds = await store.holds.open(client);
    const isOpen = (status: HoldStatus) => status === 'open' || status === 'reserved';
    return { clientId, holds: holds.filter((hold) => isOpen(holdStatusAt(hold, store.clock.now(client)))) };
  },
});

/**
 * Revokes a held rate: it can no longer be booked, and a desk that holds it is notified as of an expiry. Refuses with UNKNOWN_CLIENT,
 * HOLD_NOT_FOUND, WRONG_STATE (the hold is not open).
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
    if (await store.holds.revoke(client, holdId, hold.owner, 'TRADING_HALTED'))
      return { clientId, holdId, status: 'withdrawn' };
    const after = await store.holds.read(client, holdId);
    return refuse(
      'WRONG_STATE',
      `The hold is ${after ? holdStatusAt(after, store.clock.now(client)) : 'over'}: only an open one ends`,
    );
  },
});

/**
 * Revokes the holds of a FIX session when the market closes, pairs are halted or its CompID is removed, and notifies the session of each by
 * its outbox. `reasonOf` has why a hold is over; undefined: it is not. Returns their number. Refuses with STORE_UNAVAILABLE: then some may still be open, and the call is to be repeated.
 */
export async function revokeHolds(
  services: Services,
  client: { readonly id: string; readonly shard: number },
  session: string,
  reasonOf: (hold: Pick<Hold, 'pair'>) => WithdrawnFor | undefined,
): Promise<number | Refusal> {
  const { holds } = services.store;
  return storeAnswer(services, async () => {
    let withdrawn = 0;
    for (const id of await holds.openOf(client, session)) {
      const held = await holds.read(client, id);
      const reason = held && reasonOf(held);
      if (reason !== undefined && (await holds.revoke(client, id, session, reason))) withdrawn++;
    }
    return withdrawn;
  });
}
