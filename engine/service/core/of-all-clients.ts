/** What an operator looks through: all clients, a record by its id alone, or the newest of a list, whichever client's they are. */
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

/** Whose it is; undefined: nobody's. */
export async function holderOf(
  { store }: Services,
  records: Pick<Records<object>, 'holderOf'>,
  id: string,
): Promise<Client | undefined> {
  const holder = await records.holderOf(id);
  return holder === undefined ? undefined : store.clients.get(holder);
}

/** The record and whose it is; undefined: there is none. */
export async function findOfClients<One>(
  services: Services,
  records: Records<One>,
  id: string,
): Promise<OfClient<One> | undefined> {
  const client = await holderOf(services, records, id);
  const one = client && (await records.read(client, id));
  return client && one && { client, one };
}

/** The same; NOT_FOUND for an id that is nobody's, which `command` lists those of. */
export async function namedOfClients<One>(
  services: Services,
  records: Records<One>,
  id: string,
  command: 'funding' | 'payments',
): Promise<OfClient<One> | Refusal> {
  const found = await findOfClients(services, records, id);
  if (found) return found;
  const what = command === 'funding' ? 'funding' : 'payment';
  return refuse('NOT_FOUND', `No ${what} ${shown(id)}: \`ratewire ${command} list\` shows those there are`);
}

/** UNKNOWN_ACCOUNT, to an operator. */
export function noAccount(accountNumber: string): Refusal {
  const text = `No account ${shown(accountNumber)}: \`ratewire accounts list\` shows those of a client`;
  return refuse('UNKNOWN_ACCOUNT', text);
}

/** ACCOUNT_INACTIVE, to an operator. */
export const DEACTIVATED = refuse(
  'ACCOUNT_INACTIVE',
  'The account is deactivated: `ratewire accounts activate` takes it back into use',
);

/** Whatever was typed: it breaks no line and no terminal. */
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

/** What can be asked of such a list, beside the status. */
export const NEWEST_INPUT = {
  clientId: CLIENT_ID.optional(),
  limit: z.number(LIMIT).int(LIMIT).min(1, LIMIT).max(1_000, LIMIT).default(50),
};

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

const AT_ONCE = 200;

/** All clients in order of their ids, read a page at a time. */
export async function* everyClient({ store }: Pick<Services, 'store'>): AsyncGenerator<Client> {
  for (let after: string | undefined; ; ) {
    const page = await store.clients.list({ limit: AT_ONCE, ...(after === undefined ? {} : { after }) });
    yield* page;
    if (page.length === 0) return;
    after = page.at(-1)!.id;
  }
}
