/** Batches: from an empty one to the results of each item, on a real store. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Batch } from '../../../engine/domain/batches/batch.js';
import { Pricing } from '../../../engine/rates/pricing.js';
import { RateBook } from '../../../engine/rates/rate-book.js';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import { processBatch } from '../../../engine/service/batches/index.js';
import type { Composed } from '../../../engine/service/events/compose-event.js';
import { perform } from '../../../engine/service/perform.js';
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

test('a thousand items are drawn once each, by two workers at a time', async () => {
  const payer = await rig.client('thousand', { EUR: '100000.00' });
  const number = (await rig.services.store.accounts.balances(payer))[0]!.number;
  const items = Array.from({ length: 1_000 }, (_, at) => item(`i-${at}`, (100 + at) / 100));
  const { id: batchId, total } = await rig.funded(payer, number, items);
  expect(total).toBe('599500');
  const entries = await rig.services.store.work.take(payer.shard, 'one', 100);
  const entry = entries.find((one) => one.batchId === batchId)!;
  await Promise.all([1, 2].map(() => processBatch(rig.services, { ...entry, batchId })));
  await rig.work();
  expect(await rig.must(payer, 'readBatch', { batchId })).toMatchObject({
    batch: { status: 'DONE', drawn: 1_000, drawnAmount: '599500', refused: 0 },
  });
  expect(await rig.money(payer)).toEqual({ EUR: '9400500' });
});

test('a refused item returns its part of the reserve, and the others are paid', async () => {
  const batch = await rig.funded(client, account, [item('a', 10), item('b', 20, { transactionNumber: 'used-soon' })]);
  await rig.pay(client, 'Anna', { transactionNumber: 'used-soon' });
  await rig.work();
  const { results } = await rig.must(client, 'batchResults', { batchId: batch.id });
  expect(results).toMatchObject([
    { itemId: 'a', status: 'CREATED', payment: { status: 'PAID' } },
    { itemId: 'b', status: 'REFUSED', refusal: { code: 'DUPLICATE_TRANSACTION' } },
  ]);
});

test('a rate that stays away for a quarter of an hour refuses all that need it, without another wait', async () => {
  const { number: dollars } = await rig.open(client.id, 'USD', '1000.00');
  await perform(rig.services, 'changeAccount', undefined, { accountNumber: dollars, autoBookFxSequence: 1 });
  const inDollars = { destinationAmount: undefined, sourceAmount: 5 };
  const items = Array.from({ length: 20 }, (_, i) => item(`fx-${i}`, 5, inDollars));
  const { id: batchId } = await rig.funded(client, dollars, items);
  const book = new RateBook();
  const pricing = new Pricing(book, rig.services.margins, rig.services.states);
  const services = { ...rig.services, book, pricing };
  const { work } = rig.services.store;
  const worked: string[] = [];
  const workOnce = async () => {
    await settleDue(services, 100);
    for (const entry of await work.take(client.shard, 'test', 100))
      if (entry.batchId === batchId) worked.push(await processBatch(services, { ...entry, batchId }));
  };
  await workOnce();
  rig.clock.now += 16 * 60_000;
  await workOnce();
  const { results } = await rig.must(client, 'batchResults', { batchId });
  expect(new Set(results.map(({ status, refusal }) => `${status} ${refusal?.code}`))).toEqual(
    new Set(['REFUSED RATE_UNAVAILABLE']),
  );
  expect(worked).toEqual(['put-off', 'moved']);
});

test('a cancellation returns the rest of the reserve, and draws nothing more', async () => {
  const before = await rig.money(client);
  const { id: batchId } = await rig.funded(client, account, [item('a', 10), item('b', 20)]);
  expect(await rig.must(client, 'cancelBatch', { batchId })).toMatchObject({ batch: { status: 'CANCELLED' } });
  await rig.work();
  expect(await rig.money(client)).toEqual(before);
});

test('a validation has longer than other commands: it reads page by page', async () => {
  const { store } = rig.services;
  const contents: typeof store.batches.contents = async (...page) => {
    await pause(600);
    return store.batches.contents(...page);
  };
  // Where the store must answer at once, other commands have half a second.
  const services = { ...rig.services, store: { ...store, answerMs: 0, batches: { ...store.batches, contents } } };
  const { id: batchId } = await rig.batch(client, account);
  await rig.add(
    client,
    batchId,
    Array.from({ length: 60 }, (_, at) => item(`slow-${at}`, 1)),
  );
  const validated = await perform(services, 'validateBatch', rig.caller(client.id), { batchId });
  expect(validated).toMatchObject({ batch: { status: 'VALIDATED' } });
});

test('all faults of all items, with numbers that two of them have', async () => {
  const { id: batchId } = await rig.batch(client, account);
  const same = { transactionNumber: 'twice' };
  await rig.add(client, batchId, [item('a', 10, same), item('b', 10, same), item('c', -1, { feePayer: undefined })]);
  expect(await rig.must(client, 'validateBatch', { batchId })).toMatchObject({
    batch: { status: 'OPEN' },
    faulty: [{ itemId: 'b', faults: [{ field: 'transactionNumber' }] }, { itemId: 'c' }],
  });
  expect(await rig.as(client, 'addBatchItems', { batchId, items: [item('a', 11)] })).toMatchObject({
    refusal: 'REQUEST_ID_REUSED',
  });
});

test('each change of its status is an event, which shows the batch as it was then', async () => {
  const payer = await rig.client('subscriber', { EUR: '100.00' });
  const { store } = rig.services;
  await store.events.enable(payer);
  const number = (await store.accounts.balances(payer))[0]!.number;
  const { id } = await rig.funded(payer, number, [item('a', 10), item('b', 20)]);
  await rig.work();
  const { events } = await rig.must(payer, 'listEvents', { type: 'batch.*' });
  const states = events.map(({ type, resource, resourceThen }) => {
    const { now, before } = resourceThen as Composed<Batch>;
    return [type, resource, now.status, now.version, now.drawnAmount, before?.status];
  });
  expect(states).toEqual([
    ['batch.created', id, 'OPEN', 1, '0', undefined],
    ['batch.validated', id, 'VALIDATED', 3, '0', 'OPEN'],
    ['batch.closed', id, 'CLOSED', 4, '0', 'VALIDATED'],
    ['batch.processing', id, 'PROCESSING', 5, '0', 'CLOSED'],
    ['batch.done', id, 'DONE', 6, '3000', 'PROCESSING'],
  ]);
});
