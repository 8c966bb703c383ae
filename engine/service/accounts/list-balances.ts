import { z } from 'zod';
import { isRefusal } from '../../domain/refusal.js';
import { clientOf } from '../core/caller.js';
import { defineOperation } from '../core/operation.js';

/** What is available in each account of the caller, minor units. */
export const listBalances = defineOperation({
  input: z.object({}),
  right: 'read',
  async execute(services, caller) {
    const client = await clientOf(services, caller);
    return isRefusal(client) ? client : { balances: await services.store.accounts.balances(client) };
  },
});
