/** Metrics of payments: the steps of the process, and, in a process with a payment worker, the backlog. */

import type { PaymentWorker } from '../../roles/payments/payment-worker.js';
import type { Services } from '../../service/core/services.js';
import { stoppedPayouts } from '../../service/payments/index.js';
import { type Labels, labelled, type Metrics } from './metrics.js';

export function paymentMetrics(metrics: Metrics, { payments, beneficiaries }: Services['store']): void {
  metrics.counter(
    'ratewire_payments_total',
    'Steps of payments that this process took, by the status that they led to',
    () => labelled('status', payments.steps),
    'status',
  );
  metrics.counter(
    'ratewire_payee_verifications_total',
    'Verifications of payees that this process answered, by scheme and answer; none: no scheme covers the account',
    () =>
      [...beneficiaries.verifications].map(([name, count]): [Labels, number] => {
        const [scheme = '', answer = ''] = name.split(' ');
        return [{ scheme, answer }, count];
      }),
    'scheme',
    'answer',
  );
}

export function workMetrics(metrics: Metrics, worker: PaymentWorker, store: Services['store']): void {
  metrics.gauge(
    'ratewire_payouts_stopped',
    'Clients whose payouts this process has stopped, because their balances differ from their journal',
    () => stoppedPayouts(store),
  );
  metrics.counter(
    'ratewire_payment_work_total',
    'Entries of the stream of work that this worker did: moved a payment, woke those that wait, put off, or found done',
    () => labelled('outcome', Object.entries(worker.outcomes)),
    'outcome',
  );
  metrics.gauge(
    'ratewire_payment_work_backlog',
    'Entries of the stream of work, taken or not, at the last look',
    () => worker.backlog.entries,
  );
  metrics.gauge(
    'ratewire_payment_work_oldest_seconds',
    'Age of the oldest of them; 0 when there is none',
    () => worker.backlog.oldestS,
  );
}
