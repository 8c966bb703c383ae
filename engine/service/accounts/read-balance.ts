import { z } from 'zod';
import { isRefusal, refuse } from '../../domain/refusal.js';
import { clientOf } from '../core/caller.js';
import { ID } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';

/** The balance of one account of the caller. Refuses with NOT_FOUND, also for another client's account. */
export const readBalance = defineOperation({
  input: z.object({ accountNumber: ID }),
  right: 'read',
  async execute(services, caller, { accountNumber }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const balances = await services.store.accounts.balances(client);
    const found = balances.filter(({ number }) => number === accountNumber);
    return found.length > 0 ? { balances: found } : refuse('NOT_FOUND', 'No such account of yours: check the number');
  },
});
