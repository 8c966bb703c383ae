import { z } from 'zod';
import { ENGINE_COMP_ID } from '../../domain/ids.js';
import { isRefusal, refuse } from '../../domain/refusal.js';
import { ADDRESS_LIST } from '../core/address-list.js';
import { CLIENT_ID, COMP_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import { withdrawHolds } from '../holds/index.js';
import { clientOfCompId, untilGone } from '../sessions/index.js';

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

/** The CompIDs that a client's desks log on as, and what each is shown. Refuses with UNKNOWN_CLIENT. */
export const listCompIds = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID }),
  async execute({ store }, _operator, { clientId }) {
    if ((await store.clients.get(clientId)) === undefined) return refuse('UNKNOWN_CLIENT');
    const read = (await store.compIds.list(clientId)).map((compId) => store.compIds.read(compId));
    return { compIds: (await Promise.all(read)).filter((desk) => desk?.clientId === clientId) };
  },
});

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

/**
 * Takes a CompID from a client: its session ends, its open holds are taken back, and its sequence numbers and stored messages are gone
 * before anybody else may have it. Ended half-way, it is ended by the same command. Refuses with UNKNOWN_CLIENT, NOT_FOUND.
 */
export const removeCompId = defineOpenOperation({
  input: z.object({ compId: COMP_ID, clientId: CLIENT_ID }),
  audited: {
    subject: ({ compId, clientId }) => `compid ${compId} of client ${clientId}`,
    state: ({ store }, { compId }) => store.compIds.read(compId),
  },
  async execute(services, _operator, { compId, clientId }) {
    const { clients, compIds, engines, fixSessions, tokens } = services.store;
    const client = await clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    if (!(await compIds.end(compId, clientId)))
      return refuse(
        'NOT_FOUND',
        `${compId} is no CompID of ${clientId}: \`ratewire compids list\` shows those there are`,
      );
    const sessionEnded = await engines.logOut(compId, 'NOT_ENTITLED: this CompID has been removed');
    // For an engine that has not heard of it.
    await tokens.lookAgain();
    if (sessionEnded) await untilGone(services, compId);
    const holdsEnded = await withdrawHolds(services, client, compId, () => true);
    if (isRefusal(holdsEnded)) return holdsEnded;
    await fixSessions.forget({ senderCompId: ENGINE_COMP_ID, targetCompId: compId }, client.shard);
    await compIds.remove(compId, clientId);
    return { compId, clientId, sessionEnded, holdsEnded };
  },
});
