import { z } from 'zod';
import { accountAudited } from './account-audited.js';
import { noAccount } from './of-all-clients.js';
import { ACCOUNT_LABEL, SEQUENCE } from './open-account.js';
import { defineOpenOperation } from './operation.js';

/** Changes what an account may be used for; what is left out stays. Refuses with UNKNOWN_ACCOUNT. */
export const changeAccount = defineOpenOperation({
  input: z.object({
    accountNumber: z.string(),
    active: z.boolean().optional(),
    label: ACCOUNT_LABEL.optional(),
    autoBookFxSequence: SEQUENCE.optional(),
    makeDefault: z.boolean().optional(),
  }),
  audited: accountAudited,
  async execute({ store }, _operator, { accountNumber, ...change }) {
    const holder = await store.accounts.holderOf(accountNumber);
    const client = holder === undefined ? undefined : await store.clients.get(holder);
    if (client === undefined || !(await store.accounts.change(client, accountNumber, change)))
      return noAccount(accountNumber);
    const accounts = await store.accounts.list(client);
    return accounts.find(({ number }) => number === accountNumber)!;
  },
});
