import { z } from 'zod';
import { isCurrency, isIsoCurrency } from '../../domain/currency.js';
import { isRefusal } from '../../domain/refusal.js';
import { clientOf } from '../core/caller.js';
import { boundedText } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';

const ISO = 'an ISO 4217 code of three upper-case letters';

/** The balances of the caller's accounts in one currency; none where the caller has no account in it. */
export const listCurrencyBalances = defineOperation({
  input: z.object({
    currency: boundedText(3, ISO).refine((code) => isIsoCurrency(code) || isCurrency(code), {
      error: ISO,
    }),
  }),
  right: 'read',
  async execute(services, caller, { currency }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const balances = await services.store.accounts.balances(client);
    return { balances: balances.filter((account) => account.currency === currency) };
  },
});
