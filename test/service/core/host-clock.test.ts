/** A machine with a wrong clock settles, expires and books by the clock of the store's steps. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import type { AnyOperationName, OutputOf } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { redisAt } from '../../support/redis-client.js';
import { SOON } from '../../support/until.js';
import { startServices, type TestServices } from './services.js';

const HOUR_MS = 3_600_000;
const LIMIT = 100;
const hostNow = Date.now;
const caller = { clientId: 'acme', keyId: 'CK_X', rights: new Set(RIGHTS) };
const PAIR = { sellCurrency: 'EUR', buyCurrency: 'USD' };

let on: TestServices;
beforeAll(async () => {
  on = await startServices(() => Date.now(), { rates: { now: () => 0 } });
  await must('createClient', { id: 'acme', name: 'Acme' }, undefined);
  await must('setScheduledLimit', { clientId: 'acme', limit: '1000000' }, undefined);
  await must('setMargin', { clientId: '*', pair: '*', type: '*', margin: '0.25' }, undefined);
  await on.loadMargins();
  on.tick('EUR/USD', '1.08158', '1.08164');
  for (const currency of ['EUR', 'USD']) {
    const { number } = await must('openAccount', { clientId: 'acme', currency }, undefined);
    if (currency === 'EUR') await must('creditAccount', { accountNumber: number, amount: '1000.00' }, undefined);
  }
});
afterAll(() => on.stop());
afterEach(async () => {
  vi.restoreAllMocks();
  await on.services.store.clock.setOffset(0);
});

/** This process's clock, and with it that of its services, is ahead of the store server's by `ms`. */
const hostAhead = (ms: number) => void vi.spyOn(Date, 'now').mockImplementation(() => hostNow() + ms);

async function must<Name extends AnyOperationName>(
  name: Name,
  input: object,
  as: typeof caller | undefined,
): Promise<OutputOf<Name>> {
  const answer = await perform(on.services, name, as, input);
  if (isRefusal(answer)) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
  return answer;
}

const order = (requestId: string, more: object) => ({ ...PAIR, requestId, description: 'a test', ...more });
const record = async () => (await on.services.store.clients.get('acme'))!;

test("an engine 80 hours fast settles nothing before the store's time is due", async () => {
  const { store } = on.services;
  const asked = order('scheduled', { sellAmount: 10, type: 'SCHEDULED1' });
  const { booking } = await must('bookFxByCurrency', asked, caller);
  expect(booking.status).toBe('OPEN');
  const balances = await store.accounts.balances(await record());

  // The longest wait to the next business day, over a weekend with a holiday, exceeds 80 hours: then as far ahead as
  // that.
  hostAhead(Math.max(80 * HOUR_MS, booking.expiryMs - hostNow() + HOUR_MS));
  expect(on.services.now()).toBeGreaterThan(booking.expiryMs);
  expect(await settleDue(on.services, LIMIT)).toMatchObject({ due: 0, settled: 0, overdue: 0 });
  // Nor by way of its list.
  const read = (await store.bookings.read(await record(), booking.id))!;
  expect(await store.dueQueue.settle(await record(), read, HOUR_MS)).toBe('early');
  expect(await store.bookings.read(await record(), booking.id)).toMatchObject({ status: 'OPEN' });
  expect(await store.accounts.balances(await record())).toEqual(balances);

  await store.clock.setOffset(booking.expiryMs - hostNow() + 60_000);
  expect(await settleDue(on.services, LIMIT)).toMatchObject({ settled: 1 });
});

test('a sidecar 20 minutes slow books no expired hold, even before an engine has expired it', async () => {
  const { store } = on.services;
  const offer = await must('getLockableRate', { ...PAIR, holdPeriod: '15_mins' }, caller);
  const { hold } = await must('lockRate', { rateSignature: offer.rateSignature }, caller);
  const asked = order('on-a-hold', { sellAmount: 10, quoteId: hold.id });
  const balances = await store.accounts.balances(await record());

  // One second after its expiry by the store's clock.
  await store.clock.setOffset(hold.expiryMs - hostNow() + 1_000);
  hostAhead(hold.expiryMs - hostNow() - 20 * 60_000);
  expect(on.services.now()).toBeLessThan(hold.expiryMs);
  expect((await store.holds.read(await record(), hold.id))?.status).toBe('open');
  expect(await perform(on.services, 'bookFxByCurrency', caller, asked)).toMatchObject({ refusal: 'HOLD_EXPIRED' });
  expect(await store.accounts.balances(await record())).toEqual(balances);
});

test('a new offset applies in this process at once, whatever was read from the store meanwhile', async () => {
  const { store } = on.services;
  const isTurned = (ms: number) => store.clock.estimate()! - hostNow() > ms - HOUR_MS / 2;
  // Each change also triggers its own notification, so that the next one meets a read of the store.
  for (let hours = 1; hours <= 200; hours++) {
    const set = store.clock.setOffset(hours * HOUR_MS);
    let isSet = false;
    void set.finally(() => (isSet = true));
    while (!isSet) {
      expect(isTurned(hours * HOUR_MS)).toBe(true);
      await new Promise(setImmediate);
    }
    for (let n = 0; n < 3; n++) {
      expect(isTurned(hours * HOUR_MS)).toBe(true);
      await new Promise(setImmediate);
    }
  }
});

test('reconciliation under a wrong clock reports no expired hold, and one open hold that is not listed', async () => {
  const { store } = on.services;
  // Services follow the offset within a second; until then the store rejects their offers as too old.
  const held = () =>
    vi.waitFor(async () => {
      const offer = await must('getLockableRate', { ...PAIR, holdPeriod: '15_mins' }, caller);
      return (await must('lockRate', { rateSignature: offer.rateSignature }, caller)).hold;
    }, SOON);
  const ended = await held();
  await store.clock.setOffset(ended.expiryMs - hostNow() + 60_000);
  // The next lock removes expired holds from the open holds.
  hostAhead(ended.expiryMs - hostNow() + 60_000);
  const open = await held();
  const reconciled = async () => (await must('reconcile', { clientId: 'acme' }, undefined)).differences;
  const differencesAt = async (days: number) => {
    hostAhead(days * 24 * HOUR_MS);
    return reconciled();
  };
  expect(await differencesAt(-7)).toEqual([]);
  expect(await differencesAt(7)).toEqual([]);
  const redis = redisAt(on.testStore.redisUrl);
  await redis.del(ledgerKeys(await record()).openHolds);
  redis.disconnect();
  const unlisted = [expect.objectContaining({ what: `open holds: ${open.id}` })];
  expect(await differencesAt(-7)).toEqual(unlisted);
  expect(await differencesAt(7)).toEqual(unlisted);
});
