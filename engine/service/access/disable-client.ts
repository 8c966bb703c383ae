import { z } from 'zod';
import { refuse } from '../../domain/refusal.js';
import { CLIENT_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import { logOutDesks } from '../sessions/index.js';
import { clientAudited } from './client-audited.js';

/**
 * Refuses a client everywhere, ends its live tokens and logs its desks out, or takes it back. Its payments that await their funds get none
 * until it is taken back. Refuses with UNKNOWN_CLIENT.
 */
export const disableClient = defineOpenOperation({
  input: z.object({ id: CLIENT_ID, disabled: z.boolean() }),
  audited: clientAudited('id'),
  async execute(services, _operator, { id, disabled }) {
    const { store } = services;
    const client = await store.clients.get(id);
    if (client === undefined || !(await store.clients.setDisabled(id, disabled))) return refuse('UNKNOWN_CLIENT');
    if (!disabled) {
      // Money may have come meanwhile.
      await store.work.wakeAfter(client, 0);
      return { id, disabled, tokensEnded: 0, sessionsEnded: [] };
    }
    const tokensEnded = await store.tokens.revokeAll(id);
    const sessionsEnded = await logOutDesks(services, id, 'NOT_ENTITLED: this client is disabled');
    return { id, disabled, tokensEnded, sessionsEnded };
  },
});
