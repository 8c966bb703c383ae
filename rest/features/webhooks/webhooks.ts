/** Webhook endpoints: routes and reference texts. */
import type { Request } from 'express';
import type { Body } from '../../http/body.js';
import { listInput, PAGES, pageBody } from '../lists.js';
import type { Routes } from '../routes.js';
import { ifMatch, type Names } from '../shapes.js';
import {
  DELIVERIES_RESPONSE,
  deliveryBody,
  NEW_WEBHOOK_RESPONSE,
  newWebhookBody,
  REMOVED_RESPONSE,
  REPLAY_RESPONSE,
  replayBody,
  TEST_RESPONSE,
  testBody,
  versionOf,
  WEBHOOK_RESPONSE,
  WEBHOOKS_RESPONSE,
  webhookBody,
} from './webhook-shapes.js';

const TAG = 'Webhooks' as const;
const PATH = '/api/v1/webhooks';
const ONE = `${PATH}/:webhook_id`;
const ID_NAMES: Names = { webhookId: 'webhook_id' };
const CHANGE_NAMES: Names = { ...ID_NAMES, version: 'If-Match' };
const REPLAY_NAMES: Names = {
  ...ID_NAMES,
  eventId: 'event_id',
  fromSequence: 'from_sequence',
  toSequence: 'to_sequence',
  from: 'from',
  to: 'to',
};
const WEBHOOK_ID = { webhook_id: 'Id of the endpoint' };
const EXAMPLE = { webhook_id: 'WHK01KAGQ3V8S7M2Y5T9D4N6W1RZ' };
const FIELDS = {
  name: 'Name of your own, at most 140 characters; absent: none',
  url: 'An https address on the internet, on port 443 or one from 1024 on; redirects are not followed',
  types:
    'Types of events: `payment.paid`, all of a kind (`payment.*`) or all (`*`); in a form, with commas between them',
  signature:
    'symmetric: HMAC-SHA256 with a secret that you get once (`v1`); ed25519: with a private key that we keep, and its public key for you (`v1a`)',
  active: 'false: pause; true: continue behind the last event that it got, also where it was disabled',
};

const idInput = ({ params }: Request): object => ({ webhookId: params.webhook_id });

function createInput(_request: Request, body: Body = {}): object {
  return { name: body.name, url: body.url, types: body.types, signature: body.signature };
}

const changeInput = (request: Request, body: Body = {}): object => ({
  ...createInput(request, body),
  ...idInput(request),
  version: ifMatch(request),
  active: body.active,
});

/** It has no filter by time. */
function deliveriesInput(request: Request): object {
  const { from, to, ...input } = listInput(request) as { readonly from?: unknown; readonly to?: unknown };
  const period = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  return { ...input, ...period, ...idInput(request) };
}

const replayInput = (request: Request, body: Body = {}): object => ({
  ...idInput(request),
  eventId: body.event_id,
  fromSequence: body.from_sequence,
  toSequence: body.to_sequence,
  from: body.from,
  to: body.to,
});

export const WEBHOOK_ROUTES = {
  createWebhook: {
    method: 'post',
    path: PATH,
    limit: 'writes',
    input: createInput,
    response: NEW_WEBHOOK_RESPONSE,
    reference: {
      tag: TAG,
      summary: 'Create an endpoint',
      description:
        'Registers an address that events are sent to, signed as Standard Webhooks says. It is PENDING until it answers a challenge: a POST of type `webhook.challenge` whose answer, 2xx, has the `challenge` of its body, as it is or as `{"challenge":"..."}`. It is sent at once and again for 24 hours; then come the events since the creation. The secret is in this answer alone. At most 16: then WEBHOOK_LIMIT. The first endpoint switches your events on. Needs the right `manage`.',
      example: {
        name: 'Ledger',
        url: 'https://example.com/hooks/ratewire',
        types: ['payment.*', 'conversion.settled'],
      },
      fields: FIELDS,
    },
    body: newWebhookBody,
    version: versionOf,
    names: {},
    lists: ['types'],
  },
  listWebhooks: {
    method: 'get',
    path: PATH,
    limit: 'reads',
    input: () => ({}),
    response: WEBHOOKS_RESPONSE,
    reference: {
      tag: TAG,
      summary: 'List your endpoints',
      description: 'All of them, at most 16, without their secrets.',
      example: {},
    },
    body: pageBody(webhookBody),
    names: {},
  },
  readWebhook: {
    method: 'get',
    path: ONE,
    limit: 'reads',
    input: idInput,
    response: WEBHOOK_RESPONSE,
    reference: {
      tag: TAG,
      summary: 'Read an endpoint',
      description: 'The endpoint without its secret; its ETag is its version.',
      example: EXAMPLE,
      fields: WEBHOOK_ID,
    },
    body: webhookBody,
    version: versionOf,
    names: ID_NAMES,
  },
  changeWebhook: {
    method: 'patch',
    path: ONE,
    limit: 'writes',
    input: changeInput,
    response: WEBHOOK_RESPONSE,
    reference: {
      tag: TAG,
      summary: 'Change an endpoint',
      description:
        'What is absent stays. Another `url` is PENDING until it has answered a challenge; `active: true` sends one at once. An endpoint that is not active keeps its place in the sequence: once it is active again it gets what has happened meanwhile, as far as events are kept.',
      example: { ...EXAMPLE, types: ['payment.*'], active: true },
      fields: { ...FIELDS, ...WEBHOOK_ID },
    },
    body: webhookBody,
    version: versionOf,
    names: CHANGE_NAMES,
    booleans: ['active'],
    lists: ['types'],
  },
  removeWebhook: {
    method: 'delete',
    path: ONE,
    limit: 'writes',
    input: (request) => ({ ...idInput(request), version: ifMatch(request) }),
    response: REMOVED_RESPONSE,
    reference: {
      tag: TAG,
      summary: 'Remove an endpoint',
      description: 'With its deliveries: nothing more is sent to it. Your events stay on.',
      example: EXAMPLE,
      fields: WEBHOOK_ID,
    },
    body: ({ webhookId }) => ({ webhook_id: webhookId }),
    names: CHANGE_NAMES,
  },
  rotateWebhookSecret: {
    method: 'post',
    path: `${ONE}/rotate-secret`,
    limit: 'writes',
    input: (request) => ({ ...idInput(request), version: ifMatch(request) }),
    response: NEW_WEBHOOK_RESPONSE,
    reference: {
      tag: TAG,
      summary: 'Rotate the secret of an endpoint',
      description:
        'A new secret, in this answer alone. For 24 hours each delivery has two signatures, by the new secret and by the one before. A second rotation within that time ends the older one.',
      example: EXAMPLE,
      fields: WEBHOOK_ID,
      alsoRefused: [409],
    },
    body: newWebhookBody,
    version: versionOf,
    names: CHANGE_NAMES,
  },
  listDeliveries: {
    method: 'get',
    path: `${ONE}/deliveries`,
    limit: 'reads',
    input: deliveriesInput,
    response: DELIVERIES_RESPONSE,
    reference: {
      tag: TAG,
      summary: 'List the deliveries of an endpoint',
      description: `By event, with every attempt. Kept are those that are PENDING and the newest others, 10,000 at most. ${PAGES}`,
      example: { ...EXAMPLE, status: 'PENDING', limit: 50 },
      fields: WEBHOOK_ID,
    },
    body: pageBody(deliveryBody),
    names: ID_NAMES,
  },
  replayDeliveries: {
    method: 'post',
    path: `${ONE}/replay`,
    limit: 'writes',
    input: replayInput,
    response: REPLAY_RESPONSE,
    reference: {
      tag: TAG,
      summary: 'Deliver events again',
      description:
        'One event by its id, or those of a range of sequences or of times whose types the endpoint has; at most 1,000 in one request, and 5,000 in an hour: then RATE_LIMITED. They have the same ids and bodies as before, and their schedule begins anew.',
      example: { ...EXAMPLE, from_sequence: 40, to_sequence: 42 },
      fields: {
        ...WEBHOOK_ID,
        event_id: 'The event, by its `webhook-id`',
        from_sequence: 'Sequence of the first event; absent: the oldest that is kept',
        to_sequence: 'Sequence of the last event; absent: the newest',
        from: 'Events of this time or later',
        to: 'Events of this time or before',
      },
    },
    body: replayBody,
    names: REPLAY_NAMES,
    numbers: ['from_sequence', 'to_sequence'],
  },
  testWebhook: {
    method: 'post',
    path: `${ONE}/test`,
    limit: 'writes',
    input: idInput,
    response: TEST_RESPONSE,
    reference: {
      tag: TAG,
      summary: 'Send a test event',
      description:
        'An event of type `test`, which this endpoint alone gets, whatever its types. Read the deliveries for what came of it. WRONG_STATE: the endpoint is paused or disabled.',
      example: EXAMPLE,
      fields: WEBHOOK_ID,
    },
    body: testBody,
    names: ID_NAMES,
  },
} satisfies Partial<Routes>;
