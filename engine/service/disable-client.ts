import { z } from 'zod';
import { refuse } from '../domain/refusal.js';
import { clientAudited } from './client-audited.js';
import { CLIENT_ID } from './create-client.js';
import { defineOpenOperation } from './operation.js';

/** Refuses a client everywhere and ends its live tokens, or takes it back. Refuses with UNKNOWN_CLIENT. */
export const disableClient = defineOpenOperation({
  input: z.object({ id: CLIENT_ID, disabled: z.boolean() }),
  audited: clientAudited('id'),
  async execute({ store }, _operator, { id, disabled }) {
    if (!(await store.clients.setDisabled(id, disabled))) return refuse('UNKNOWN_CLIENT');
    return { id, disabled, tokensEnded: disabled ? await store.tokens.revokeAll(id) : 0 };
  },
});
