/** Lookups for the operator across all clients: the clients themselves, a record by its id alone, or the newest records of a list. */
import { z } from 'zod';
import { type Refusal, refuse } from '../../domain/refusal.js';
import type { Client } from '../../store/access/clients.js';
import type { ListName } from '../../store/keys/ledger-keys.js';
import { CLIENT_ID } from './inputs.js';
import type { Services } from './services.js';

interface Records<One> {
  holderOf(id: string): Promise<string | undefined>;
  read(of: Client, id: string): Promise<One | undefined>;
}

interface OfClient<One> {
  readonly client: Client;
  readonly one: One;
}

/** The client that owns it; undefined: no client does. */
export async function holderOf(
  { store }: Services,
  records: Pick<Records<object>, 'holderOf'>,
  id: string,
): Promise<Client | undefined> {
  const holder = await records.holderOf(id);
  return holder === undefined ? undefined : store.clients.get(holder);
}

/** The record and the client that owns it; undefined: there is none. */
export async function findOfAnyClient<One>(
  services: Services,
  records: Records<One>,
  id: string,
): Promise<OfClient<One> | undefined> {
  const client = await holderOf(services, records, id);
  const one = client && (await records.read(client, id));
  return client && one && { client, one };
}

/** The same; NOT_FOUND for an unknown id, naming the `command` that lists valid ones. */
export async function findById<One>(
  services: Services,
  records: Records<One>,
  id: string,
  command: 'fundings' | 'payments',
): Promise<OfClient<One> | Refusal> {
  const found = await findOfAnyClient(services, records, id);
  if (found) return found;
  const what = command === 'fundings' ? 'funding' : 'payment';
  return refuse('NOT_FOUND', `No ${what} ${shown(id)}: \`ratewire ${command} list\` shows those there are`);
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

interface Looked<One> {
  readonly list: ListName;
  read(client: Client, id: string): Promise<One | undefined>;
  matches(one: One): boolean;
}

const PAGE = 200;
const LIMIT = { error: 'a whole number from 1 to 1000' };

/** The input fields of such a list, besides the status. */
export const NEWEST_INPUT = {
  clientId: CLIENT_ID.optional(),
  limit: z.number(LIMIT).int(LIMIT).min(1, LIMIT).max(1_000, LIMIT).default(50),
};

/** At most `limit` matching records, newest first. Refuses with UNKNOWN_CLIENT. */
export async function listNewest<One extends { readonly id: string }>(
  services: Services,
  { clientId, limit }: { readonly clientId?: string | undefined; readonly limit: number },
  looked: Looked<One>,
): Promise<readonly Listed<One>[] | Refusal> {
  const one = clientId === undefined ? undefined : await services.store.clients.get(clientId);
  if (clientId !== undefined && one === undefined) return refuse('UNKNOWN_CLIENT');
  let found: Listed<One>[] = [];
  for await (const client of one ? [one] : everyClient(services)) {
    found.push(...(await newestOf(services, client, limit, looked)));
    // Memory is bounded by the limit, not by the number of clients.
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

const AT_ONCE = 200;

/** All clients in order of their ids, read page by page. */
export async function* everyClient({ store }: Pick<Services, 'store'>): AsyncGenerator<Client> {
  for (let after: string | undefined; ; ) {
    const page = await store.clients.list({ limit: AT_ONCE, ...(after === undefined ? {} : { after }) });
    yield* page;
    if (page.length === 0) return;
    after = page.at(-1)!.id;
  }
}
