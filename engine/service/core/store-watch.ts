/** Store access of the live page beside the operations: what it reads and subscribes to. */

import type { PairStatus } from '../../domain/money/pair.js';
import type { EngineStatus } from '../../domain/system/engine-status.js';
import { type Port, sandboxesOf } from '../../domain/system/port-mode.js';
import type { Client } from '../../store/access/clients.js';
import { isAllowed } from './caller.js';
import type { Services } from './services.js';

/** Each reading rejects with StoreUnavailable while the store does not answer. */
export interface StoreWatch {
  isUp(): boolean;
  /** The ports in sandbox mode. */
  sandboxes(): readonly Port[];
  client(clientId: string): Promise<Client | undefined>;
  /** At most `limit` client ids after `after`, in order. */
  clientIds(limit: number, after: string | undefined): Promise<readonly string[]>;
  /** Called when a client's journal has grown; a call may be lost. */
  onJournalGrown(grown: (clientId: string) => void): () => void;
  engines(waitMs: number): Promise<readonly EngineStatus[]>;
  /** Undefined: no engine has answered. */
  pairs(waitMs: number): Promise<readonly PairStatus[] | undefined>;
  /** Called when a token was revoked; a call may be lost: `revocations` changes with each. */
  onTokenRevoked(revoked: (hash: string) => void): () => void;
  revocations(): Promise<string>;
  areTokensLive(hashes: readonly string[]): Promise<readonly boolean[]>;
  /** False: the key is revoked, or its addresses exclude this one. */
  mayUseKey(keyId: string, address: string): Promise<boolean>;
}

export function storeWatch({ store }: Pick<Services, 'store'>): StoreWatch {
  return {
    isUp: () => store.isUp(),
    sandboxes: () => sandboxesOf(store.ports.modes),
    client: async (clientId) => store.clients.cached(clientId),
    async clientIds(limit, after) {
      const page = await store.clients.list({ limit, ...(after !== undefined && { after }) });
      return page.map(({ id }) => id);
    },
    onJournalGrown: (grown) => store.journal.onGrown(grown),
    engines: (waitMs) => store.engines.status(waitMs),
    pairs: (waitMs) => store.engines.pairs(waitMs),
    onTokenRevoked: (revoked) => store.tokens.onRevoked(revoked),
    revocations: () => store.tokens.revocations(),
    areTokensLive: async (hashes) => (await store.tokens.readMany(hashes)).map((token) => token?.state === 'live'),
    async mayUseKey(keyId, address) {
      const key = await store.keys.cached(keyId);
      return key === undefined || (!key.revoked && isAllowed(key.addresses, address));
    },
  };
}
