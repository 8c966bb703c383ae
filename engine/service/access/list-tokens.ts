import { z } from 'zod';
import { refuse } from '../../domain/refusal.js';
import { TOKEN_LIFETIME_MS } from '../../store/access/tokens.js';
import { CLIENT_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';

/** Enough to tell a client's tokens apart, and of no use to anybody else. */
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
