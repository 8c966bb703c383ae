import { PORTS, sandboxesOf } from '../../domain/system/port-mode.js';
import type { Services } from '../../service/core/services.js';
import { hostClockMetrics } from '../host-clock.js';
import type { Metrics } from './metrics.js';

type Store = Services['store'];
type Server = ReturnType<Store['servers']>[number];

/** Whether the store answers, and how much room it has: of a cluster each server by its label `server`. */
export function storeMetrics(metrics: Metrics, store: Store): void {
  const each = (name: string, help: string, value: (server: Server) => number | undefined): void =>
    metrics.gauge(
      name,
      help,
      () =>
        store.servers().flatMap((server) => {
          const read = value(server);
          return read === undefined ? [] : [[labelsOf(server), read] as const];
        }),
      'server',
    );
  each('ratewire_redis_up', 'Whether the store answers; of a cluster, each master', ({ isUp }) => (isUp ? 1 : 0));
  each(
    'ratewire_redis_replicas_behind',
    'Whether commands are refused because too few replicas have what was written; see STORE_REPLICAS',
    ({ isReplicaLagging }) => (isReplicaLagging ? 1 : 0),
  );
  each(
    'ratewire_redis_memory_ratio',
    'Share of its maxmemory that the store has used; absent without a maxmemory; at 0.95 new commands are refused',
    ({ memoryRatio }) => memoryRatio,
  );
  hostClockMetrics(metrics, store.clock);
  metrics.counter(
    'ratewire_messages_dropped_total',
    'Messages on channels of the store that were dropped, by kind and reason: version, forged, old, order',
    () =>
      Object.entries(store.messagesDropped).flatMap(([kind, counts]) =>
        Object.entries(counts).map(([reason, count]) => [{ kind, reason }, count] as const),
      ),
    'kind',
    'reason',
  );
  metrics.gauge(
    'ratewire_sandbox',
    '1 where a sandbox decides about money, by port: funding, compliance, payout; see `ratewire store ports`',
    () => PORTS.map((port) => [{ port }, Number(store.ports.modes[port] === 'sandbox')] as const),
    'port',
  );
}

/** For /ready: where a sandbox decides about money, and what the prices are. */
export function readyNotes({ store, book }: Pick<Services, 'store' | 'book'>): readonly string[] {
  const notes = { sandbox: sandboxesOf(store.ports.modes), feed: book.feedKinds };
  return Object.entries(notes).flatMap(([name, words]) => (words.length === 0 ? [] : [`${name}: ${words.join(', ')}`]));
}

const labelsOf = ({ name }: Server): Record<string, string> => (name === '' ? {} : { server: name });
