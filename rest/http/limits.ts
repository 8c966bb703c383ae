/** Who is limited in what: clients in reads and writes, client keys and addresses in authentication. */
import { networkOf } from '../../engine/service/core/address-list.js';
import type { Services } from '../../engine/service/core/services.js';
import type { LimitName } from '../features/route.js';
import { RateLimit } from './rate-limit.js';

export type Limits = Readonly<Record<LimitName, RateLimit>>;

const KEY = 'key ';

/** The names under which an attempt to authenticate is counted. */
export const withKey = (clientKey: string): string => KEY + clientKey;
export const fromAddress = (address: string): string => `address ${networkOf(address)}`;

export function limitsOf(store: Services['store'], perMinute: Readonly<Record<LimitName, number>>): Limits {
  const ofClient = (kind: LimitName) => async (clientId: string) =>
    (await store.clients.believed(clientId))?.limits?.[kind];
  const ofKey = async (who: string) => {
    if (!who.startsWith(KEY)) return undefined;
    const owner = await store.keys.owner(who.slice(KEY.length));
    return owner === undefined ? undefined : ofClient('authentication')(owner);
  };
  const limit = (name: LimitName, own: (who: string) => Promise<number | undefined>) =>
    new RateLimit({ name, perMinute: perMinute[name], store, own });
  return {
    authentication: limit('authentication', ofKey),
    reads: limit('reads', ofClient('reads')),
    writes: limit('writes', ofClient('writes')),
  };
}
