/**
 * Who is next: parties take turns, in each party its clients, and of each client its senders. A party is a client, or a platform with its
 * sub-clients: more clients, or more endpoints, are no more turns.
 */
import { platformOf } from '../../domain/core/ids.js';

export const partyOf = (clientId: string): string => platformOf(clientId) ?? clientId;

export class Turns<Waiting extends { readonly clientId: string }> {
  readonly #parties = new Map<string, Map<string, Set<Waiting>>>();

  get isEmpty(): boolean {
    return this.#parties.size === 0;
  }

  /** Each waits once, behind those of its client. */
  add(one: Waiting): void {
    const party = partyOf(one.clientId);
    const clients = this.#parties.get(party) ?? new Map<string, Set<Waiting>>();
    const own = clients.get(one.clientId) ?? new Set<Waiting>();
    own.add(one);
    clients.set(one.clientId, own);
    this.#parties.set(party, clients);
  }

  /** The next one, which waits no more; its client and its party are behind the others from now on. */
  take(): Waiting | undefined {
    for (const [party, clients] of this.#parties) {
      this.#parties.delete(party);
      for (const [clientId, own] of clients) {
        clients.delete(clientId);
        for (const one of own) {
          own.delete(one);
          if (own.size > 0) clients.set(clientId, own);
          if (clients.size > 0) this.#parties.set(party, clients);
          return one;
        }
      }
    }
    return undefined;
  }
}
