/** Lookups for the operator across all clients: the clients themselves, a record by its id alone, or the newest records of a list. */
import { z } from 'zod';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import type { Client } from '../../store/access/clients.js';
import { CLIENT_ID } from './inputs.js';
import type { RecordKind } from './lists.js';
import { defineOpenOperation } from './operation.js';
import type { Services } from './services.js';

interface Records {
  holderOf(id: string): Promise<string | undefined>;
}

interface OfClient<One> {
  readonly client: Client;
  readonly one: One;
}

/** The client that owns it; undefined: no client does. */
export async function holderOf({ store }: Services, records: Records, id: string): Promise<Client | undefined> {
  const holder = await records.holderOf(id);
  return holder === undefined ? undefined : store.clients.get(holder);
}

/** A kind of record whose id alone names its client. */
type FoundById<One> = RecordKind<One, 'fundings' | 'payments'>;

/** The record and the client that owns it; undefined: there is none. */
export async function findOfAnyClient<One>(
  services: Services,
  kind: FoundById<One>,
  id: string,
): Promise<OfClient<One> | undefined> {
  const client = await holderOf(services, services.store[kind.list], id);
  const one = client && (await kind.read(services, client, id));
  return client && one && { client, one };
}

/** The same; NOT_FOUND for an unknown id, naming the command that lists valid ones. */
export async function findById<One>(
  services: Services,
  kind: FoundById<One>,
  id: string,
): Promise<OfClient<One> | Refusal> {
  const found = await findOfAnyClient(services, kind, id);
  const text = `No ${kind.noun} ${shown(id)}: \`ratewire ${kind.list} list\` shows those there are`;
  return found ?? refuse('NOT_FOUND', text);
}

/** UNKNOWN_ACCOUNT, with a text for the operator. */
export function noAccount(accountNumber: string): Refusal {
  const text = `No account ${shown(accountNumber)}: \`ratewire accounts list\` shows those of a client`;
  return refuse('UNKNOWN_ACCOUNT', text);
}

/** ACCOUNT_INACTIVE, with a text for the operator. */
export const DEACTIVATED = refuse(
  'ACCOUNT_INACTIVE',
  'The account is deactivated: `ratewire accounts activate` takes it back into use',
);

/** The id may be any input: control characters must not reach the terminal. */
const shown = (id: string): string => id.replace(/[^\x21-\x7e]/g, '?').slice(0, 40);

interface Listed<One> {
  readonly clientId: string;
  readonly one: One;
}

const PAGE = 200;
const LIMIT = { error: 'a whole number from 1 to 1000' };

/** The operation that lists matching records of one client or of all, newest first, at most `limit`. Refuses with UNKNOWN_CLIENT. */
export function defineListOfAll<One extends { readonly id: string; readonly status: string }, Output extends object>(
  kind: RecordKind<One>,
  render: (found: readonly Listed<One>[], services: Services) => Output,
) {
  return defineOpenOperation({
    input: z.object({
      clientId: CLIENT_ID.optional(),
      limit: z.number(LIMIT).int(LIMIT).min(1, LIMIT).max(1_000, LIMIT).default(50),
      status: z.enum(kind.statuses, { error: `one of ${kind.statuses.join(', ')}` }).optional(),
    }),
    async execute(services, _operator, { clientId, limit, status }): Promise<Output | Refusal> {
      const clients = await clientsOf(services, clientId);
      if (isRefusal(clients)) return clients;
      let found: Listed<One>[] = [];
      for await (const of of clients) {
        found.push(...(await newestOf(services, of, limit, kind, status)));
        // Memory is bounded by the limit, not by the number of clients.
        if (found.length > 2 * limit) found = newest(found, limit);
      }
      return render(newest(found, limit), services);
    },
  });
}

async function newestOf<One extends { readonly status: string }>(
  services: Services,
  client: Client,
  limit: number,
  { list, read, decode }: RecordKind<One>,
  status: string | undefined,
): Promise<Listed<One>[]> {
  const found: Listed<One>[] = [];
  for (let after: string | undefined; found.length < limit; ) {
    const page = await services.store.lists.page(client, list, {}, after, PAGE);
    for (const one of await Promise.all(page.map(({ id, member }) => decode?.(member) ?? read(services, client, id))))
      if (one !== undefined && (status === undefined || one.status === status))
        found.push({ clientId: client.id, one });
    if (page.length < PAGE) break;
    after = page.at(-1)!.place;
  }
  return found.slice(0, limit);
}

/** Ids begin with the time. */
function newest<One extends { readonly id: string }>(all: readonly Listed<One>[], limit: number): Listed<One>[] {
  return all.toSorted((one, other) => (one.one.id < other.one.id ? 1 : -1)).slice(0, limit);
}

type Clients = Iterable<Client> | AsyncIterable<Client>;

/** The client of this id, or all of them; to be read once. Refuses with UNKNOWN_CLIENT. */
export async function clientsOf(services: Services, clientId: string | undefined): Promise<Clients | Refusal> {
  if (clientId === undefined) return everyClient(services);
  const client = await services.store.clients.get(clientId);
  return client === undefined ? refuse('UNKNOWN_CLIENT') : [client];
}

const AT_ONCE = 200;

/** All clients, or all sub-clients of a platform, in order of their ids, read page by page. */
export async function* everyClient({ store }: Pick<Services, 'store'>, platform?: string): AsyncGenerator<Client> {
  for (let after: string | undefined; ; ) {
    const page = await store.clients.list({ limit: AT_ONCE, after, platform });
    yield* page;
    if (page.length === 0) return;
    after = page.at(-1)!.id;
  }
}
