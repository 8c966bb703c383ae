/** Metrics of the ledger: the bookings of the process, and, in the engine, settlements and the results of reconciliation. */

import type { LedgerScheduler } from '../../roles/conversions/ledger-scheduler.js';
import type { LedgerSeen } from '../../service/audit/ledger-watch.js';
import type { Services } from '../../service/core/services.js';
import { type Labels, labelled, type Metrics } from './metrics.js';

export function bookingMetrics(metrics: Metrics, { bookings }: Services['store']): void {
  const read = () =>
    [...bookings.outcomes].map(([name, count]): [Labels, number] => {
      const [type = '', outcome = ''] = name.split(' ');
      return [{ type, outcome }, count];
    });
  metrics.counter(
    'ratewire_bookings_total',
    'Answers to requests to book, by type and outcome; booked, replayed, or the code of the refusal',
    read,
    'type',
    'outcome',
  );
}

export function fundingMetrics(metrics: Metrics, { fundings }: Services['store']): void {
  metrics.counter(
    'ratewire_fundings_total',
    'Steps of fundings that this process took, by the status that they led to',
    () => labelled('status', fundings.steps),
    'status',
  );
}

export function ledgerMetrics(
  metrics: Metrics,
  { watch, settled, backlog, keptEvents }: LedgerScheduler,
  { now }: Pick<Services, 'now'>,
): void {
  metrics.counter(
    'ratewire_settlements_total',
    'Conversions settled or found overdue at their time, and holds expired',
    () => labelled('outcome', Object.entries(settled)),
    'outcome',
  );
  metrics.gauge(
    'ratewire_scheduler_backlog',
    'Due entries that the last round of the ledger scheduler left; 0 when it processed all',
    backlog,
  );
  // Without a round there is no value.
  metrics.gauge(
    'ratewire_events_dropped',
    'Events that are no longer kept, of all clients that have events; counted once an hour',
    () => (keptEvents() ? [[{}, keptEvents()!.dropped] as const] : []),
  );
  // Without a reconciliation there are no values.
  const seen = (read: (seen: LedgerSeen) => number) => () => (watch.seen ? [[{}, read(watch.seen)] as const] : []);
  metrics.gauge(
    'ratewire_ledger_differences',
    'Places where balances, journal, bookings and receipts do not agree: ratewire reconcile names them',
    seen(({ differences }) => differences),
  );
  metrics.gauge(
    'ratewire_ledger_reconciled_timestamp_seconds',
    'When all clients were last reconciled; 0 before the first time',
    () => (watch.seen?.atMs ?? 0) / 1_000,
  );
  metrics.gauge(
    'ratewire_journal_entries',
    'Entries in the journals of all clients',
    seen((all) => all.journalEntries),
  );
  metrics.gauge(
    'ratewire_holds_open',
    'Rates that are held',
    seen(({ openHolds }) => openHolds),
  );
  metrics.gauge(
    'ratewire_conversions_overdue',
    'Conversions whose time has come without the money',
    seen(({ overdue }) => overdue),
  );
  metrics.gauge(
    'ratewire_receivables_open',
    'What clients owe beyond their balances, counted by client and currency: ratewire accounts receivables lists it',
    seen(({ receivables }) => receivables),
  );
  const ageS = (sinceMs: number | undefined) => (sinceMs === undefined ? 0 : Math.max(0, (now() - sinceMs) / 1_000));
  metrics.gauge(
    'ratewire_payment_work_lost_seconds',
    'Age of the oldest payment in process whose work entry is lost; 0 when there is none',
    seen(({ lostSinceMs }) => ageS(lostSinceMs)),
  );
  metrics.gauge(
    'ratewire_batches_open',
    'Batches of payments that have not ended',
    seen(({ openBatches }) => openBatches),
  );
  metrics.gauge(
    'ratewire_batch_idle_seconds',
    'How long the batch in process that has waited longest has drawn no item; 0 when none is in process',
    seen(({ batchIdleSinceMs }) => ageS(batchIdleSinceMs)),
  );
}
