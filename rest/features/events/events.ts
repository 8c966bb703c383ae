/** Events: shapes, reference texts and routes; and the body of an event, which a webhook carries too. */
import type { Request } from 'express';
import { z } from 'zod';
import { EVENT_TYPES, type EventFamily, familyOf } from '../../../engine/domain/events/events.js';
import { minorToNumber } from '../../../engine/domain/money/money.js';
import { type ShownEvent, type Subjects, shownEvent } from '../../../engine/service/events/index.js';
import type { OutputOf } from '../../../engine/service/operations.js';
import type { Reference } from '../../openapi/reference.js';
import { accountBody } from '../accounts/accounts.js';
import { batchFields } from '../batches/batch-answers.js';
import { beneficiaryFields } from '../beneficiaries/beneficiaries.js';
import { confirmationBody } from '../conversions/book-fx.js';
import { holdBody } from '../conversions/lock-fx.js';
import { fundingBody } from '../fundings/fundings.js';
import { paymentBody } from '../payments/payment-answers.js';
import type { Routes } from '../routes.js';
import { choiceField, textField, utc, utcField } from '../shapes.js';
import { webhookEventBody } from '../webhooks/webhook-shapes.js';

/** The resource as its own GET shows it. One that is forgotten here does not compile. */
const BODIES: { readonly [Family in EventFamily]: (subject: Subjects[Family]) => object } = {
  payment: (payment) => paymentBody({ payment }),
  conversion: (booking) => confirmationBody({ booking }),
  hold: (hold) => holdBody({ hold }),
  funding: (funding) => fundingBody({ funding }),
  account: accountBody,
  receivable: ({ accountNumber, currency, amount, owed, reference }) => ({
    account_number: Number(accountNumber),
    currency,
    amount: minorToNumber(amount, currency),
    owed_amount: minorToNumber(owed, currency),
    reference,
  }),
  key: ({ clientKey, liveSecrets, revoked }) => ({ client_key: clientKey, live_secrets: liveSecrets, revoked }),
  beneficiary: beneficiaryFields,
  verification: asStored,
  batch: batchFields,
  limit: asStored,
  webhook: webhookEventBody,
  test: asStored,
};

function asStored(subject: object): object {
  return subject;
}

const OBJECT = z.looseObject({});
const SEQUENCE = z.number().int().min(0);

const EVENT_FIELDS = {
  type: choiceField(EVENT_TYPES, 'What has happened', 'payment.paid'),
  timestamp: utcField('When it happened'),
  sequence: SEQUENCE.min(1).meta({ description: 'Number of the event, from 1, without gaps', examples: [42] }),
  data: z
    .strictObject({
      object: OBJECT.meta({
        description:
          'The resource as its own path showed it at that moment; empty where it is no longer kept, or the key may not read it',
        examples: [{ payment_id: 'PAY01K4M2V7Q8Z3X5YAB', status: 'PAID' }],
      }),
      previous: OBJECT.meta({
        description: 'The fields of it that have changed, with their values before; empty for its first event',
        examples: [{ status: 'PG_PROCESSING' }],
      }),
    })
    .meta({ description: 'What it has happened to' }),
};

/** The body of a webhook. */
export const EVENT_BODY = z
  .strictObject(EVENT_FIELDS)
  .meta({ id: 'EventBody', description: 'An event, as a webhook carries it' });

const EVENT_RESPONSE = z
  .strictObject({
    id: textField('Id of the event, the same in webhook-id at each delivery', 'EVT01K4M2V7Q8Z3X5YAB'),
    ...EVENT_FIELDS,
  })
  .meta({ id: 'Event', description: 'Something that has happened to a resource of the client' });

const EVENTS_RESPONSE = z
  .strictObject({
    data: z.array(EVENT_RESPONSE).meta({ description: 'In order of their sequence' }),
    next_after: SEQUENCE.meta({
      description: 'To be sent as `after` for the events behind this page, now or later',
      examples: [42],
    }),
    oldest_sequence: SEQUENCE.meta({ description: 'The oldest event that is kept', examples: [1] }),
    newest_sequence: SEQUENCE.meta({ description: 'The newest event; 0 before the first', examples: [42] }),
  })
  .meta({ id: 'EventList', description: 'Events of the client' });

/** The body of an event, for its delivery. */
export async function renderEvent(...of: Parameters<typeof shownEvent>): Promise<z.infer<typeof EVENT_BODY>> {
  return eventBody(await shownEvent(...of));
}

function eventBody({ type, atMs, sequence, resourceThen }: ShownEvent): z.infer<typeof EVENT_BODY> {
  const family = familyOf(type);
  const body = (subject: Subjects[EventFamily]) => BODIES[family](subject as never) as Record<string, unknown>;
  const object = resourceThen ? body(resourceThen.now) : {};
  const before = resourceThen?.before ? body(resourceThen.before) : {};
  return { type, timestamp: utc(atMs), sequence, data: { object, previous: changedFields(before, object) } };
}

/** Those of `before` whose values differ now. */
function changedFields(before: Record<string, unknown>, now: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(before).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(now[name])),
  );
}

function eventResponse(event: ShownEvent): z.infer<typeof EVENT_RESPONSE> {
  return { id: event.id, ...eventBody(event) };
}

/** A query has texts only, and an empty one counts as absent; what is no whole number is left for the operation to reject. */
function listEventsInput({ query }: Request): object {
  const given = Object.entries(query).filter(
    ([name, value]) => value !== '' || !['after', 'limit', 'type'].includes(name),
  );
  const input: Record<string, unknown> = Object.fromEntries(given);
  return { ...input, after: countOf(input.after), limit: countOf(input.limit) };
}

const countOf = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,13}$/.test(value) ? Number(value) : value;

const EVENTS_REFERENCE: Reference = {
  tag: 'Events',
  summary: 'List events',
  description:
    'What has happened to the client’s resources, the oldest first. `data` is empty where the key may not read the resource by its own path: events of beneficiaries and webhooks need `manage`, of verifications `pay`. They are in order of a sequence without gaps: for programs that poll, and to catch up after an outage of an endpoint. Send `next_after` as `after` for what follows. Events are kept for 30 days, and at most 100,000: where some of those asked for are gone the answer is 400 EVENTS_GONE, with `oldest_sequence`. A request reads at most a thousand events: with selective types a page may be short or empty. Before the first webhook endpoint of a client, and unless we have switched them on, there are no events: 400 WRONG_STATE.',
  example: { after: 41, limit: 50, type: 'payment.*,conversion.booked' },
};

const EVENT_REFERENCE: Reference = {
  tag: 'Events',
  summary: 'Read an event',
  description: 'One event, as it was delivered. One that is no longer kept is rejected with EVENTS_GONE.',
  example: { event_id: 'EVT01K4M2V7Q8Z3X5YAB' },
  fields: { event_id: 'Id of the event, as webhook-id has it' },
};

const GONE_NAMES = { oldestSequence: 'oldest_sequence' };

export const EVENT_ROUTES = {
  listEvents: {
    method: 'get',
    path: '/api/v1/events',
    limit: 'reads',
    input: listEventsInput,
    response: EVENTS_RESPONSE,
    reference: EVENTS_REFERENCE,
    body: ({ events, nextAfter, oldest, newest }: OutputOf<'listEvents'>): z.infer<typeof EVENTS_RESPONSE> => ({
      data: events.map(eventResponse),
      next_after: nextAfter,
      oldest_sequence: oldest,
      newest_sequence: newest,
    }),
    names: GONE_NAMES,
  },
  readEvent: {
    method: 'get',
    path: '/api/v1/events/:event_id',
    limit: 'reads',
    input: ({ params }) => ({ eventId: params.event_id }),
    response: EVENT_RESPONSE,
    reference: EVENT_REFERENCE,
    body: ({ event }: OutputOf<'readEvent'>) => eventResponse(event),
    names: { eventId: 'event_id', ...GONE_NAMES },
  },
} satisfies Partial<Routes>;
