/** Batches by the steps directly: each item takes 51.00 EUR of its account, 50.00 and a fee of 1.00. */
import type { Batch, BatchFacts } from '../../../engine/domain/batches/batch.js';
import { type QueuedItem, queuedText } from '../../../engine/store/batches/batches.js';
import type { Store } from '../../../engine/store/store.js';
import { create, createStep } from '../../payments/store/payment-steps.js';
import { type ClientSteps, NOW } from '../../store/ledger/ledger-steps.js';

let ids = 0;

const change = (itemId: string, content = 'sealed') => ({
  ...{ itemId, transactionNumber: `T-${itemId}`, fingerprint: `of-${content}`, content },
});

export const queuedItem = (number: number, itemId: string, reserve = 5_100n): QueuedItem => ({
  ...{ number, itemId, reserve, fee: { fixedMinor: 100n, ppm: 0 } },
});

export class BatchSteps {
  constructor(
    private readonly store: Store,
    private readonly client: ClientSteps,
  ) {}

  async create(account: string): Promise<Batch> {
    const id = `BAT${String(++ids).padStart(13, '0')}`;
    const facts: BatchFacts = {
      ...{ id, requestId: `B${id}`, description: '', account, currency: 'EUR', createdAtMs: NOW },
    };
    const outcome = await this.store.batches.create(this.client.of, facts);
    if (outcome.kind !== 'created') throw new Error(JSON.stringify(outcome));
    return { ...facts, ...outcome.state };
  }

  add(
    { id }: Batch,
    itemIds: readonly string[],
    more: { readonly content?: string; readonly version?: number; readonly replaces?: boolean } = {},
  ) {
    const items = itemIds.map((itemId) => change(itemId, more.content));
    const { version, replaces = false } = more;
    return this.store.batches.changeItems(this.client.of, id, { items, version, replaces });
  }

  remove({ id }: Batch, itemId: string) {
    const items = [{ itemId, transactionNumber: '', fingerprint: '', content: '' }];
    return this.store.batches.changeItems(this.client.of, id, { items, version: undefined, replaces: false });
  }

  async closed(account: string, itemIds: readonly string[]): Promise<Batch> {
    const { batches } = this.store;
    const batch = await this.create(account);
    await this.add(batch, itemIds);
    await batches.move(this.client.of, batch.id, 'VALIDATED', undefined);
    await batches.move(this.client.of, batch.id, 'CLOSED', undefined);
    return (await batches.read(this.client.of, batch.id))!;
  }

  async funded(account: string, itemIds: readonly string[]) {
    const closed = await this.closed(account, itemIds);
    const items = itemIds.map((itemId, at) => queuedItem(at + 1, itemId));
    const outcome = await this.store.batches.fund(this.client.of, closed, items);
    if (outcome.kind !== 'moved') throw new Error(JSON.stringify(outcome));
    return { batch: { ...closed, ...outcome.state }, items };
  }

  /** As a payment of 50.00 EUR, unless it is planned otherwise; `plan: undefined`: nothing covers it. */
  draw(batch: Batch, item: QueuedItem, more: Parameters<typeof createStep>[1] = {}) {
    const facts = { version: 2, sourceAccount: batch.account, sourceCurrency: 'EUR' } as const;
    const of = { batchId: batch.id, queued: queuedText(item) };
    return create(this.store, this.client, createStep(facts, { ...more, item: of }));
  }

  refuse(batch: Batch, item: QueuedItem) {
    const reason = { code: 'ACCOUNT_INACTIVE', text: 'The account is closed' } as const;
    return this.store.batches.refuse(this.client.of, batch, item, reason);
  }
}
