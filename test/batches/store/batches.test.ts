/** The steps of batches, each alone: what it refuses, at the edge of each bound, and what balances and journal are afterwards. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Batch } from '../../../engine/domain/batches/batch.js';
import { create, createStep } from '../../payments/store/payment-steps.js';
import { type ClientSteps, type LedgerSteps, startLedgerSteps } from '../../store/ledger/ledger-steps.js';
import { BatchSteps, queuedItem } from './batch-steps.js';

const ROOM = 999_999_999_999_999n;

let on: LedgerSteps;
let client: ClientSteps;
let steps: BatchSteps;
let eur: string;
let clients = 0;

beforeAll(async () => {
  on = await startLedgerSteps();
});
afterAll(() => on.stop());
beforeEach(async () => {
  client = await on.client(`client-${++clients}`);
  steps = new BatchSteps(on.store, client);
  eur = await client.open('EUR', 20_000n);
});
/** In each currency the balances sum to zero. */
afterEach(async () => {
  const sum = Object.values(await client.balances()).reduce((total, minor) => total + BigInt(minor), 0n);
  expect(sum).toBe(0n);
});

const read = async ({ id }: Batch) => (await on.store.batches.read(client.of, id))!;
/** Of the account and of the reserve, and the steps that moved them. */
const money = async ({ id }: Batch) => {
  const balances = await client.balances();
  const journal = (await client.journal()).filter(([, of]) => of === id);
  return [balances[`EUR/${eur}`], balances[`EUR/batch:${id}`], ...journal.map(([step, , moves]) => `${step} ${moves}`)];
};
const cancel = (batch: Batch, version?: number) =>
  on.store.batches.cancel(client.of, batch, { actor: 'client', reason: '', version });
const move = (batch: Batch, to: 'VALIDATED' | 'CLOSED', version?: number) =>
  on.store.batches.move(client.of, batch.id, to, version);

describe('creates a batch', () => {
  const facts = (id: string, more = {}) => ({
    ...{
      id: `BAT${id.padStart(13, '0')}`,
      requestId: `R${id}`,
      description: '',
      account: eur,
      currency: 'EUR',
      createdAtMs: 1,
    },
    ...more,
  });

  test('once for a request id, of an account that there is and is active, a hundred at most', async () => {
    const { batches, accounts } = on.store;
    const created = await batches.create(client.of, facts('1'));
    expect(created).toMatchObject({ kind: 'created', state: { status: 'OPEN', version: 1, items: 0, total: '0' } });
    expect(await batches.create(client.of, facts('2', { requestId: 'R1' }))).toEqual({
      kind: 'known',
      batchId: facts('1').id,
    });
    for (const more of [{ account: '999999999999' }, { currency: 'USD' }])
      expect(await batches.create(client.of, facts('3', more))).toEqual({ kind: 'refused', code: 'UNKNOWN_ACCOUNT' });
    const usd = await client.open('USD');
    await accounts.change(client.of, usd, { active: false });
    expect(await batches.create(client.of, facts('4', { account: usd, currency: 'USD' }))).toEqual({
      kind: 'refused',
      code: 'ACCOUNT_INACTIVE',
    });
    for (let at = 5; at < 104; at++) expect((await batches.create(client.of, facts(String(at)))).kind).toBe('created');
    expect(await batches.create(client.of, facts('104'))).toEqual({ kind: 'refused', code: 'BATCH_LIMIT' });
    expect((await batches.create(client.of, facts('1'))).kind).toBe('known');
    if (created.kind === 'created') await cancel({ ...facts('50'), ...created.state });
    expect((await batches.create(client.of, facts('104'))).kind).toBe('created');
    expect((await batches.open(client.of)).length).toBe(100);
  });
});

describe('changes items', () => {
  test('all or none, by version, status and number', async () => {
    const batch = await steps.create(eur);
    const add = (...args: [itemIds: readonly string[], more?: Parameters<BatchSteps['add']>[2]]) =>
      steps.add(batch, ...args);
    expect(await add(['a', 'b'])).toMatchObject({ kind: 'changed', added: 2, state: { version: 2, items: 2 } });
    expect(await add(['b', 'a'])).toMatchObject({ kind: 'changed', added: 0, replaced: 0, state: { version: 2 } });
    expect(await add(['c', 'a'], { content: 'other' })).toEqual({ kind: 'conflict', itemIds: ['a'] });
    expect(await add(['c'], { version: 1 })).toEqual({ kind: 'version' });
    expect(await add(['c', 'a'], { content: 'other', replaces: true, version: 2 })).toMatchObject({
      ...{ kind: 'changed', added: 1, replaced: 1, state: { version: 3, items: 3 } },
    });
    expect(await steps.remove(batch, 'z')).toEqual({ kind: 'unknown', itemId: 'z' });
    expect(await steps.remove(batch, 'a')).toMatchObject({ removed: 1, state: { items: 2 } });
    // A number is not given a second time.
    await add(['a']);
    const numbers = (await on.store.batches.items(client.of, batch.id)).map(
      ({ itemId, number }) => `${itemId} ${number}`,
    );
    expect(numbers).toEqual(['b 2', 'c 3', 'a 4']);
    expect([...(await on.store.batches.contents(client.of, batch.id, ['a', 'b', 'z']))]).toEqual([
      ['a', 'sealed'],
      ['b', 'sealed'],
    ]);
    await move(batch, 'VALIDATED');
    expect(await add(['a'])).toMatchObject({ state: { status: 'VALIDATED' } });
    expect(await add(['d'])).toMatchObject({ state: { status: 'OPEN' } });
    await move(batch, 'VALIDATED');
    await move(batch, 'CLOSED');
    expect(await add(['e'])).toEqual({ kind: 'status', status: 'CLOSED' });
    expect(await steps.add({ ...batch, id: 'BAT0000000000999' }, ['a'])).toEqual({ kind: 'gone' });
  });

  test('a thousand at most, and 9,999 in its life', async () => {
    const batch = await steps.create(eur);
    const ids = (from: number, count: number) => Array.from({ length: count }, (_, at) => `i${from + at}`);
    expect(await steps.add(batch, ids(0, 1_001))).toEqual({ kind: 'full' });
    expect(await steps.add(batch, ids(0, 1_000))).toMatchObject({ added: 1_000 });
    expect(await steps.add(batch, ids(1_000, 1))).toEqual({ kind: 'full' });
    expect(await read(batch)).toMatchObject({ items: 1_000 });
    // As after many that were added and removed again.
    const key = client.keys.batch(batch.id);
    const state = (await on.keyspace.redis.hget(key, 's'))!;
    await on.keyspace.redis.hset(key, 's', state.replace('|1000|1000|', '|998|9998|'));
    expect(await steps.add(batch, ids(9_000, 2))).toEqual({ kind: 'full' });
    expect(await steps.add(batch, ids(9_000, 1))).toMatchObject({ added: 1 });
  });
});

describe('moves a batch', () => {
  test('one status at a time, and answers what comes again', async () => {
    const batch = await steps.create(eur);
    await steps.add(batch, ['a']);
    expect(await move(batch, 'CLOSED')).toEqual({ kind: 'status', status: 'OPEN' });
    expect(await move(batch, 'VALIDATED', 1)).toEqual({ kind: 'version' });
    for (const version of [2, 2, 3, undefined])
      expect(await move(batch, 'VALIDATED', version)).toMatchObject({ kind: 'moved', state: { version: 3 } });
    for (const version of [1, 4]) expect(await move(batch, 'VALIDATED', version)).toEqual({ kind: 'version' });
    expect(await move(batch, 'CLOSED', 3)).toMatchObject({ kind: 'moved', state: { status: 'CLOSED', version: 4 } });
    expect(await move(batch, 'VALIDATED')).toEqual({ kind: 'status', status: 'CLOSED' });
    expect(await move({ ...batch, id: 'BAT0000000000999' }, 'CLOSED')).toEqual({ kind: 'gone' });
  });
});

describe('funds a batch', () => {
  test('once, with all that its items need, to the last cent', async () => {
    const closed = await steps.closed(eur, ['a', 'b']);
    const fund = (batch: Batch, ...reserves: bigint[]) =>
      on.store.batches.fund(
        client.of,
        batch,
        reserves.map((reserve, at) => queuedItem(at + 1, 'ab'[at]!, reserve)),
      );
    expect(await fund({ ...closed, version: 1 }, 1n)).toEqual({ kind: 'version' });
    expect(await fund(closed, 20_000n, 1n)).toEqual({
      kind: 'refused',
      code: 'INSUFFICIENT_BALANCE',
      more: '20000 20001 EUR',
    });
    expect(await money(closed)).toEqual(['20000', undefined]);
    expect(await fund(closed, 19_999n, 1n)).toMatchObject({
      kind: 'moved',
      state: { status: 'PROCESSING', total: '20000' },
    });
    const after = ['0', '20000', `fund-batch EUR ${eur} batch:${closed.id} 20000`];
    expect(await money(closed)).toEqual(after);
    expect(await fund(closed, 19_999n, 1n)).toMatchObject({ kind: 'moved', state: { total: '20000' } });
    expect(await money(closed)).toEqual(after);
    const open = await steps.create(eur);
    expect(await fund(open)).toEqual({ kind: 'status', status: 'OPEN' });
    expect(await fund({ ...open, id: 'BAT0000000000999' })).toEqual({ kind: 'gone' });
  });
});

test('an older payment that waits for the money of the account comes before a batch', async () => {
  const closed = await steps.closed(eur, ['a']);
  expect(await create(on.store, client, createStep({}, { plan: undefined }))).toMatchObject({
    status: 'AWAITING_FUNDS',
  });
  const fund = () => on.store.batches.fund(client.of, closed, [queuedItem(1, 'a')]);
  expect(await fund()).toEqual({ kind: 'refused', code: 'INSUFFICIENT_BALANCE', more: 'waiting' });
  expect(await money(closed)).toEqual(['20000', undefined]);
});

describe('draws, refuses and cancels items', () => {
  test('each item once, and the batch is done behind the last one', async () => {
    const { batch, items } = await steps.funded(eur, ['a', 'b']);
    const [a, b] = [items[0]!, items[1]!];
    const paid = await steps.draw(batch, a);
    expect(paid).toMatchObject({ kind: 'created', status: 'IN_PROCESS' });
    for (const again of [await steps.draw(batch, a), await steps.refuse(batch, a)])
      expect(again).toEqual(typeof again === 'string' ? 'done' : { kind: 'gone' });
    expect(await money(batch)).toEqual([
      ...['9800', '5100', `fund-batch EUR ${eur} batch:${batch.id} 10200`],
      `draw-item EUR batch:${batch.id} ${eur} 5100`,
    ]);
    expect(await read(batch)).toMatchObject({ status: 'PROCESSING', drawn: 1, drawnAmount: '5100', version: 5 });
    expect(await steps.refuse(batch, b)).toBe('refused');
    expect(await read(batch)).toMatchObject({ status: 'DONE', refused: 1, refusedAmount: '5100', version: 6 });
    expect((await money(batch)).slice(0, 2)).toEqual(['14900', undefined]);
    expect(await on.store.batches.open(client.of)).toEqual([]);
    expect(await cancel(batch)).toEqual({ kind: 'status', status: 'DONE' });
    expect(await on.store.batches.items(client.of, batch.id)).toMatchObject([
      { itemId: 'a', outcome: { kind: 'drawn' } },
      { itemId: 'b', outcome: { kind: 'refused', code: 'ACCOUNT_INACTIVE', text: 'The account is closed' } },
    ]);
    expect((await on.store.batches.contents(client.of, batch.id, ['a', 'b'])).size).toBe(0);
  });

  test('nothing of an item is drawn whose payment the account cannot pay', async () => {
    const { batch, items } = await steps.funded(eur, ['a']);
    const before = await money(batch);
    // More than its reserve and the account have.
    const plan = { amount: '20000', total: '20100', transit: '20000', fees: '100', sells: [] };
    expect(await steps.draw(batch, items[0]!, { plan })).toEqual({ kind: 'stale' });
    expect(await steps.draw(batch, items[0]!, { plan: undefined })).toMatchObject({
      ...{ kind: 'refused', code: 'INSUFFICIENT_BALANCE', text: 'The reserve of this item does not cover it' },
    });
    expect(await money(batch)).toEqual(before);
    expect(await on.store.batches.queued(client.of, batch.id, 9)).toEqual(items);
  });

  test('a cancellation returns the rest once, and nothing is drawn behind it', async () => {
    const { batch, items } = await steps.funded(eur, ['a', 'b', 'c']);
    await steps.draw(batch, items[0]!);
    expect(await cancel(batch, 4)).toEqual({ kind: 'version' });
    for (const version of [5, 5, 6, undefined])
      expect(await cancel(batch, version)).toMatchObject({ kind: 'moved', state: { status: 'CANCELLED', version: 6 } });
    for (const version of [4, 7]) expect(await cancel(batch, version)).toEqual({ kind: 'version' });
    expect((await money(batch)).slice(0, 2)).toEqual(['14900', undefined]);
    expect((await money(batch)).slice(-1)).toEqual([`cancel-batch EUR batch:${batch.id} ${eur} 10200`]);
    // Whom it would have paid is kept no longer.
    expect((await on.store.batches.contents(client.of, batch.id, ['a', 'b', 'c'])).size).toBe(0);
    expect(await steps.draw(batch, items[1]!)).toEqual({ kind: 'gone' });
    expect(await steps.refuse(batch, items[1]!)).toBe('done');
    expect(await cancel({ ...batch, id: 'BAT0000000000999' })).toEqual({ kind: 'gone' });
  });

  test.each(['refuse', 'cancel'] as const)('%s: what comes back continues what waits for it', async (how) => {
    const { batch, items } = await steps.funded(eur, ['a']);
    const entry = `settle:${client.of.id}:BFX01KAGQ3V8S7M2Y5T9D`;
    await on.keyspace.redis.zadd(client.keys.overdue, 0, `${eur}|BFX01KAGQ3V8S7M2Y5T9D`);
    expect(await client.due(entry)).toBeNull();
    await (how === 'refuse' ? steps.refuse(batch, items[0]!) : cancel(batch));
    expect(await client.due(entry)).not.toBeNull();
  });

  test('what would come back needs room in the account', async () => {
    const { batch, items } = await steps.funded(eur, ['a']);
    await on.store.accounts.credit(client.of, 'full', eur, ROOM - 14_900n);
    expect(await cancel(batch)).toEqual({ kind: 'limit' });
    expect(await steps.refuse(batch, items[0]!)).toBe('limit');
    expect((await money(batch)).slice(0, 2)).toEqual([String(ROOM), '5100']);
  });
});
