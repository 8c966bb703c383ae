import type { Services } from '../engine/service/core/services.js';
import { hostClockReasons } from '../engine/wiring/host-clock.js';
import { bookingMetrics, fundingMetrics } from '../engine/wiring/metrics/ledger-metrics.js';
import { authenticationMetrics, Metrics, type Readiness } from '../engine/wiring/metrics/metrics.js';
import { paymentMetrics, workMetrics } from '../engine/wiring/metrics/payment-metrics.js';
import { hasRates, rateMetrics } from '../engine/wiring/metrics/rate-metrics.js';
import { storeMetrics } from '../engine/wiring/metrics/store-metrics.js';
import type { PaymentRounds } from '../engine/wiring/payment-rounds.js';
import type { Door } from './door.js';
import type { Live } from './live/live.js';

/** What the sidecar tells about itself. */
export function sidecarMetrics(
  services: Services,
  { answered, events }: Pick<Door, 'answered' | 'events'>,
  rounds?: PaymentRounds,
  live?: Live,
): { metrics: Metrics; readiness: Readiness } {
  const { store, book } = services;
  const metrics = new Metrics('sidecar');
  metrics.counter(
    'ratewire_rest_answers_total',
    'Answers by operation and status',
    () => answered.read(),
    'operation',
    'status',
  );
  authenticationMetrics(metrics, events);
  storeMetrics(metrics, store);
  rateMetrics(metrics, book);
  bookingMetrics(metrics, store);
  fundingMetrics(metrics, store);
  paymentMetrics(metrics, store);
  if (rounds) workMetrics(metrics, rounds);
  if (live) liveMetrics(metrics, live);

  const readiness = () => [
    ...(store.isUp() ? [] : ['the store does not answer: check that Redis runs']),
    ...hostClockReasons(store.clock),
    ...(hasRates(book) ? [] : ['no rates from the relay: check that an engine with a feed runs']),
  ];
  return { metrics, readiness };
}

/** Who looks on at the live page, and what that takes. */
function liveMetrics(metrics: Metrics, live: Live): void {
  const { counts } = live;
  metrics.gauge('ratewire_live_viewers', 'Pages that look on', () => live.viewers);
  metrics.counter('ratewire_live_frames_total', 'Messages sent to pages', () => counts.frames);
  metrics.counter('ratewire_live_bytes_total', 'Bytes of messages sent to pages', () => counts.bytes);
  metrics.counter('ratewire_live_conflated_total', 'Messages that a slow page was spared', () => counts.conflated);
  metrics.counter('ratewire_live_refused_total', 'Pages refused because too many look on', () => counts.refused);
}
