/** A client's webhook endpoints, for the operator. */
import { z } from 'zod';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { DELIVERY_STATUSES, type Webhook } from '../../domain/webhooks/webhook.js';
import type { Client } from '../../store/access/clients.js';
import { BESIDE_OTHER_FAULTS, CLIENT_ID, ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { oneRange, pageDeliveries, REPLAY_FIELDS, replay, sendTest } from './deliveries.js';
import { auditedWebhook, NO_WEBHOOK, refusalOf, rotateSecret } from './endpoints.js';

const OF_CLIENT = z.object({ clientId: CLIENT_ID });
const ONE = OF_CLIENT.extend({ webhookId: ID });

type Shown = Omit<Webhook, 'secret' | 'previousSecret'>;

/** Without its secrets, sealed as they are. */
function withoutSecrets({ secret: _, previousSecret: __, ...shown }: Webhook): Shown {
  return shown;
}

async function ofClient(
  { store }: Services,
  { clientId, webhookId }: z.infer<typeof ONE>,
): Promise<{ readonly client: Client; readonly webhook: Webhook } | Refusal> {
  const client = await store.clients.get(clientId);
  if (client === undefined) return refuse('UNKNOWN_CLIENT');
  const webhook = await store.webhooks.read(client, webhookId);
  return webhook === undefined
    ? refuse('NOT_FOUND', 'No such endpoint: `ratewire webhooks list` shows those of a client')
    : { client, webhook };
}

/** The endpoints of a client, in order of their creation. Refuses with UNKNOWN_CLIENT. */
export const listClientWebhooks = defineOpenOperation({
  input: OF_CLIENT,
  async execute({ store }, _operator, { clientId }) {
    const client = await store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    return { webhooks: (await store.webhooks.list(client)).map(withoutSecrets) };
  },
});

/** One endpoint. Refuses with UNKNOWN_CLIENT, NOT_FOUND. */
export const showClientWebhook = defineOpenOperation({
  input: ONE,
  async execute(services, _operator, input): Promise<Shown | Refusal> {
    const found = await ofClient(services, input);
    return isRefusal(found) ? found : withoutSecrets(found.webhook);
  },
});

const LIMIT = { error: 'a whole number from 1 to 1000' };

/** The newest deliveries of an endpoint. Refuses with UNKNOWN_CLIENT, NOT_FOUND. */
export const listClientDeliveries = defineOpenOperation({
  input: ONE.extend({
    status: z.enum(DELIVERY_STATUSES, { error: `one of ${DELIVERY_STATUSES.join(', ')}` }).optional(),
    limit: z.int(LIMIT).min(1, LIMIT).max(1_000, LIMIT).default(50),
  }),
  async execute(services, _operator, { status, limit, ...named }) {
    const found = await ofClient(services, named);
    if (isRefusal(found)) return found;
    const page = await pageDeliveries(services, found.client, found.webhook, { status: status && [status], limit });
    return isRefusal(page) ? page : { deliveries: page.items };
  },
});

/** Delivers events again, as the client may. Refuses with UNKNOWN_CLIENT, NOT_FOUND, VALIDATION_FAILED, EVENTS_GONE. */
export const replayClientDeliveries = defineOpenOperation({
  input: ONE.extend(REPLAY_FIELDS).superRefine(oneRange, BESIDE_OTHER_FAULTS),
  audited: auditedWebhook,
  async execute(services, _operator, { clientId, webhookId, ...range }) {
    const found = await ofClient(services, { clientId, webhookId });
    return isRefusal(found) ? found : replay(services, found.client, found.webhook, range);
  },
});

/** Sends a test event to the endpoint alone. Refuses with UNKNOWN_CLIENT, NOT_FOUND, WRONG_STATE. */
export const testClientWebhook = defineOpenOperation({
  input: ONE,
  audited: auditedWebhook,
  async execute(services, _operator, input) {
    const found = await ofClient(services, input);
    return isRefusal(found) ? found : sendTest(services, found.client, found.webhook);
  },
});

/** Nothing is sent to it any more until the operator activates it. Refuses with UNKNOWN_CLIENT, NOT_FOUND. */
export const disableClientWebhook = defineOpenOperation({
  input: ONE,
  audited: auditedWebhook,
  execute: (services, _operator, input) => setInactive(services, input, 'OPERATOR'),
});

/** It continues where it was, once its URL has answered a challenge. Refuses with UNKNOWN_CLIENT, NOT_FOUND. */
export const activateClientWebhook = defineOpenOperation({
  input: ONE,
  audited: auditedWebhook,
  execute: (services, _operator, input) => setInactive(services, input, 'ACTIVE'),
});

async function setInactive(
  services: Services,
  input: z.infer<typeof ONE>,
  inactive: 'OPERATOR' | 'ACTIVE',
): Promise<Shown | Refusal> {
  const found = await ofClient(services, input);
  if (isRefusal(found)) return found;
  const { webhooks, clock } = services.store;
  const outcome = await webhooks.change(found.client, input.webhookId, { inactive }, clock.now(found.client));
  if (outcome !== 'changed') return refusalOf(outcome);
  const changed = await webhooks.read(found.client, input.webhookId);
  return changed === undefined ? NO_WEBHOOK : withoutSecrets(changed);
}

/** A new secret, shown once. Refuses with UNKNOWN_CLIENT, NOT_FOUND, VERSION_CONFLICT. */
export const rotateClientWebhookSecret = defineOpenOperation({
  input: ONE,
  audited: auditedWebhook,
  async execute(services, _operator, input) {
    const found = await ofClient(services, input);
    if (isRefusal(found)) return found;
    const rotated = await rotateSecret(services, found.client, found.webhook);
    if (isRefusal(rotated)) return rotated;
    const { id: webhookId, publicKey, previousUntilMs } = rotated.webhook;
    return { webhookId, secret: rotated.secret ?? publicKey, previousUntilMs };
  },
});
