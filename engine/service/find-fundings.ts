import { z } from 'zod';
import { FUNDING_STATUSES, type Funding } from '../domain/funding.js';
import { refuse } from '../domain/refusal.js';
import type { Client } from '../store/clients.js';
import { CLIENT_ID } from './create-client.js';
import { defineOpenOperation } from './operation.js';
import type { Services } from './services.js';

const LIMIT = { error: 'a whole number from 1 to 1000' };
const CLIENTS = 1_000;

/** Fundings of one client or of all, newest first, for the operator. Refuses with UNKNOWN_CLIENT. */
export const findFundings = defineOpenOperation({
  input: z.object({
    clientId: CLIENT_ID.optional(),
    status: z.enum(FUNDING_STATUSES, { error: `one of ${FUNDING_STATUSES.join(', ')}` }).optional(),
    limit: z.number(LIMIT).int(LIMIT).min(1, LIMIT).max(1_000, LIMIT).default(50),
  }),
  async execute({ store }, _operator, { clientId, status, limit }) {
    const one = clientId === undefined ? undefined : await store.clients.get(clientId);
    if (clientId !== undefined && one === undefined) return refuse('UNKNOWN_CLIENT');
    let found: { readonly clientId: string; readonly funding: Funding }[] = [];
    for await (const client of one ? [one] : everyClient(store)) {
      const latest = await store.fundings.latest(client, limit, status);
      found.push(...latest.map((funding) => ({ clientId: client.id, funding })));
      // However many clients there are, no more is kept than is asked for.
      if (found.length > 2 * limit) found = newest(found, limit);
    }
    return { fundings: newest(found, limit) };
  },
});

async function* everyClient(store: Services['store']): AsyncGenerator<Client> {
  for (let after: string | undefined; ; ) {
    const page = await store.clients.list({ limit: CLIENTS, ...(after === undefined ? {} : { after }) });
    yield* page;
    if (page.length < CLIENTS) return;
    after = page.at(-1)!.id;
  }
}

function newest<One extends { readonly funding: Funding }>(all: readonly One[], limit: number): One[] {
  // Ids begin with the time.
  return all.toSorted((one, other) => (one.funding.id < other.funding.id ? 1 : -1)).slice(0, limit);
}
