import { z } from 'zod';
import { refuse } from '../../domain/refusal.js';
import { ACCOUNT_CURRENCY, boundedText, CLIENT_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

export const ACCOUNT_LABEL = boundedText(70, 'at most 70 characters on one line');
export const SEQUENCE = z.number().int().min(0).max(9_999);

/** A new account with a number of its own; the first in a currency is the default one. Refuses with UNKNOWN_CLIENT, ACCOUNT_LIMIT. */
export const openAccount = defineOpenOperation({
  input: z.object({
    clientId: CLIENT_ID,
    currency: ACCOUNT_CURRENCY,
    label: ACCOUNT_LABEL.default(''),
    /** Place in the order of Auto Book FX; 0: not used for it. */
    autoBookFxSequence: SEQUENCE.default(0),
    makeDefault: z.boolean().default(false),
  }),
  audited: {
    subject: ({ clientId, currency }) => `${currency} accounts of client ${clientId}`,
    async state({ store }, { clientId, currency }) {
      const client = await store.clients.get(clientId);
      const accounts = client ? await store.accounts.list(client) : [];
      const inCurrency = accounts.filter((account) => account.currency === currency);
      return { accounts: inCurrency.length, default: inCurrency.find(({ isDefault }) => isDefault)?.number };
    },
    made: 'number',
  },
  async execute({ store }, _operator, { clientId, ...account }) {
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    return (await store.accounts.open(client, account)) ?? refuse('ACCOUNT_LIMIT');
  },
});
