import { z } from 'zod';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import type { VerifiedKey } from '../../store/access/credentials.js';
import { isAllowed, resolveToken } from '../core/caller.js';
import { boundedText, ID } from '../core/inputs.js';
import { type Answer, defineOpenOperation, defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';

const CREDENTIALS = z.object({
  clientKey: boundedText(128).min(1),
  clientSecret: boundedText(256).min(1),
  /** Address of the attempt: a pair of key and address is locked after five wrong secrets. */
  address: boundedText(64).min(1),
});

/** Additional limits of FIX or REST, checked after the secret is proved: what they disclose about a key goes to its owner only. */
const ADMIT = z.custom<(key: VerifiedKey) => Answer<undefined>>().optional();

const TOO_MANY_TOKENS =
  'Your keys hold 5,000 live tokens, as many as a client may have: revoke those that are not in use, or wait until they expire';

/**
 * Issues a token for a client key and its secret. Refuses with KEY_LOCKED, BAD_CREDENTIALS (the same for an unknown key and a wrong
 * secret), NOT_ENTITLED (client disabled, key revoked, or address not listed), as `admit` does, and with RATE_LIMITED (the client has 5,000
 * live tokens, all of keys with a right that this one lacks).
 */
export const authenticate = defineOpenOperation({
  // `clientId`: the only client that the key may belong to; FIX derives it from the CompID.
  input: CREDENTIALS.extend({ clientId: ID.optional(), admit: ADMIT }),
  async execute(services, _caller, input) {
    const { store } = services;
    const key = await provenKey(services, input);
    if (isRefusal(key)) return key;
    const refusal = await input.admit?.(key);
    if (refusal) return refusal;

    const { clientId, keyId, rights } = key;
    const { token, tokenHash, expiresAtMs, isLive } = await store.tokens.issue(clientId, keyId, rights);
    if (!isLive) return refuse('RATE_LIMITED', TOO_MANY_TOKENS, { retryAfterS: 60 });
    // The key may have been revoked or lost rights meanwhile, by a change that did not see this token.
    if (!(await store.keys.stillHas(key))) {
      await store.tokens.revoke(token);
      return refuse('NOT_ENTITLED', 'Not entitled');
    }
    return { token, tokenHash, expiresAtMs, clientId, keyId, rights };
  },
});

/** The key of a proved secret, usable from this address. Refuses with KEY_LOCKED, BAD_CREDENTIALS, NOT_ENTITLED, as above. */
async function provenKey(
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

/**
 * A new token for the key that the caller has proved before; the old token stays valid until its expiry.
 * Refuses with TOKEN_CLIENT_MISMATCH for any other key, and as `authenticate` does.
 */
export const renewToken = defineOperation({
  input: CREDENTIALS,
  async execute(services, caller, input) {
    if (input.clientKey !== caller.keyId) return refuse('TOKEN_CLIENT_MISMATCH');
    return authenticate.execute(services, undefined, { ...input, clientId: caller.clientId });
  },
});

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

/** Revokes a token of the caller's client, on every engine within two seconds. Refuses with TOKEN_INVALID, TOKEN_CLIENT_MISMATCH. */
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

const ONE_OF_THEM =
  'Send the token that is to be revoked, or client_key and client_secret to revoke all tokens of the key, not both';

/**
 * Revokes the token of the request; or, with a client key and its secret, all tokens of that key. Applies everywhere within two seconds,
 * also to FIX streams that use them. Refuses with VALIDATION_FAILED (both were sent), TOKEN_REQUIRED (neither), as every request does for
 * its token, and as `authenticate` does for the secret.
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
    if (clientKey === undefined || clientSecret === undefined) {
      const field = clientKey === undefined ? 'clientKey' : 'clientSecret';
      return refuse('VALIDATION_FAILED', undefined, {
        fields: [{ field, code: 'field_missing', message: 'required' }],
      });
    }
    const key = await provenKey(services, { clientKey, clientSecret, address });
    if (isRefusal(key)) return key;
    const refusal = await admit?.(key);
    if (refusal) return refusal;
    const { clientId, keyId } = key;
    return { clientId, keyId, tokensRevoked: await tokens.revokeAll(clientId, keyId) };
  },
});
