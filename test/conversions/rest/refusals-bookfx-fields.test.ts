/** Bodies of Book FX that are refused before the operation: each fault of each field, all of them at once, and nothing kept. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  BY_ACCOUNT,
  BY_CURRENCY,
  type Client,
  type Fields,
  type MoneyDoor,
  openMoneyDoor,
} from '../../rest/money-door.js';
import type { Answer } from '../../rest/rest-door.js';

let door: MoneyDoor;
let acme: Client;
let eur: number;
let usd: number;

beforeAll(async () => {
  door = await openMoneyDoor();
  acme = await door.client('acme');
  eur = await acme.account('EUR', 100_000n);
  usd = await acme.account('USD');
});
afterAll(() => door.stop());
beforeEach(() => door.freshPrices());

const common = { request_id: 'r-1', description: 'Rent, July', sell_amount: 100 };
const byCurrency = (more: Fields = {}): Fields => ({ ...common, sell_currency: 'EUR', buy_currency: 'USD', ...more });
const byAccount = (more: Fields = {}): Fields => ({ ...common, to_account: eur, from_account: usd, ...more });

async function faultsOf(ask: () => Promise<Answer>): Promise<string[]> {
  const before = await door.kept('acme');
  const { status, body } = await ask();
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(await door.kept('acme')).toEqual(before);
  return (body.errors as { field: string; code: string; message: string }[]).map(({ field, code, message }) => {
    expect(message).not.toBe('');
    return `${field} ${code}`;
  });
}

const EVERY: readonly (readonly [field: string, value: unknown, code: string])[] = [
  ['request_id', undefined, 'field_missing'],
  ['request_id', '', 'incorrect_format'],
  ['request_id', 7, 'incorrect_format'],
  ['request_id', null, 'incorrect_format'],
  ['request_id', ' r', 'incorrect_format'],
  ['request_id', '-r', 'incorrect_format'],
  ['request_id', 'r{1}', 'incorrect_format'],
  ['request_id', 'r'.repeat(65), 'incorrect_format'],
  ['description', undefined, 'field_missing'],
  ['description', '', 'incorrect_value'],
  ['description', 'x'.repeat(141), 'incorrect_value'],
  ['description', 7, 'incorrect_format'],
  ['description', null, 'incorrect_format'],
  ['sell_amount', '100', 'incorrect_format'],
  ['sell_amount', null, 'incorrect_format'],
  ['sell_amount', true, 'incorrect_format'],
  ['sell_amount', [100], 'incorrect_format'],
  ['buy_amount', '100', 'incorrect_format'],
  ['buy_amount', {}, 'incorrect_format'],
  ['book_fx_type', 'SCHEDULED3', 'incorrect_value'],
  ['book_fx_type', 'prefunding', 'incorrect_value'],
  ['book_fx_type', 1, 'incorrect_value'],
  ['book_fx_type', null, 'incorrect_value'],
  ['settlement_date', '20280705', 'incorrect_format'],
  ['settlement_date', '5.7.2028', 'incorrect_format'],
  ['settlement_date', 20280705, 'incorrect_format'],
  ['settlement_date', null, 'incorrect_format'],
  ['fx_hold_id', 7, 'incorrect_format'],
  ['fx_hold_id', 'H'.repeat(65), 'incorrect_value'],
];

describe.each([
  ['by currency', BY_CURRENCY, byCurrency],
  ['by account', BY_ACCOUNT, byAccount],
] as const)('%s', (how, path, valid) => {
  test.each(EVERY)('%s %j: %s', async (field, value, code) => {
    expect(await faultsOf(() => acme.post(path, valid({ [field]: value })))).toEqual([`${field} ${code}`]);
  });

  test('amounts of 0 and below are named beside the other faults of the body, and alone are BAD_AMOUNT', async () => {
    const faults = await faultsOf(() => acme.post(path, valid({ sell_amount: -1, buy_amount: 0, description: '' })));
    expect(faults.sort()).toEqual([
      'buy_amount incorrect_value',
      'description incorrect_value',
      'sell_amount incorrect_value',
    ]);
    expect((await acme.post(path, valid({ sell_amount: -1 }))).body.code).toBe('BAD_AMOUNT');
  });

  test.each([
    ['request_id', ' r', 'incorrect_format'],
    ['request_id', 'r'.repeat(65), 'incorrect_format'],
    ['description', 'x'.repeat(141), 'incorrect_value'],
    ['description', 'a\u0000b', 'incorrect_format'],
    ['settlement_date', '5.7.2028', 'incorrect_format'],
    ['fx_hold_id', 'H'.repeat(65), 'incorrect_value'],
    ...(how === 'by currency' ? [['sell_currency', 'EURO', 'incorrect_format']] : []),
  ])('a text %s %j hides neither an amount below 0 nor a missing one', async (field, value, code) => {
    const negative = await faultsOf(() => acme.post(path, valid({ [field!]: value, sell_amount: -1 })));
    expect(negative.sort()).toEqual([`${field} ${code}`, 'sell_amount incorrect_value'].sort());
    const missing = await faultsOf(() => acme.post(path, valid({ [field!]: value, sell_amount: undefined })));
    expect(missing.sort()).toEqual(
      [`${field} ${code}`, 'buy_amount field_missing', 'sell_amount field_missing'].sort(),
    );
  });

  // Numbers by their text, as only a raw body has them.
  test.each(['1e2', '1E+2', '1e15', '1000000000000000', '-0', '0.0000001', '123456789012345.1'])(
    'an amount of %s is no plain decimal',
    async (number) => {
      const text = JSON.stringify(valid({ sell_amount: 4242 })).replace('4242', number);
      expect(await faultsOf(() => acme.raw(path, text))).toEqual(['sell_amount incorrect_format']);
    },
  );

  test.each(['1e2', '+1', '1,000', ' 1', '0x10', '1.', '1000000000000000', 'abc'])(
    'in a form, an amount of %s is none',
    async (text) => {
      expect(await faultsOf(() => acme.form(path, valid({ sell_amount: text })))).toEqual([
        'sell_amount incorrect_format',
      ]);
    },
  );

  test('no amount is missed under both names', async () => {
    const faults = ['sell_amount field_missing', 'buy_amount field_missing'];
    expect(await faultsOf(() => acme.post(path, valid({ sell_amount: undefined })))).toEqual(faults);
    expect(await faultsOf(() => acme.form(path, valid({ sell_amount: '' })))).toEqual(faults);
  });

  test.each(['null', '[]', '"x"', '7', '{', '{"request_id":"r-1",}', ''])('a body %s', async (text) => {
    const faults = await faultsOf(() => acme.raw(path, text));
    expect(faults.length).toBe(text === '' ? 6 : 0);
  });

  test('another content-type', async () => {
    const { status, body } = await acme.post(path, valid(), { 'content-type': 'text/plain' });
    expect([status, body.code]).toEqual([400, 'UNSUPPORTED_CONTENT_TYPE']);
  });

  test('140 characters and 64 of an id are taken', async () => {
    const { status } = await acme.post(
      path,
      valid({ request_id: `${how[3]}${'-_.z9'.repeat(12)}xyz`, description: 'ü'.repeat(140) }),
    );
    expect(status).toBe(200);
  });
});

describe('currencies', () => {
  test.each([
    ['sell_currency', undefined, 'field_missing'],
    ['sell_currency', 'eur', 'incorrect_format'],
    ['sell_currency', 'EURO', 'incorrect_format'],
    ['sell_currency', 978, 'incorrect_format'],
    ['sell_currency', 'XAU', 'incorrect_value'],
    ['buy_currency', undefined, 'field_missing'],
    ['buy_currency', '', 'incorrect_format'],
    ['buy_currency', null, 'incorrect_format'],
    ['buy_currency', 'ZZZ', 'incorrect_value'],
  ])('%s %j: %s', async (field, value, code) => {
    expect(await faultsOf(() => acme.post(BY_CURRENCY, byCurrency({ [field]: value })))).toEqual([`${field} ${code}`]);
  });
});

describe('accounts', () => {
  test.each([
    ['from_account', undefined, 'field_missing'],
    ['from_account', '123456789018', 'incorrect_format'],
    ['from_account', null, 'incorrect_format'],
    ['from_account', 1.5, 'incorrect_format'],
    ['from_account', -1, 'incorrect_value'],
    ['to_account', undefined, 'field_missing'],
    ['to_account', '', 'incorrect_format'],
    ['to_account', {}, 'incorrect_format'],
  ])('%s %j: %s', async (field, value, code) => {
    expect(await faultsOf(() => acme.post(BY_ACCOUNT, byAccount({ [field]: value })))).toEqual([`${field} ${code}`]);
  });

  test('under the name that was sent', async () => {
    const fields = { ...common, buy_account: 'a', sell_account: 'b' };
    const faults = ['sell_account incorrect_format', 'buy_account incorrect_format'];
    expect(await faultsOf(() => acme.post(BY_ACCOUNT, fields))).toEqual(faults);
    expect(await faultsOf(() => acme.form(BY_ACCOUNT, fields))).toEqual(faults);
  });

  test('two names with two values', async () => {
    const faults = ['to_account invalid_combination', 'from_account invalid_combination'];
    const fields = byAccount({ buy_account: eur, sell_account: usd });
    expect(await faultsOf(() => acme.post(BY_ACCOUNT, fields))).toEqual(faults);
    expect(await faultsOf(() => acme.form(BY_ACCOUNT, fields))).toEqual(faults);
    expect(await faultsOf(() => acme.post(BY_ACCOUNT, byAccount({ buy_account: String(usd) })))).toEqual([faults[1]]);
  });
});

describe('all faults at once', () => {
  test('of an empty body', async () => {
    const faults = ['request_id', 'description', 'sell_amount', 'buy_amount'].map((field) => `${field} field_missing`);
    const currencies = ['sell_currency field_missing', 'buy_currency field_missing'];
    const accounts = ['to_account field_missing', 'from_account field_missing'];
    expect((await faultsOf(() => acme.post(BY_CURRENCY, {}))).sort()).toEqual([...faults, ...currencies].sort());
    expect((await faultsOf(() => acme.post(BY_ACCOUNT, {}))).sort()).toEqual([...faults, ...accounts].sort());
  });

  test('of a body in which nothing is right', async () => {
    const wrong = {
      request_id: 1,
      description: 2,
      sell_amount: '3',
      book_fx_type: '4',
      settlement_date: '5',
      fx_hold_id: 6,
    };
    const faults = await faultsOf(() => acme.post(BY_ACCOUNT, { ...wrong, from_account: 'x', sell_account: 'y' }));
    expect(faults.map((fault) => fault.split(' ')[0]).sort()).toEqual(
      [...Object.keys(wrong), 'from_account', 'sell_account'].sort(),
    );
  });

  test('fields come before the operation: no account of such a body is looked for', async () => {
    expect(await faultsOf(() => acme.post(BY_ACCOUNT, byAccount({ from_account: 1, description: '' })))).toEqual([
      'description incorrect_value',
    ]);
  });
});
