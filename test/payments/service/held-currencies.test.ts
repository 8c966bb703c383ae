/** Currencies of corridors without a provider's quotes: held and paid, never converted. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Refusal } from '../../../engine/domain/core/refusal.js';
import { isAccountCurrency, isCurrency, isIsoCurrency } from '../../../engine/domain/money/money.js';
import { type AnyOperationName, OPERATOR_OPERATIONS } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import { type MoneyRig, startMoney } from '../../service/money-rig.js';

const HELD = ['BDT', 'KES', 'NGN', 'VND'];

let on: MoneyRig;
let usd: number;
const held: Record<string, number> = {};
beforeAll(async () => {
  on = await startMoney();
  await perform(on.services, 'createClient', undefined, { id: 'acme', name: 'Acme' });
  usd = Number((await on.open('acme', 'USD', '1000')).number);
  for (const currency of HELD) held[currency] = Number((await on.open('acme', currency, '5000')).number);
});
afterAll(() => on.stop());

const ask = (name: AnyOperationName, input: object) =>
  perform(on.services, name, name in OPERATOR_OPERATIONS ? undefined : on.caller('acme'), input);
const order = (legs: object) => ({ requestId: `r${++orders}`, description: 'x', sellAmount: 10, ...legs });
let orders = 0;

test('lists them as held only', () => {
  for (const currency of HELD)
    expect([currency, isAccountCurrency(currency), isCurrency(currency), isIsoCurrency(currency)]).toEqual([
      currency,
      true,
      false,
      true,
    ]);
  expect(['USD', 'CNH', 'CLP', 'XAU', 'usd', ''].map(isAccountCurrency)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test("an account in such a currency uses the currency's decimals", async () => {
  expect(await on.balances('acme')).toMatchObject({
    [`VND/${held.VND}`]: '5000',
    [`NGN/${held.NGN}`]: '500000',
  });
  expect(await ask('creditAccount', { accountNumber: String(held.VND), amount: '1.5' })).toMatchObject({
    refusal: 'BAD_AMOUNT',
  });
  expect(await ask('listCurrencyBalances', { currency: 'KES' })).toMatchObject({
    balances: [{ currency: 'KES', balance: 500_000n }],
  });
  expect(await ask('reconcile', {})).toMatchObject({ differences: [] });
});

test('rejects an account in any other currency', async () => {
  expect(await ask('openAccount', { clientId: 'acme', currency: 'CLP' })).toMatchObject({
    refusal: 'VALIDATION_FAILED',
    fields: [{ field: 'currency', message: 'CLP is not offered' }],
  });
});

test.each(HELD)('rejects a conversion of %s in either direction, with the reason', async (currency) => {
  const account = held[currency];
  const text = `${currency} is not converted here: use an account in another currency`;
  const before = await on.keyspace.read();
  for (const legs of [
    { sellAccount: account, buyAccount: usd },
    { sellAccount: usd, buyAccount: account },
    { sellAccount: account, buyCurrency: 'USD' },
  ])
    expect(await ask('bookFxByAccount', order(legs))).toMatchObject({ refusal: 'ACCOUNT_CURRENCY', text });
  expect(await ask('bookFxByAccount', order({ sellAccount: account, buyAccount: account }))).toMatchObject({
    refusal: 'SAME_CURRENCY',
  });
  const pair = { sellCurrency: currency, buyCurrency: 'USD' };
  for (const [name, input] of [
    ['bookFxByCurrency', order(pair)],
    ['getRate', pair],
    ['getLockableRate', pair],
  ] as const) {
    const { refusal, fields } = (await ask(name, input)) as Refusal;
    expect([name, refusal, fields]).toEqual([
      name,
      'VALIDATION_FAILED',
      [{ field: 'sellCurrency', code: 'incorrect_value', message: `${currency} is not offered` }],
    ]);
  }
  expect(await on.keyspace.read()).toEqual(before);
});
