import { z } from 'zod';
import { isRefusal } from '../../domain/refusal.js';
import { clientOf } from '../core/caller.js';
import { defineOperation } from '../core/operation.js';

/** The caller's accounts, in order of currency. */
export const listAccounts = defineOperation({
  input: z.object({}),
  right: 'read',
  async execute(services, caller) {
    const client = await clientOf(services, caller);
    return isRefusal(client) ? client : { accounts: await services.store.accounts.list(client) };
  },
});
