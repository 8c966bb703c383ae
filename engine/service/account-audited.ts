import type { Audited } from './operation.js';

/** A change of one account, which names nobody. */
export const accountAudited: Audited<{ readonly accountNumber: string }> = {
  subject: ({ accountNumber }) => `account ${accountNumber}`,
  async state({ store }, { accountNumber }) {
    const clientId = await store.accounts.holderOf(accountNumber);
    const client = clientId === undefined ? undefined : await store.clients.get(clientId);
    const accounts = client ? await store.accounts.balances(client) : [];
    const account = accounts.find(({ number }) => number === accountNumber);
    return account && { clientId, ...account };
  },
};
