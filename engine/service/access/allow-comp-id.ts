import { z } from 'zod';
import { isRefusal } from '../../domain/refusal.js';
import { ADDRESS_LIST } from '../core/address-list.js';
import { COMP_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import { clientOfCompId } from '../sessions/index.js';

/**
 * From where a desk may log on as this CompID; none: from anywhere. One that is logged on is logged out, unless it may be anywhere, and
 * logs on again from where it may. Refuses with NOT_FOUND.
 */
export const allowCompId = defineOpenOperation({
  input: z.object({ compId: COMP_ID, addresses: ADDRESS_LIST }),
  audited: {
    subject: ({ compId }) => `compid ${compId}`,
    state: ({ store }, { compId }) => store.compIds.read(compId),
  },
  async execute(services, _operator, { compId, addresses }) {
    const client = await clientOfCompId(services, compId);
    if (isRefusal(client)) return client;
    const { compIds, engines, tokens } = services.store;
    await compIds.assign(compId, client.id, { addresses });
    const text = 'The addresses of your CompID have changed: log on again';
    const sessionEnded = addresses.length > 0 && (await engines.logOut(compId, text));
    // For an engine that has not heard of it.
    await tokens.lookAgain();
    return { compId, clientId: client.id, addresses, sessionEnded };
  },
});
