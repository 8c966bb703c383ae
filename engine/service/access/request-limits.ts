/** Store access of the rate limiters of FIX and REST: permits that all processes share, and the limits of one client. */
import type { Client } from '../../store/access/clients.js';
import type { Permits } from '../../store/access/permits.js';
import type { Services } from '../core/services.js';

export interface RequestLimits {
  isStoreUp(): boolean;
  takePermits: Permits['take'];
  /** The client's own limits of a minute; undefined: the limits of all clients apply. */
  ofClient(clientId: string): Promise<Client['limits'] | undefined>;
  /** The limits of the client that owns the key; undefined also for an unknown key. */
  ofKeyOwner(clientKey: string): Promise<Client['limits'] | undefined>;
}

export function requestLimits({ store }: Pick<Services, 'store'>): RequestLimits {
  const ofClient = async (clientId: string) => (await store.clients.cached(clientId))?.limits;
  return {
    isStoreUp: store.isUp,
    takePermits: store.permits.take,
    ofClient,
    async ofKeyOwner(clientKey) {
      const owner = await store.keys.owner(clientKey);
      return owner === undefined ? undefined : ofClient(owner);
    },
  };
}
