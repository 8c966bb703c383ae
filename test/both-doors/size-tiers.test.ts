/** The whole program with a provider of several levels: an amount has one price by FIX and by REST, and ends where the book does. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTwoDoors, type TwoDoors } from './two-doors.js';

let on: TwoDoors;
beforeAll(async () => {
  on = await openTwoDoors();
  on.levels(
    'EUR/USD',
    [
      ['1.10000', 1_000],
      ['1.09900', 1_000],
    ],
    [['1.10100', 2_000]],
  );
  await on.untilRate('EUR', 'USD', 1.1);
});
afterAll(() => on.stop());

const rate = async (query: string) =>
  (await on.ask('GET', `bookfx/rate?sell_currency=EUR&buy_currency=USD${query}`)).body;

test('a rate, an order by either door and a hold have the price of the amount', async () => {
  expect(await rate('')).toMatchObject({ fx_rate: 1.1 });
  const sized = await rate('&sell_amount=2000');
  expect(sized).toMatchObject({ fx_rate: 1.0995, sell_amount: 2000 });
  const byRest = await on.bookByRest('rest-2000', { sell_amount: 2_000, sell_currency: 'EUR', buy_currency: 'USD' });
  expect(byRest.body).toMatchObject({ fx_rate: 1.0995, instarem_fx_rate: sized.instarem_fx_rate });
  const byFix = await on.order('fix-2000', { side: 2, quantity: '2000', currency: 'EUR' });
  expect([byFix.get(150), byFix.get(20004), Number(byFix.get(31))]).toEqual(['F', '1.0995', sized.instarem_fx_rate]);
  const held = await on.holdByRest('source_currency=EUR&destination_currency=USD&sell_amount=2000');
  const byHold = await on.bookByRest('hold-2000', {
    sell_amount: 2_000,
    sell_currency: 'EUR',
    buy_currency: 'USD',
    fx_hold_id: held,
  });
  expect(byHold.body).toMatchObject({ fx_rate: 1.0995 });
});

test('beyond the book both doors reject with INSUFFICIENT_LIQUIDITY', async () => {
  const byRest = await on.bookByRest('rest-end', { sell_amount: 2_000.01, sell_currency: 'EUR', buy_currency: 'USD' });
  expect([byRest.status, byRest.body.code]).toEqual([400, 'INSUFFICIENT_LIQUIDITY']);
  expect(await rate('&buy_amount=3000')).toMatchObject({ code: 'INSUFFICIENT_LIQUIDITY' });
  const byFix = await on.order('fix-end', { side: 2, quantity: '2000.01', currency: 'EUR' });
  expect([byFix.get(150), byFix.get(103), byFix.get(20011)]).toEqual(['8', '3', 'INSUFFICIENT_LIQUIDITY']);
});

test('both amounts, or one that is none, are faults of the fields', async () => {
  expect(await rate('&sell_amount=1&buy_amount=1')).toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: [{ field: 'sell_amount' }, { field: 'buy_amount' }],
  });
  expect(await rate('&sell_amount=much')).toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: [{ field: 'sell_amount' }],
  });
  expect(await rate('&sell_amount=0')).toMatchObject({ code: 'BAD_AMOUNT' });
  expect(await rate('&sell_amount=')).toMatchObject({ fx_rate: 1.1 });
});
