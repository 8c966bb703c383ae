/** A share of the margin that is paid out to a platform's account continues what waits for its money. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LedgerSteps, startLedgerSteps } from '../../store/ledger/ledger-steps.js';
import { PROOF, subClient } from './share-steps.js';

let on: LedgerSteps;
beforeAll(async () => {
  on = await startLedgerSteps();
});
afterAll(() => on.stop());

test('a conversion of the platform that is OVERDUE is due, and its waiting payments are looked at', async () => {
  const { platform, client } = await subClient(on);
  const { redis } = on.keyspace;
  await redis.del(platform.keys.woken);
  // Its margin is in dollars.
  const [usd] = (await on.store.accounts.list(platform.of)).filter(({ currency }) => currency === 'USD');
  const entry = `settle:${platform.of.id}:BFX0000000000USD`;
  await redis.zadd(platform.keys.overdue, 0, `${usd!.number}|BFX0000000000USD`);
  expect(await platform.due(entry)).toBeNull();
  await on.store.bookings.book(client.of, client.step({}, { proof: PROOF }));
  expect((await platform.balances())[`USD/${usd!.number}`]).toBe('110');
  expect(await platform.due(entry)).not.toBeNull();
  expect(await redis.exists(platform.keys.woken)).toBe(1);
});
