import { isRefusal, refuse } from '../../domain/refusal.js';
import { ADDRESS_LIST } from '../core/address-list.js';
import { defineOpenOperation } from '../core/operation.js';
import { logOutDesks } from '../sessions/index.js';
import { KEY_INPUT, keyAudited, liveKey } from './key-audited.js';

/**
 * From where a key may be used; none: from anywhere. It holds for every request within a second; sessions that logged on with the key are
 * logged out, unless it is anywhere, and log on again from where they may; streams that stand on its tokens in the sessions of other keys
 * end where it may not be used. Refuses with UNKNOWN_KEY, WRONG_STATE.
 */
export const allowKey = defineOpenOperation({
  input: KEY_INPUT.extend({ addresses: ADDRESS_LIST }),
  audited: keyAudited,
  async execute(services, _operator, { clientKey, addresses }) {
    const { keys } = services.store;
    const key = await liveKey(services, clientKey);
    if (isRefusal(key)) return key;
    await keys.setAddresses(clientKey, addresses);
    const text = 'The addresses of your key have changed: log on again';
    const sessionsEnded = addresses.length === 0 ? [] : await logOutDesks(services, key.clientId, text, clientKey);
    const after = await keys.read(clientKey);
    return after ? { ...after, sessionsEnded } : refuse('UNKNOWN_KEY');
  },
});
