/** `ratewire explain`: why a price was what it was, computed again, or the digit that differs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';
import { ratewireOn } from '../../support/ratewire.js';

let on: PaymentRig;
let acme: Client;
let requests = 0;
beforeAll(async () => {
  on = await startPayments();
  for (let i = 0; i < 3; i++) await on.client(`other-${i}`, {});
  acme = await on.client('acme', { EUR: '900000.00', USD: '900000.00', JPY: '90000000' });
  const { book } = on.services;
  book.origin.isKnown = true;
  book.origin.bid.id.set(Buffer.from('B-17'), 0, 4);
  book.origin.offer.id.set(Buffer.from('O-17'), 0, 4);
  const other = book.registerProvider('OTHER');
  book.tick(other, pairBySymbol('EUR/USD')!.index, 10_815_900, 10_816_300, 0, 0, 1_763_625_600_123_456, 0);
});
afterAll(() => on.stop());

async function book(input: object): Promise<string> {
  const order = { requestId: `explain-${++requests}`, description: 'explain', ...input };
  const booked = await on.as(acme, 'bookFxByCurrency', order);
  if ('refusal' in booked) throw new Error(booked.text);
  return booked.booking.id;
}
const ratewire = (...args: string[]) => ratewireOn(on.testStore.dataDir).run(...args);
const json = (...args: string[]) => ratewireOn(on.testStore.dataDir).json<ReturnType<typeof JSON.parse>>(...args);

test('a conversion: every step of the arithmetic, and that it agrees', async () => {
  const id = await book({ sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 1_000 });
  const { code, out } = await ratewire('explain', id);
  expect(code).toBe(0);
  for (const line of [
    `${id} of acme, booked `,
    'EUR/USD bid: sells EUR, buys USD, PREFUNDING',
    'made          market price, 0 ms old, for 1000 EUR, by process ',
    'quote         EUR/USD bid 1.0815900 of OTHER, quote B-17, 2025-11-20T08:00:00.123456Z; next best 1.0815800 of test',
    'mid           1.08161000',
    'provider      1.0815900\n',
    'margin        0.25 % = 0.25; rule of all clients, the pair, all types',
    'client price  1.08159 x 0.9975 = 1.078886025, half-even at 7 decimals 1.0788860',
    'amounts       1000 EUR x 1.0788860 = 1078.886, rounded down 1078.88 USD',
    'kept          1000 EUR x 1.0815900 = 1081.59, rounded down, less that: 2.71 USD',
    'agrees: each value is as stored',
  ])
    expect(out).toContain(line);
  const { booking } = (await on.ask('showBooking', { clientId: 'acme', confirmationId: id })) as never as {
    booking: { buy: string; margin: string; price: number };
  };
  expect([booking.price, booking.buy, booking.margin]).toEqual([10_788_860, '107888', '271']);
});

test.each([
  [{ sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 1_000 }, ['/ 0.9975', 'rounded up']],
  [{ sellCurrency: 'USD', buyCurrency: 'EUR', sellAmount: 1_000 }, ['USD / 1.0843', 'about ', 'rounded down']],
  [
    { sellCurrency: 'JPY', buyCurrency: 'EUR', sellAmount: 100_000 },
    ['EUR/USD offer', 'USD/JPY offer', 'of the two quotes'],
  ],
  [{ sellCurrency: 'EUR', buyCurrency: 'JPY', buyAmount: 100_000 }, ['EUR/USD bid', 'USD/JPY bid', 'rounded up']],
])('%j agrees', async (input, texts) => {
  const id = await book(input);
  const { code, out } = await ratewire('explain', id, '--client', 'acme');
  for (const text of texts) expect(out).toContain(text);
  expect([out.split('\n').at(-2), code]).toEqual(['agrees: each value is as stored', 0]);
});

test('a two-way hold: both directions, and the conversion at it', async () => {
  const wanted = { sellCurrency: 'EUR', buyCurrency: 'USD', holdPeriod: '1_hour', sellAmount: 500, twoWay: true };
  const { rateSignature } = (await on.as(acme, 'getLockableRate', wanted)) as never as { rateSignature: string };
  const { hold } = (await on.as(acme, 'lockRate', { rateSignature })) as never as { hold: { id: string } };
  const held = await ratewire('explain', hold.id);
  expect([held.code, held.err]).toEqual([0, '']);
  for (const text of ['EUR/USD bid', 'EUR/USD offer', '0.27 % = 0.25 + 0.02 period of the hold', 'agrees'])
    expect(held.out).toContain(text);
  const id = await book({ sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 500, holdId: hold.id });
  const { prices, agrees, hold_id } = await json('explain', id);
  expect([agrees, hold_id]).toEqual([true, hold.id]);
  expect(prices[0].proof.legs[0]).toMatchObject({
    pair: 'EUR/USD',
    side: 'offer',
    provider: 'OTHER',
    quote_id: 'O-17',
    source_time: '2025-11-20T08:00:00.123456Z',
    price: '1.0816300',
    runner_up: { provider: 'test', price: '1.0816400' },
  });
});

test('a record whose price was altered: the value and the digit, and exit code 1', async () => {
  const id = await book({ sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 1_000 });
  await alter(id, (facts) => facts.replace('10788860', '10788960'));
  const { code, out } = await ratewire('explain', id);
  expect(code).toBe(1);
  expect(out).toContain(
    'differs: client price of EUR/USD is stored as 10788960, computed again 10788860: digit 6 of 8',
  );
  expect(out).not.toContain('agrees');
  const { code: jsonCode, out: shown } = await ratewire('explain', id, '--json');
  expect([jsonCode, JSON.parse(shown).agrees]).toEqual([1, false]);
});

test('an unknown id, and one of another client than was named', async () => {
  const id = await book({ sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 10 });
  for (const args of [['BFX0000000000000000'], ['x'], [id, '--client', 'other-1'], ['HLD01K4M2V7Q8Z3X5YAB']]) {
    const { code, err } = await ratewire('explain', ...args);
    expect([code, err.startsWith('NOT_FOUND')]).toEqual([1, true]);
  }
  expect((await ratewire('explain', id, '--client', 'unknown-1')).err).toMatch(/^UNKNOWN_CLIENT/);
});

async function alter(id: string, change: (facts: string) => string): Promise<void> {
  const { bookings } = ledgerKeys(acme);
  const { redis } = on.keyspace;
  const [member = ''] = await redis.zrange(bookings, `[${id}|`, `(${id}}`, 'BYLEX');
  const facts = member.split('|').slice(7).join('|');
  await redis.zrem(bookings, member);
  await redis.zadd(bookings, 0, member.slice(0, member.length - facts.length) + change(facts));
}
