/** A step executed when the store resumes, long after its caller got an unknown outcome. */
import { afterAll, test as anyTest, beforeAll, expect, vi } from 'vitest';
import type { BookFxStep } from '../../../engine/store/conversions/bookings.js';
import { readStoreFile } from '../../../engine/store/managed-redis/store-file.js';
import type { CreatePaymentStep, PlannedSell } from '../../../engine/store/payments/payment-step.js';
import { create, created, createStep, PLAN, plannedSell } from '../../payments/store/payment-steps.js';
import { IMPATIENT, notOnCluster } from '../../support/store.js';
import { type LedgerSteps, OFFERED, startLedgerSteps } from '../ledger/ledger-steps.js';

const test = anyTest.skipIf(
  notOnCluster('test/store/connection/late-steps.test.ts', 'it stops the server that the store has started'),
);

let on: LedgerSteps;
beforeAll(async () => {
  on = await startLedgerSteps(IMPATIENT);
});
afterAll(() => on.stop());

const HOLD = 'HLD0000000000007';

/** Sends the steps to a suspended store and resumes it after their callers have timed out. */
async function asleep(ask: () => readonly Promise<unknown>[]): Promise<void> {
  const { pid } = readStoreFile(on.testStore.dataDir)!.server;
  process.kill(pid, 'SIGSTOP');
  try {
    for (const { status } of await Promise.allSettled(ask())) expect(status).toBe('rejected');
    await new Promise((resolve) => setTimeout(resolve, 500));
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await vi.waitFor(() => expect(on.store.isUp()).toBe(true), 120_000);
}

test('does not book at a price that has become stale, but books at a held one', async () => {
  const client = await on.client('late');
  await client.open('EUR', 100_000n);
  await client.open('USD');
  const hold = client.hold(HOLD);
  await on.store.holds.lock(client.of, { hold, ...OFFERED });
  const market = client.step({ requestId: 'market', rememberRefusal: true });
  const held = client.step({ requestId: 'held', holdId: HOLD });
  const book = (step: BookFxStep) => on.store.bookings.book(client.of, step);
  // The server would reject a script that it has not loaded.
  await book(client.step());
  await asleep(() => [book(market), book(held)]);

  expect(await on.store.bookings.receipt(client.of, 'market')).toBeUndefined();
  expect(await book(held)).toMatchObject({ kind: 'replayed' });
  expect((await client.journal()).filter(([name]) => name === 'book-fx')).toHaveLength(2);
  // A repeated command has a fresh price.
  expect(await book(market)).toMatchObject({ kind: 'booked' });
  expect((await client.journal()).filter(([name]) => name === 'book-fx')).toHaveLength(3);
});

test('does not pay with a conversion at a price that has become stale', async () => {
  const client = await on.client('late-payer');
  const number = await client.open('USD', 100_000n);
  await client.open('EUR', 100_000n);
  const plan = (more: Partial<PlannedSell>) => ({ plan: { ...PLAN, sells: [plannedSell(number, more)] } });
  const held = client.hold('HLD0000000000008', { pair: 'EUR/USD', sellCurrency: 'USD', buyCurrency: 'EUR' });
  await on.store.holds.lock(client.of, { hold: held, ...OFFERED });
  const market = createStep({}, plan({}));
  const atHold = createStep({ holdId: held.id, holdExpiryMs: held.expiryMs }, plan({ hold: held.id }));
  const without = createStep();
  const steps = [market, atHold, without];
  await created(on.store, client);
  await asleep(() => steps.map((step) => create(on.store, client, step)));

  const status = async (step: CreatePaymentStep) => (await on.store.payments.read(client.of, step.facts.id))?.status;
  await vi.waitFor(async () => expect(await status(without)).toBe('IN_PROCESS'), 120_000);
  expect(await Promise.all(steps.map(status))).toEqual([undefined, 'IN_PROCESS', 'IN_PROCESS']);
  // A repeated command has a fresh price.
  expect(await create(on.store, client, market)).toMatchObject({ kind: 'created', status: 'IN_PROCESS' });
});
