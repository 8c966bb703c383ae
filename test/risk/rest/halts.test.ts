/** A pair or a client that an operator has halted, over REST: one code for every deal in it, and payments that need no conversion are made. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { HOUSE } from '../../../engine/domain/risk/trading-state.js';
import { CREATE_PAYMENT, CREATE_PAYOUT, payment, payout } from '../../payments/rest/payment-bodies.js';
import { openPaymentDoor, type PaymentDoor } from '../../payments/rest/payment-door.js';
import { type Client, GET_FX_RATE, LOCK } from '../../rest/money-door.js';

const CLIENT_SAID = 'Your trading is halted: ask us to resume it';
const SAID = 'GBP/USD is halted: try again when it is resumed';

let door: PaymentDoor;
let client: Client;
let number: Record<'USD' | 'GBP' | 'EUR', number>;
beforeAll(async () => {
  door = await openPaymentDoor();
});
afterAll(() => door.stop());
beforeEach(async () => {
  door.freshPrices();
  client = await door.client(`halted-${Math.random().toString(36).slice(2)}`);
  number = {
    USD: await client.account('USD', 5_00n),
    GBP: await client.account('GBP', 10_000_00n, { sequence: 10 }),
    EUR: await client.account('EUR', 10_000_00n, { sequence: 20 }),
  };
});
afterEach(() => halt());

const HALTED = { state: 'HALTED', by: 'x', reason: 'x', sinceMs: 0 } as const;

function halt(...pairs: string[]): void {
  door.services.states.replace(pairs.map((name) => ({ scope: 'pair', name, ...HALTED })));
}

function haltHouse(): void {
  door.services.states.replace([{ ...HOUSE, ...HALTED }]);
}

function haltClient(clientId: string): void {
  door.services.states.replace([{ scope: 'client', name: clientId, ...HALTED }]);
}

test.each([
  { what: 'of a halted pair', stop: () => halt('GBP/USD'), said: SAID },
  { what: 'of a halted house', stop: haltHouse, said: SAID },
  { what: 'of a halted client', stop: () => haltClient(client.id), said: CLIENT_SAID },
])('a rate, an offer, a hold, bookings and payments $what: refused, and nothing is kept', async ({ stop, said }) => {
  const query = 'source_currency=GBP&destination_currency=USD';
  const holdId = await client.hold(query);
  const offer = (await client.get(`${GET_FX_RATE}?${query}`)).body.rate_signature;
  stop();
  const before = await door.keyspace.read();
  const booking = {
    request_id: 'halted',
    description: 'x',
    sell_currency: 'GBP',
    buy_currency: 'USD',
    sell_amount: 100,
  };
  const answers = {
    rate: await client.get('/api/v1/bookfx/rate?sell_currency=USD&buy_currency=GBP'),
    offer: await client.get(`${GET_FX_RATE}?${query}`),
    lock: await client.post(LOCK, { rate_signature: offer }),
    market: await client.post('/api/v1/bookfx/currency/create', booking),
    held: await client.post('/api/v1/bookfx/currency/create', { ...booking, fx_hold_id: holdId }),
    payment: await client.post(CREATE_PAYMENT, payment('USD', { destination_amount: 1000 })),
    named: await client.post(CREATE_PAYOUT, payout('USD', number.GBP, { destination_amount: 1000 })),
    'at the hold': await client.post(
      CREATE_PAYOUT,
      payout('USD', number.GBP, { destination_amount: 1000, payout_options: { fx_hold_id: holdId } }),
    ),
  };
  for (const [what, { status, body }] of Object.entries(answers))
    expect([what, status, body.code, body.message]).toEqual([what, 400, 'TRADING_HALTED', said]);
  expect(await door.keyspace.read()).toEqual(before);

  halt();
  expect((await client.post(LOCK, { rate_signature: offer })).status).toBe(200);
  expect((await client.post('/api/v1/bookfx/currency/create', { ...booking, fx_hold_id: holdId })).status).toBe(200);
});

test('an offer that was locked before is given its hold again', async () => {
  const query = 'source_currency=GBP&destination_currency=USD';
  const offer = (await client.get(`${GET_FX_RATE}?${query}`)).body.rate_signature;
  const { body } = await client.post(LOCK, { rate_signature: offer });
  halt('GBP/USD');
  const again = await client.post(LOCK, { rate_signature: offer });
  expect([again.status, again.body.fx_hold_id]).toEqual([200, body.fx_hold_id]);
});

test('a payment that needs no conversion, and one that needs another, are made', async () => {
  halt('GBP/USD');
  const rich = await client.account('USD', 5_000_00n);
  await door.operator('changeAccount', { accountNumber: String(rich), makeDefault: true });
  expect((await door.pay(client, 'USD', { destination_amount: 1000 })).status).toBe('IN_PROCESS');
  await door.payOut(client, 'GBP', number.GBP, { destination_amount: 100 });
});

test('another client deals while one is halted, and the halted one pays what needs no conversion', async () => {
  const other = await door.client(`deals-${number.USD}`);
  await other.account('GBP', 10_000_00n);
  await other.account('USD');
  haltClient(client.id);
  const booking = {
    request_id: 'other',
    description: 'x',
    sell_currency: 'GBP',
    buy_currency: 'USD',
    sell_amount: 100,
  };
  expect((await other.post('/api/v1/bookfx/currency/create', booking)).body).toMatchObject({ sell_amount: 100 });
  await door.payOut(client, 'GBP', number.GBP, { destination_amount: 100 });
});

test.each(['pair', 'client'])(
  'a payment keeps awaiting its funds, and is paid when the %s is resumed',
  async (halted) => {
    const poor = await door.client(`waits-${halted}-${number.USD}`);
    await poor.account('USD', 5_00n);
    const pounds = await poor.account('GBP', 0n, { sequence: 10 });
    const created = await door.pay(poor, 'USD', { destination_amount: 1000 });
    expect(created.status).toBe('AWAITING_FUNDS');
    if (halted === 'pair') halt('GBP/USD');
    else haltClient(poor.id);
    await door.operator('creditAccount', { accountNumber: String(pounds), amount: '5000' });
    await door.work();
    expect((await door.read(poor, created)).status).toBe('AWAITING_FUNDS');
    halt();
    door.services.nowMs += 61_000;
    door.freshPrices();
    await door.work();
    expect((await door.read(poor, created)).status).not.toBe('AWAITING_FUNDS');
  },
);
