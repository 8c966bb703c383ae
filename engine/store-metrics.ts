import type { Metrics } from './metrics.js';
import type { Services } from './service/services.js';

/** Whether the store answers, and how much room it has. */
export function storeMetrics(metrics: Metrics, store: Services['store']): void {
  metrics.gauge('ratewire_redis_up', 'Whether the store answers', () => (store.isUp() ? 1 : 0));
  metrics.gauge(
    'ratewire_redis_memory_ratio',
    'Share of its maxmemory that the store has used; absent without a maxmemory; at 0.95 new commands are refused',
    () => {
      const ratio = store.memoryRatio();
      return ratio === undefined ? [] : [[{}, ratio]];
    },
  );
}
