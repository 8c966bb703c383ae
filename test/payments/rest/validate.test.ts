import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PAYMENT_EXAMPLE, PAYOUT_EXAMPLE } from '../../../rest/features/payments/payment-references.js';
import { type Client, type MoneyDoor, openMoneyDoor } from '../../rest/money-door.js';

const VALIDATE = '/api/v1/payments/validate';
const VALIDATE_V2 = '/api/v2/payouts/validate';
const DETAILS = '/api/v1/reference/required-details';

let door: MoneyDoor;
let acme: Client;

beforeAll(async () => {
  door = await openMoneyDoor();
  acme = await door.client('acme');
});
beforeEach(() => door.freshPrices());
afterAll(() => door.stop());

const post = async (path: string, body: Record<string, unknown>) => {
  const { status, body: answer } = await acme.post(path, body);
  return { status, ...answer } as Record<string, unknown> & { status: number; errors: Record<string, unknown>[] };
};

describe('dry run', () => {
  test('nothing is wrong, and nothing was created', async () => {
    const before = await door.kept('acme');
    for (const [path, body] of [
      [VALIDATE, PAYMENT_EXAMPLE],
      [VALIDATE_V2, PAYOUT_EXAMPLE],
    ] as const)
      expect(await post(path, body)).toEqual({ status: 200, valid: true, warnings: [] });
    expect(await door.kept('acme')).toEqual(before);
  });

  test('as a form, nested fields too', async () => {
    const flat = Object.fromEntries(Object.entries(PAYMENT_EXAMPLE).map(([name, value]) => [name, String(value)]));
    expect((await acme.form(VALIDATE, { ...flat, 'additional_info[trade_count]': '4' })).body).toMatchObject({
      valid: true,
    });
    const nested = Object.entries(PAYOUT_EXAMPLE).flatMap(([name, value]) =>
      typeof value === 'object'
        ? Object.entries(value).map(([inner, text]) => [`${name}[${inner}]`, text])
        : [[name, String(value)]],
    );
    expect((await acme.form(VALIDATE_V2, Object.fromEntries(nested))).body).toMatchObject({ valid: true });
  });

  test('all that is wrong at once, of types and of rules, each field by its own name, once', async () => {
    const answer = await post(VALIDATE, {
      ...PAYMENT_EXAMPLE,
      request_id: '-1',
      destination_amount: '50000',
      statement_narrative: '',
      remitter_address: 7,
      remit_purpose_code: 'IR099',
      routing_code_value_1: 'HDFC1000001',
      beneficiary_name: '12345',
      beneficiary_city: ' Mumbai',
    });
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_FAILED', warnings: [] });
    expect(answer.errors.map(({ field, code, rule }) => [field, code, rule]).sort()).toEqual([
      ['beneficiary_city', 'incorrect_format', 'G2'],
      ['beneficiary_name', 'incorrect_format', 'G3'],
      ['destination_amount', 'incorrect_format', 'type'],
      ['remit_purpose_code', 'incorrect_value', 'list'],
      ['remitter_address', 'incorrect_format', 'type'],
      ['request_id', 'incorrect_format', 'G1'],
      ['routing_code_value_1', 'incorrect_format', 'IN.routing'],
      ['statement_narrative', 'field_missing', 'required'],
    ]);
  });

  test('an IFSC that the directory lacks is valid with a warning in both versions, one of no bank is refused', async () => {
    const dryRun = (code: string) =>
      Promise.all([
        post(VALIDATE, { ...PAYMENT_EXAMPLE, routing_code_value_1: code }),
        post(VALIDATE_V2, { ...PAYOUT_EXAMPLE, routing_code_value_1: code }),
      ]);
    const what = { field: 'routing_code_value_1', rule: 'IN.routing' };
    for (const answer of await dryRun('BARB0ZOOTIN'))
      expect(answer).toMatchObject({ status: 200, valid: true, warnings: [{ ...what, code: 'incorrect_value' }] });
    for (const answer of await dryRun('AXIS0000001'))
      expect(answer).toMatchObject({ status: 400, errors: [{ ...what, code: 'incorrect_format' }] });
  });

  test('an empty body misses what is required, by the names of each version', async () => {
    const names = async (path: string) => (await post(path, {})).errors.map(({ field }) => field).sort();
    expect(await names(VALIDATE)).toEqual([
      'beneficiary_account_number',
      'beneficiary_country_code',
      'beneficiary_name',
      'destination_amount',
      'remitter_account_type',
      'request_id',
      'statement_narrative',
      'transaction_number',
    ]);
    expect(await names(VALIDATE_V2)).toEqual([
      'beneficiary.account_number',
      'beneficiary.country_code',
      'beneficiary.name',
      'destination_amount',
      'fee_payer',
      'remitter.account_type',
      'request_id',
      'source_account',
      'statement_narrative',
      'transaction_number',
    ]);
  });

  test('unknown fields are refused in both versions, also within', async () => {
    expect(await post(VALIDATE, { ...PAYMENT_EXAMPLE, colour: 'red', constructor: 1 })).toMatchObject({
      status: 400,
      errors: [
        { field: 'colour', code: 'unsupported_field', rule: 'G17' },
        { field: 'constructor', code: 'unsupported_field', rule: 'G17' },
      ],
    });
    const { source_account, ...rest } = PAYOUT_EXAMPLE;
    const answer = await post(VALIDATE_V2, {
      ...rest,
      sourceAccount: source_account,
      beneficiary: { ...PAYOUT_EXAMPLE.beneficiary, colour: 'red' },
    });
    expect(answer.errors.map(({ field, code }) => [field, code]).sort()).toEqual([
      ['beneficiary.colour', 'unsupported_field'],
      ['sourceAccount', 'unsupported_field'],
      ['source_account', 'field_missing'],
    ]);
  });

  test('a value that is no object is named by its field', async () => {
    const answer = await post(VALIDATE_V2, { ...PAYOUT_EXAMPLE, additional_info: 'x', payout_options: [1] });
    expect(answer.errors.map(({ field, code }) => [field, code])).toEqual([
      ['additional_info', 'incorrect_format'],
      ['payout_options', 'incorrect_format'],
    ]);
  });

  test('what the client is decides too', async () => {
    const theirs = await door.client('payer');
    await door.opened.store.clients.change('payer', { onBehalf: true });
    const body = { ...PAYMENT_EXAMPLE, remitter_name: undefined, remitter_country_code: undefined };
    const { body: answer } = await theirs.post(VALIDATE, body);
    expect(answer.errors).toMatchObject([
      { field: 'remitter_name', code: 'field_missing', rule: 'conditional' },
      { field: 'remitter_country_code', code: 'field_missing', rule: 'conditional' },
    ]);
  });

  test('without the right to pay, nothing is looked at', async () => {
    const { token } = await door.opened.store.tokens.issue('acme', 'CK_X', ['read']);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    expect((await door.ask('POST', VALIDATE, headers, '{}')).body).toMatchObject({ code: 'NOT_ENTITLED' });
    expect((await door.ask('GET', `${DETAILS}?country=IN`, headers)).status).toBe(200);
  });
});

describe('required details', () => {
  const details = async (query: string) => (await acme.get(`${DETAILS}?${query}`)).body;

  test('a schema that a draft 2020-12 validator takes, and the example of a payment fulfils', async () => {
    const schema = await details('country=IN');
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'INR to IN by BANK',
      properties: {
        beneficiary_account_number: { type: 'string', pattern: '^[0-9A-Z]{6,20}$' },
        routing_code_type_1: { const: 'IFSC' },
        beneficiary_name: { maxLength: 50 },
      },
      required: expect.arrayContaining(['beneficiary_bank_name', 'remit_purpose_code', 'routing_code_value_1']),
    });
    expect(new Ajv2020({ strict: false }).compile(schema)(PAYMENT_EXAMPLE)).toBe(true);
  });

  test.each([
    ['', 'country', 'field_missing'],
    ['country=XX', 'country', 'incorrect_value'],
    ['country=in', 'country', 'incorrect_value'],
    ['country=IN&country=GB', 'country', 'incorrect_format'],
    ['country=EU&currency=USD', 'country', 'incorrect_value'],
    ['country=AQ', 'currency', 'field_missing'],
    ['country=AQ&currency=INR', 'currency', 'incorrect_value'],
    ['country=IN&currency=INR&method=CASH', 'method', 'incorrect_value'],
    ['country=IN&method=TRUCK', 'method', 'incorrect_value'],
    ['country=IN&party=Robot', 'party', 'incorrect_value'],
  ])('%s: %s is wrong', async (query, field, code) => {
    expect(await details(query)).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ field, code }] });
  });

  test('SEPA by its own name, and any account by SWIFT', async () => {
    expect(await details('country=EU')).toMatchObject({ title: 'EUR to EU by BANK' });
    expect(await details('country=IN&currency=USD&method=&party=Company')).toMatchObject({
      title: 'USD to IN by BANK',
      properties: { routing_code_type_1: { const: 'SWIFT' }, beneficiary_account_type: { enum: ['Company'] } },
      required: expect.arrayContaining(['beneficiary_account_type']),
    });
  });
});
