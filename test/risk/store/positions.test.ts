/** The house's position of each client and shard, changed by the steps that book, bust, correct and cancel. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Booking } from '../../../engine/domain/conversions/booking.js';
import { NO_DEALS } from '../../../engine/domain/risk/position.js';
import { positionKey } from '../../../engine/store/keys/redis-keys.js';
import { FOLD_MAX } from '../../../engine/store/risk/positions.js';
import { createStep, PLAN, plannedSell } from '../../payments/store/payment-steps.js';
import { type ClientSteps, type LedgerSteps, NOW, startLedgerSteps } from '../../store/ledger/ledger-steps.js';

let on: LedgerSteps;
beforeAll(async () => {
  on = await startLedgerSteps();
});
afterAll(() => on.stop());
afterEach(() => {
  on.now = NOW;
});

let names = 0;
async function rich(): Promise<ClientSteps> {
  const client = await on.client(`position${++names}`);
  await client.open('EUR', 500_000n);
  await client.open('USD', 500_000n);
  return client;
}

async function booked(client: ClientSteps, ...of: Parameters<ClientSteps['step']>): Promise<Booking> {
  const outcome = await on.store.bookings.book(client.of, client.step(...of));
  if (outcome.kind !== 'booked') throw new Error(JSON.stringify(outcome));
  return outcome.booking;
}

const hashOf = (client: ClientSteps) => on.keyspace.redis.hgetall(client.keys.position);
const own = async (client: ClientSteps) => (await on.store.positions.ofClient(client.of)).lines;

/** What the shard has gained since, by field: other clients of the test may be in it. */
async function gains(shard: number): Promise<() => Promise<Record<string, string>>> {
  const read = () => on.keyspace.redis.hgetall(positionKey(shard));
  const before = await read();
  return async () => {
    const gained: Record<string, string> = {};
    const { last: _, ...lines } = await read();
    for (const [field, value] of Object.entries(lines)) {
      const was = (before[field] ?? '0 0 0').split(' ');
      const more = value.split(' ').map((part, i) => BigInt(part) - BigInt(was[i]!));
      if (more.some((part) => part !== 0n)) gained[field] = more.join(' ');
    }
    return gained;
  };
}

test('a booking adds what the house received, gave and kept to its client and its shard', async () => {
  const client = await rich();
  const gained = await gains(client.of.shard);
  await booked(client);
  await booked(client, {}, { sell: '10001', buy: '10801', margin: '1' });
  const buys = {
    sellCurrency: 'USD',
    buyCurrency: 'EUR',
    sell: '11000',
    buy: '10000',
    margin: '20',
    dealt: 'buy',
  } as const;
  await booked(client, {}, { ...buys, marginCurrency: 'USD' });
  await booked(client, {}, { ...buys, marginCurrency: 'EUR', valueDate: '20261125' });
  const all = {
    'EUR/USD|20261124|Bq': '20001 21601 26',
    'EUR/USD|20261124|Sq': '11000 10000 20',
    'EUR/USD|20261125|Sb': '11000 10000 20',
  };
  expect(await hashOf(client)).toEqual(all);
  expect(await gained()).toEqual(all);
  const eurUsd = { pair: 'EUR/USD', ...NO_DEALS };
  expect(await own(client)).toEqual([
    {
      ...eurUsd,
      ...{ valueDate: '20261124', baseBought: 20_001n, quotePaid: 21_601n, baseSold: 10_000n, quoteReceived: 11_000n },
      marginQuote: 46n,
    },
    { ...eurUsd, valueDate: '20261125', baseSold: 10_000n, quoteReceived: 11_000n, marginBase: 20n },
  ]);
});

const SCHEDULED = { settlesAtMs: NOW + 86_400_000, scheduledRoom: 10n ** 15n } as const;

test('a scheduled conversion counts from its booking, and its settlement changes nothing', async () => {
  const client = await rich();
  const booking = await booked(client, SCHEDULED, { type: 'SCHEDULED1' });
  const position = await hashOf(client);
  expect(position).toEqual({ 'EUR/USD|20261124|Bq': '10000 10800 25' });
  on.now = SCHEDULED.settlesAtMs;
  expect(await on.store.dueQueue.settle(client.of, booking, 1)).toBe('settled');
  expect(await hashOf(client)).toEqual(position);
});

test('a refusal and a repeated request change nothing', async () => {
  const client = await rich();
  const step = client.step();
  await on.store.bookings.book(client.of, step);
  const position = await hashOf(client);
  expect((await on.store.bookings.book(client.of, step)).kind).toBe('replayed');
  const poor = client.step({}, { sell: '99999999' });
  expect(await on.store.bookings.book(client.of, poor)).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  expect(await hashOf(client)).toEqual(position);
});

test('a bust takes the conversion from it, and a correction replaces the amounts', async () => {
  const client = await rich();
  const gained = await gains(client.of.shard);
  const first = await booked(client);
  const scheduled = await booked(client, SCHEDULED, { type: 'SCHEDULED1' });
  const by = { actor: 'operator', reason: 'x' } as const;
  const terms = { ...first, sell: '5000', buy: '5399', margin: '13' };
  const corrected = await on.store.amendments.amend(client.of, first, { kind: 'correct', id: 'C1', terms, ...by });
  if (corrected.kind !== 'amended') throw new Error(corrected.kind);
  expect(await gained()).toEqual({ 'EUR/USD|20261124|Bq': '15000 16199 38' });
  await on.store.amendments.amend(client.of, corrected.booking, { kind: 'bust', id: 'C2', ...by });
  expect(await gained()).toEqual({ 'EUR/USD|20261124|Bq': '10000 10800 25' });
  await on.store.amendments.amend(client.of, scheduled, { kind: 'bust', id: 'C3', ...by });
  expect(await gained()).toEqual({});
  expect(await hashOf(client)).toEqual({ 'EUR/USD|20261124|Bq': '0 0 0' });
});

test.each([
  ['charge', '500 0 0'],
  ['credit', '0 500 0'],
] as const)('a close-out takes the conversion from it, and its %s is profit or loss', async (kind, value) => {
  const client = await rich();
  const booking = await booked(client, SCHEDULED, { type: 'SCHEDULED1' });
  const usd = booking.buyAccount;
  await on.store.accounts.change(client.of, usd, { active: false });
  on.now = SCHEDULED.settlesAtMs;
  await on.store.dueQueue.settle(client.of, booking, 1);
  await on.store.accounts.change(client.of, usd, { active: true });
  const closeOut = { kind, currency: 'USD', amount: '500', cost: '11300', price: 11_300_000 };
  const outcome = await on.store.dueQueue.cancel(client.of, booking, { actor: 'operator', reason: 'x', closeOut });
  expect(outcome.kind).toBe('cancelled');
  expect(await hashOf(client)).toEqual({ 'EUR/USD|20261124|Bq': '0 0 0', 'USD|20261124|C': value });
  const { closeOuts } = await on.store.positions.ofClient(client.of);
  const [charged, credited] = value.split(' ').map(BigInt);
  expect(closeOuts).toEqual([{ currency: 'USD', valueDate: '20261124', charged, credited }]);
});

test('the conversions of a payment are in it as others are', async () => {
  const client = await rich();
  const sells = [
    plannedSell(client.of.id, { account: '', position: 'EUR/USD|20261124|Sb' }),
    plannedSell(client.of.id, { account: '', position: 'EUR/USD|20261124|Sb', margin: '7' }),
  ];
  const usd = Object.keys(await client.balances())
    .find((name) => name.startsWith('USD/'))!
    .slice(4);
  const plan = { ...PLAN, sells: sells.map((sell) => ({ ...sell, account: usd })) };
  const outcome = await on.store.payments.create(client.of, createStep({}, { plan, draws: ['USD'] }));
  expect(outcome.kind).toBe('created');
  expect(await hashOf(client)).toEqual({ 'EUR/USD|20261124|Sb': '4000 3600 12' });
});

test('sums beyond the digits of a double are exact', async () => {
  const client = await rich();
  const field = 'EUR/USD|20261124|Bq';
  for (const key of [client.keys.position, positionKey(client.of.shard)])
    await on.keyspace.redis.hset(key, field, '999999999999990001 -99999999999999999999 9007199254740993');
  await booked(client);
  expect(await hashOf(client)).toEqual({ [field]: '1000000000000000001 -99999999999999989199 9007199254741018' });
});

test('a booking on a position that cannot be read writes nothing', async () => {
  const client = await rich();
  await on.keyspace.redis.hset(client.keys.position, 'EUR/USD|20261124|Bq', '1e3 0 0');
  const before = await client.balances();
  const step = client.step();
  await expect(on.store.bookings.book(client.of, step)).rejects.toThrow('a position cannot be read');
  expect(await client.balances()).toEqual(before);
  expect(await on.store.bookings.read(client.of, step.confirmationId)).toBeUndefined();
});

test('a fold adds past value dates to the date 0, once, and a later bust is taken from there', async () => {
  const client = await rich();
  const gained = await gains(client.of.shard);
  const booking = await booked(client);
  await booked(client, {}, { valueDate: '20261123' });
  await booked(client, {}, { valueDate: '20261125' });
  expect(await on.store.positions.fold(client.of, '20261124')).toBe(2);
  expect(await on.store.positions.fold(client.of, '20261124')).toBe(0);
  const folded = { 'EUR/USD|0|Bq': '20000 21600 50', 'EUR/USD|20261125|Bq': '10000 10800 25', folded: '20261124' };
  expect(await hashOf(client)).toEqual(folded);
  expect((await on.store.positions.ofClient(client.of)).folded).toBe('20261124');
  const bust = { kind: 'bust', id: 'B9', actor: 'operator', reason: 'x' } as const;
  await on.store.amendments.amend(client.of, booking, bust);
  expect(await hashOf(client)).toEqual({ ...folded, 'EUR/USD|0|Bq': '10000 10800 25' });
  // The shard has not been folded: its line is where it was.
  expect((await gained())['EUR/USD|20261124|Bq']).toBeUndefined();
  expect(await on.store.positions.fold(client.of, '20261123')).toBe(0);
  expect((await on.store.positions.ofClient(client.of)).folded).toBe('20261124');
});

test('a fold of many lines takes at most FOLD_MAX at once, and of large sums loses nothing', async () => {
  const client = await rich();
  const most = FOLD_MAX + 1;
  const day = (i: number) => String(20_000_101 + i);
  const lines = Array.from({ length: most }, (_, i) => [`EUR/USD|${day(i)}|Bq`, `${10n ** 16n + BigInt(i)} 1 -1`]);
  await on.keyspace.redis.hset(client.keys.position, ...lines.flat());
  expect(await on.store.positions.fold(client.of, '20261124')).toBe(FOLD_MAX);
  expect(await on.store.positions.fold(client.of, '20261124')).toBe(1);
  const received = Array.from({ length: most }, (_, i) => 10n ** 16n + BigInt(i)).reduce((a, b) => a + b);
  expect(await hashOf(client)).toEqual({ 'EUR/USD|0|Bq': `${received} ${most} -${most}`, folded: '20261124' });
});

test('a shard is read again after each change of it, and only then', async () => {
  const client = await rich();
  const { shard } = client.of;
  let before = (await on.store.positions.ofAllShards())[shard];
  const isReadAgain = async () => {
    const now = (await on.store.positions.ofAllShards())[shard]!;
    expect(now).toEqual(await on.store.positions.ofShard(shard));
    const isOther = now !== before;
    before = now;
    return isOther;
  };
  const first = await booked(client, {}, { valueDate: '20261127' });
  const scheduled = await booked(client, SCHEDULED, { type: 'SCHEDULED1', valueDate: '20261127' });
  expect(await isReadAgain()).toBe(true);
  expect(await isReadAgain()).toBe(false);
  const by = { actor: 'operator', reason: 'x' } as const;
  const terms = { ...first, sell: '5000', buy: '5399', margin: '13' };
  await on.store.amendments.amend(client.of, first, { kind: 'correct', id: 'C11', terms, ...by });
  expect(await isReadAgain()).toBe(true);
  await on.store.dueQueue.cancel(client.of, scheduled, by);
  expect(await isReadAgain()).toBe(true);
  expect(await on.store.positions.fold({ shard }, '20261126')).toBeGreaterThan(0);
  expect(await isReadAgain()).toBe(true);
  expect(await on.store.positions.fold({ shard }, '20261127')).toBeGreaterThan(0);
  expect(await isReadAgain()).toBe(true);
  expect(await isReadAgain()).toBe(false);
});

test('all shards are read, each under its number', async () => {
  const client = await rich();
  await booked(client, {}, { valueDate: '20261126' });
  const all = await on.store.positions.ofAllShards();
  expect(all).toHaveLength(64);
  for (const [shard, { lines }] of all.entries())
    expect(lines.some(({ valueDate }) => valueDate === '20261126')).toBe(shard === client.of.shard);
});
