import { z } from 'zod';
import { refuse } from '../../domain/refusal.js';
import type { Client } from '../../store/access/clients.js';
import { CLIENT_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import { awaySession, liveSessions } from './session-record.js';

/** A page holds whole clients, so many at most, and no more CompIDs than engines are asked about at once. */
const CLIENTS_MAX = 100;
const COMP_IDS_MAX = 1_000;

/**
 * Every CompID and how its session stands, in order of clients and then of CompIDs. Refuses with UNKNOWN_CLIENT.
 */
export const listSessions = defineOpenOperation({
  input: z.object({
    /** Of this client alone. */
    clientId: CLIENT_ID.optional(),
    /** `next` of the page before. */
    after: CLIENT_ID.optional(),
  }),
  async execute(services, _operator, { clientId, after }) {
    const { clients, compIds } = services.store;
    const one = clientId === undefined ? undefined : await clients.get(clientId);
    if (clientId !== undefined && one === undefined) return refuse('UNKNOWN_CLIENT');
    const asked = one ? [one] : await clients.list({ limit: CLIENTS_MAX, ...(after && { after }) });

    const page: { readonly client: Client; readonly compId: string }[] = [];
    let isWhole = one !== undefined || asked.length < CLIENTS_MAX;
    let last: string | undefined;
    for (const client of asked) {
      const own = await compIds.list(client.id);
      if (page.length + own.length > COMP_IDS_MAX) {
        isWhole = false;
        break;
      }
      page.push(...own.map((compId) => ({ client, compId })));
      last = client.id;
    }
    const live = await liveSessions(
      services,
      page.map(({ compId }) => compId),
    );
    const sessions = page.map(({ client, compId }) => live.get(compId) ?? awaySession(services, compId, client));
    return { sessions: await Promise.all(sessions), next: isWhole ? undefined : last };
  },
});
