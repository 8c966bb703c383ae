/**
 * The open deliveries of each endpoint of a client agree with its records of deliveries, with its cursor, and with the events that are kept.
 * Deliveries end meanwhile: what differs is read again, and only what still differs is reported.
 */
import type { Webhook } from '../../domain/webhooks/webhook.js';
import type { Client } from '../../store/access/clients.js';
import { StoreFault } from '../../store/connection/errors.js';
import type { ClientEvent } from '../../store/events/events.js';
import type { Services } from '../core/services.js';
import type { Pace } from './list-pages.js';
import { type Differing, NONE } from './recompute.js';

const READS = 3;

export async function compareDeliveries(services: Services, client: Client, pace: Pace): Promise<Differing[]> {
  let found: readonly Differing[] | undefined;
  for (let reads = 0; reads < READS && found?.length !== 0; reads++) {
    const before = found?.map((one) => one.join('\n'));
    const now: Differing[] = [];
    for (const webhook of await services.store.webhooks.list(client))
      now.push(...(await compareEndpoint(services, client, webhook, pace)));
    found = before ? now.filter((one) => before.includes(one.join('\n'))) : now;
  }
  return [...(found ?? [])];
}

async function compareEndpoint(
  { store }: Services,
  client: Client,
  { id, cursor }: Webhook,
  pace: Pace,
): Promise<Differing[]> {
  const { deliveries, events } = store;
  const due = await deliveries.dueTimes(client, id);
  const pending = new Map<number, string>();
  for (let before: number | undefined; ; ) {
    const page = await deliveries.page(client, id, before, pace.page);
    for (const { sequence, status, type, resource } of page)
      if (status === 'PENDING') pending.set(sequence, `${type} of ${resource}`);
    await pace.pause();
    if (page.length < pace.page) break;
    before = page.at(-1)!.sequence;
  }
  const differing: Differing[] = [];
  const of = (sequence: number): string => `endpoint ${id}: delivery ${sequence}`;
  for (const sequence of due.keys()) if (!pending.has(sequence)) differing.push([of(sequence), 'PENDING', NONE]);
  let compared = 0;
  for (const [sequence, delivered] of pending) {
    if (!due.has(sequence)) differing.push([`${of(sequence)}: next attempt`, 'a time', NONE]);
    // A test event is planned before the cursor comes to it.
    if (sequence > cursor && !delivered.startsWith('test of'))
      differing.push([`${of(sequence)}: cursor`, `${sequence} or more`, String(cursor)]);
    if (++compared % pace.page === 0) await pace.pause();
    const [event] = await events.read(client, { afterSequence: sequence - 1, limit: 1 }).catch(unlessFault);
    if (event?.sequence !== sequence) continue;
    const happened = `${event.type} of ${event.resource}`;
    if (happened !== delivered) differing.push([`${of(sequence)}: event`, happened, delivered]);
  }
  return differing;
}

/** An event that cannot be read is a difference of the events. */
function unlessFault(error: unknown): readonly ClientEvent[] {
  if (error instanceof StoreFault) return [];
  throw error;
}
