import { isRefusal, refuse } from '../../domain/refusal.js';
import { defineOpenOperation } from '../core/operation.js';
import { KEY_INPUT, keyAudited, liveKey } from './key-audited.js';

const TWO_LIVE = 'The key has two live secrets: end the old one first (`ratewire keys end-old`)';

/**
 * A second secret of a key, shown this once; the one before stays good until it is ended. Refuses with UNKNOWN_KEY, WRONG_STATE, KEY_LIMIT
 * (two are live already).
 */
export const rotateKey = defineOpenOperation({
  input: KEY_INPUT,
  audited: keyAudited,
  async execute(services, _operator, { clientKey }) {
    const key = await liveKey(services, clientKey);
    if (isRefusal(key)) return key;
    const issued = await services.store.keys.rotate(clientKey);
    if (issued === 'limit') return refuse('KEY_LIMIT', TWO_LIVE);
    return issued ? { clientId: key.clientId, ...issued } : refuse('UNKNOWN_KEY');
  },
});
