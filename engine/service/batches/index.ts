import {
  addBatchItems,
  batchResults,
  cancelBatch,
  closeBatch,
  createBatch,
  fundBatch,
  listBatches,
  listBatchItems,
  readBatch,
  removeBatchItem,
  validateBatch,
} from './client-batches.js';
import { cancelBatchByOperator, findBatches, showBatch } from './operator-batches.js';

export { ITEM_STATUSES } from './batch-input.js';
export type { FaultyItem } from './check-items.js';
export type { BatchProgress, ItemResult } from './client-batches.js';
export { processBatch } from './work-batch.js';

export const BATCH_OPERATIONS = {
  createBatch,
  listBatches,
  readBatch,
  addBatchItems,
  listBatchItems,
  removeBatchItem,
  validateBatch,
  closeBatch,
  fundBatch,
  cancelBatch,
  batchResults,
};

export const BATCH_OPERATOR_OPERATIONS = { findBatches, showBatch, cancelBatchByOperator };
