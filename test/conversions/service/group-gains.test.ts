/** A platform with its sub-clients is one group: scheduled limits count gross over it, and a gain is paid as far as the group has not lost it elsewhere. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OutputOf } from '../../../engine/service/operations.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';

const DAY_MS = 86_400_000;

let on: PaymentRig;
let acme: Client;
let long: Client;
let short: Client;
let count = 0;
let requests = 0;
beforeAll(async () => {
  on = await startPayments();
});
afterAll(() => on.stop());
beforeEach(async () => {
  const id = `platform-${++count}`;
  on.tick('EUR/USD', '1.08158', '1.08164');
  acme = await on.client(id, {});
  await on.services.store.clients.change(id, { isPlatform: true });
  [long, short] = [await on.client(`${id}~long`, {}), await on.client(`${id}~short`, {})];
  for (const client of [acme, long, short]) {
    for (const currency of ['EUR', 'USD']) await on.open(client.id, currency);
    await limit(client, '2000000');
  }
});

async function must(name: Parameters<PaymentRig['ask']>[0], input: object) {
  const answer = await on.ask(name, input);
  if ('refusal' in answer) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
  return answer;
}
async function by<Name extends Parameters<PaymentRig['as']>[1]>(client: Client, name: Name, input: object) {
  const answer = await on.as(client, name, input);
  if ('refusal' in answer) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
  return answer;
}
const limit = (client: Client, amount: string) => must('setScheduledLimit', { clientId: client.id, limit: amount });
const buysEuros = { sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 900_000 };
const sellsEuros = { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 900_000 };
const tryToBook = (client: Client, more: object) =>
  on.as(client, 'bookFxByCurrency', { requestId: `b-${++requests}`, description: 'x', type: 'SCHEDULED2', ...more });
async function book(client: Client, more: object) {
  const answer = await tryToBook(client, more);
  if ('refusal' in answer) throw new Error(`${answer.refusal}: ${answer.text}`);
  return answer.booking;
}
async function cancel(client: Client, confirmationId: string) {
  const { quoteId } = await by(client, 'quoteCancellation', { confirmationId });
  return (await by(client, 'cancelConversion', { confirmationId, quoteId, requestId: `c-${++requests}` })).change;
}
const codeOf = (answer: object) => ('refusal' in answer ? answer.refusal : 'booked');
/** Minor units of the default account. */
async function balance(client: Client, currency: string): Promise<bigint> {
  const all = await on.services.store.accounts.balances(client);
  return all.find((one) => one.currency === currency && one.isDefault)!.balance;
}

test('the forecast counts changes, gains that await their payment, and the sums of clients and groups', async () => {
  const counts = async () => {
    const { records } = (await must('forecastStore', {})) as OutputOf<'forecastStore'>;
    return Object.fromEntries(records.map(({ record, stored }) => [record, stored]));
  };
  const before = await counts();
  const { id } = await book(long, buysEuros);
  await book(short, sellsEuros);
  on.tick('EUR/USD', '1.10321', '1.10327');
  await cancel(long, id);
  const after = await counts();
  const more = Object.fromEntries(Object.keys(after).map((record) => [record, after[record]! - before[record]!]));
  // The sums are those of both sub-clients and of their platform.
  expect(more).toEqual({ bookings: 2, payments: 0, fundings: 0, changes: 1, gains: 1, sums: 3 });
});

test('a gain is held back by what another sub-client has lost, and paid when that ends', async () => {
  const [one, other] = [await book(long, buysEuros), await book(short, sellsEuros)];
  on.tick('EUR/USD', '1.10321', '1.10327');
  const { reversal } = await cancel(long, one.id);
  const gain = BigInt(reversal!.amount);
  expect([reversal!.kind, gain > 1_000_000n, await balance(long, 'USD')]).toEqual(['credit', true, 0n]);
  await on.later(6 * DAY_MS);
  // The loss is a little more than the gain: the margin and the spread are between them.
  expect([await balance(long, 'USD'), (await on.services.store.bookings.read(short, other.id))!.status]).toEqual([
    0n,
    'OVERDUE',
  ]);
  expect(await on.differences()).toEqual([]);
  // A part of the loss ends with the price: a part of the gain is paid within the hour.
  on.tick('EUR/USD', '1.09321', '1.09327');
  await on.later(3_600_000);
  const part = await balance(long, 'USD');
  expect(part).toBeGreaterThan(0n);
  expect(part).toBeLessThan(gain);
  expect(await on.differences()).toEqual([]);
  // What waits is computed again when the other one ends, without waiting for the hour.
  const { receivable, reversal: charge } = await cancel(short, other.id);
  expect(receivable).toBe(charge!.amount);
  await on.work();
  expect(await balance(long, 'USD')).toBe(part);
  const accountNumber = (await on.services.store.accounts.list(short)).find((one) => one.currency === 'EUR')!.number;
  await must('creditAccount', { accountNumber, amount: '30000.00', reference: 'paid-1' });
  await on.work();
  expect(await balance(long, 'USD')).toBe(gain);
  expect(await on.differences()).toEqual([]);
});

test('one that was booked after the cancellation holds nothing back, and a part of a split counts as its parent', async () => {
  const [one, other] = [await book(long, buysEuros), await book(short, sellsEuros)];
  on.tick('EUR/USD', '1.10321', '1.10327');
  const { reversal } = await cancel(long, one.id);
  on.clock.now += 1_000;
  const parts = { confirmationId: other.id, sellAmounts: [400_000, 500_000] };
  const { quoteId } = await by(short, 'quoteSplit', parts);
  const { change } = await by(short, 'splitConversion', {
    ...{ confirmationId: other.id, quoteId, requestId: `s-${++requests}` },
  });
  await on.later(6 * DAY_MS);
  expect(await balance(long, 'USD')).toBe(0n);
  for (const { id } of change.children!) await must('cancelBooking', { clientId: short.id, confirmationId: id });
  const later = await book(short, sellsEuros);
  on.tick('EUR/USD', '1.12321', '1.12327');
  await on.work();
  expect([await balance(long, 'USD'), later.status]).toEqual([BigInt(reversal!.amount), 'OPEN']);
  expect(await on.differences()).toEqual([]);
});

test('the same within one client, and a client of another group holds nothing back', async () => {
  const lone = await on.client(`lone-${count}`, {});
  for (const currency of ['EUR', 'USD']) await on.open(lone.id, currency);
  await limit(lone, '2000000');
  const [one] = [await book(lone, buysEuros), await book(lone, sellsEuros)];
  const free = await book(long, buysEuros);
  on.tick('EUR/USD', '1.10321', '1.10327');
  await cancel(lone, one!.id);
  const { reversal } = await cancel(long, free.id);
  await on.later(6 * DAY_MS);
  expect([await balance(lone, 'USD'), await balance(long, 'USD')]).toEqual([0n, BigInt(reversal!.amount)]);
  expect(await on.differences()).toEqual([]);
});

test('scheduled limits of a platform count gross over its sub-clients and itself', async () => {
  await limit(acme, '1500000');
  const half = { ...sellsEuros, sellAmount: 750_000 };
  const first = await book(long, half);
  expect(codeOf(await tryToBook(short, { ...half, sellAmount: 750_000.01 }))).toBe('AMOUNT_ABOVE_LIMIT');
  await book(short, half);
  expect(codeOf(await tryToBook(acme, { ...half, sellAmount: 10 }))).toBe('AMOUNT_ABOVE_LIMIT');
  expect(await tryToBook(long, { ...half, sellAmount: 10 })).toMatchObject({
    text: expect.stringMatching(/platform and its sub-clients together/),
  });
  // The other currency has a sum of its own.
  expect(codeOf(await tryToBook(long, { ...buysEuros, buyAmount: 100 }))).toBe('booked');
  await must('cancelBooking', { clientId: long.id, confirmationId: first.id });
  expect(codeOf(await tryToBook(acme, { ...half, sellAmount: 10 }))).toBe('booked');
  expect(await on.differences()).toEqual([]);
});

test('0 at the platform is none for its sub-clients', async () => {
  await limit(acme, '0');
  expect(codeOf(await tryToBook(long, { ...sellsEuros, sellAmount: 10 }))).toBe('AMOUNT_ABOVE_LIMIT');
});

test('reconciliation names a sum, an open conversion and a debtor of the group that differ', async () => {
  const { id } = await book(long, sellsEuros);
  const { groupScheduled, groupOpen, groupOwing } = ledgerKeys(long);
  const { redis } = on.keyspace;
  const whats = async () => (await on.differences()).map((one) => (one as { what: string }).what);
  await redis.hincrby(groupScheduled, 'EUR', -1);
  expect(await whats()).toEqual(['scheduled sells of the group in EUR']);
  await redis.hincrby(groupScheduled, 'EUR', 1);
  await redis.zrem(groupOpen, `${long.id}|${id}`);
  expect(await whats()).toEqual([`open conversions of its group: ${id}`]);
  await redis.zadd(groupOpen, 0, `${long.id}|${id}`);
  await redis.zadd(groupOwing, 0, short.id);
  expect(await whats()).toEqual(['its group: whether it owes']);
  await redis.zrem(groupOwing, short.id);
  expect(await whats()).toEqual([]);
});
