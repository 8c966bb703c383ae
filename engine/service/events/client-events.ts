/** The events of the caller: a list by sequence, and one by its id. */
import { z } from 'zod';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import type { Right } from '../../domain/core/rights.js';
import { EVENT_TYPES, type EventFamily, familyOf, isEventPattern, matchesEvent } from '../../domain/events/events.js';
import type { Client } from '../../store/access/clients.js';
import type { ClientEvent, EventRange } from '../../store/events/events.js';
import { type Caller, clientOf } from '../core/caller.js';
import { eventId, sequenceOfEvent } from '../core/ids.js';
import { boundedText, ID } from '../core/inputs.js';
import { defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { type Composed, composeEvent, type Subjects } from './compose-event.js';

export interface ShownEvent extends ClientEvent {
  readonly id: string;
  /** Undefined: the resource is no longer kept, or the caller's key may not read it. */
  readonly resourceThen: Composed<Subjects[EventFamily]> | undefined;
}

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 200;
const SEQUENCE_MAX = 2 ** 40 - 1;
/** Maximum events that one request reads: with selective types a page may be short. */
const LOOKED_AT_MAX = 1_000;
const TYPES_LENGTH_MAX = 1_000;

const LIMIT = { error: `a whole number from 1 to ${LIMIT_MAX}` };
const AFTER = { error: `a sequence: a whole number from 0 to ${SEQUENCE_MAX}` };
const TYPES = 'types of events, with commas between them, such as payment.paid, payment.* or *';

const types = boundedText(TYPES_LENGTH_MAX, TYPES)
  .transform((text, context): readonly string[] => {
    const patterns = text.split(',').map((one) => one.trim());
    if (patterns.every(isEventPattern)) return patterns;
    context.addIssue({ code: 'custom', message: TYPES });
    return z.NEVER;
  })
  .optional()
  .meta({ description: `Only events of these types: ${TYPES}. There are ${EVENT_TYPES.length}` });

/** Behind a sequence, the oldest first. Refuses with WRONG_STATE (the client has no events), EVENTS_GONE. */
export const listEvents = defineOperation({
  input: z.strictObject({
    after: z
      .number(AFTER)
      .int(AFTER)
      .min(0, AFTER)
      .max(SEQUENCE_MAX, AFTER)
      .optional()
      .describe(
        'Only events behind this sequence, next_after of the page before; absent: from the oldest that is kept',
      ),
    limit: z
      .number(LIMIT)
      .int(LIMIT)
      .min(1, LIMIT)
      .max(LIMIT_MAX, LIMIT)
      .default(LIMIT_DEFAULT)
      .describe(`How many, at most; ${LIMIT_DEFAULT} when absent`),
    type: types,
  }),
  right: 'read',
  async execute(services, caller, { after, limit, type }) {
    const found = await eventsOf(services, caller);
    if (isRefusal(found)) return found;
    const { client, range } = found;
    let last = after ?? range.oldest - 1;
    if (last < range.oldest - 1) return gone(range, last);
    const events: ClientEvent[] = [];
    for (let looked = 0; looked < LOOKED_AT_MAX && events.length < limit; ) {
      const wanted = Math.min(type ? LOOKED_AT_MAX - looked : limit, LOOKED_AT_MAX);
      const read = await services.store.events.read(client, { afterSequence: last, limit: wanted });
      const [first] = read;
      // Dropped since the range was read.
      if (first && first.sequence > last + 1) return gone({ ...range, oldest: first.sequence }, last);
      for (const event of read) {
        if (events.length === limit) break;
        if (!type || matchesEvent(type, event.type)) events.push(event);
        last = event.sequence;
      }
      looked += read.length;
      if (read.length < wanted) break;
    }
    const shown = await Promise.all(events.map((event) => eventFor(services, caller, client, event)));
    return { events: shown, nextAfter: last, oldest: range.oldest, newest: range.newest };
  },
});

/** One event of the caller. Refuses with NOT_FOUND, EVENTS_GONE. */
export const readEvent = defineOperation({
  input: z.object({ eventId: ID }),
  right: 'read',
  async execute(services, caller, { eventId }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const range = await services.store.events.range(client);
    const sequence = sequenceOfEvent(client.id, eventId);
    if (range === undefined || sequence === undefined || sequence < 1 || sequence > range.newest) return MISSING;
    if (sequence < range.oldest) return gone(range, sequence - 1);
    const [event] = await services.store.events.read(client, { afterSequence: sequence - 1, limit: 1 });
    return event?.sequence === sequence
      ? { event: await eventFor(services, caller, client, event) }
      : gone(range, sequence - 1);
  },
});

const MISSING = refuse('NOT_FOUND', 'No such event of yours: check the event id');
const NO_EVENTS = 'You have no events yet: they begin with your first webhook endpoint, or when we switch them on';

async function eventsOf(
  services: Services,
  caller: Caller,
): Promise<{ readonly client: Client; readonly range: EventRange } | Refusal> {
  const client = await clientOf(services, caller);
  if (isRefusal(client)) return client;
  const range = await services.store.events.range(client);
  return range === undefined ? refuse('WRONG_STATE', NO_EVENTS) : { client, range };
}

/** Events behind `after` that are no longer kept. */
function gone({ oldest }: EventRange, after: number): Refusal {
  const dropped = oldest - 1 - after;
  return refuse('EVENTS_GONE', `${dropped} events behind ${after} are no longer kept: the oldest is ${oldest}`, {
    details: { oldestSequence: oldest, dropped },
  });
}

/** What a key needs, beyond `read`, to read the resource of an event by its own path. */
const RIGHT_OF: Partial<Record<EventFamily, Right>> = { beneficiary: 'manage', webhook: 'manage', verification: 'pay' };

/** The event as the caller's key may see it: without the right to its resource its type and sequence alone. */
async function eventFor(services: Services, caller: Caller, client: Client, event: ClientEvent): Promise<ShownEvent> {
  const right = RIGHT_OF[familyOf(event.type)];
  return right === undefined || caller.rights.has(right)
    ? shownEvent(services, client, event)
    : { ...event, id: eventId(client.id, event.sequence), resourceThen: undefined };
}

export async function shownEvent(
  services: Pick<Services, 'store'>,
  client: Client,
  event: ClientEvent,
): Promise<ShownEvent> {
  return {
    ...event,
    id: eventId(client.id, event.sequence),
    resourceThen: await composeEvent(services, client, event),
  };
}
