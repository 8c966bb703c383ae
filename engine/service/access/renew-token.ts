import { refuse } from '../../domain/refusal.js';
import { defineOperation } from '../core/operation.js';
import { authenticate, CREDENTIALS } from './authenticate.js';

/**
 * A new token for the key that the caller has proved before; the old one stays valid until its own expiry.
 * Refuses with TOKEN_CLIENT_MISMATCH for any other key, and as `authenticate` does.
 */
export const renewToken = defineOperation({
  input: CREDENTIALS,
  async execute(services, caller, input) {
    if (input.clientKey !== caller.keyId) return refuse('TOKEN_CLIENT_MISMATCH');
    return authenticate.execute(services, undefined, { ...input, clientId: caller.clientId });
  },
});
