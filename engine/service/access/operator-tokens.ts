import { z } from 'zod';
import { refuse } from '../../domain/core/refusal.js';
import { TOKEN_LIFETIME_MS } from '../../store/access/credentials.js';
import { CLIENT_ID, patternText } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

/** Characters of the hash that are shown: enough to tell a client's tokens apart, and useless for authentication. */
const SHOWN = 12;

/** A client's live tokens, the oldest first, each by the beginning of its hash. Refuses with UNKNOWN_CLIENT. */
export const listTokens = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID }),
  async execute({ store }, _operator, { clientId }) {
    if ((await store.clients.get(clientId)) === undefined) return refuse('UNKNOWN_CLIENT');
    const live = await store.tokens.list(clientId);
    const tokens = live.map(({ tokenHash, keyId, rights, expiresAtMs }) => ({
      token: tokenHash.slice(0, SHOWN),
      keyId,
      rights: [...rights],
      issuedAtMs: expiresAtMs - TOKEN_LIFETIME_MS,
      expiresAtMs,
    }));
    return { clientId, tokens };
  },
});

const HASH = 'the beginning of its hash as `ratewire tokens list` shows it, at least 8 digits';

/**
 * Revokes one live token of a client, or all, also on live sessions; the client may authenticate again. Refuses with UNKNOWN_CLIENT,
 * NOT_FOUND (no live token, or more than one, has this beginning).
 */
export const revokeClientTokens = defineOpenOperation({
  input: z.object({
    clientId: CLIENT_ID,
    /** Beginning of the token's hash. */
    token: patternText(/^[0-9a-f]{8,64}$/, 64, HASH).optional(),
  }),
  audited: {
    subject: ({ clientId }) => `client ${clientId}`,
    state: async ({ store }, { clientId }) => ({ liveTokens: (await store.tokens.list(clientId)).length }),
  },
  async execute({ store }, _operator, { clientId, token }) {
    if ((await store.clients.get(clientId)) === undefined) return refuse('UNKNOWN_CLIENT');
    if (token === undefined) return { clientId, tokensEnded: await store.tokens.revokeAll(clientId) };
    const [found, another] = (await store.tokens.list(clientId)).filter(({ tokenHash }) => tokenHash.startsWith(token));
    if (found === undefined || another !== undefined)
      return refuse(
        'NOT_FOUND',
        `${found ? 'Several live tokens' : 'No live token'} of ${clientId} begin with ${token}`,
      );
    return { clientId, tokensEnded: (await store.tokens.revokeHash(found.tokenHash)) ? 1 : 0 };
  },
});
