import { z } from 'zod';
import { refuse } from '../../domain/refusal.js';
import { ALL_RIGHTS } from '../../domain/rights.js';
import { ADDRESS_LIST } from '../core/address-list.js';
import { CLIENT_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

const TOO_MANY = 'The client has 100 keys: revoke one that is used no more (`ratewire keys revoke`)';

/**
 * A client key and its secret; the secret is shown this once and kept as a keyed hash. Refuses with UNKNOWN_CLIENT, KEY_LIMIT.
 */
export const issueKey = defineOpenOperation({
  input: z.object({
    clientId: CLIENT_ID,
    rights: z.array(z.enum(ALL_RIGHTS)).min(1).optional(),
    /** From where it may be used; none: from anywhere. */
    addresses: ADDRESS_LIST.default([]),
  }),
  audited: {
    subject: ({ clientId }) => `client ${clientId}`,
    state: async ({ store }, { clientId }) => ({ keys: (await store.keys.list(clientId)).length }),
    made: 'clientKey',
  },
  async execute({ store }, _operator, { clientId, rights, addresses }) {
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    return (await store.keys.issue(clientId, rights ?? client.rights, addresses)) ?? refuse('KEY_LIMIT', TOO_MANY);
  },
});
