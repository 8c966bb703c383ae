import { z } from 'zod';
import { isRefusal } from '../../domain/refusal.js';
import { ID } from '../core/inputs.js';
import { namedOfClients } from '../core/of-all-clients.js';
import { defineOpenOperation } from '../core/operation.js';

/** A funding as it stands, for the operator. Refuses with NOT_FOUND. */
export const showFunding = defineOpenOperation({
  input: z.object({ fundingId: ID }),
  async execute(services, _operator, { fundingId }) {
    const found = await namedOfClients(services, services.store.fundings, fundingId, 'funding');
    return isRefusal(found) ? found : { clientId: found.client.id, funding: found.one };
  },
});
