import { z } from 'zod';
import { ENGINE_COMP_ID } from '../../domain/core/ids.js';
import { isRefusal, refuse } from '../../domain/core/refusal.js';
import type { Client } from '../../store/access/clients.js';
import { CLIENT_ID, COMP_ID, patternText } from '../core/inputs.js';
import { type Audited, defineOpenOperation } from '../core/operation.js';
import { awaySession, clientOfCompId, liveSessions, untilGone } from './session-record.js';

/** A page holds whole clients, at most this many, and no more CompIDs than engines are queried about at once. */
const CLIENTS_MAX = 100;
const COMP_IDS_MAX = 1_000;

/** Every CompID with the state of its session, ordered by client and CompID. Refuses with UNKNOWN_CLIENT. */
export const listSessions = defineOpenOperation({
  input: z.object({
    /** Of this client only. */
    clientId: CLIENT_ID.optional(),
    /** `next` of the previous page. */
    after: CLIENT_ID.optional(),
  }),
  async execute(services, _operator, { clientId, after }) {
    const { clients, compIds } = services.store;
    const one = clientId === undefined ? undefined : await clients.get(clientId);
    if (clientId !== undefined && one === undefined) return refuse('UNKNOWN_CLIENT');
    const requested = one ? [one] : await clients.list({ limit: CLIENTS_MAX, ...(after && { after }) });

    const page: { readonly client: Client; readonly compId: string }[] = [];
    let isWhole = one !== undefined || requested.length < CLIENTS_MAX;
    let last: string | undefined;
    for (const client of requested) {
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

/** Prefix of Text(58) in the Logout(5). */
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
 * Logs a desk's session out, on any engine; it may log on again. Refuses with NOT_FOUND, and with WRONG_STATE when no engine that answers
 * has it.
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
 * Resets both sequence numbers to 1 and erases the stored messages; its outbox stays, and is delivered under new numbers. The session is
 * claimed for this, so that an engine presumed dead can no longer write. Refuses with NOT_FOUND, and with WRONG_STATE while it is logged
 * on, unless `logOut` is set.
 */
export const resetSession = defineOpenOperation({
  input: z.object({
    compId: COMP_ID,
    /** Logs out a live session first. */
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
