/** Batches by the steps directly: each item takes 51.00 EUR of its account, 50.00 and a fee of 1.00. */
import type { Batch, BatchFacts } from '../../../engine/domain/payments/batch.js';
import { type QueuedItem, queuedText } from '../../../engine/store/ledger/batches.js';
import type { Store } from '../../../engine/store/store.js';
import { type ClientSteps, NOW } from './ledger-steps.js';
import { create, createStep, PLAN } from './payment-steps.js';

let ids = 0;

export async function newBatch({ batches }: Store, client: ClientSteps, account: string): Promise<Batch> {
  const id = `BAT${String(++ids).padStart(13, '0')}`;
  const facts: BatchFacts = {
    ...{ id, requestId: `B${id}`, description: '', account, currency: 'EUR', createdAtMs: NOW },
  };
  const outcome = await batches.create(client.of, facts);
  if (outcome.kind !== 'created') throw new Error(JSON.stringify(outcome));
  return { ...facts, ...outcome.state };
}

const change = (itemId: string, content = 'sealed') => ({
  ...{ itemId, transactionNumber: `T-${itemId}`, fingerprint: `of-${content}`, content },
});

export const addItems = (
  { batches }: Store,
  client: ClientSteps,
  { id }: Batch,
  itemIds: readonly string[],
  more: { readonly content?: string; readonly version?: number; readonly replaces?: boolean } = {},
) => {
  const items = itemIds.map((itemId) => change(itemId, more.content));
  return batches.changeItems(client.of, id, { items, version: more.version, replaces: more.replaces ?? false });
};

export const removeItem = ({ batches }: Store, client: ClientSteps, { id }: Batch, itemId: string) => {
  const items = [{ itemId, transactionNumber: '', fingerprint: '', content: '' }];
  return batches.changeItems(client.of, id, { items, version: undefined, replaces: false });
};

export const queuedItem = (number: number, itemId: string, reserve = 5_100n): QueuedItem => ({
  ...{ number, itemId, reserve, fee: { fixedMinor: 100n, ppm: 0 } },
});

export async function closedBatch(store: Store, client: ClientSteps, account: string, itemIds: readonly string[]) {
  const batch = await newBatch(store, client, account);
  await addItems(store, client, batch, itemIds);
  await store.batches.move(client.of, batch.id, 'VALIDATED', undefined);
  await store.batches.move(client.of, batch.id, 'CLOSED', undefined);
  return (await store.batches.read(client.of, batch.id))!;
}

export async function fundedBatch(store: Store, client: ClientSteps, account: string, itemIds: readonly string[]) {
  const closed = await closedBatch(store, client, account, itemIds);
  const items = itemIds.map((itemId, at) => queuedItem(at + 1, itemId));
  const outcome = await store.batches.fund(client.of, closed, items);
  if (outcome.kind !== 'moved') throw new Error(JSON.stringify(outcome));
  return { batch: { ...closed, ...outcome.state }, items };
}

/** As a payment of 50.00 EUR. */
export const drawItem = (store: Store, client: ClientSteps, batch: Batch, item: QueuedItem, plan = PLAN) => {
  const facts = { version: 2, sourceAccount: batch.account, sourceCurrency: 'EUR' } as const;
  const of = { batchId: batch.id, queued: queuedText(item) };
  return create(store, client, createStep(facts, { plan, item: of }));
};

export const refuseItem = ({ batches }: Store, client: ClientSteps, batch: Batch, item: QueuedItem) =>
  batches.refuse(client.of, batch, item, { code: 'ACCOUNT_INACTIVE', text: 'The account is closed' });
