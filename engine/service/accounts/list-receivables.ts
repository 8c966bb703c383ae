import { z } from 'zod';
import { refuse } from '../../domain/refusal.js';
import type { Receivable } from '../../store/ledger/accounts.js';
import { everyClient } from '../core/every-client.js';
import { CLIENT_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

/** What clients owe beyond their balances, by client and currency; of one client, or of all. Refuses with UNKNOWN_CLIENT. */
export const listReceivables = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID.optional() }),
  async execute(services, _operator, { clientId }) {
    const { clients, accounts } = services.store;
    const one = clientId === undefined ? undefined : await clients.get(clientId);
    if (clientId !== undefined && one === undefined) return refuse('UNKNOWN_CLIENT');
    const receivables: (Receivable & { readonly clientId: string })[] = [];
    for await (const client of one ? [one] : everyClient(services))
      for (const receivable of await accounts.receivables(client))
        receivables.push({ clientId: client.id, ...receivable });
    return { receivables };
  },
});
