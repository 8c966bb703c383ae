import { z } from 'zod';
import { refuse } from '../../domain/core/refusal.js';
import { formatMinor } from '../../domain/money/money.js';
import { ACCOUNT_CURRENCY, boundedText, CLIENT_ID, ID } from '../core/inputs.js';
import { type Audited, defineOpenOperation } from '../core/operation.js';
import { holderOf, noAccount } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';

interface Named {
  readonly accountNumber: string;
}

/** Audits a change of one account's settings. The balance is left out: clients change it concurrently. */
const accountAudited: Audited<Named> = {
  subject: ({ accountNumber }) => `account ${accountNumber}`,
  async state(services, named) {
    const found = await balanceOf(services, named);
    if (found === undefined) return undefined;
    const { balance: _moves, owed: _moved, ...account } = found;
    return account;
  },
};

/** Audits a change of the balance, in units of the account's currency. */
export const balanceAudited: Audited<Named> = {
  ...accountAudited,
  async state(services, named) {
    const found = await balanceOf(services, named);
    if (found === undefined) return undefined;
    const { balance, currency, owed } = found;
    const receivable = owed === 0n ? {} : { receivable: formatMinor(owed, currency) };
    const { owed: _minor, ...account } = found;
    return { ...account, balance: formatMinor(balance, currency), ...receivable };
  },
};

async function balanceOf(services: Services, { accountNumber }: Named) {
  const { accounts } = services.store;
  const client = await holderOf(services, accounts, accountNumber);
  if (client === undefined) return undefined;
  const account = (await accounts.balances(client)).find(({ number }) => number === accountNumber);
  if (account === undefined) return undefined;
  const receivables = await accounts.receivables(client);
  const owed = receivables.find(({ currency }) => currency === account.currency)?.owed ?? 0n;
  return { clientId: client.id, ...account, owed };
}

const ACCOUNT_LABEL = boundedText(70, 'at most 70 characters on one line');
const SEQUENCE = z.number().int().min(0).max(9_999);

/** Opens an account with a new number; the first in a currency is the default one. Refuses with UNKNOWN_CLIENT, ACCOUNT_LIMIT. */
export const openAccount = defineOpenOperation({
  input: z.object({
    clientId: CLIENT_ID,
    currency: ACCOUNT_CURRENCY,
    label: ACCOUNT_LABEL.default(''),
    /** Position in the order of Auto Book FX; 0: not used for it. */
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

/** Changes what an account may be used for; absent fields stay. Refuses with UNKNOWN_ACCOUNT. */
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

/** A client's accounts with their balances. Refuses with UNKNOWN_CLIENT. */
export const listClientAccounts = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID }),
  async execute({ store }, _operator, { clientId }) {
    const client = await store.clients.get(clientId);
    return client ? { balances: await store.accounts.balances(client) } : refuse('UNKNOWN_CLIENT');
  },
});
