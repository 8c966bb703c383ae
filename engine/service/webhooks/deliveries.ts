/** The deliveries of one endpoint: listed, replayed, tried with a test event. */
import { z } from 'zod';
import { isRefusal, type Refusal, refuse, refuseField } from '../../domain/core/refusal.js';
import { isEventType, matchesEvent } from '../../domain/events/events.js';
import { DELIVERY_STATUSES, type Delivery, REPLAY_BUDGET, type Webhook } from '../../domain/webhooks/webhook.js';
import type { Client } from '../../store/access/clients.js';
import type { ClientEvent } from '../../store/events/events.js';
import { REPLAY_OPEN_MAX } from '../../store/webhooks/webhooks.js';
import { eventId, sequenceOfEvent } from '../core/ids.js';
import { BESIDE_OTHER_FAULTS, ID } from '../core/inputs.js';
import { listInput, type Page, readPage, someOf } from '../core/lists.js';
import { defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { NO_WEBHOOK, ownWebhook, WEBHOOK_ID_INPUT } from './endpoints.js';

/** A delivery as it is listed. */
export interface ShownDelivery {
  readonly delivery: Delivery;
  /** The `webhook-id` of its attempts. */
  readonly eventId: string;
  /** When the next attempt is due, epoch ms; undefined: there is none. */
  readonly dueMs: number | undefined;
}

const TOO_MANY_OPEN = `${REPLAY_OPEN_MAX} deliveries of the endpoint are pending: test it when fewer are`;

const BUDGET_USED = `${REPLAY_BUDGET} deliveries were replayed in the last hour: replay more later, or read them by GET /api/v1/events`;

/** Events of one request to replay, at most. */
const REPLAY_MAX = 1_000;

const PAGE = listInput({
  status: someOf(DELIVERY_STATUSES, 'Only deliveries with this status; several with commas between them'),
});
const { from, to, ...OF_A_PAGE } = PAGE.shape;
const DELIVERIES_INPUT = z.strictObject({ ...WEBHOOK_ID_INPUT.shape, ...OF_A_PAGE });

/** The deliveries of an endpoint, the newest event first. Refuses with NOT_FOUND, and VALIDATION_FAILED for another list's cursor. */
export const listDeliveries = defineOperation({
  input: DELIVERIES_INPUT,
  right: 'manage',
  async execute(services, caller, { webhookId, ...requested }): Promise<Page<ShownDelivery> | Refusal> {
    const found = await ownWebhook(services, caller, webhookId);
    return isRefusal(found) ? found : pageDeliveries(services, found.client, found.webhook, requested);
  },
});

type PageRequest = Omit<z.infer<typeof DELIVERIES_INPUT>, 'webhookId'>;

/** For the client and for the operator. */
export async function pageDeliveries(
  services: Services,
  client: Client,
  { id, inactive }: Webhook,
  { status, ...requested }: PageRequest,
): Promise<Page<ShownDelivery> | Refusal> {
  const { deliveries } = services.store;
  const isServed = inactive === undefined && !client.disabled;
  const due = isServed ? await deliveries.dueTimes(client, id) : undefined;
  const scope = { clientId: client.id, list: `deliveries of ${id}`, filters: { status } };
  return readPage(services, scope, requested, async (place, count) => {
    const rows = await deliveries.page(client, id, place === undefined ? undefined : Number(place), count + 1);
    return rows.slice(0, count).map((delivery, at) => ({
      item:
        status === undefined || status.includes(delivery.status)
          ? {
              delivery,
              eventId: eventId(client.id, delivery.sequence),
              // It may have ended since its time was read.
              dueMs: delivery.status === 'PENDING' ? due?.get(delivery.sequence) : undefined,
            }
          : undefined,
      next: rows[at + 1] && String(delivery.sequence),
    }));
  });
}

const SEQUENCE = { error: 'a whole number from 1' };
const sequence = z.int(SEQUENCE).min(1, SEQUENCE).optional();
const ONE_OR_RANGE = 'name one event, a range of sequences, or a range of times';
const EMPTY = 'before its beginning: the range is empty';

export const REPLAY_FIELDS = { eventId: ID.optional(), fromSequence: sequence, toSequence: sequence, from, to };

/** One event, or the ends of one range. */
export function oneRange(input: object, context: z.RefinementCtx): void {
  const { eventId, fromSequence, toSequence, from, to } = input as Readonly<Record<string, unknown>>;
  const fault = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message, params: { combination: true } });
  const named = [eventId !== undefined, (fromSequence ?? toSequence) !== undefined, (from ?? to) !== undefined];
  if (named.filter((one) => one).length !== 1) fault('eventId', ONE_OR_RANGE);
  if (isReversed(fromSequence, toSequence)) fault('toSequence', EMPTY);
  if (isReversed(from, to)) fault('to', EMPTY);
}

const isReversed = (from: unknown, to: unknown): boolean =>
  typeof from === 'number' && typeof to === 'number' && from > to;

/** What was requested to be replayed, and what is due again: less where as many are open as an endpoint may have. */
export interface Replayed {
  readonly webhookId: string;
  /** Deliveries that are due again; those that are pending already are not counted. */
  readonly replayed: number;
  /** The last sequence that was looked at; more of the range may be behind it. */
  readonly lastSequence: number;
  readonly isComplete: boolean;
}

/**
 * Delivers events again: one of any type, or those of a range whose types the endpoint has. Refuses with NOT_FOUND, VALIDATION_FAILED (an
 * event that there is not), EVENTS_GONE, RATE_LIMITED (as many were replayed as may be in an hour).
 */
export const replayDeliveries = defineOperation({
  input: WEBHOOK_ID_INPUT.extend(REPLAY_FIELDS).superRefine(oneRange, BESIDE_OTHER_FAULTS),
  right: 'manage',
  grows: true,
  async execute(services, caller, { webhookId, ...range }): Promise<Replayed | Refusal> {
    const found = await ownWebhook(services, caller, webhookId);
    return isRefusal(found) ? found : replay(services, found.client, found.webhook, range);
  },
});

type Range = Readonly<Partial<Record<'fromSequence' | 'toSequence' | 'from' | 'to', number | undefined>>> & {
  readonly eventId?: string | undefined;
};

/** For the client and for the operator. */
export async function replay(
  services: Services,
  client: Client,
  webhook: Webhook,
  range: Range,
): Promise<Replayed | Refusal> {
  const { store } = services;
  const kept = await store.events.range(client);
  if (kept === undefined) return refuse('EVENTS_GONE');
  const one = range.eventId === undefined ? undefined : sequenceOfEvent(client.id, range.eventId);
  if (range.eventId !== undefined && (one === undefined || one > kept.newest))
    return refuseField('eventId', 'no event of yours: send the id of one');
  const first = one ?? range.fromSequence ?? kept.oldest;
  if (first < kept.oldest) return refuse('EVENTS_GONE');
  const last = one ?? range.toSequence ?? kept.newest;
  const events = await eventsBetween(services, client, first, last, range.from);
  const within = events.filter(
    ({ atMs }) => atMs >= (range.from ?? 0) && atMs <= (range.to ?? Number.MAX_SAFE_INTEGER),
  );
  const wanted = one === undefined ? within.filter(({ type, resource }) => isFor(webhook, type, resource)) : within;
  const before = await store.deliveries.read(
    client,
    webhook.id,
    wanted.map(({ sequence }) => sequence),
  );
  const known = new Map(before.map((delivery) => [delivery.sequence, delivery]));
  const again = wanted.map(
    ({ sequence, type, resource }): Delivery =>
      known.get(sequence) ?? { sequence, type, resource, status: 'PENDING', tries: 0, attempts: [] },
  );
  const { count: replayed, fullAt, waitsMs } = await store.deliveries.replay(client, webhook.id, again);
  if (waitsMs !== undefined && replayed === 0)
    return refuse('RATE_LIMITED', BUDGET_USED, { retryAfterS: Math.ceil(waitsMs / 1_000) });
  if (fullAt !== undefined) return { webhookId: webhook.id, replayed, lastSequence: fullAt - 1, isComplete: false };
  const lastSequence = events.at(-1)?.sequence ?? last;
  const isComplete = lastSequence >= Math.min(last, kept.newest) || events.length < REPLAY_MAX;
  return { webhookId: webhook.id, replayed, lastSequence, isComplete };
}

/** At most REPLAY_MAX of them; of a range of times those before it are skipped. */
async function eventsBetween(
  { store }: Services,
  client: Client,
  first: number,
  last: number,
  fromMs = 0,
): Promise<readonly ClientEvent[]> {
  let after = first - 1;
  for (;;) {
    const found = await store.events.read(client, { afterSequence: after, limit: REPLAY_MAX });
    const events = found.filter(({ sequence }) => sequence <= last);
    if (events.length < REPLAY_MAX || events.at(-1)!.atMs >= fromMs) return events;
    after = events.at(-1)!.sequence;
  }
}

/** A test event is for the endpoint that it names alone. */
export function isFor({ id, types }: Webhook, type: string, resource: string): boolean {
  return isEventType(type) && (type === 'test' ? resource === id : matchesEvent(types, type));
}

/** Appends a test event, which this endpoint alone gets: one that is PENDING, once its URL has answered. Refuses with NOT_FOUND, WRONG_STATE (it is paused or disabled, or too
 * many of its deliveries are open). */
export const testWebhook = defineOperation({
  input: WEBHOOK_ID_INPUT,
  right: 'manage',
  grows: true,
  async execute(services, caller, { webhookId }): Promise<TestSent | Refusal> {
    const found = await ownWebhook(services, caller, webhookId);
    return isRefusal(found) ? found : sendTest(services, found.client, found.webhook);
  },
});

export interface TestSent {
  readonly webhookId: string;
  readonly eventId: string;
  readonly sequence: number;
}

/** For the client and for the operator. */
export async function sendTest(
  { store }: Services,
  client: Client,
  { id, inactive }: Webhook,
): Promise<TestSent | Refusal> {
  if (inactive !== undefined && inactive !== 'PENDING')
    return refuse('WRONG_STATE', 'The endpoint is not active: activate it, then test it');
  const sequence = await store.webhooks.test(client, id);
  if (sequence === 'full') return refuse('WRONG_STATE', TOO_MANY_OPEN);
  return sequence === 'unknown' ? NO_WEBHOOK : { webhookId: id, eventId: eventId(client.id, sequence), sequence };
}
