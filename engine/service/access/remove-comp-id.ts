import { z } from 'zod';
import { ENGINE_COMP_ID } from '../../domain/comp-id.js';
import { isRefusal, refuse } from '../../domain/refusal.js';
import { CLIENT_ID, COMP_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import { withdrawHolds } from '../holds/index.js';
import { untilGone } from '../sessions/index.js';

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
