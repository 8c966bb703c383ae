import type { PaymentWorker } from '../../roles/payments/payment-worker.js';
import type { WebhookDelivery } from '../../roles/webhooks/webhook-delivery.js';
import type { AuthenticationEvents } from '../../service/access/authentication-events.js';
import type { Services } from '../../service/core/services.js';
import { storeReasons } from '../store-reasons.js';
import { bookingMetrics, fundingMetrics } from './ledger-metrics.js';
import { authenticationMetrics, Metrics, type Read, type Readiness } from './metrics.js';
import { paymentMetrics, workMetrics } from './payment-metrics.js';
import { hasRates, rateMetrics } from './rate-metrics.js';
import { figureMetrics } from './risk-metrics.js';
import { storeMetrics } from './store-metrics.js';
import { webhookMetrics } from './webhook-metrics.js';

/** Counts of the REST API. */
interface RestCounts {
  readonly requestCounts: { read(): ReturnType<Read> };
  readonly events: AuthenticationEvents;
}

/** Counts of the live page. */
interface LiveCounts {
  readonly viewers: number;
  readonly counts: Readonly<Record<'frames' | 'bytes' | 'conflated' | 'refused', number>>;
}

/** Each is absent where this sidecar does not run it. */
interface SidecarParts {
  readonly paymentWorker?: PaymentWorker | undefined;
  readonly webhookDelivery?: WebhookDelivery | undefined;
  readonly live?: LiveCounts | undefined;
}

/** The metrics and the readiness of the sidecar. */
export function sidecarMetrics(
  services: Services,
  { requestCounts, events }: RestCounts,
  { paymentWorker, webhookDelivery, live }: SidecarParts = {},
): { metrics: Metrics; readiness: Readiness } {
  const { store, book } = services;
  const metrics = new Metrics('sidecar');
  metrics.counter(
    'ratewire_http_requests_total',
    'Responses of the REST API by operation and status',
    () => requestCounts.read(),
    'operation',
    'status',
  );
  authenticationMetrics(metrics, events);
  storeMetrics(metrics, store);
  rateMetrics(metrics, services);
  bookingMetrics(metrics, store);
  fundingMetrics(metrics, store);
  paymentMetrics(metrics, store);
  figureMetrics(metrics, services);
  if (paymentWorker) workMetrics(metrics, paymentWorker, store);
  if (webhookDelivery) webhookMetrics(metrics, webhookDelivery);
  if (live) liveMetrics(metrics, live);

  const readiness = () => [
    ...storeReasons(store),
    ...(hasRates(book) ? [] : ['no rates from the relay: check that an engine with a feed runs']),
  ];
  return { metrics, readiness };
}

/** Open live pages, and what is sent to them. */
function liveMetrics(metrics: Metrics, live: LiveCounts): void {
  const { counts } = live;
  metrics.gauge('ratewire_live_subscribers', 'Live pages with an open stream', () => live.viewers);
  metrics.counter('ratewire_live_frames_total', 'Messages sent to pages', () => counts.frames);
  metrics.counter('ratewire_live_bytes_total', 'Bytes of messages sent to pages', () => counts.bytes);
  metrics.counter(
    'ratewire_live_conflated_total',
    'Messages replaced before a slow page could take them',
    () => counts.conflated,
  );
  metrics.counter('ratewire_live_refused_total', 'Live pages refused because too many were open', () => counts.refused);
}
