import { formatMinor } from '../domain/money.js';
import { holderOf } from './of-all-clients.js';
import type { Audited } from './operation.js';
import type { Services } from './services.js';

interface Named {
  readonly accountNumber: string;
}

/** A change of one account, which names nobody. Not of its balance, which clients move meanwhile. */
export const accountAudited: Audited<Named> = {
  subject: ({ accountNumber }) => `account ${accountNumber}`,
  async state(services, named) {
    const found = await balanceOf(services, named);
    if (found === undefined) return undefined;
    const { balance: _moves, ...account } = found;
    return account;
  },
};

/** A change of what is in it, in units of its currency. */
export const balanceAudited: Audited<Named> = {
  ...accountAudited,
  async state(services, named) {
    const found = await balanceOf(services, named);
    return found && { ...found, balance: formatMinor(found.balance, found.currency) };
  },
};

async function balanceOf(services: Services, { accountNumber }: Named) {
  const { accounts } = services.store;
  const client = await holderOf(services, accounts, accountNumber);
  const account = client && (await accounts.balances(client)).find(({ number }) => number === accountNumber);
  return account && { clientId: client.id, ...account };
}
