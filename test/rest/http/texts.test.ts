/** A refusal names the field, what came and what is expected. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonFault } from '../../../rest/http/json-fault.js';
import { openPaymentDoor, type PaymentDoor } from '../../payments/rest/payment-door.js';
import { BY_ACCOUNT, BY_CURRENCY, type Client, type Fields, GET_FX_RATE } from '../money-door.js';

let door: PaymentDoor;
let acme: Client;
let euros: number;

beforeAll(async () => {
  door = await openPaymentDoor();
  acme = await door.client('acme');
  euros = await acme.account('EUR', 1_000_000n);
  await acme.account('USD', 0n);
});
afterAll(() => door.stop());

const book = (more: Fields): Fields => ({ request_id: 't-1', description: 'x', ...more });
const said = ({ body }: { readonly body: Fields }) => [
  body.code,
  body.message,
  (body.errors as { field: string; message: string }[]).map(({ field, message }) => `${field}: ${message}`),
];

describe('an account that there is not', () => {
  test('of a currency is named by the currency', async () => {
    const answer = await acme.post(BY_CURRENCY, book({ sell_amount: 10, sell_currency: 'EUR', buy_currency: 'NOK' }));
    expect(said(answer)).toEqual([
      'UNKNOWN_ACCOUNT',
      'You have no account in NOK: ask us to open one',
      ['buy_currency: you have no account in NOK: ask us to open one'],
    ]);
  });

  test('of a number is named by its field, under the name that was sent', async () => {
    const answer = await acme.post(
      BY_ACCOUNT,
      book({ sell_amount: 10, to_account: euros, buy_account: 999_999_999_999 }),
    );
    expect(said(answer).slice(0, 1).concat(said(answer)[2])).toEqual([
      'UNKNOWN_ACCOUNT',
      'buy_account: no account of yours has this number',
    ]);
  });
});

describe('an amount', () => {
  test.each<[string, () => Promise<{ readonly body: Fields }>, string]>([
    [
      'of a conversion',
      () => acme.post(BY_CURRENCY, book({ sell_amount: 10.005, sell_currency: 'EUR', buy_currency: 'USD' })),
      'sell_amount',
    ],
    [
      'bought',
      () =>
        acme.post(
          BY_CURRENCY,
          book({ buy_amount: 10.005, sell_amount: 20, sell_currency: 'EUR', buy_currency: 'USD' }),
        ),
      'buy_amount',
    ],
    [
      'of a rate',
      () => acme.get('/api/v1/bookfx/rate?sell_currency=EUR&buy_currency=USD&sell_amount=10.005'),
      'sell_amount',
    ],
    [
      'of an offer',
      () => acme.get(`${GET_FX_RATE}?source_currency=EUR&destination_currency=USD&buy_amount=10.005`),
      'buy_amount',
    ],
  ])('%s that is refused is named, with what was sent', async (_of, ask, field) => {
    door.freshPrices();
    const text = `Amount has 3 decimals and ${field === 'sell_amount' ? 'EUR' : 'USD'} has 2: round it first`;
    expect(said(await ask())).toEqual(['BAD_AMOUNT', text, [`${field}: ${text}; 10.005 was sent`]]);
  });
});

test('a value of another type is named by its type', async () => {
  const wrong = { sell_amount: '600', buy_amount: null, sell_currency: 7, buy_currency: [] };
  expect(said(await acme.post(BY_CURRENCY, book(wrong)))[2]).toEqual([
    'sell_amount: a number: a text was sent',
    'buy_amount: a number: null was sent',
    'sell_currency: one code of three upper-case letters: a number was sent',
    'buy_currency: one code of three upper-case letters: a list was sent',
  ]);
});

describe('text that is no JSON', () => {
  test('is named by its place', async () => {
    const { body } = await acme.raw(BY_CURRENCY, '{"a": 1,\n "b": }');
    expect(body.message).toBe('The body is not valid JSON, line 2, column 7: a value is expected');
  });

  test.each([
    ['', 'line 1, column 1: a value is expected'],
    ['{', 'line 1, column 2: a name in quotation marks, or } is expected'],
    ['{"a"', 'line 1, column 5: a colon is expected'],
    ['{"a":1', 'line 1, column 7: a comma or } is expected'],
    ['{"a":1,}', 'line 1, column 8: a name in quotation marks is expected'],
    ['[1 2]', 'line 1, column 4: a comma or ] is expected'],
    ['[', 'line 1, column 2: a value, or ] is expected'],
    ['{"a":01}', 'line 1, column 6: a value is expected'],
    ['{"a":"x', 'line 1, column 6: a value is expected'],
    ["{'a':1}", 'line 1, column 2: a name in quotation marks, or } is expected'],
    ['{}}', 'line 1, column 3: nothing more is expected'],
    [`${'['.repeat(100_000)}`, 'line 1, column 100001: a value, or ] is expected'],
  ])('%.20s', (text, place) => {
    expect(jsonFault(text)).toBe(place);
  });
});

test('a country is named as it was sent, and a kind of code with its article', async () => {
  const codes = { routing_code_type_1: 'IFSC', routing_code_value_1: 'HDFC0000001' };
  const toGermany = { beneficiary: { name: 'Anna', country_code: 'DE', account_number: 'DE89370400440532013000' } };
  const german = await acme.post('/api/v2/payouts/validate', { destination_currency: 'EUR', ...codes, ...toGermany });
  expect(said(german)[2]).toContain('routing_code_type_1: payments to DE do not take IFSC; they take SWIFT');
  const indian = { beneficiary_country_code: 'IN', routing_code_type_1: 'IFSC', routing_code_value_1: 'x' };
  const answer = await acme.post('/api/v1/payments/validate', indian);
  expect((said(answer)[2] as string[]).find((fault) => fault.startsWith('routing_code_value_1'))).toMatch(
    /not an IFSC such as/,
  );
});
