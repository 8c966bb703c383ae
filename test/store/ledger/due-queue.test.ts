import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Booking, BookingFacts } from '../../../engine/domain/conversions/booking.js';
import { about } from '../../support/store.js';
import { type ClientSteps, type LedgerSteps, NOW, startLedgerSteps } from './ledger-steps.js';

let on: LedgerSteps;
let clients = 0;

beforeAll(async () => {
  on = await startLedgerSteps();
});
afterAll(() => on.stop());
beforeEach(() => {
  on.now = NOW;
});

const LATER = NOW + 86_400_000;
const RETRY_MS = 3_600_000;
const RETRY = LATER + RETRY_MS;
const someone = () => on.client(`client-${++clients}`);

async function schedule(client: ClientSteps, amounts: Partial<BookingFacts> = {}): Promise<Booking> {
  const step = client.step({ settlesAtMs: LATER, scheduledRoom: 10n ** 15n }, { type: 'SCHEDULED1', ...amounts });
  const booked = await on.store.bookings.book(client.of, step);
  if (booked.kind !== 'booked') throw new Error(booked.kind);
  return booked.booking;
}

/** At that time, or when it is due again. */
const settle = async (client: ClientSteps, booking: Booking, at = LATER) => {
  on.now = Math.max(on.now, at);
  return on.store.dueQueue.settle(client.of, booking, RETRY_MS);
};
const cancel = async (client: ClientSteps, booking: Booking) => {
  const outcome = await on.store.dueQueue.cancel(client.of, booking, { actor: 'operator', reason: '' });
  return outcome.kind === 'status' ? outcome.status : outcome.kind;
};
const statusOf = async (client: ClientSteps, { id }: Booking) => (await on.store.bookings.read(client.of, id))?.status;

test('a scheduled conversion moves nothing until it settles, and then both legs and the margin, once', async () => {
  const client = await someone();
  const eur = await client.open('EUR', 10_000n);
  const usd = await client.open('USD');
  const before = await client.balances();
  const booking = await schedule(client);
  expect(booking).toMatchObject({ status: 'OPEN', settledAtMs: undefined, sellAccount: eur, buyAccount: usd });
  expect(await client.balances()).toEqual(before);
  expect(await on.keyspace.redis.hgetall(client.keys.scheduled)).toEqual({ EUR: '10000' });
  expect(await client.due(`settle:${client.of.id}:${booking.id}`)).toBe(String(LATER));

  expect(await on.store.dueQueue.settle(client.of, booking, RETRY_MS)).toBe('early');
  expect(await settle(client, booking)).toBe('settled');
  const after = await on.keyspace.read();
  expect(await client.balances()).toEqual({
    ...{ [`EUR/${eur}`]: '0', 'EUR/house:fx': '10000', 'EUR/nostro': '-10000' },
    ...{ [`USD/${usd}`]: '10800', 'USD/house:fx': '-10825', 'USD/house:margin': '25' },
  });
  expect((await client.journal()).slice(1)).toEqual([
    ['book-fx', booking.id, ''],
    ['settle-fx', booking.id, `EUR ${eur} house:fx 10000;USD house:fx ${usd} 10800;USD house:fx house:margin 25`],
  ]);
  expect(await on.store.bookings.read(client.of, booking.id)).toMatchObject({
    status: 'SETTLED',
    settledAtMs: about(LATER),
  });
  expect(await client.due(`settle:${client.of.id}:${booking.id}`)).toBeNull();
  expect(await on.keyspace.redis.hgetall(client.keys.scheduled)).toEqual({ EUR: '0' });

  expect(await settle(client, booking, RETRY)).toBe('done');
  expect(await cancel(client, booking)).toBe('SETTLED');
  expect(await on.keyspace.read()).toEqual(after);
});

test.each([
  // sell account, buy account, outcome
  [9_999n, 0n, 'overdue'],
  [10_000n, 999_999_999_989_200n, 'overdue'],
  [10_000n, 999_999_999_989_199n, 'settled'],
] as const)('with %d in the sell account and %d in the buy account: %s', async (funds, bought, outcome) => {
  const client = await someone();
  await client.open('EUR', funds);
  await client.open('USD', bought);
  const booking = await schedule(client);
  const before = await client.balances();
  expect(await settle(client, booking)).toBe(outcome);
  if (outcome === 'settled') return;
  expect(await client.balances()).toEqual(before);
  expect(await statusOf(client, booking)).toBe('OVERDUE');
  expect(Number(await client.due(`settle:${client.of.id}:${booking.id}`))).toEqual(about(RETRY));
  // Retried without the money it stays overdue, and the journal has one entry of it.
  expect(await settle(client, booking, RETRY + 60_000)).toBe('overdue');
  expect((await client.journal()).filter(([step]) => step === 'overdue-fx')).toEqual([['overdue-fx', booking.id, '']]);
});

test('a credit triggers what waits for the account, and nothing else', async () => {
  const client = await someone();
  const eur = await client.open('EUR');
  await client.open('USD');
  const other = await client.open('EUR');
  const waiting = await schedule(client);
  const step = client.step(
    { settlesAtMs: LATER, scheduledRoom: 10n ** 15n, sellAccount: other },
    { type: 'SCHEDULED1' },
  );
  const elsewhere = await on.store.bookings.book(client.of, step);
  if (elsewhere.kind !== 'booked') throw new Error(elsewhere.kind);
  for (const booking of [waiting, elsewhere.booking]) expect(await settle(client, booking)).toBe('overdue');

  await on.store.accounts.credit(client.of, 'wake', eur, 10_000n);
  const dueAt = async (id: string) => Number(await client.due(`settle:${client.of.id}:${id}`));
  expect([await dueAt(waiting.id), await dueAt(elsewhere.booking.id)]).toEqual([about(LATER), about(RETRY)]);
  expect(await settle(client, waiting)).toBe('settled');
  expect(await on.keyspace.redis.zrange(client.keys.overdue, '0', '-1')).toEqual([`${other}|${elsewhere.booking.id}`]);
});

test('a conversion into an account triggers what waits for it, and so does a settlement', async () => {
  const client = await someone();
  await client.open('EUR', 20_000n);
  const usd = await client.open('USD');
  const back = { sellCurrency: 'USD', buyCurrency: 'EUR', sell: '10800', buy: '9900', marginCurrency: 'EUR' };
  const waiting = await schedule(client, back);
  const entry = `settle:${client.of.id}:${waiting.id}`;
  expect(await settle(client, waiting)).toBe('overdue');
  expect((await on.store.bookings.book(client.of, client.step())).kind).toBe('booked');
  expect(Number(await client.due(entry))).toEqual(about(LATER));
  expect(await settle(client, waiting)).toBe('settled');

  const again = await schedule(client, back);
  expect(await settle(client, again)).toBe('overdue');
  expect(await settle(client, await schedule(client))).toBe('settled');
  expect(Number(await client.due(`settle:${client.of.id}:${again.id}`))).toEqual(about(LATER));
  expect((await client.balances())[`USD/${usd}`]).toBe('10800');
});

test('a credit triggers at most a hundred waiting conversions, and each settlement the next one', async () => {
  const client = await someone();
  const eur = await client.open('EUR');
  await client.open('USD');
  const all: Booking[] = [];
  for (let i = 0; i < 130; i++) all.push(await schedule(client, { sell: '100', buy: '108', margin: '0' }));
  for (const booking of all) expect(await settle(client, booking)).toBe('overdue');
  const woken = async () => {
    on.now += 1_000;
    const due = await on.store.dueQueue.due(1_000);
    return due.flatMap(({ names }) => (names?.clientId === client.of.id ? [names.id] : []));
  };
  expect(await woken()).toEqual([]);
  await on.store.accounts.credit(client.of, 'many', eur, 13_000n);
  expect((await woken()).sort()).toEqual(all.slice(0, 100).map(({ id }) => id));

  let settled = 0;
  for (let due = await woken(); due.length > 0; due = await woken())
    for (const id of due) {
      const outcome = await settle(client, all.find((booking) => booking.id === id)!);
      if (outcome === 'settled') settled++;
    }
  expect(settled).toBe(130);
  expect(await on.keyspace.redis.exists(client.keys.overdue)).toBe(0);
  expect((await client.balances())[`EUR/${eur}`]).toBe('0');
});

test.each(['OPEN', 'OVERDUE'] as const)(
  'cancelled while %s it never settles, and its sell no longer counts',
  async (status) => {
    const client = await someone();
    await client.open('EUR', status === 'OPEN' ? 10_000n : 1n);
    await client.open('USD');
    const booking = await schedule(client);
    if (status === 'OVERDUE') expect(await settle(client, booking)).toBe('overdue');
    const before = await client.balances();
    expect(await cancel(client, booking)).toBe('cancelled');
    const after = await on.keyspace.read();
    expect(await client.balances()).toEqual(before);
    expect(await statusOf(client, booking)).toBe('CANCELLED');
    expect(await on.keyspace.redis.hgetall(client.keys.scheduled)).toEqual({ EUR: '0' });
    expect(await on.keyspace.redis.exists(client.keys.overdue)).toBe(0);
    expect(await client.due(`settle:${client.of.id}:${booking.id}`)).toBeNull();
    expect((await client.journal()).at(-1)).toEqual(['cancel-fx', booking.id, '']);

    expect(await cancel(client, booking)).toBe('CANCELLED');
    expect(await settle(client, booking, RETRY)).toBe('done');
    expect(await on.keyspace.read()).toEqual(after);
  },
);

test('a conversion that settled at once, or was never booked, cannot be cancelled', async () => {
  const client = await someone();
  await client.open('EUR', 10_000n);
  await client.open('USD');
  const booked = await on.store.bookings.book(client.of, client.step());
  if (booked.kind !== 'booked') throw new Error(booked.kind);
  const before = await on.keyspace.read();
  expect(await cancel(client, booked.booking)).toBe('SETTLED');
  const unknown = { ...booked.booking, id: 'BFX9999999999999' };
  expect(await cancel(client, unknown)).toBeUndefined();
  expect(await settle(client, unknown)).toBe('done');
  expect(await settle(client, booked.booking)).toBe('done');
  expect(await on.keyspace.read()).toEqual(before);
});

test('many concurrent engines settle one conversion once', async () => {
  const client = await someone();
  const eur = await client.open('EUR', 50_000n);
  await client.open('USD');
  const booking = await schedule(client);
  const other = await on.testStore.another();
  on.now = LATER;
  await on.testStore.turn();
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      (i % 2 === 0 ? on.store : other).dueQueue.settle(client.of, booking, RETRY_MS),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === 'settled')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(39);
  expect((await client.balances())[`EUR/${eur}`]).toBe('40000');
});
