/** Webhook endpoints and deliveries as the interface has them. */
import { z } from 'zod';
import {
  ATTEMPT_REASONS,
  ATTEMPTS_KEPT,
  type Attempt,
  DELIVERY_STATUSES,
  INACTIVE_REASONS,
  SIGNATURES,
  WEBHOOK_TYPES_MAX,
  type Webhook,
} from '../../../engine/domain/webhooks/webhook.js';
import type { Subjects } from '../../../engine/service/events/index.js';
import type { Replayed, ShownDelivery, ShownWebhook, TestSent } from '../../../engine/service/webhooks/index.js';
import { page } from '../lists.js';
import { choiceField, flagField, textField, utc, utcField } from '../shapes.js';

const countField = (description: string, example: number) =>
  z
    .number()
    .int()
    .min(0)
    .meta({ description, examples: [example] });

const ID = textField('Id of the endpoint', 'WHK01KAGQ3V8S7M2Y5T9D4N6W1RZ');

const ATTEMPT = z
  .strictObject({
    at: utcField('When it began'),
    http_status: countField('Status of the answer; 0: none came', 500),
    reason: choiceField(
      ['', ...ATTEMPT_REASONS],
      'Why it failed: `status`, `redirect`, `timeout`, `connection`, `tls`, `name` (not resolved), `address` (not allowed), `protocol`, `secret` (it cannot be read), `challenge` (2xx without it); empty: it succeeded',
      'status',
    ),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One attempt to deliver an event, or a challenge' });

const WEBHOOK_FIELDS = {
  webhook_id: ID,
  name: textField('Name of your own', 'Ledger'),
  url: textField('Where events are sent', 'https://example.com/hooks/ratewire', 2_048),
  types: z
    .array(z.string().meta({ maxLength: 64 }))
    .meta({ description: 'Types of events, with wildcards', maxItems: WEBHOOK_TYPES_MAX, examples: [['payment.*']] }),
  active: flagField('false: it gets nothing, and continues where it was once it is active again', true),
  inactive_reason: choiceField(
    ['', ...INACTIVE_REASONS],
    'Why it is not active: PENDING (its URL has not answered a challenge), PAUSED by you, GONE (it answered 410), FAILING (for five days), OPERATOR (we disabled it); else empty',
    '',
  ),
  challenge_until: textField('Until when its URL is challenged; empty: it has answered', ''),
  challenge_attempts: z.array(ATTEMPT).meta({
    description: 'The newest 20 attempts of that challenge, oldest first',
    maxItems: ATTEMPTS_KEPT,
    examples: [[]],
  }),
  signature: choiceField(SIGNATURES, 'How deliveries are signed: `v1` or `v1a`', 'symmetric'),
  public_key: textField('Of ed25519: verifies its deliveries; else empty', ''),
  previous_secret_until: textField('Until when the secret before the last rotation signs too; empty: it does not', ''),
  failing_since: textField('Since when no delivery has succeeded; empty: the last one did', ''),
  missed_events: countField('Events dropped by their age or number before they could be delivered to it', 0),
  version: countField('Raised by each change: the ETag', 1),
  created_at: utcField('When it was created'),
  updated_at: utcField('When it was last changed'),
};

export const WEBHOOK_RESPONSE = z
  .strictObject(WEBHOOK_FIELDS)
  .meta({ id: 'Webhook', description: 'A webhook endpoint' });

export const NEW_WEBHOOK_RESPONSE = z
  .strictObject({
    ...WEBHOOK_FIELDS,
    secret: textField(
      'Verifies deliveries; shown now and never again. Empty where the signature is ed25519: use `public_key`',
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1p4nFzE5tXk=',
    ),
  })
  .meta({ id: 'NewWebhook', description: 'A webhook endpoint with its new secret' });

export const WEBHOOKS_RESPONSE = page(WEBHOOK_RESPONSE, 'WebhookList', 'Your webhook endpoints, in order of creation');

const attemptsBody = (attempts: readonly Attempt[]): z.infer<typeof ATTEMPT>[] =>
  attempts.map(({ atMs, httpStatus, reason }) => ({ at: utc(atMs), http_status: httpStatus, reason }));

export function webhookBody({ webhook }: ShownWebhook): z.infer<typeof WEBHOOK_RESPONSE> {
  const { id, inactive, challenge, previousUntilMs, previousSecret, failingSinceMs, createdAtMs, updatedAtMs } =
    webhook;
  return {
    webhook_id: id,
    name: webhook.name,
    url: webhook.url,
    types: [...webhook.types],
    active: inactive === undefined,
    inactive_reason: inactive ?? '',
    challenge_until: challenge === undefined ? '' : utc(challenge.untilMs),
    challenge_attempts: attemptsBody(challenge?.attempts ?? []),
    signature: webhook.signature,
    public_key: webhook.publicKey,
    previous_secret_until: previousSecret === '' ? '' : utc(previousUntilMs),
    failing_since: failingSinceMs === undefined ? '' : utc(failingSinceMs),
    missed_events: webhook.missed,
    version: webhook.version,
    created_at: utc(createdAtMs),
    updated_at: utc(updatedAtMs),
  };
}

/** As its events show it: what of its URL may have a credential is left out. */
export const webhookEventBody = (webhook: Subjects['webhook']): object => ({
  webhook_id: webhook.id,
  name: webhook.name,
  host: webhook.host,
  url_sha256: webhook.urlSha256,
  types: [...webhook.types],
  active: webhook.inactive === undefined,
  inactive_reason: webhook.inactive ?? '',
  signature: webhook.signature,
  public_key: webhook.publicKey,
  previous_secret_until: webhook.previousUntilMs === 0 ? '' : utc(webhook.previousUntilMs),
  version: webhook.version,
});

export const newWebhookBody = (shown: ShownWebhook): z.infer<typeof NEW_WEBHOOK_RESPONSE> => ({
  ...webhookBody(shown),
  secret: shown.secret ?? '',
});

export const versionOf = ({ webhook }: { readonly webhook: Webhook }): number => webhook.version;

export const REMOVED_RESPONSE = z
  .strictObject({ webhook_id: ID })
  .meta({ id: 'RemovedWebhook', description: 'The endpoint and its deliveries are removed' });

const EVENT_ID = textField('Id of the event: the `webhook-id` of every attempt', 'EVT0000000010000000AB');

const DELIVERY_RESPONSE = z
  .strictObject({
    event_id: EVENT_ID,
    sequence: countField('Sequence of the event', 42),
    type: textField('Type of the event', 'payment.paid'),
    resource_id: textField('What the event is about', 'PAY01KAGQ3V8S7M2Y5T9D4N6W1RZ'),
    status: choiceField(
      DELIVERY_STATUSES,
      'PENDING: an attempt is to come, once the endpoint is active; SUCCEEDED; FAILED: the last attempt failed; GONE: the event is not kept any more',
      'PENDING',
    ),
    next_attempt_at: textField(
      'When the next attempt is due; empty: there is none, as while the endpoint is not active',
      '2026-11-20T08:06:00.000Z',
    ),
    attempts: z.array(ATTEMPT).meta({ description: 'The newest 20, oldest first' }),
  })
  .meta({ id: 'WebhookDelivery', description: 'The delivery of one event to one endpoint' });

export const DELIVERIES_RESPONSE = page(
  DELIVERY_RESPONSE,
  'WebhookDeliveryList',
  'Deliveries of an endpoint: the open ones, and the newest of those that have ended',
);

export function deliveryBody({ delivery, eventId, dueMs }: ShownDelivery): z.infer<typeof DELIVERY_RESPONSE> {
  const { sequence, type, resource, status, attempts } = delivery;
  return {
    event_id: eventId,
    sequence,
    type,
    resource_id: resource,
    status,
    next_attempt_at: dueMs === undefined ? '' : utc(dueMs),
    attempts: attemptsBody(attempts),
  };
}

export const REPLAY_RESPONSE = z
  .strictObject({
    webhook_id: ID,
    replayed: countField('Deliveries that are due again; those that were pending already are not counted', 3),
    last_sequence: countField('Sequence of the last event that was looked at', 42),
    complete: flagField(
      'false: there are more in the range; send it again from the sequence behind the last one',
      true,
    ),
  })
  .meta({ id: 'WebhookReplay', description: 'What is delivered again' });

export const replayBody = ({
  webhookId,
  replayed,
  lastSequence,
  isComplete,
}: Replayed): z.infer<typeof REPLAY_RESPONSE> => ({
  webhook_id: webhookId,
  replayed,
  last_sequence: lastSequence,
  complete: isComplete,
});

export const TEST_RESPONSE = z
  .strictObject({
    webhook_id: ID,
    event_id: EVENT_ID,
    sequence: countField('Sequence of the event', 43),
  })
  .meta({
    id: 'WebhookTest',
    description: 'The test event: delivered now, or once the URL of a PENDING endpoint has answered its challenge',
  });

export const testBody = ({ webhookId, eventId, sequence }: TestSent): z.infer<typeof TEST_RESPONSE> => ({
  webhook_id: webhookId,
  event_id: eventId,
  sequence,
});
