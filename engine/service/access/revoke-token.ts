import { z } from 'zod';
import { refuse } from '../../domain/refusal.js';
import { boundedText } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';

/** Ends a token of the caller's client, on every engine within a second or two. Refuses with TOKEN_INVALID, TOKEN_CLIENT_MISMATCH. */
export const revokeToken = defineOperation({
  input: z.object({ token: boundedText(128).min(1) }),
  async execute({ store }, caller, { token }) {
    const read = await store.tokens.read(token);
    if (read === undefined) return refuse('TOKEN_INVALID');
    if (read.clientId !== caller.clientId) return refuse('TOKEN_CLIENT_MISMATCH');
    await store.tokens.revoke(token);
    return { state: 'revoked' as const };
  },
});
