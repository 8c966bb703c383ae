import { isRefusal, refuse } from '../../domain/refusal.js';
import { defineOpenOperation } from '../core/operation.js';
import { KEY_INPUT, keyAudited, liveKey } from './key-audited.js';

/** Ends the older of a key's two secrets; where there is one, nothing is changed. Live tokens stay. Refuses with UNKNOWN_KEY, WRONG_STATE. */
export const endOldSecret = defineOpenOperation({
  input: KEY_INPUT,
  audited: keyAudited,
  async execute(services, _operator, { clientKey }) {
    const key = await liveKey(services, clientKey);
    if (isRefusal(key)) return key;
    await services.store.keys.endOldSecret(clientKey);
    return (await services.store.keys.read(clientKey)) ?? refuse('UNKNOWN_KEY');
  },
});
