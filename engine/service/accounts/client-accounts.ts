import { z } from 'zod';
import { isRefusal, refuse } from '../../domain/core/refusal.js';
import { isCurrency, isIsoCurrency } from '../../domain/money/money.js';
import { clientOf } from '../core/caller.js';
import { boundedText, ID } from '../core/inputs.js';
import { defineFind } from '../core/lists.js';
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

/** The available balance of each account of the caller, minor units. */
export const listBalances = defineOperation({
  input: z.object({}),
  right: 'read',
  async execute(services, caller) {
    const client = await clientOf(services, caller);
    return isRefusal(client) ? client : { balances: await services.store.accounts.balances(client) };
  },
});

const ISO = 'an ISO 4217 code of three upper-case letters';

/** The balances of the caller's accounts in one currency; empty where the caller has none. */
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

/** The balance of one account of the caller. Refuses with NOT_FOUND, also for another client's account. */
export const readBalance = defineFind({
  input: z.object({ accountNumber: ID }),
  missing: refuse('NOT_FOUND', 'No such account of yours: check the number'),
  async find({ store }, client, { accountNumber }) {
    const balance = (await store.accounts.balances(client)).find(({ number }) => number === accountNumber);
    return balance && { balances: [balance] };
  },
});
