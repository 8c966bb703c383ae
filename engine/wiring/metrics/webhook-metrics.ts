/** Metrics of the delivery of events to webhook endpoints, by the sidecar that holds the lease. */
import type { WebhookDelivery } from '../../roles/webhooks/webhook-delivery.js';
import { labelled, type Metrics } from './metrics.js';

export function webhookMetrics(metrics: Metrics, delivery: WebhookDelivery): void {
  metrics.counter(
    'ratewire_webhook_deliveries_total',
    'Attempts that succeeded or failed; deliveries that ended without success: after the last attempt (exhausted), or because the event is not kept (gone); events dropped before a delivery was planned (missed)',
    () => labelled('outcome', Object.entries(delivery.counts)),
    'outcome',
  );
  metrics.counter(
    'ratewire_webhook_challenges_total',
    'Attempts to challenge an endpoint: sent; of those answered with the challenge (echoed); failed, also before they were sent',
    () => labelled('outcome', Object.entries(delivery.challenges)),
    'outcome',
  );
  metrics.counter(
    'ratewire_webhook_endpoints_disabled_total',
    'Endpoints disabled because they answered 410 (GONE), or failed for five days (FAILING)',
    () => labelled('reason', Object.entries(delivery.disabled)),
    'reason',
  );
  metrics.gauge(
    'ratewire_webhook_backlog',
    'Clients whose deliveries are due and not under way, at the last look',
    () => delivery.backlog.clients,
  );
  metrics.gauge(
    'ratewire_webhook_oldest_seconds',
    'How long the oldest of them has been due; 0 when there is none',
    () => delivery.backlog.oldestS,
  );
  metrics.gauge('ratewire_webhook_lease_held', '1 in the sidecar that delivers', () => (delivery.isHolder ? 1 : 0));
}
