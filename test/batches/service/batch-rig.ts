/** Batches on a real store: what a client sends, and a worker that a test runs to its end. */
import type { Batch } from '../../../engine/domain/batches/batch.js';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import { processBatch } from '../../../engine/service/batches/index.js';
import type { AnyOperationName, OutputOf } from '../../../engine/service/operations.js';
import { processJob } from '../../../engine/service/payments/work-payment.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { type PaymentRig, SANDBOX, startPayments } from '../../payments/service/payment-rig.js';

export interface BatchRig extends PaymentRig {
  /** Performs as the client; throws where it is refused. */
  must<Name extends AnyOperationName>(client: Client, name: Name, input: object): Promise<OutputOf<Name>>;
  batch(client: Client, account: string): Promise<Batch>;
  add(client: Client, batchId: string, items: readonly object[], more?: object): Promise<OutputOf<'addBatchItems'>>;
  /** A batch with these items that is validated, closed and funded. */
  funded(client: Client, account: string, items: readonly object[]): Promise<Batch>;
}

let requests = 0;

export async function startBatches(): Promise<BatchRig> {
  const rig = await startPayments();
  const { services } = rig;
  const { store } = services;
  const must: BatchRig['must'] = async (client, name, input) => {
    const answer = await rig.as(client, name, input);
    if (isRefusal(answer))
      throw new Error(`${name}: ${answer.refusal} ${answer.text} ${JSON.stringify(answer.fields)}`);
    return answer;
  };
  const batch: BatchRig['batch'] = async (client, account) => {
    const requestId = `batch-${++requests}`;
    return (await must(client, 'createBatch', { requestId, sourceAccount: Number(account) })).batch;
  };
  const add: BatchRig['add'] = (client, batchId, items, more = {}) =>
    must(client, 'addBatchItems', { batchId, items, ...more });
  return {
    ...rig,
    must,
    batch,
    add,
    async funded(client, account, items) {
      const { id: batchId } = await batch(client, account);
      await add(client, batchId, items);
      const { faulty } = await must(client, 'validateBatch', { batchId });
      if (faulty.length > 0) throw new Error(JSON.stringify(faulty));
      await must(client, 'closeBatch', { batchId });
      return (await must(client, 'fundBatch', { batchId })).batch;
    },
    async work(ports = SANDBOX) {
      for (let did = true; did; ) {
        did = (await settleDue(services, 100)).due > 0;
        for (const { shard } of await store.work.busyShards())
          for (const entry of await store.work.take(shard, 'test', 100)) {
            const { batchId } = entry;
            if (batchId === undefined) await processJob(services, ports, entry);
            else await processBatch(services, { ...entry, batchId });
            did = true;
          }
      }
    },
  };
}

/** An item of so many euros to a beneficiary in Germany. */
export function item(itemId: string, amount: number, more: object = {}): object {
  const payment = {
    transactionNumber: `T-${itemId}-${++requests}`,
    statementNarrative: 'Invoice 417',
    destinationCurrency: 'EUR',
    destinationAmount: amount,
    feePayer: 'OUR',
    remitter: { accountType: 'Company', purposeCode: 'IR01802' },
    beneficiary: { name: 'Anna Schmidt', countryCode: 'DE', accountNumber: 'DE89370400440532013000' },
    ...more,
  };
  return { itemId, payment };
}
