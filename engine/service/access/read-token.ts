import { z } from 'zod';
import { refuse } from '../../domain/refusal.js';
import { boundedText } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';

/** Whether a token of the caller's client is live, and until when. Refuses with TOKEN_INVALID, TOKEN_CLIENT_MISMATCH. */
export const readToken = defineOperation({
  input: z.object({ token: boundedText(128).min(1) }),
  async execute({ store }, caller, { token }) {
    const read = await store.tokens.read(token);
    if (read === undefined) return refuse('TOKEN_INVALID');
    if (read.clientId !== caller.clientId) return refuse('TOKEN_CLIENT_MISMATCH');
    return { state: read.state, expiresAtMs: read.expiresAtMs };
  },
});
