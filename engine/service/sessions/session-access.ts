/** Store access of a FIX gateway beside the operations: the gateway uses the store through this interface only. */
import { ENGINE_COMP_ID } from '../../domain/core/ids.js';
import { isAllowed, networkOf } from '../core/caller.js';
import type { Services } from '../core/services.js';

/** Failed logons of one address in a minute, over all gateways, and how long its connections are then closed without a reply. */
const FAILED_LOGONS = { kind: 'logon', most: 10, windowMs: 60_000, closedMs: 60_000 } as const;

interface ClientRef {
  readonly id: string;
  readonly shard: number;
}

interface LoggedOn {
  readonly compId: string;
  readonly clientId: string;
  readonly clientKey: string;
  readonly address: string;
}

export type SessionAccess = ReturnType<typeof sessionAccess>;
export type OutboxEntry = Awaited<ReturnType<SessionAccess['readOutbox']>>[number];

/** Every promise rejects with StoreUnavailable while the store is unavailable. */
export function sessionAccess({ store }: Pick<Services, 'store'>) {
  const { bookings, clients, clock, compIds, failedAttempts, fixSessions, holds, keys, tokens } = store;
  return {
    isStoreUp: () => store.isUp(),
    /** This process's estimate of the clock that the client's steps use, epoch ms. */
    nowMs: (of: Pick<ClientRef, 'shard'>) => clock.now(of),

    /** The client that a CompID is assigned to, and what its session discloses. */
    compId: (compId: string) => compIds.read(compId),
    client: (clientId: string) => clients.get(clientId),
    /** Whether the CompID, its client and its key may still be used, and from this address. */
    async mayStayLoggedOn({ compId, clientId, clientKey, address }: LoggedOn): Promise<boolean> {
      const [assigned, client, key] = await Promise.all([
        compIds.read(compId),
        clients.get(clientId),
        keys.read(clientKey),
      ]);
      if (assigned?.clientId !== clientId || client?.disabled !== false || key?.revoked !== false) return false;
      return isAllowed(assigned.addresses, address) && isAllowed(key.addresses, address);
    },
    /** Whether a key is revoked, or may not be used from this address. */
    async isKeyEnded(keyId: string, address: string): Promise<boolean> {
      const key = await keys.cached(keyId);
      return key !== undefined && (key.revoked || !isAllowed(key.addresses, address));
    },

    /** How long logons from the address's network are rejected, ms, by the failed logons at all gateways; 0: not rejected. */
    closedMs: (address: string, nowMs: number) => failedAttempts.closedMs(FAILED_LOGONS, networkOf(address), nowMs),
    /** Counts a failed logon, and returns the same as `closedMs`. */
    countFailedLogon: (address: string, nowMs: number) =>
      failedAttempts.count(FAILED_LOGONS, networkOf(address), nowMs),

    /** Changes with every revocation. */
    revocations: () => tokens.revocations(),
    /** The revoked or unknown ones of these token hashes. */
    async revokedOf(hashes: readonly string[]): Promise<readonly string[]> {
      const records = await tokens.readMany(hashes);
      return hashes.filter((_, i) => records[i] === undefined || records[i].state === 'revoked');
    },
    /** Called with the hash of a token that was revoked anywhere. A notification may be missed: see `revocations`. */
    onRevoked: (revoked: (hash: string) => void) => tokens.onRevoked(revoked),

    booking: (client: ClientRef, confirmationId: string) => bookings.read(client, confirmationId),
    hold: (client: ClientRef, holdId: string) => holds.read(client, holdId),

    /** Numbers and stored messages of a session. */
    messageStore: (id: Parameters<typeof fixSessions.store>[0], shard: number) => fixSessions.store(id, shard),
    /** Entries of a session's outbox after `afterId` (undefined: from the first), oldest first. */
    readOutbox: (compId: string, shard: number, afterId: string | undefined, limit: number) =>
      fixSessions.readOutbox(ENGINE_COMP_ID, compId, shard, afterId, limit),
    /** Removes an entry whose subject no longer exists. */
    dropOutboxEntry: (compId: string, shard: number, entryId: string) =>
      fixSessions.dropOutboxEntry(ENGINE_COMP_ID, compId, shard, entryId),
    /** Called with the CompID of a session that has a new entry. A notification may be missed. */
    onOutbox: (notified: (compId: string) => void) => fixSessions.onOutbox(notified),
  };
}
