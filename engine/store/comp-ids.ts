/** Which client a desk's SenderCompID(49) belongs to. A client may have several. */
import type { Connection } from './connection.js';
import { CLIENT_ID, COMP_ID, mustMatch } from './ids.js';
import { script } from './scripts.js';

export interface CompIds {
  /** False when the CompID is another client's. TypeError for a name that is none. */
  assign(compId: string, clientId: string): Promise<boolean>;
  /** Takes the CompID from the client; false when it was not this client's. */
  remove(compId: string, clientId: string): Promise<boolean>;
  clientOf(compId: string): Promise<string | undefined>;
  /** The client's CompIDs in order; at most 1,000. */
  list(clientId: string): Promise<readonly string[]>;
}

const REMOVE = script('remove-if-same');
const LIST_MAX = 1_000;

export function compIds(connection: Connection): CompIds {
  return {
    async assign(compId, clientId) {
      const key = owner(mustMatch(COMP_ID, 'CompID', compId));
      const listed = compIdsOf(mustMatch(CLIENT_ID, 'client id', clientId));
      await connection.write((redis) => redis.set(key, clientId, 'NX'));
      const holder = await connection.write((redis) => redis.get(key));
      if (holder === clientId) await connection.write((redis) => redis.sadd(listed, compId));
      return holder === clientId;
    },
    async remove(compId, clientId) {
      const key = owner(mustMatch(COMP_ID, 'CompID', compId));
      const listed = compIdsOf(mustMatch(CLIENT_ID, 'client id', clientId));
      const removed = (await connection.step(REMOVE, [key], [clientId])) === 1;
      if (removed) await connection.write((redis) => redis.srem(listed, compId));
      return removed;
    },
    async clientOf(compId) {
      if (!COMP_ID.test(compId)) return undefined;
      return (await connection.read((redis) => redis.get(owner(compId)))) ?? undefined;
    },
    async list(clientId) {
      const key = compIdsOf(mustMatch(CLIENT_ID, 'client id', clientId));
      const [, names] = await connection.read((redis) => redis.sscan(key, 0, 'COUNT', LIST_MAX));
      return names.sort().slice(0, LIST_MAX);
    },
  };
}

const owner = (compId: string): string => `comp-id:${compId}`;
const compIdsOf = (clientId: string): string => `client-comp-ids:${clientId}`;
