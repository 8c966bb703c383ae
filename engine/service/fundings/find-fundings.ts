import { z } from 'zod';
import { FUNDING_STATUSES } from '../../domain/funding.js';
import { isRefusal } from '../../domain/refusal.js';
import { NEWEST_INPUT, newestOfClients } from '../core/of-all-clients.js';
import { defineOpenOperation } from '../core/operation.js';

/** Fundings of one client or of all, newest first, for the operator. Refuses with UNKNOWN_CLIENT. */
export const findFundings = defineOpenOperation({
  input: z.object({
    ...NEWEST_INPUT,
    status: z.enum(FUNDING_STATUSES, { error: `one of ${FUNDING_STATUSES.join(', ')}` }).optional(),
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
