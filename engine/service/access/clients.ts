import { z } from 'zod';
import { PAYEE_ANSWERS } from '../../domain/beneficiaries/payee-verification.js';
import { platformOf } from '../../domain/core/ids.js';
import { type Refusal, refuse } from '../../domain/core/refusal.js';
import { RIGHTS } from '../../domain/core/rights.js';
import { BOOK_FX_TYPES, DEFAULT_BOOK_FX_TYPE } from '../../domain/money/value-date.js';
import { type TradingRestriction, TradingStates } from '../../domain/risk/trading-state.js';
import { CANCEL_POLICIES, type Client } from '../../store/access/clients.js';
import { boundedText, CLIENT_ID, patternText } from '../core/inputs.js';
import { type Audited, defineOpenOperation } from '../core/operation.js';
import { everyClient } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';
import { liveDesks, logOutDesks } from '../sessions/index.js';

const A_NAME = '1 to 140 characters';
export const CLIENT_NAME = boundedText(140, A_NAME).min(1, { error: A_NAME });

/** As many as one platform may have: each is a client of its shard. */
const SUB_CLIENTS_MAX = 10_000;

/** Why a client of this id cannot be created; undefined: it is no sub-client, or can be. */
export async function refuseSubClient({ store }: Pick<Services, 'store'>, id: string): Promise<Refusal | undefined> {
  const platform = platformOf(id);
  if (platform === undefined) return undefined;
  const client = await store.clients.get(platform);
  if (client === undefined) return refuse('UNKNOWN_CLIENT');
  if (!client.isPlatform)
    return refuse('WRONG_STATE', `${platform} is no platform: \`ratewire clients change ${platform} --platform yes\``);
  return (await store.clients.countOf(platform)) >= SUB_CLIENTS_MAX ? refuse('SUB_CLIENT_LIMIT') : undefined;
}

/**
 * A new client, without keys or margins. Refuses with CLIENT_EXISTS; of a sub-client with UNKNOWN_CLIENT, WRONG_STATE (it names no platform),
 * SUB_CLIENT_LIMIT.
 */
export const createClient = defineOpenOperation({
  input: z.object({
    id: CLIENT_ID,
    name: CLIENT_NAME,
    defaultType: z.enum(BOOK_FX_TYPES).default(DEFAULT_BOOK_FX_TYPE),
    rights: z
      .array(z.enum(RIGHTS))
      .min(1)
      .default([...RIGHTS]),
  }),
  audited: clientAudited('id'),
  async execute(services, _operator, input): Promise<ShownClient | Refusal> {
    const refusal = await refuseSubClient(services, input.id);
    if (refusal) return refusal;
    return (await services.store.clients.create(input)) ?? refuse('CLIENT_EXISTS');
  },
});

/** A client's record, and how its trading is restricted; undefined: it is ACTIVE. */
export interface ShownClient extends Client {
  readonly trading?: TradingRestriction | undefined;
  /** Its steps append events. */
  readonly hasEvents?: boolean;
}

async function shownClient({ store }: Services, id: string): Promise<ShownClient | undefined> {
  const [client, trading] = await Promise.all([
    store.clients.get(id),
    store.tradingStates.read({ scope: 'client', name: id }),
  ]);
  return client && { ...client, trading, hasEvents: await store.events.isOn(client) };
}

/** Clients by id, or the sub-clients of a platform, a page at a time. */
export const listClients = defineOpenOperation({
  input: z.object({
    after: CLIENT_ID.optional(),
    limit: z.number().int().min(1).max(1000).default(100),
    platform: CLIENT_ID.optional(),
  }),
  async execute({ store }, _operator, page) {
    const [clients, restrictions] = await Promise.all([store.clients.list(page), store.tradingStates.list()]);
    const states = new TradingStates();
    states.replace(restrictions);
    const shown = async (client: Client): Promise<ShownClient> => {
      const hasEvents = await store.events.isOn(client);
      return { ...client, trading: states.client(client.id), hasEvents };
    };
    return { clients: await Promise.all(clients.map(shown)) };
  },
});

/** One client's record. Refuses with UNKNOWN_CLIENT. */
export const showClient = defineOpenOperation({
  input: z.object({ id: CLIENT_ID }),
  async execute(services, _operator, { id }) {
    return (await shownClient(services, id)) ?? refuse('UNKNOWN_CLIENT');
  },
});

const PER_MINUTE_MAX = 1_000_000;
const NO_PER_MINUTE = { error: `a whole number from 0 (no limit) to ${PER_MINUTE_MAX}, or default` };
const PER_MINUTE = z
  .union([z.literal('default'), z.number()], NO_PER_MINUTE)
  .refine(
    (most) => most === 'default' || (Number.isInteger(most) && most >= 0 && most <= PER_MINUTE_MAX),
    NO_PER_MINUTE,
  )
  .optional();

const USD_MAX = 1_000_000_000;
const NO_USD = { error: `whole US dollars from 0 to ${USD_MAX}, or default` };
const USD = z
  .union([z.literal('default'), z.number()], NO_USD)
  .refine((usd) => usd === 'default' || (Number.isInteger(usd) && usd >= 0 && usd <= USD_MAX), NO_USD)
  .optional();

/** Changes a client's profile, everywhere within a second; absent fields stay. Refuses with UNKNOWN_CLIENT, WRONG_STATE. */
export const changeClient = defineOpenOperation({
  input: z.object({
    id: CLIENT_ID,
    name: CLIENT_NAME.optional(),
    defaultType: z.enum(BOOK_FX_TYPES).optional(),
    /** The client pays on behalf of others: its payments must name the remitter. */
    onBehalf: z.boolean().optional(),
    allowTruncation: z.boolean().optional(),
    /** It may have sub-clients, and act for them. Refused for a sub-client: there is one level. */
    isPlatform: z.boolean().optional(),
    /** Whether a cancelled conversion may gain. */
    cancel: z.enum(CANCEL_POLICIES).optional(),
    /** Requests per minute; 0: no limit. */
    limits: z.object({ authentication: PER_MINUTE, reads: PER_MINUTE, writes: PER_MINUTE }).optional(),
    /** The maximum total value of its open holds, and of one hold without an amount, US dollars; 0: none. */
    holdLimitUsd: USD,
    holdMaximumUsd: USD,
    /** From now on, and for good: a sequence without gaps has no pause. */
    events: z.literal('on', { error: 'on: events are never switched off' }).optional(),
    /** Which answers of payee verification are enough for its payments. */
    verification: z
      .union([z.literal('off'), z.object({ accepted: z.array(z.enum(PAYEE_ANSWERS)).min(1), required: z.boolean() })])
      .optional(),
  }),
  audited: {
    ...clientAudited('id'),
    state: (services, { id }) => shownClient(services, id),
  },
  async execute(services, _operator, { id, events, ...change }) {
    if (change.isPlatform && platformOf(id) !== undefined)
      return refuse('WRONG_STATE', 'A sub-client has no sub-clients of its own');
    if (!(await services.store.clients.change(id, change))) return refuse('UNKNOWN_CLIENT');
    const client = events && (await services.store.clients.get(id));
    if (client) await services.store.events.enable(client);
    return (await shownClient(services, id)) ?? refuse('UNKNOWN_CLIENT');
  },
});

/** Maximum sold in open scheduled conversions, in units of each sell currency; 0: none. Refuses with UNKNOWN_CLIENT. */
export const setScheduledLimit = defineOpenOperation({
  input: z.object({
    clientId: CLIENT_ID,
    limit: patternText(/^\d{1,12}$/, 12, 'whole units, at most 12 digits'),
  }),
  audited: clientAudited('clientId'),
  async execute({ store }, _operator, { clientId, limit }) {
    const isSet = await store.clients.setScheduledLimit(clientId, limit);
    return isSet ? { clientId, scheduledLimit: limit } : refuse('UNKNOWN_CLIENT');
  },
});

/**
 * Disables a client everywhere, revokes its tokens and logs its desks out, or enables it again. While it is disabled, its payments that
 * await funds get none. With a platform all its sub-clients are. Refuses with UNKNOWN_CLIENT.
 */
export const disableClient = defineOpenOperation({
  input: z.object({ id: CLIENT_ID, disabled: z.boolean() }),
  audited: clientAudited('id'),
  async execute(services, _operator, { id, disabled }) {
    const { store } = services;
    const client = await store.clients.get(id);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    return setDisabled(services, client, disabled);
  },
});

/** The operation above. Its sub-clients have the state of a platform without a write: what they have open ends here. */
export async function setDisabled(
  services: Services,
  client: Client,
  disabled: boolean,
  by: 'operator' | 'platform' = 'operator',
) {
  const { store } = services;
  const { id } = client;
  const desks = disabled ? liveDesks(services, id) : undefined;
  await store.clients.setDisabled(id, disabled, by);
  let tokensEnded = 0;
  const sessionsEnded: string[] = [];
  const end = async (one: Client): Promise<void> => {
    if (!disabled) {
      // Money and events may have come while the client was disabled.
      await store.work.wakeAfter(one, 0);
      if (await store.events.isOn(one)) await store.deliveries.wake(one);
      return;
    }
    const before = (one === client && desks) || liveDesks(services, one.id);
    tokensEnded += await store.tokens.revokeAll(one.id);
    sessionsEnded.push(...(await logOutDesks(services, one.id, 'NOT_ENTITLED: this client is disabled', before)));
  };
  await end(client);
  for await (const one of everyClient(services, id)) await end(one);
  return { id, disabled, tokensEnded, sessionsEnded };
}

/** Audits a change of a client's record; `field` is the input field with the client id. */
function clientAudited<Field extends string>(field: Field): Audited<Readonly<Record<Field, string>>> {
  return {
    subject: (input) => `client ${input[field]}`,
    state: ({ store }, input) => store.clients.get(input[field]),
  };
}
