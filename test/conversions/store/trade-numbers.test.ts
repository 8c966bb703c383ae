/** A conversion is always booked behind the newest one of its client, so that its number, its place in the list, never changes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookingFactsText, storedBooking } from '../../../engine/store/ledger/records.js';
import { createStep, PLAN, plannedSell } from '../../payments/store/payment-steps.js';
import { type ClientSteps, type LedgerSteps, startLedgerSteps } from '../../store/ledger/ledger-steps.js';
import { memberText } from '../../support/stored.js';

let on: LedgerSteps;
let clients = 0;

beforeAll(async () => {
  on = await startLedgerSteps();
});
afterAll(() => on.stop());

async function someone(): Promise<ClientSteps> {
  const client = await on.client(`numbers-${++clients}`);
  await client.open('EUR', 1_000_000n);
  await client.open('USD', 1_000_000n);
  return client;
}

async function book(client: ClientSteps, confirmationId: string): Promise<string> {
  const outcome = await on.store.bookings.book(client.of, client.step({ confirmationId }));
  if (outcome.kind !== 'booked') throw new Error(JSON.stringify(outcome));
  return outcome.booking.id;
}

const ids = async (client: ClientSteps) =>
  (await on.store.lists.numbered(client.of, 'bookings', 1, 100)).map(({ id }) => id);

test.each([
  ['of an earlier time', 'BFX0000000000500', 'BFX0000000000400', 'BFX0000000000501'],
  ['the same again', 'BFX0000000000500', 'BFX0000000000500', 'BFX0000000000501'],
  ['behind a 9', 'BFX0000000000509', 'BFX0000000000400', 'BFX000000000050A'],
  ['behind an H: I is no digit of an id', 'BFX000000000050H', 'BFX0000000000400', 'BFX000000000050J'],
  ['behind a Z', 'BFX00000000005ZZ', 'BFX0000000000400', 'BFX0000000000600'],
  ['of a later time', 'BFX0000000000500', 'BFX0000000000501', 'BFX0000000000501'],
])('an id %s', async (_what, first, asked, expected) => {
  const client = await someone();
  expect(await book(client, first)).toBe(first);
  expect(await book(client, asked)).toBe(expected);
  expect(await ids(client)).toEqual([first, expected]);
  expect(await on.store.bookings.read(client.of, expected)).toMatchObject({ id: expected });
  expect((await client.journal()).slice(-2).map(([, id]) => id)).toEqual([first, expected]);
});

test('the record, its receipt and its hold name the id under which it was booked', async () => {
  const client = await someone();
  await book(client, 'BFX0000000000500');
  const step = client.step({ confirmationId: 'BFX0000000000400', requestId: 'second' });
  await on.store.bookings.book(client.of, step);
  const receipt = await on.store.bookings.receipt(client.of, 'second');
  expect(receipt).toMatchObject({ kind: 'booked', booking: { id: 'BFX0000000000501', requestId: 'second' } });
  expect(await on.store.bookings.book(client.of, step)).toMatchObject({
    kind: 'replayed',
    booking: { id: 'BFX0000000000501' },
  });
});

test('conversions of a payment are numbered in the same way, and the payment names them', async () => {
  const client = await someone();
  const usd = (await on.store.accounts.list(client.of)).find(({ currency }) => currency === 'USD')!.number;
  await book(client, 'BFX0000000000500');
  const sell = (id: string) => ({ ...plannedSell(usd), id });
  const plan = { ...PLAN, sells: [sell('BFX0000000000499'), sell('BFX0000000000498')] };
  const created = await on.store.payments.create(client.of, createStep({}, { plan, draws: ['EUR', 'USD'] }));
  const expected = ['BFX0000000000501', 'BFX0000000000502'];
  expect(created).toMatchObject({ kind: 'created', bookingIds: expected });
  expect(await ids(client)).toEqual(['BFX0000000000500', ...expected]);
});

test('many at once have numbers without gaps, each once', async () => {
  const client = await someone();
  const booked = await Promise.all(Array.from({ length: 50 }, (_, i) => book(client, `BFX00000000007${i % 10}0`)));
  expect(new Set(booked).size).toBe(50);
  expect(await ids(client)).toEqual(booked.toSorted());
  expect(await on.store.lists.numbers(client.of, 'bookings', {})).toEqual({ first: 1, count: 50 });
  const tenth = await on.store.lists.numbered(client.of, 'bookings', 10, 2);
  expect(tenth.map(({ id }) => id)).toEqual(booked.toSorted().slice(9, 11));
});

test.each([
  [{}],
  [{ session: 'DESK1' }],
  [{ order: { kind: 'limit', limit: '1.1' } as const, session: 'DESK1' }],
  [{ holdId: 'HLD0000000000001', order: { kind: 'quoted' } as const, session: 'DESK1' }],
  [{ paymentId: 'PAY0000000000001' }],
])('the record of a conversion has its session: %j', async (more) => {
  const client = await someone();
  const { facts } = client.step({}, more);
  const booking = { ...facts!, sellAccount: '1', buyAccount: '2', status: 'OPEN', settledAtMs: undefined } as const;
  const stored = storedBooking(memberText(booking, { entry: '1-1', facts: bookingFactsText(facts!) }));
  expect(stored.booking).toEqual(booking);
});
