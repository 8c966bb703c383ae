import { z } from 'zod';
import { refuse } from '../../domain/refusal.js';
import { ADDRESS_LIST } from '../core/address-list.js';
import { CLIENT_ID, COMP_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

/**
 * Lets a desk of the client log on as this SenderCompID(49); once more: changes its options, and its addresses where they are given.
 * Refuses with UNKNOWN_CLIENT, COMPID_TAKEN.
 */
export const assignCompId = defineOpenOperation({
  input: z.object({
    compId: COMP_ID,
    clientId: CLIENT_ID,
    /** Its prices carry SourceTime(20017), the provider's own time of the tick. */
    sourceTime: z.boolean().default(false),
    /** Its prices carry MarginPercent(20003), and those of one side ProviderRate(20004). */
    discloseMargin: z.boolean().default(false),
    discloseProviderRate: z.boolean().default(false),
    /** It is told of every conversion of its client, by whichever door or session. */
    dropCopy: z.boolean().default(false),
    /** From where it may log on; none: from anywhere. Absent: from where it might before, a new one from anywhere. */
    addresses: ADDRESS_LIST.optional(),
  }),
  audited: {
    subject: ({ compId, clientId }) => `compid ${compId} of client ${clientId}`,
    state: ({ store }, { compId }) => store.compIds.read(compId),
  },
  async execute({ store }, _operator, input) {
    const { compId, clientId, addresses, ...shown } = input;
    const options = { ...shown, ...(addresses && { addresses }) };
    if ((await store.clients.get(clientId)) === undefined) return refuse('UNKNOWN_CLIENT');
    if (!(await store.compIds.assign(compId, clientId, options))) return refuse('COMPID_TAKEN');
    return (await store.compIds.read(compId)) ?? refuse('NOT_FOUND');
  },
});
