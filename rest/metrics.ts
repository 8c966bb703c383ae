import { PAIRS } from '../engine/domain/pair.js';
import { Metrics, type Readiness } from '../engine/metrics.js';
import type { Services } from '../engine/service/services.js';
import type { AnsweredCounts } from './door.js';

/** What the sidecar tells about itself. */
export function sidecarMetrics(
  services: Services,
  answered: AnsweredCounts,
): { metrics: Metrics; readiness: Readiness } {
  const { store, book } = services;
  const metrics = new Metrics('sidecar');
  metrics.counter(
    'ratewire_rest_answers',
    'Answers by operation and status',
    () => answered.read(),
    'operation',
    'status',
  );
  metrics.gauge('ratewire_redis_up', 'Whether the store answers', () => (store.isUp() ? 1 : 0));
  metrics.gauge('ratewire_pairs_priced', 'Pairs with a fresh price', () => priced(services));

  const readiness = () => [
    ...(store.isUp() ? [] : ['the store does not answer: check that Redis runs']),
    ...(book.bid.some((bid) => bid > 0) ? [] : ['no rates from the relay: check that an engine with a feed runs']),
  ];
  return { metrics, readiness };
}

function priced({ book }: Services): number {
  return PAIRS.filter(({ index }) => book.bid[index]! > 0).length;
}
