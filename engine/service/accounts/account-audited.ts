import { formatMinor } from '../../domain/money.js';
import { holderOf } from '../core/of-all-clients.js';
import type { Audited } from '../core/operation.js';
import type { Services } from '../core/services.js';

interface Named {
  readonly accountNumber: string;
}

/** A change of one account, which names nobody. Not of its balance, which clients move meanwhile. */
export const accountAudited: Audited<Named> = {
  subject: ({ accountNumber }) => `account ${accountNumber}`,
  async state(services, named) {
    const found = await balanceOf(services, named);
    if (found === undefined) return undefined;
    const { balance: _moves, owed: _moved, ...account } = found;
    return account;
  },
};

/** A change of what is in it, in units of its currency. */
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
