import { refuse } from '../../domain/refusal.js';
import { defineOpenOperation } from '../core/operation.js';
import { logOutDesks } from '../sessions/index.js';
import { KEY_INPUT, keyAudited } from './key-audited.js';

/**
 * Ends a key for good: its tokens, the streams that stand on them, and the sessions that logged on with it. Once more: ends what the first
 * time has missed. Refuses with UNKNOWN_KEY.
 */
export const revokeKey = defineOpenOperation({
  input: KEY_INPUT,
  audited: keyAudited,
  async execute(services, _operator, { clientKey }) {
    const { store } = services;
    const key = await store.keys.read(clientKey);
    if (key === undefined || !(await store.keys.revoke(clientKey))) return refuse('UNKNOWN_KEY');
    const { clientId, keyId } = key;
    const tokensEnded = await store.tokens.revokeAll(clientId, keyId);
    const sessionsEnded = await logOutDesks(services, clientId, 'NOT_ENTITLED: this key has been revoked', keyId);
    return { clientId, keyId, tokensEnded, sessionsEnded };
  },
});
