import { z } from 'zod';
import { ENGINE_COMP_ID } from '../../domain/core/ids.js';
import { isRefusal, refuse } from '../../domain/core/refusal.js';
import { DEPTHS } from '../../store/access/comp-ids.js';
import { revokeHolds } from '../conversions/index.js';
import { ADDRESS_LIST } from '../core/caller.js';
import { CLIENT_ID, COMP_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import { clientOfCompId, untilGone } from '../sessions/index.js';

/**
 * Lets a desk of the client log on with this SenderCompID(49). Repeated: changes its options, and its address list if given.
 * Refuses with UNKNOWN_CLIENT, COMPID_TAKEN.
 */
export const assignCompId = defineOpenOperation({
  input: z.object({
    compId: COMP_ID,
    clientId: CLIENT_ID,
    /** Its prices carry SourceTime(20017), the provider's own time of the tick. */
    sourceTime: z.boolean().default(false),
    /** Its prices carry MarginPercent(20003), and one-sided prices also ProviderRate(20004). */
    discloseMargin: z.boolean().default(false),
    discloseProviderRate: z.boolean().default(false),
    /** Its reports of bookings carry MidPrice(20020), PriceAge(20021) and, where names are disclosed, PriceProviders(20022). */
    disclosePrice: z.boolean().default(false),
    /** It receives an ExecutionReport(8) of every conversion of its client, booked by FIX or REST, on any session. */
    dropCopy: z.boolean().default(false),
    /** Addresses that it may log on from; empty: any. Absent: unchanged, and for a new CompID any. */
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

/**
 * Changes what a desk is shown, from its next Logon(A) on; the other options stay. Refuses with NOT_FOUND.
 */
export const changeCompId = defineOpenOperation({
  input: z.object({
    compId: COMP_ID,
    /** What MarketDepth(264)=0 gives: the first band, or every band of the client's ladder. */
    depth: z.enum(DEPTHS),
  }),
  audited: {
    subject: ({ compId }) => `compid ${compId}`,
    state: ({ store }, { compId }) => store.compIds.read(compId),
  },
  async execute(services, _operator, { compId, depth }) {
    const client = await clientOfCompId(services, compId);
    if (isRefusal(client)) return client;
    const { compIds } = services.store;
    await compIds.assign(compId, client.id, { depth });
    return (await compIds.read(compId)) ?? refuse('NOT_FOUND');
  },
});

/** The CompIDs of a client's desks and their options. Refuses with UNKNOWN_CLIENT. */
export const listCompIds = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID }),
  async execute({ store }, _operator, { clientId }) {
    if ((await store.clients.get(clientId)) === undefined) return refuse('UNKNOWN_CLIENT');
    const read = (await store.compIds.list(clientId)).map((compId) => store.compIds.read(compId));
    return { compIds: (await Promise.all(read)).filter((desk) => desk?.clientId === clientId) };
  },
});

/**
 * Sets the addresses that a desk may log on from with this CompID; empty: any. Unless the list is empty, a live session is logged out and
 * may log on again from a listed address. Refuses with NOT_FOUND.
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
    // For an engine that missed the notification.
    await tokens.recheck();
    return { compId, clientId: client.id, addresses, sessionEnded };
  },
});

/**
 * Removes a CompID from a client: logs its session out, revokes its open holds, and erases its sequence numbers and stored messages before
 * another client can get the CompID. An interrupted removal is completed by repeating the command. Refuses with UNKNOWN_CLIENT, NOT_FOUND.
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
    // For an engine that missed the notification.
    await tokens.recheck();
    if (sessionEnded) await untilGone(services, compId);
    const holdsEnded = await revokeHolds(services, client, compId, () => 'TRADING_HALTED');
    if (isRefusal(holdsEnded)) return holdsEnded;
    await fixSessions.forget({ senderCompId: ENGINE_COMP_ID, targetCompId: compId }, client.shard);
    await compIds.remove(compId, clientId);
    return { compId, clientId, sessionEnded, holdsEnded };
  },
});
