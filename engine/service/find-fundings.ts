import { z } from 'zod';
import { FUNDING_STATUSES } from '../domain/funding.js';
import { isRefusal } from '../domain/refusal.js';
import { CLIENT_ID } from './create-client.js';
import { newestOfClients } from './newest-of-clients.js';
import { defineOpenOperation } from './operation.js';

const LIMIT = { error: 'a whole number from 1 to 1000' };

/** Fundings of one client or of all, newest first, for the operator. Refuses with UNKNOWN_CLIENT. */
export const findFundings = defineOpenOperation({
  input: z.object({
    clientId: CLIENT_ID.optional(),
    status: z.enum(FUNDING_STATUSES, { error: `one of ${FUNDING_STATUSES.join(', ')}` }).optional(),
    limit: z.number(LIMIT).int(LIMIT).min(1, LIMIT).max(1_000, LIMIT).default(50),
  }),
  async execute(services, _operator, { status, ...asked }) {
    const found = await newestOfClients(services, asked, {
      list: 'fundings',
      read: (client, id) => services.store.fundings.read(client, id),
      matches: (funding) => status === undefined || funding.status === status,
    });
    if (isRefusal(found)) return found;
    return { fundings: found.map(({ clientId, one }) => ({ clientId, funding: one })) };
  },
});
