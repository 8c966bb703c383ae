/**
 * A platform's sub-clients: clients of their own, in its shard for ever, for which it acts. These operations are for a platform with a key
 * of its own; with `x-on-behalf-of` every other operation is one of the sub-client.
 */
import { z } from 'zod';
import { platformOf, SUB_CLIENT_NAME, subClientId } from '../../domain/core/ids.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { BOOK_FX_TYPES, DEFAULT_BOOK_FX_TYPE } from '../../domain/money/value-date.js';
import type { Client } from '../../store/access/clients.js';
import { CLIENT_NAME, refuseSubClient, setDisabled } from '../access/index.js';
import { type Caller, clientOf } from '../core/caller.js';
import { ACCOUNT_CURRENCY, ID, patternText } from '../core/inputs.js';
import { PAGE_INPUT, type Page, readPage } from '../core/lists.js';
import { type Answer, type Audited, defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { changedBy, withAudit } from '../core/with-audit.js';

const NAME = patternText(SUB_CLIENT_NAME, 31, '1 to 31 letters, digits, _ or -, the first a letter or digit');

const CURRENCIES = z
  .array(ACCOUNT_CURRENCY)
  .max(50)
  .optional()
  .describe('Currencies that it gets an account in, where it has none in them yet');

/** What a platform sees of a sub-client. */
export interface SubClient {
  readonly client: Client;
  readonly currencies: readonly string[];
}

/** The caller's own record, of a platform; a sub-client is none. Refuses with NOT_ENTITLED. */
export async function ownPlatform(services: Services, caller: Caller): Promise<Client | Refusal> {
  const client = await clientOf(services, caller);
  if (isRefusal(client) || client.isPlatform) return client;
  return refuse('NOT_ENTITLED', 'Not entitled: this is for a platform, which has clients of its own');
}

const NO_SUB_CLIENT = refuse('NOT_FOUND', 'No such sub-client of yours: check the id');

/** A sub-client of the caller. Refuses with NOT_ENTITLED, NOT_FOUND: also for one of another platform. */
export async function ownSubClient(services: Services, caller: Caller, id: string): Promise<Client | Refusal> {
  const platform = await ownPlatform(services, caller);
  if (isRefusal(platform)) return platform;
  return (platformOf(id) === platform.id ? await services.store.clients.get(id) : undefined) ?? NO_SUB_CLIENT;
}

const auditedSubClient: Audited<{ readonly id: string }> = {
  subject: ({ id }) => `client ${id}`,
  state: ({ store }, { id }) => store.clients.get(id),
};

/** Makes a change of a sub-client between two entries of the audit log, in the name of the platform. */
const auditedBy = <Input extends { readonly id: string }, Output>(
  services: Services,
  caller: Caller,
  name: string,
  input: Input,
  change: () => Answer<Output>,
): Promise<Output | Refusal> => withAudit(services, name, auditedSubClient, input, change, changedBy(caller));

/**
 * A new sub-client, which is in the platform's shard for ever, with an account in each of the currencies. Refuses with NOT_ENTITLED,
 * CLIENT_EXISTS, SUB_CLIENT_LIMIT.
 */
export const createSubClient = defineOperation({
  input: z.object({
    name: NAME.describe('Your own short name for it, which no other has in any case: its id is yours, ~ and this name'),
    title: CLIENT_NAME.describe('Its name, for people; the remitter of payments that name none'),
    defaultType: z.enum(BOOK_FX_TYPES).default(DEFAULT_BOOK_FX_TYPE).describe('Type of a conversion that names none'),
    currencies: CURRENCIES,
  }),
  right: 'manage',
  grows: true,
  async execute(services, caller, { name, title, defaultType, currencies }): Promise<SubClient | Refusal> {
    const platform = await ownPlatform(services, caller);
    if (isRefusal(platform)) return platform;
    const id = subClientId(platform.id, name);
    const refusal = (await services.store.clients.get(id)) ? EXISTS : await refuseSubClient(services, id);
    if (refusal) return refusal;
    return auditedBy(services, caller, 'createSubClient', { id, title, defaultType, currencies }, async () => {
      const created = await services.store.clients.create({ id, name: title, defaultType });
      return created === undefined ? EXISTS : withAccounts(services, created, currencies);
    });
  },
});

const EXISTS = refuse(
  'CLIENT_EXISTS',
  'A sub-client of yours has this name, in this case or another: read it, or choose another name',
);

/** A sub-client of the caller. Refuses with NOT_ENTITLED, NOT_FOUND. */
export const readSubClient = defineOperation({
  input: z.object({ id: ID }),
  right: 'read',
  async execute(services, caller, { id }): Promise<SubClient | Refusal> {
    const client = await ownSubClient(services, caller, id);
    return isRefusal(client) ? client : shown(services, client);
  },
});

/** Sub-clients of the caller, in order of their ids. Refuses with NOT_ENTITLED. */
export const listSubClients = defineOperation({
  input: PAGE_INPUT,
  right: 'read',
  async execute(services, caller, requested): Promise<Page<SubClient> | Refusal> {
    const platform = await ownPlatform(services, caller);
    if (isRefusal(platform)) return platform;
    const scope = { clientId: platform.id, list: 'sub-clients', filters: {} };
    return readPage(services, scope, requested, async (after, count) => {
      const found = await services.store.clients.list({ platform: platform.id, after, limit: count + 1 });
      const items = await Promise.all(found.slice(0, count).map((client) => shown(services, client)));
      return items.map((item, at) => ({ item, next: found[at + 1] && item.client.id }));
    });
  },
});

/**
 * Changes a sub-client of the caller; absent fields stay, and a change that changes nothing writes nothing. Refuses with NOT_ENTITLED, NOT_FOUND, VALIDATION_FAILED (`currencies` lacks one in
 * which it has an account), WRONG_STATE (the operator has disabled it),
 * ACCOUNT_LIMIT.
 */
export const changeSubClient = defineOperation({
  input: z.object({
    id: ID,
    title: CLIENT_NAME.optional().describe('Its name, for people'),
    defaultType: z.enum(BOOK_FX_TYPES).optional().describe('Type of a conversion that names none'),
    disabled: z
      .boolean()
      .optional()
      .describe('true: it is refused everywhere, and its tokens and sessions end; false: it is enabled again'),
    currencies: CURRENCIES,
  }),
  right: 'manage',
  async execute(services, caller, { id, title, defaultType, disabled, currencies }): Promise<SubClient | Refusal> {
    const client = await ownSubClient(services, caller, id);
    if (isRefusal(client)) return client;
    const { currencies: held } = await shown(services, client);
    const missing = currencies && held.filter((currency) => !currencies.includes(currency));
    if (missing && missing.length > 0) return refuseCurrencies(currencies, missing);
    const isByOperator = client.disabled && !client.disabledByPlatform;
    const isMoved = disabled !== undefined && !isByOperator && disabled !== client.disabled;
    if (isByOperator && disabled === false)
      return refuse('WRONG_STATE', 'We have disabled this sub-client: ask us to enable it');
    const isSame =
      (title ?? client.name) === client.name &&
      (defaultType ?? client.defaultType) === client.defaultType &&
      (currencies ?? held).every((currency) => held.includes(currency));
    if (isSame && !isMoved) return { client, currencies: held };
    const input = { id, title, defaultType, disabled, currencies };
    return auditedBy(services, caller, 'changeSubClient', input, async () => {
      await services.store.clients.change(id, { name: title, defaultType });
      if (isMoved) await setDisabled(services, client, disabled, 'platform');
      return withAccounts(services, (await services.store.clients.get(id)) ?? client, currencies);
    });
  },
});

/** A list that lacks a currency asks to close its accounts. */
function refuseCurrencies(currencies: readonly string[], missing: readonly string[]): Refusal {
  const message = `${currencies.join(', ') || 'an empty list'} lacks ${missing.join(', ')}, which it has accounts in: send all its currencies, since accounts are not closed here`;
  return refuse('VALIDATION_FAILED', undefined, { fields: [{ field: 'currencies', code: 'not_allowed', message }] });
}

/** Opens an account in each of the currencies that it has none in. */
async function withAccounts(
  services: Services,
  client: Client,
  currencies: readonly string[] = [],
): Promise<SubClient | Refusal> {
  const { accounts } = services.store;
  const before = new Set((await accounts.list(client)).map(({ currency }) => currency));
  for (const currency of new Set(currencies)) {
    if (before.has(currency)) continue;
    const account = { currency, label: '', autoBookFxSequence: 0, makeDefault: false };
    if ((await accounts.open(client, account)) === undefined) return refuse('ACCOUNT_LIMIT');
  }
  return shown(services, client);
}

async function shown({ store }: Services, client: Client): Promise<SubClient> {
  const accounts = await store.accounts.list(client);
  return { client, currencies: [...new Set(accounts.map(({ currency }) => currency))] };
}
