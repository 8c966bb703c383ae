import { refuse } from '../../domain/refusal.js';
import { defineOpenOperation } from '../core/operation.js';
import { FEE_SCOPE, feeAudited } from './set-fee.js';

/** Takes a rule away; a wider one holds in its place, and without any a payment costs nothing. Refuses with UNKNOWN_CLIENT, UNKNOWN_FEE. */
export const removeFee = defineOpenOperation({
  input: FEE_SCOPE,
  audited: feeAudited,
  async execute({ store }, _operator, { clientId, ...scope }) {
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    return (await store.fees.remove(client, scope)) ? { clientId, ...scope } : refuse('UNKNOWN_FEE');
  },
});
