import { z } from 'zod';
import { ENGINE_COMP_ID } from '../../domain/ids.js';
import { isRefusal, refuse } from '../../domain/refusal.js';
import type { Client } from '../../store/access/clients.js';
import { CLIENT_ID, COMP_ID, patternText } from '../core/inputs.js';
import { type Audited, defineOpenOperation } from '../core/operation.js';
import { awaySession, clientOfCompId, liveSessions, untilGone } from './session-record.js';

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

/** Text(58) of the Logout(5) begins with it. */
const LOGGED_OUT = 'LOGGED_OUT';
const NO_REASON = 'ended by our operator; you may log on again';

const sessionAudited: Audited<{ readonly compId: string }> = {
  subject: ({ compId }) => `session ${compId}`,
  async state(services, { compId }) {
    const client = await clientOfCompId(services, compId);
    if (isRefusal(client)) return client;
    return (await liveSessions(services, [compId])).get(compId) ?? awaySession(services, compId, client);
  },
};

/**
 * Ends a desk's session, wherever it is logged on; it may log on again. Refuses with NOT_FOUND, and with WRONG_STATE when it is logged on
 * at no engine that answers.
 */
export const logOutSession = defineOpenOperation({
  input: z.object({
    compId: COMP_ID,
    /** For the desk: the rest of Text(58). */
    reason: patternText(/^[\x20-\x7e]{1,140}$/, 140, '1 to 140 printable ASCII characters').optional(),
  }),
  audited: sessionAudited,
  async execute(services, _operator, { compId, reason = NO_REASON }) {
    const client = await clientOfCompId(services, compId);
    if (isRefusal(client)) return client;
    const isDone = await services.store.engines.logOut(compId, `${LOGGED_OUT}: ${reason}`);
    if (!isDone) return refuse('WRONG_STATE', `${compId} is not logged on: there is nothing to end`);
    await untilGone(services, compId);
    return { compId, clientId: client.id };
  },
});

const TEXT = `${LOGGED_OUT}: sequence numbers are reset; log on again with MsgSeqNum(34)=1`;

/**
 * Both sequence numbers start at 1 again and the messages that could be sent again are gone; what its outbox has for it stays, and is told
 * under new numbers. The session is claimed for it, so an engine that was held for gone writes no more. Refuses with NOT_FOUND, and with
 * WRONG_STATE while it is logged on, unless it is to be logged out first.
 */
export const resetSession = defineOpenOperation({
  input: z.object({
    compId: COMP_ID,
    /** A session that is logged on is logged out first. */
    logOut: z.boolean().optional(),
  }),
  audited: sessionAudited,
  async execute(services, _operator, { compId, logOut = false }) {
    const client = await clientOfCompId(services, compId);
    if (isRefusal(client)) return client;
    const { engines, fixSessions } = services.store;
    if (logOut && (await engines.logOut(compId, TEXT))) await untilGone(services, compId);
    if ((await liveSessions(services, [compId])).has(compId)) {
      const advice = logOut ? 'it has logged on again at once: try again' : 'log it out first, or add --logout';
      return refuse('WRONG_STATE', `${compId} is logged on: ${advice}`);
    }
    const session = fixSessions.store({ senderCompId: ENGINE_COMP_ID, targetCompId: compId }, client.shard);
    if (!(await session.open())) return refuse('WRONG_STATE', `${compId} has logged on meanwhile: try again`);
    await session.reset(services.now());
    await session.close();
    return { compId, clientId: client.id, nextOut: 1, nextIn: 1 };
  },
});
