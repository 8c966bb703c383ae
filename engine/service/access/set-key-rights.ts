import { z } from 'zod';
import { isRefusal, refuse } from '../../domain/refusal.js';
import { ALL_RIGHTS } from '../../domain/rights.js';
import { defineOpenOperation } from '../core/operation.js';
import { KEY_INPUT, keyAudited, liveKey } from './key-audited.js';

/**
 * What a key may do. A right that is taken away ends the key's tokens, so that it is gone at once; one that is added comes with the next
 * token. Refuses with UNKNOWN_KEY, WRONG_STATE.
 */
export const setKeyRights = defineOpenOperation({
  input: KEY_INPUT.extend({ rights: z.array(z.enum(ALL_RIGHTS)).min(1) }),
  audited: keyAudited,
  async execute(services, _operator, { clientKey, rights }) {
    const { keys, tokens } = services.store;
    const before = await liveKey(services, clientKey);
    if (isRefusal(before)) return before;
    await keys.setRights(clientKey, rights);
    // Older tokens may have rights that the key had before: judged by themselves.
    const live = (await tokens.list(before.clientId)).filter(({ keyId }) => keyId === clientKey);
    const tooMuch = live.some((token) => [...token.rights].some((right) => !rights.includes(right)));
    const tokensEnded = tooMuch ? await tokens.revokeAll(before.clientId, clientKey) : 0;
    const after = await keys.read(clientKey);
    return after ? { ...after, tokensEnded } : refuse('UNKNOWN_KEY');
  },
});
