/** Batches for the operator: listed, shown, cancelled. */
import { z } from 'zod';
import { BATCH_ID } from '../../domain/core/ids.js';
import { refuse } from '../../domain/core/refusal.js';
import { CLIENT_ID, ID, REASON } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import { defineListOfAll } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';
import { BATCHES, cancelFor, progressOf } from './client-batches.js';

/** Batches of one client or of all, newest first. Refuses with UNKNOWN_CLIENT. */
export const findBatches = defineListOfAll(BATCHES, (found) => ({
  batches: found.map(({ clientId, one }) => ({ clientId, batch: one })),
}));

const OF_CLIENT = z.object({ clientId: CLIENT_ID, batchId: ID });

/** Refuses with UNKNOWN_CLIENT, NOT_FOUND. */
export const showBatch = defineOpenOperation({
  input: OF_CLIENT,
  async execute(services, _operator, { clientId, batchId }) {
    const client = await services.store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    return (await progressOf(services, client, batchId)) ?? none(clientId);
  },
});

/** Cancels what has not become a payment. Refuses with UNKNOWN_CLIENT, NOT_FOUND, WRONG_STATE, BALANCE_LIMIT. */
export const cancelBatchByOperator = defineOpenOperation({
  input: OF_CLIENT.extend({ reason: REASON }),
  audited: {
    subject: ({ clientId, batchId }) => `batch ${BATCH_ID.test(batchId) ? batchId : ''} of client ${clientId}`,
    state: async ({ store }, { clientId, batchId }) => {
      const client = await store.clients.get(clientId);
      const batch = client && (await store.batches.read(client, batchId));
      return batch && { status: batch.status, drawn: batch.drawn, refused: batch.refused, items: batch.items };
    },
  },
  async execute(services: Services, _operator, { clientId, batchId, reason }) {
    const client = await services.store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    const by = { actor: 'operator', reason, version: undefined };
    const cancelled = await cancelFor(services, client, batchId, by);
    return 'refusal' in cancelled && cancelled.refusal === 'NOT_FOUND' ? none(clientId) : cancelled;
  },
});

const none = (clientId: string) =>
  refuse('NOT_FOUND', `No such batch: \`ratewire batches list --client ${clientId}\` shows those there are`);
