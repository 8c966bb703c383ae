/** The client that a desk's SenderCompID(49) is assigned to, and the options of that desk's session. A client may have several CompIDs. */

import { CLIENT_ID, COMP_ID } from '../../domain/core/ids.js';
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { clientKey, ledgerKeys, mustMatch } from '../keys/redis-keys.js';
import { addressList } from './clients.js';

export const DEPTHS = ['first', 'ladder'] as const;
export type Depth = (typeof DEPTHS)[number];

interface DeskOptions {
  /** Addresses and blocks that the desk may log on from; empty: any. */
  readonly addresses: readonly string[];
  /** Prices carry SourceTime(20017). */
  readonly sourceTime: boolean;
  /** Prices carry MarginPercent(20003). */
  readonly discloseMargin: boolean;
  /** Prices carry ProviderRate(20004). */
  readonly discloseProviderRate: boolean;
  /** Reports of bookings carry MidPrice(20020) and PriceAge(20021), and PriceProviders(20022) where names are disclosed. */
  readonly disclosePrice: boolean;
  /** What MarketDepth(264)=0 gives: `first`, the first band as 264=1 does, or `ladder`, every band. */
  readonly depth: Depth;
  /** It receives an ExecutionReport(8) of every conversion of its client, booked by FIX or REST, on any session. */
  readonly dropCopy: boolean;
}

interface DeskRecord extends DeskOptions {
  readonly compId: string;
  readonly clientId: string;
}

export interface CompIds {
  /** Also changes the options of an assigned CompID; absent ones stay. False when the CompID is another client's. */
  assign(compId: string, clientId: string, options?: Partial<DeskOptions>): Promise<boolean>;
  /** From now on the CompID can neither log on nor be assigned to another client; false when it is not this client's. */
  end(compId: string, clientId: string): Promise<boolean>;
  /** Removes the CompID from the client: another client may get it. False when it was not this client's. */
  remove(compId: string, clientId: string): Promise<boolean>;
  read(compId: string): Promise<DeskRecord | undefined>;
  /** The client's CompIDs in order; at most 1,000. */
  list(clientId: string): Promise<readonly string[]>;
}

export const ASSIGN_COMP_ID = step(import.meta.url, 'assign-comp-id', {
  keys: ['compId'],
  args: ['client'],
  rest: 'options',
});
export const END_COMP_ID = step(import.meta.url, 'end-comp-id', {
  inReserve: true,
  keys: ['compId'],
  args: ['client'],
});
export const REMOVE_COMP_ID = step(import.meta.url, 'remove-comp-id', {
  inReserve: true,
  keys: ['compId'],
  args: ['client'],
});
const LIST_MAX = 1_000;
const ADDRESSES_MAX = 100;

export function compIds(connection: Connection): CompIds {
  const read = async (compId: string): Promise<DeskRecord | undefined> => {
    if (!COMP_ID.test(compId)) return undefined;
    const record = await connection.read((redis) => redis.hgetall(keyOf(compId)));
    if (record.client === undefined || record.ended === '1') return undefined;
    return {
      compId,
      clientId: record.client,
      addresses: record.addresses ? record.addresses.split(' ') : [],
      sourceTime: record.sourceTime === '1',
      discloseMargin: record.discloseMargin === '1',
      discloseProviderRate: record.discloseProviderRate === '1',
      disclosePrice: record.disclosePrice === '1',
      depth: record.depth === 'ladder' ? 'ladder' : 'first',
      dropCopy: record.dropCopy === '1',
    };
  };
  /** The list of sessions with drop copies is in the client's slot, where the booking step reads it. */
  const setDropCopy = async (compId: string, clientId: string, wanted: boolean): Promise<void> => {
    const shard = await connection.read((redis) => redis.hget(clientKey(clientId), 'shard'));
    if (shard === null) return;
    const { dropCopies } = ledgerKeys({ id: clientId, shard: Number(shard) });
    await connection.write((redis) => (wanted ? redis.sadd(dropCopies, compId) : redis.srem(dropCopies, compId)));
  };
  return {
    async assign(compId, clientId, options = {}) {
      const key = keyOf(mustMatch(COMP_ID, 'CompID', compId));
      const listed = compIdsOf(mustMatch(CLIENT_ID, 'client id', clientId));
      const assigned =
        (await connection.step(ASSIGN_COMP_ID, { compId: key }, { client: clientId, options: fields(options) })) === 1;
      if (!assigned) return false;
      await connection.write((redis) => redis.zadd(listed, 0, compId));
      if (options.dropCopy !== undefined) await setDropCopy(compId, clientId, options.dropCopy);
      return true;
    },
    async end(compId, clientId) {
      const key = keyOf(mustMatch(COMP_ID, 'CompID', compId));
      const client = mustMatch(CLIENT_ID, 'client id', clientId);
      return (await connection.step(END_COMP_ID, { compId: key }, { client })) === 1;
    },
    async remove(compId, clientId) {
      const key = keyOf(mustMatch(COMP_ID, 'CompID', compId));
      const listed = compIdsOf(mustMatch(CLIENT_ID, 'client id', clientId));
      const removed = (await connection.step(REMOVE_COMP_ID, { compId: key }, { client: clientId })) === 1;
      if (!removed) return false;
      await setDropCopy(compId, clientId, false);
      await connection.write((redis) => redis.zrem(listed, compId));
      return true;
    },
    read,
    async list(clientId) {
      const key = compIdsOf(mustMatch(CLIENT_ID, 'client id', clientId));
      return connection.read((redis) => redis.zrange(key, '-', '+', 'BYLEX', 'LIMIT', 0, LIST_MAX));
    },
  };
}

const keyOf = (compId: string): string => `comp-id:${compId}`;
const compIdsOf = (clientId: string): string => `client-comp-ids:${clientId}`;

function fields({ addresses, depth, ...shown }: Partial<DeskOptions>): string[] {
  const given: string[] = depth === undefined ? [] : ['depth', depth];
  if (addresses) {
    if (addresses.length > ADDRESSES_MAX) throw new RangeError(`at most ${ADDRESSES_MAX} addresses`);
    given.push('addresses', addressList(addresses));
  }
  for (const [name, value] of Object.entries(shown)) if (value !== undefined) given.push(name, value ? '1' : '0');
  return given;
}
