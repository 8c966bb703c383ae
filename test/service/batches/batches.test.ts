/** Batches: from an empty one to the results of each item, on a real store. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../../engine/store/access/clients.js';
import { type BatchRig, item, startBatches } from './batch-rig.js';

let rig: BatchRig;
let client: Client;
let account: string;

beforeAll(async () => {
  rig = await startBatches();
  client = await rig.client('acme', { EUR: '1000.00' });
  account = (await rig.services.store.accounts.balances(client))[0]!.number;
});
afterEach(async () => expect(await rig.differences()).toEqual([]));
afterAll(() => rig.stop());

test('reserves the total in one step, draws each item by its own, and leaves nothing behind', async () => {
  const batch = await rig.batch(client, account);
  await rig.add(client, batch.id, [item('a', 10), item('b', 20.5), item('c', 30)]);
  expect(await rig.must(client, 'validateBatch', { batchId: batch.id })).toMatchObject({
    faulty: [],
    batch: { status: 'VALIDATED', items: 3, version: 3 },
  });
  expect(await rig.must(client, 'closeBatch', { batchId: batch.id })).toMatchObject({ batch: { status: 'CLOSED' } });
  expect(await rig.must(client, 'fundBatch', { batchId: batch.id })).toMatchObject({
    batch: { status: 'PROCESSING', total: '6050' },
  });
  expect(await rig.money(client)).toEqual({ EUR: '93950', [`EUR/batch:${batch.id}`]: '6050' });
  await rig.work();
  expect(await rig.must(client, 'readBatch', { batchId: batch.id })).toMatchObject({
    batch: { status: 'DONE', drawn: 3, drawnAmount: '6050', refused: 0 },
    payments: [{ status: 'PAID', count: 3 }],
  });
  expect(await rig.money(client)).toEqual({ EUR: '93950' });
});
