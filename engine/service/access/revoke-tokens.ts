import { z } from 'zod';
import { isRefusal, refuse } from '../../domain/refusal.js';
import { resolveToken } from '../core/caller.js';
import { defineOpenOperation } from '../core/operation.js';
import { ADMIT, CREDENTIALS, provenKey } from './authenticate.js';

const ONE_OF_THEM =
  'Send the token that is to be revoked, or client_key and client_secret to revoke all tokens of the key, not both';

/**
 * Revokes the token that it is called with; or, called with a client key and its secret, all live tokens of that key. Everywhere within a second
 * or two, with the streams of FIX that stand on them. Refuses with VALIDATION_FAILED (both were sent), TOKEN_REQUIRED (neither), as every
 * request does for its token, and as `authenticate` does for the secret.
 */
export const revokeTokens = defineOpenOperation({
  input: CREDENTIALS.partial().extend({
    token: z.string().max(256).optional(),
    address: CREDENTIALS.shape.address,
    admit: ADMIT,
  }),
  async execute(services, _caller, { token, clientKey, clientSecret, address, admit }) {
    const { tokens } = services.store;
    if (clientKey === undefined && clientSecret === undefined) {
      const caller = await resolveToken(services, token, address);
      if (isRefusal(caller)) return caller;
      const tokensRevoked = (await tokens.revokeHash(caller.tokenHash)) ? 1 : 0;
      return { clientId: caller.clientId, keyId: caller.keyId, tokensRevoked };
    }
    if (token !== undefined) {
      const fields = [{ field: 'token', code: 'invalid_combination', message: ONE_OF_THEM } as const];
      return refuse('VALIDATION_FAILED', ONE_OF_THEM, { fields });
    }
    if (clientKey === undefined || clientSecret === undefined) return refuse('BAD_CREDENTIALS');
    const key = await provenKey(services, { clientKey, clientSecret, address });
    if (isRefusal(key)) return key;
    const refusal = await admit?.(key);
    if (refusal) return refusal;
    const { clientId, keyId } = key;
    return { clientId, keyId, tokensRevoked: await tokens.revokeAll(clientId, keyId) };
  },
});
