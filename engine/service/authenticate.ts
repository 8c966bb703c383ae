import { z } from 'zod';
import { refuse } from '../domain/refusal.js';
import { tokenHash } from '../store/tokens.js';
import { isAllowed } from './address-list.js';
import { defineOpenOperation } from './operation.js';

export const CREDENTIALS = z.object({
  clientKey: z.string().min(1).max(128),
  clientSecret: z.string().min(1).max(256),
  /** Where the attempt comes from: a pair of key and address is locked after five wrong secrets. */
  address: z.string().min(1).max(64),
});

/**
 * Gives a token for a client key and its secret. Refuses with KEY_LOCKED, BAD_CREDENTIALS (one answer for an unknown key and a wrong secret), NOT_ENTITLED (client disabled, key revoked, or not from this address).
 */
export const authenticate = defineOpenOperation({
  // `clientId`: the only client that the key may belong to; FIX knows it from the CompID.
  input: CREDENTIALS.extend({ clientId: z.string().optional() }),
  async execute({ store, keyLocks, now }, _caller, { clientKey, clientSecret, address, clientId }) {
    const locked = () =>
      refuse('KEY_LOCKED', undefined, { retryAfterS: keyLocks.retryAfterS(clientKey, address, now()) });
    if (keyLocks.isLocked(clientKey, address, now())) return locked();
    const key = await store.keys.verify(clientKey, clientSecret);
    if (key === undefined) {
      await keyLocks.wrongSecret(clientKey, address, now());
      return refuse('BAD_CREDENTIALS');
    }
    if ((await keyLocks.rightSecret(clientKey, address, now())) === 'locked') return locked();
    if (clientId !== undefined && key.clientId !== clientId) return refuse('BAD_CREDENTIALS');
    if (key.disabled || !isAllowed(key.addresses, address)) return refuse('NOT_ENTITLED', 'Not entitled');

    const { token, expiresAtMs } = await store.tokens.issue(key.clientId, key.keyId, key.rights);
    const { clientId: owner, keyId, rights } = key;
    // Ended meanwhile, or given fewer rights: who ended the tokens of then may not have seen this one.
    const [client, after] = await Promise.all([store.clients.get(owner), store.keys.read(keyId)]);
    const isLess = after === undefined || after.revoked || rights.some((right) => !after.rights.includes(right));
    if (client?.disabled || isLess) {
      await store.tokens.revoke(token);
      return refuse('NOT_ENTITLED', 'Not entitled');
    }
    return { token, tokenHash: tokenHash(token), expiresAtMs, clientId: owner, keyId, rights };
  },
});
