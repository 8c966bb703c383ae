/** Why the rate of a conversion was what it was, for its client. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import { type Client, type MoneyDoor, openMoneyDoor } from '../../rest/money-door.js';

let door: MoneyDoor;
let acme: Client;
let next = 0;
beforeAll(async () => {
  door = await openMoneyDoor();
  acme = await door.client('acme');
  await acme.account('EUR', 1_000_000_00n);
  await acme.account('USD', 1_000_000_00n);
  door.freshPrices();
});
afterAll(() => door.stop());

async function booked(more: object): Promise<Record<string, unknown>> {
  const fields = { request_id: `p-${++next}`, description: 'price', sell_amount: 100, ...more };
  const { status, body } = await acme.post('/api/v1/bookfx/currency/create', fields);
  expect(status).toBe(200);
  return body as Record<string, unknown>;
}
const price = async (id: unknown) => (await acme.get(`/api/v1/bookfx/${id}/price`)).body as Record<string, unknown>;

test.each([
  { sell_currency: 'EUR', buy_currency: 'USD' },
  { sell_currency: 'USD', buy_currency: 'EUR' },
])('%j: the same rates and margin as the conversion, with mid and age', async (currencies) => {
  const booking = await booked(currencies);
  const found = await price(booking.confirmation_id);
  const { index, priceDigits } = pairBySymbol('EUR/USD')!;
  const { bid, offer } = door.services.book;
  const mid = (bid[index]! + offer[index]!) / 2 / 10 ** priceDigits;
  expect(found).toMatchObject({
    ...currencies,
    confirmation_id: booking.confirmation_id,
    fx_rate: booking.fx_rate,
    instarem_fx_rate: booking.instarem_fx_rate,
    margin_percent: booking.margin_percent,
    margin_value: booking.margin_value,
    source: 'market',
    fx_hold_id: '',
    providers: [],
  });
  expect(found.mid_rate).toBeCloseTo(currencies.sell_currency === 'EUR' ? mid : 1 / mid, 8);
  expect(found.age_ms).toBeGreaterThanOrEqual(0);
});

test('names providers where they are disclosed', async () => {
  const { confirmation_id } = await booked({ sell_currency: 'EUR', buy_currency: 'USD' });
  Object.assign(door.services.settings, { disclosesProviders: true });
  expect((await price(confirmation_id)).providers).toEqual(['test']);
  Object.assign(door.services.settings, { disclosesProviders: false });
});

test('404 for an unknown conversion, and for that of another client', async () => {
  const { confirmation_id } = await booked({ sell_currency: 'EUR', buy_currency: 'USD' });
  const stranger = await door.client('stranger');
  for (const id of [confirmation_id, 'BFX0000000000000000', 'x', '__proto__', '%00']) {
    const { status, body } = await stranger.get(`/api/v1/bookfx/${id}/price`);
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
  }
});

test('another method is refused', async () => {
  const { confirmation_id } = await booked({ sell_currency: 'EUR', buy_currency: 'USD' });
  const answer = await acme.post(`/api/v1/bookfx/${confirmation_id}/price`, {});
  expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
});
