import { z } from 'zod';
import { isRefusal, refuse } from '../../domain/refusal.js';
import { clientOf } from '../core/caller.js';
import { ID } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';

/** A funding of the caller as it stands. Refuses with NOT_FOUND, also for another client's funding. */
export const readFunding = defineOperation({
  input: z.object({ fundingId: ID }),
  right: 'read',
  async execute(services, caller, { fundingId }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const funding = await services.store.fundings.read(client, fundingId);
    return funding ? { funding } : refuse('NOT_FOUND', 'No such funding of yours: check the reference');
  },
});
