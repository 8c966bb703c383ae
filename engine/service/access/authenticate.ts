import { z } from 'zod';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.js';
import type { VerifiedKey } from '../../store/access/client-keys.js';
import { tokenHash } from '../../store/access/tokens.js';
import { isAllowed } from '../core/address-list.js';
import { boundedText, ID } from '../core/inputs.js';
import { type Answer, defineOpenOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';

export const CREDENTIALS = z.object({
  clientKey: boundedText(128).min(1),
  clientSecret: boundedText(256).min(1),
  /** Where the attempt comes from: a pair of key and address is locked after five wrong secrets. */
  address: boundedText(64).min(1),
});

/** The door's own limits, judged once the secret is proved: what they say about a key is shown only to its owner. */
export const ADMIT = z.custom<(key: VerifiedKey) => Answer<undefined>>().optional();

const TOO_MANY_TOKENS =
  'Your keys hold 5,000 live tokens, as many as a client may have: revoke those that are not in use, or wait until they expire';

/**
 * Gives a token for a client key and its secret. Refuses with KEY_LOCKED, BAD_CREDENTIALS (one answer for an unknown key and a wrong
 * secret), NOT_ENTITLED (client disabled, key revoked, or not from this address), as `admit` does, and with RATE_LIMITED (the client has 5,000 live tokens, and all are of keys with a right that this one lacks).
 */
export const authenticate = defineOpenOperation({
  // `clientId`: the only client that the key may belong to; FIX knows it from the CompID.
  input: CREDENTIALS.extend({ clientId: ID.optional(), admit: ADMIT }),
  async execute(services, _caller, { admit, ...credentials }) {
    const { store } = services;
    const key = await provenKey(services, credentials);
    if (isRefusal(key)) return key;
    const refusal = await admit?.(key);
    if (refusal) return refusal;

    const { token, expiresAtMs, isLive } = await store.tokens.issue(key.clientId, key.keyId, key.rights);
    if (!isLive) return refuse('RATE_LIMITED', TOO_MANY_TOKENS, { retryAfterS: 60 });
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

/** The key whose secret is proved, and which may be used from here. Refuses with KEY_LOCKED, BAD_CREDENTIALS, NOT_ENTITLED, as above. */
export async function provenKey(
  { store, keyLocks, now }: Services,
  { clientKey, clientSecret, address, clientId }: z.infer<typeof CREDENTIALS> & { clientId?: string | undefined },
): Promise<VerifiedKey | Refusal> {
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
  return key;
}
