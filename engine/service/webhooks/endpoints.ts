/** A client's webhook endpoints: created, listed, changed, their secrets rotated, removed. */
import { z } from 'zod';
import { type FieldFault, isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { isEventPattern } from '../../domain/events/events.js';
import {
  type InactiveReason,
  PREVIOUS_SECRET_MS,
  SIGNATURES,
  WEBHOOK_TYPES_MAX,
  type Webhook,
} from '../../domain/webhooks/webhook.js';
import type { Client } from '../../store/access/clients.js';
import { targetOf, type WebhookChange } from '../../store/webhooks/webhooks.js';
import { type Caller, clientOf } from '../core/caller.js';
import { newId } from '../core/ids.js';
import { boundedText, ID, knownText, VERSION } from '../core/inputs.js';
import { defineFind, type Page } from '../core/lists.js';
import { type Answer, type Audited, defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { changedBy, withAudit } from '../core/with-audit.js';
import { checkedAddresses, endpointUrl, NOT_ALLOWED, type Resolve, resolver, URL_MAX } from './addresses.js';
import { newSecret } from './signatures.js';

/** With the secret of `whsec_...` where it was made just now: it is never shown again. */
export interface ShownWebhook {
  readonly webhook: Webhook;
  readonly secret?: string | undefined;
}

const NAME = boundedText(140, 'at most 140 characters');
const URL_TEXT = boundedText(URL_MAX, `a URL of at most ${URL_MAX} characters`);
const A_TYPE = { error: 'a type of event, such as payment.paid, or with a wildcard: payment.* or *' };
const SOME_TYPES = { error: `a list of 1 to ${WEBHOOK_TYPES_MAX} types of events` };
const TYPES = z
  .array(knownText(64, A_TYPE.error).refine(isEventPattern, A_TYPE), SOME_TYPES)
  .min(1, SOME_TYPES)
  .max(WEBHOOK_TYPES_MAX, SOME_TYPES);
const ACTIVE = z.boolean({ error: 'true or false' });

export const NO_WEBHOOK = refuse('NOT_FOUND', 'No endpoint of yours with this id: check the id');

export const WEBHOOK_ID_INPUT = z.object({ webhookId: ID });

interface Named {
  readonly clientId: string;
  readonly webhookId: string;
}

/** Its secrets are left out, and of its URL what may have a credential. */
export const auditedWebhook: Audited<Named> = {
  subject: ({ clientId, webhookId }) => `webhook ${webhookId} of client ${clientId}`,
  async state({ store }, { clientId, webhookId }) {
    const client = await store.clients.get(clientId);
    const webhook = client && (await store.webhooks.read(client, webhookId));
    if (webhook === undefined) return undefined;
    const { secret: _, previousSecret: __, url, ...shown } = webhook;
    return { ...shown, ...targetOf(url) };
  },
};

/** Makes a change of an endpoint between two entries of the audit log. */
const audited = <Output>(
  services: Services,
  caller: Caller,
  name: string,
  webhookId: string,
  change: () => Answer<Output>,
): Promise<Output | Refusal> =>
  withAudit(services, name, auditedWebhook, { clientId: caller.clientId, webhookId }, change, changedBy(caller));

let shared: Resolve | undefined;
/** The name servers of this machine, unless the process was given others. */
export function resolveOf({ resolve }: Pick<Services, 'resolve'>): Resolve {
  shared ??= resolver();
  return resolve ?? shared;
}

/** The fault of an endpoint's address, by its text and by what its name resolves to; a text that is no text is left to the schema. */
async function urlFaults(services: Services, input: unknown): Promise<readonly FieldFault[]> {
  const { url: text } = input as { readonly url?: unknown };
  if (typeof text !== 'string' || text.length > URL_MAX) return [];
  const fault = (message: string): FieldFault[] => [{ field: 'url', code: 'incorrect_value', message }];
  const loopback = services.settings.webhookLoopback === true;
  const read = endpointUrl(text, loopback);
  if ('fault' in read) return fault(read.fault);
  const found = await checkedAddresses(read.url, loopback, resolveOf(services));
  if (found === 'name') return fault('its name does not resolve: check it, or try again');
  return found === 'address' ? fault(NOT_ALLOWED) : [];
}

/**
 * Creates an endpoint, which gets the events from now on, once its URL has answered a challenge; the client has events from then on. Refuses with VALIDATION_FAILED, WEBHOOK_LIMIT.
 */
export const createWebhook = defineOperation({
  input: z.object({
    name: NAME.default(''),
    url: URL_TEXT,
    types: TYPES,
    signature: z.enum(SIGNATURES, { error: `one of ${SIGNATURES.join(', ')}` }).default('symmetric'),
  }),
  right: 'manage',
  grows: true,
  faults: async (services, _caller, input) => ({ faults: await urlFaults(services, input) }),
  async execute(services, caller, { signature, ...given }): Promise<ShownWebhook | Refusal> {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const { store } = services;
    const nowMs = store.clock.now(client);
    const id = newId('WHK', nowMs);
    const secret = newSecret(store.subKey, id, signature);
    // Before the endpoint: it begins behind the newest event.
    await store.events.enable(client);
    const webhook = { id, ...given, signature, secret: secret.sealed, publicKey: secret.publicKey };
    return audited(services, caller, 'createWebhook', id, async () => {
      if (!(await store.webhooks.create(client, webhook, nowMs))) return refuse('WEBHOOK_LIMIT');
      return shown(services, client, id, secret.shown);
    });
  },
});

/** The caller's endpoints, in order of their creation. */
export const listWebhooks = defineOperation({
  input: z.strictObject({}),
  right: 'manage',
  async execute(services, caller): Promise<Page<ShownWebhook> | Refusal> {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const all = await services.store.webhooks.list(client);
    return { items: all.map((webhook) => ({ webhook })), nextCursor: '' };
  },
});

/** One endpoint of the caller. Refuses with NOT_FOUND. */
export const readWebhook = defineFind({
  input: WEBHOOK_ID_INPUT,
  right: 'manage',
  missing: NO_WEBHOOK,
  async find({ store }, client, { webhookId }): Promise<ShownWebhook | undefined> {
    const webhook = await store.webhooks.read(client, webhookId);
    return webhook && { webhook };
  },
});

/**
 * Changes an endpoint; what is absent stays, and a change that changes nothing writes nothing. One that is activated continues behind the last event that it got; another URL is challenged
 * before. Refuses with
 * VALIDATION_FAILED, NOT_FOUND, VERSION_CONFLICT.
 */
export const changeWebhook = defineOperation({
  input: WEBHOOK_ID_INPUT.extend({
    version: VERSION,
    name: NAME.optional(),
    url: URL_TEXT.optional(),
    types: TYPES.optional(),
    active: ACTIVE.optional(),
  }),
  right: 'manage',
  faults: async (services, _caller, input) => ({ faults: await urlFaults(services, input) }),
  async execute(services, caller, { webhookId, version, active, ...given }): Promise<ShownWebhook | Refusal> {
    const found = await ownWebhook(services, caller, webhookId);
    if (isRefusal(found)) return found;
    const { client, webhook } = found;
    if (active === true && webhook.inactive === 'OPERATOR')
      return refuse('WRONG_STATE', 'We have disabled this endpoint: ask us to activate it');
    const inactive = active === undefined ? undefined : active ? ('ACTIVE' as const) : pausedReason(webhook);
    const change = changedOf(webhook, { ...given, inactive });
    if (Object.values(change).every((value) => value === undefined))
      return version === undefined || version === webhook.version ? { webhook } : refuse('VERSION_CONFLICT');
    const nowMs = services.store.clock.now(client);
    // Whether it is active follows from what was read: that of another moment could undo what the operator has decided since.
    const expected = version ?? (active === undefined ? undefined : webhook.version);
    return audited(services, caller, 'changeWebhook', webhookId, async () => {
      const outcome = await services.store.webhooks.change(client, webhookId, change, nowMs, expected);
      return outcome === 'changed' ? shown(services, client, webhookId) : refusalOf(outcome);
    });
  },
});

/** Without what is as it was. */
function changedOf(webhook: Webhook, { name, url, types, inactive }: WebhookChange): WebhookChange {
  const isSame = inactive === (webhook.inactive ?? 'ACTIVE');
  return {
    name: name === webhook.name ? undefined : name,
    url: url === webhook.url ? undefined : url,
    types: types?.join(' ') === webhook.types.join(' ') ? undefined : types,
    inactive: isSame ? undefined : inactive,
  };
}

/** One that was disabled keeps its reason. */
const pausedReason = ({ inactive }: Webhook): InactiveReason =>
  inactive === undefined || inactive === 'PENDING' ? 'PAUSED' : inactive;

/** Removes an endpoint with its deliveries. Refuses with NOT_FOUND, VERSION_CONFLICT. */
export const removeWebhook = defineOperation({
  input: WEBHOOK_ID_INPUT.extend({ version: VERSION }),
  right: 'manage',
  async execute(services, caller, { webhookId, version }): Promise<{ readonly webhookId: string } | Refusal> {
    const found = await ownWebhook(services, caller, webhookId);
    if (isRefusal(found)) return found;
    return audited(services, caller, 'removeWebhook', webhookId, async () => {
      const outcome = await services.store.webhooks.remove(found.client, webhookId, version);
      return outcome === 'removed' ? { webhookId } : refusalOf(outcome);
    });
  },
});

/** A new secret, shown once; the one before signs beside it for a day. Refuses with NOT_FOUND, VERSION_CONFLICT. */
export const rotateWebhookSecret = defineOperation({
  input: WEBHOOK_ID_INPUT.extend({ version: VERSION }),
  right: 'manage',
  async execute(services, caller, { webhookId, version }): Promise<ShownWebhook | Refusal> {
    const found = await ownWebhook(services, caller, webhookId);
    if (isRefusal(found)) return found;
    if (version !== undefined && version !== found.webhook.version) return refuse('VERSION_CONFLICT');
    return audited(services, caller, 'rotateWebhookSecret', webhookId, () =>
      rotateSecret(services, found.client, found.webhook),
    );
  },
});

/** For the client and for the operator. Refuses with VERSION_CONFLICT: it was changed at the same time. */
export async function rotateSecret(
  services: Services,
  client: Client,
  { id, signature, secret, version }: Webhook,
): Promise<ShownWebhook | Refusal> {
  const { store } = services;
  const made = newSecret(store.subKey, id, signature);
  const nowMs = store.clock.now(client);
  const change = {
    secret: made.sealed,
    publicKey: made.publicKey,
    previousSecret: secret,
    // Signatures have the time of this machine.
    previousUntilMs: services.now() + PREVIOUS_SECRET_MS,
  };
  const outcome = await store.webhooks.change(client, id, change, nowMs, version);
  return outcome === 'changed' ? shown(services, client, id, made.shown) : refusalOf(outcome);
}

/** An endpoint of the caller. Refuses with NOT_FOUND. */
export async function ownWebhook(
  services: Services,
  caller: Caller,
  webhookId: string,
): Promise<{ readonly client: Client; readonly webhook: Webhook } | Refusal> {
  const client = await clientOf(services, caller);
  if (isRefusal(client)) return client;
  const webhook = await services.store.webhooks.read(client, webhookId);
  return webhook === undefined ? NO_WEBHOOK : { client, webhook };
}

async function shown(
  { store }: Services,
  client: Client,
  id: string,
  secret?: string,
): Promise<ShownWebhook | Refusal> {
  const webhook = await store.webhooks.read(client, id);
  return webhook === undefined ? NO_WEBHOOK : { webhook, secret };
}

export const refusalOf = (outcome: 'conflict' | 'unknown'): Refusal =>
  outcome === 'conflict' ? refuse('VERSION_CONFLICT') : NO_WEBHOOK;
