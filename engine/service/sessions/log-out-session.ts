import { z } from 'zod';
import { isRefusal, refuse } from '../../domain/refusal.js';
import { COMP_ID, patternText } from '../core/inputs.js';
import { type Audited, defineOpenOperation } from '../core/operation.js';
import { awaySession, clientOfCompId, liveSessions, untilGone } from './session-record.js';

/** Text(58) of the Logout(5) begins with it. */
export const LOGGED_OUT = 'LOGGED_OUT';
const NO_REASON = 'ended by our operator; you may log on again';

export const sessionAudited: Audited<{ readonly compId: string }> = {
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
