/**
 * The events of a client agree with its journal: they are numbered without gaps, and each step of a payment, a conversion or a funding has
 * its event, in order, and each such event its step. Compared is what both have: behind the oldest of either.
 */
import { type EventType, paymentEvent } from '../../domain/events/events.js';
import { FUNDING_STEPS } from '../../domain/fundings/funding.js';
import type { PaymentStatus, PaymentSubStatus } from '../../domain/payments/payment-status.js';
import type { Client } from '../../store/access/clients.js';
import { StoreFault } from '../../store/connection/errors.js';
import { bothTexts, type ClientEvent } from '../../store/events/events.js';
import { JOURNAL_START, type JournalEntry } from '../../store/ledger/journal.js';
import type { Services } from '../core/services.js';
import type { Pace } from './list-pages.js';
import { type Difference, shown } from './recompute.js';

const EVENT_OF_STEP: Readonly<Record<string, EventType>> = {
  'book-fx': 'conversion.booked',
  'settle-fx': 'conversion.settled',
  'overdue-fx': 'conversion.overdue',
  'cancel-fx': 'conversion.cancelled',
  'close-out-fx': 'conversion.cancelled',
  'unwind-fx': 'conversion.cancelled',
  'bust-fx': 'conversion.busted',
  'correct-fx': 'conversion.changed',
  'date-fx': 'conversion.changed',
  'split-fx': 'conversion.split',
  [FUNDING_STEPS.PENDING]: 'funding.created',
  [FUNDING_STEPS.COMPLETED]: 'funding.completed',
  [FUNDING_STEPS.REJECTED]: 'funding.rejected',
  [FUNDING_STEPS.CANCELLED]: 'funding.cancelled',
  [FUNDING_STEPS.REVERSED]: 'funding.reversed',
};
const OF_STEPS: ReadonlySet<EventType> = new Set(Object.values(EVENT_OF_STEP));

interface Happened {
  readonly type: EventType;
  readonly id: string;
  readonly atMs: number;
}

/** `lastEntry` is the last journal entry of the snapshot: later events may belong to later entries. */
export async function compareEvents(
  { store }: Services,
  client: Client,
  lastEntry: string,
  pace: Pace,
): Promise<readonly Difference[]> {
  const range = await store.events.range(client);
  if (range === undefined) return [];
  const differs = (what: string, expected: string, found: string): Difference => ({
    client: client.id,
    what,
    expected,
    found,
  });
  const events: Happened[] = [];
  let expected = range.oldest;
  for (;;) {
    let page: readonly ClientEvent[];
    try {
      page = await store.events.read(client, { afterSequence: expected - 1, limit: pace.page });
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      return [differs('events', 'events that can be read', error.message)];
    }
    for (const event of page) {
      // The oldest may be dropped meanwhile.
      if (event.sequence !== expected && expected > range.oldest)
        return [differs('events: sequence', String(expected), String(event.sequence))];
      expected = event.sequence + 1;
      if (isOfStep(event)) events.push({ type: event.type, id: event.resource, atMs: event.atMs });
    }
    await pace.pause();
    if (page.length < pace.page) break;
  }
  if (expected <= range.newest) return [differs('events: sequence', String(range.newest), String(expected - 1))];
  const [first] = events;
  if (first === undefined) return [];
  // A journal may be far longer than the events that are kept: what was before all of them is not collected.
  const entries: Happened[] = [];
  let sinceMs: number | undefined;
  for (let after = JOURNAL_START; ; ) {
    const page = await store.journal.page(client, after, lastEntry, pace.page);
    for (const entry of page) {
      const type = eventOfEntry(entry);
      if (type === undefined) continue;
      sinceMs ??= Math.max(entry.atMs, first.atMs);
      if (entry.atMs > sinceMs) entries.push({ type, id: entry.id, atMs: entry.atMs });
    }
    await pace.pause();
    if (page.length < pace.page) break;
    after = page.at(-1)!.entry;
  }
  if (sinceMs === undefined) return [];
  return compare(entries, events, sinceMs).map(([id, of, found]) => differs(`events of ${shown(id)}`, of, found));
}

function compare(
  entries: readonly Happened[],
  events: readonly Happened[],
  sinceMs: number,
): [id: string, expected: string, found: string][] {
  const untilMs = entries.at(-1)?.atMs ?? sinceMs;
  const byId = (all: readonly Happened[]): Map<string, string[]> => {
    const found = new Map<string, string[]>();
    for (const { id, type, atMs } of all) {
      // Several steps of the first and of the last millisecond may be on either side.
      if (atMs <= sinceMs || atMs >= untilMs) continue;
      const types = found.get(id);
      if (types) types.push(type);
      else found.set(id, [type]);
    }
    return found;
  };
  const [expected, found] = [byId(entries), byId(events)];
  const differences: [string, string, string][] = [];
  for (const id of new Set([...expected.keys(), ...found.keys()])) {
    const [of, has] = [expected.get(id)?.join(' ') ?? 'none', found.get(id)?.join(' ') ?? 'none'];
    if (of !== has) differences.push([id, of, has]);
  }
  return differences;
}

function eventOfEntry({ step, from, to, sub }: JournalEntry): EventType | undefined {
  if (step !== 'payment') return EVENT_OF_STEP[step];
  return from === '' ? 'payment.created' : paymentEvent(to as PaymentStatus, sub as PaymentSubStatus);
}

/** Not of a step: the second event of a payment that is created without its funds, and the end of the hold of one that waits. */
function isOfStep({ type, more }: ClientEvent): boolean {
  if (OF_STEPS.has(type) || type === 'payment.created') return true;
  if (!type.startsWith('payment.')) return false;
  return type !== 'payment.awaiting_funds' || !['', 'AWAITING_FUNDS'].includes(bothTexts(more)[1].split('|')[0]!);
}
