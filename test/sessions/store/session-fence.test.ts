/** A suspended engine executes no request of a desk whose session another engine has claimed meanwhile. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Store } from '../../../engine/store/store.js';
import { type ClientSteps, type LedgerSteps, OFFERED, startLedgerSteps } from '../../store/ledger/ledger-steps.js';

let on: LedgerSteps;
let other: Store;
let client: ClientSteps;

beforeAll(async () => {
  on = await startLedgerSteps();
  other = await on.testStore.another();
  client = await on.client('acme');
  await client.open('EUR', 1_000_000n);
  await client.open('USD');
});
afterAll(() => on.stop());

const session = (desk: string, store: Store = on.store) =>
  store.fixSessions.store({ senderCompId: 'FXENGINE', targetCompId: desk }, client.of.shard);
const lapse = () => on.keyspace.redis.del(`lease:engine-${on.store.engineId}`);
/** Opens the session in the other engine. The lease of this one may be renewed at any time until then. */
const takeOver = async (desk: string) => {
  const theirs = session(desk, other);
  await vi.waitFor(async () => {
    await lapse();
    expect(await theirs.open()).toBeDefined();
  }, 60_000);
  return theirs;
};
const book = (desk: string, store: Store = on.store) => store.bookings.book(client.of, client.step({ session: desk }));
const hold = (id: string, desk: string, store: Store = on.store) =>
  store.holds.lock(client.of, { hold: client.hold(id, { owner: desk }), ...OFFERED });

test('an engine that has lost the session books no order and locks no rate, whether it has detected the loss or not', async () => {
  let lost = 0;
  const kept = 'HLD0000000000000';
  await session('DESK1').open(() => lost++);
  await hold(kept, 'DESK1');
  expect(await book('DESK1')).toMatchObject({ kind: 'booked' });
  await takeOver('DESK1');
  const before = await client.journal();
  for (let i = 0; i < 2; i++) {
    expect(await book('DESK1')).toEqual({ kind: 'taken-over' });
    expect(lost).toBe(1);
  }
  expect(await hold('HLD0000000000001', 'DESK1')).toEqual({ kind: 'taken-over' });
  expect(await on.store.holds.release(client.of, kept, 'DESK1')).toEqual({ kind: 'taken-over' });
  expect(await client.journal()).toEqual(before);
  expect((await on.store.holds.open(client.of)).map(({ id }) => id)).toEqual([kept]);
  expect(await book('DESK1', other)).toMatchObject({ kind: 'booked' });
  expect(await other.holds.release(client.of, kept, 'DESK1')).toMatchObject({ kind: 'released' });
  expect(await hold('HLD0000000000002', 'DESK1', other)).toMatchObject({ kind: 'held' });
});

test('such a refusal is not kept: the same order is booked by the engine that has the session', async () => {
  await session('DESK2').open();
  await takeOver('DESK2');
  const step = client.step({ session: 'DESK2', rememberRefusal: true });
  expect(await on.store.bookings.book(client.of, step)).toEqual({ kind: 'taken-over' });
  expect(await other.bookings.book(client.of, step)).toMatchObject({ kind: 'booked' });
});

test('an engine that released the session itself executes what it has accepted, and so does one that claimed it again', async () => {
  const mine = session('DESK3');
  await mine.open();
  await mine.settle(2, 3);
  await mine.close();
  await session('DESK3', other).open();
  expect(await book('DESK3')).toMatchObject({ kind: 'booked' });
  await session('DESK4').open();
  const theirs = await takeOver('DESK4');
  await theirs.settle(2, 3);
  await theirs.close();
  await session('DESK4').open();
  expect(await book('DESK4')).toMatchObject({ kind: 'booked' });
});
