import { z } from 'zod';
import { ID } from '../core/inputs.js';
import { holderOf, noAccount } from '../core/of-all-clients.js';
import { defineOpenOperation } from '../core/operation.js';
import { accountAudited } from './account-audited.js';
import { ACCOUNT_LABEL, SEQUENCE } from './open-account.js';

/** Changes what an account may be used for; what is left out stays. Refuses with UNKNOWN_ACCOUNT. */
export const changeAccount = defineOpenOperation({
  input: z.object({
    accountNumber: ID,
    active: z.boolean().optional(),
    label: ACCOUNT_LABEL.optional(),
    autoBookFxSequence: SEQUENCE.optional(),
    makeDefault: z.boolean().optional(),
  }),
  audited: accountAudited,
  async execute(services, _operator, { accountNumber, ...change }) {
    const { accounts } = services.store;
    const client = await holderOf(services, accounts, accountNumber);
    if (client === undefined || !(await accounts.change(client, accountNumber, change)))
      return noAccount(accountNumber);
    return (await accounts.list(client)).find(({ number }) => number === accountNumber)!;
  },
});
