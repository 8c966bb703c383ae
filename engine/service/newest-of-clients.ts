/** The newest of a list, of one client or of all: what an operator looks through. */
import { type Refusal, refuse } from '../domain/refusal.js';
import type { Client } from '../store/clients.js';
import type { ListName } from '../store/ledger-keys.js';
import { everyClient } from './reconcile.js';
import type { Services } from './services.js';

interface Listed<One> {
  readonly clientId: string;
  readonly one: One;
}

interface Looked<One> {
  readonly list: ListName;
  read(client: Client, id: string): Promise<One | undefined>;
  matches(one: One): boolean;
}

const PAGE = 200;

/** At most `limit` of those that match, newest first. Refuses with UNKNOWN_CLIENT. */
export async function newestOfClients<One extends { readonly id: string }>(
  services: Services,
  { clientId, limit }: { readonly clientId?: string | undefined; readonly limit: number },
  looked: Looked<One>,
): Promise<readonly Listed<One>[] | Refusal> {
  const one = clientId === undefined ? undefined : await services.store.clients.get(clientId);
  if (clientId !== undefined && one === undefined) return refuse('UNKNOWN_CLIENT');
  let found: Listed<One>[] = [];
  for await (const client of one ? [one] : everyClient(services)) {
    found.push(...(await newestOf(services, client, limit, looked)));
    // However many clients there are, little more is kept than is asked for.
    if (found.length > 2 * limit) found = newest(found, limit);
  }
  return newest(found, limit);
}

async function newestOf<One>(
  { store }: Services,
  client: Client,
  limit: number,
  { list, read, matches }: Looked<One>,
): Promise<Listed<One>[]> {
  const found: Listed<One>[] = [];
  for (let after: string | undefined; found.length < limit; ) {
    const page = await store.lists.page(client, list, {}, after, PAGE);
    for (const one of await Promise.all(page.map(({ id }) => read(client, id))))
      if (one !== undefined && matches(one)) found.push({ clientId: client.id, one });
    if (page.length < PAGE) break;
    after = page.at(-1)!.place;
  }
  return found.slice(0, limit);
}

/** Ids begin with the time. */
function newest<One extends { readonly id: string }>(all: readonly Listed<One>[], limit: number): Listed<One>[] {
  return all.toSorted((one, other) => (one.one.id < other.one.id ? 1 : -1)).slice(0, limit);
}
