/** The rate limits: clients in reads and writes, client keys and addresses in authentication. */
import { requestLimits } from '../../engine/service/access/request-limits.js';
import { networkOf } from '../../engine/service/core/address-list.js';
import type { Services } from '../../engine/service/core/services.js';
import type { LimitName } from '../features/route.js';
import { RateLimit } from './rate-limit.js';

export type Limits = Readonly<Record<LimitName, RateLimit>>;

const KEY = 'key ';

/** The names under which an attempt to authenticate is counted. */
export const withKey = (clientKey: string): string => KEY + clientKey;
export const fromAddress = (address: string): string => `address ${networkOf(address)}`;

export function limitsOf(services: Pick<Services, 'store'>, perMinute: Readonly<Record<LimitName, number>>): Limits {
  const shared = requestLimits(services);
  const ofClient = (kind: LimitName) => async (clientId: string) => (await shared.ofClient(clientId))?.[kind];
  const ofKey = async (name: string) =>
    name.startsWith(KEY) ? (await shared.ofKeyOwner(name.slice(KEY.length)))?.authentication : undefined;
  const limit = (name: LimitName, own: (name: string) => Promise<number | undefined>) =>
    new RateLimit({ name, perMinute: perMinute[name], shared, own });
  return {
    authentication: limit('authentication', ofKey),
    reads: limit('reads', ofClient('reads')),
    writes: limit('writes', ofClient('writes')),
  };
}
