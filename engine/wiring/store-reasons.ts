/** Why commands fail at the store: for /ready. */
import type { Services } from '../service/core/services.js';
import { FULL } from '../store/connection/node-connection.js';
import { hostClockReasons } from './host-clock.js';

/** By the word of its reply. */
const REFUSALS: Readonly<Record<string, string>> = {
  READONLY: 'it is a replica: check that the address of REDIS_URL leads to the master',
  NOREPLICAS: 'too few replicas are connected to it (min-replicas-to-write)',
  MISCONF: 'it cannot write its file: check its disk',
  OOM: 'its memory is full: raise maxmemory',
  CLUSTERDOWN: 'a part of the cluster is away',
  LOADING: 'it loads its data',
};

/** Empty while the store takes commands, and the clocks agree. */
export function storeReasons({
  isUp,
  servers,
  clock,
}: Pick<Services['store'], 'isUp' | 'servers' | 'clock'>): string[] {
  if (!isUp()) return ['the store does not answer: check that Redis runs'];
  const reasons = servers().flatMap(({ name, isUp, refusal, isReplicaLagging, memoryRatio = 0 }) => {
    const title = name === '' ? 'the store' : `the store's server ${name}`;
    if (!isUp) return [`${title} does not answer: check that Redis runs`];
    if (refusal !== '') return [`${title} refuses commands: ${REFUSALS[refusal] ?? refusal}`];
    if (isReplicaLagging) return [`${title} refuses commands: too few replicas have what was written (STORE_REPLICAS)`];
    if (memoryRatio < FULL) return [];
    return [`${title} has used ${Math.floor(memoryRatio * 100)} % of its maxmemory: raise it`];
  });
  return [...reasons, ...hostClockReasons(clock)];
}
