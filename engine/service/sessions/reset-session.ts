import { z } from 'zod';
import { ENGINE_COMP_ID } from '../../domain/comp-id.js';
import { isRefusal, refuse } from '../../domain/refusal.js';
import { COMP_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import { LOGGED_OUT, sessionAudited } from './log-out-session.js';
import { clientOfCompId, liveSessions, untilGone } from './session-record.js';

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
