/** Payments at the door: who may ask, in which form, and what it makes of names that it does not know. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Fields } from '../../rest/money-door.js';
import { CREATE_PAYMENT, CREATE_PAYOUT, payment, payout } from './payment-bodies.js';
import { openPaymentDoor, type Payer, type PaymentDoor } from './payment-door.js';

let door: PaymentDoor;
let on: Payer;
/** Is refused everything, so that nothing is kept of it. */
let refused: Payer;
beforeAll(async () => {
  door = await openPaymentDoor();
  on = await door.payer({ EUR: 100_000_00n });
  refused = await door.payer({ EUR: 100_000_00n });
});
afterAll(() => door.stop());
beforeEach(() => door.freshPrices());

const PATHS = { 1: CREATE_PAYMENT, 2: CREATE_PAYOUT };
type Version = keyof typeof PATHS;
const VERSIONS: readonly Version[] = [1, 2];
const body = (version: Version, { of }: Payer, more: Fields = {}): Fields =>
  version === 1 ? payment('EUR', more) : payout('EUR', of.EUR!, more);

async function faults(version: Version, more: Fields, how: 'post' | 'form' = 'post'): Promise<string[]> {
  const before = await door.kept(refused.client.id);
  const { status, body: answer } = await refused.client[how](PATHS[version], body(version, refused, more));
  expect(await door.kept(refused.client.id)).toEqual(before);
  expect([status, answer.code]).toEqual([400, 'VALIDATION_FAILED']);
  return (answer.errors as Fields[]).map(({ field, code, message }) =>
    code === 'unsupported_field' ? `${field} ${code}` : `${field} ${code}: ${message}`,
  );
}

const UNKNOWN = 'unsupported_field';

describe('unknown fields', () => {
  test.each<[what: string, more: Fields, names: string[]]>([
    ['at the top', { nickname: 'x' }, ['nickname']],
    ['in the beneficiary', { beneficiary: { nick_name: 'x' } }, ['beneficiary.nick_name']],
    ['in the remitter', { remitter: { nick_name: 'x' } }, ['remitter.nick_name']],
    ['in additional_info', { additional_info: { colour: 'x' } }, ['additional_info.colour']],
    ['in payout_options', { payout_options: { colour: 'x' } }, ['payout_options.colour']],
    [
      'of the first version',
      { account_number: 7, beneficiary_name: 'x', equivalent_amount: 1 },
      ['account_number', 'beneficiary_name', 'equivalent_amount'],
    ],
    [
      'that are spelt as ours inside',
      { sourceAccount: 7, beneficiary: { countryCode: 'DE' } },
      ['sourceAccount', 'beneficiary.countryCode'],
    ],
    [
      'with names of JavaScript',
      { constructor: 'x', beneficiary: { toString: 'x' } },
      ['constructor', 'beneficiary.toString'],
    ],
    ['in several places', { a: 1, remitter: { b: 1 }, beneficiary: { c: 1 } }, ['a', 'remitter.b', 'beneficiary.c']],
  ])('version 2 refuses them %s, under the names that were sent', async (_what, more, names) => {
    for (const how of ['post', 'form'] as const)
      expect((await faults(2, more, how)).sort()).toEqual(names.map((name) => `${name} ${UNKNOWN}`).sort());
  });

  test('version 2 names them beside other faults', async () => {
    expect((await faults(2, { nickname: 'x', fee_payer: 'SHA' })).sort()).toEqual([
      'fee_payer incorrect_value: one of OUR, BEN',
      `nickname ${UNKNOWN}`,
    ]);
  });

  test.each<[what: string, more: Fields, names: string[]]>([
    ['at the top', { nickname: 'x', source_amount: 'x', fee_payer: 7 }, ['nickname', 'source_amount', 'fee_payer']],
    ['in additional_info', { additional_info: { colour: 'x' } }, ['additional_info.colour']],
    [
      'of the second version',
      { beneficiary: { name: 'x' }, remitter: 7, payout_options: { fx_hold_id: 'x' } },
      ['beneficiary', 'remitter', 'payout_options'],
    ],
    ['with names of JavaScript', { constructor: 'x', hasOwnProperty: { x: 1 } }, ['constructor', 'hasOwnProperty']],
  ])('version 1 refuses them %s, under the names that were sent', async (_what, more, names) => {
    expect((await faults(1, more)).sort()).toEqual(names.map((name) => `${name} ${UNKNOWN}`).sort());
  });
});

describe('objects', () => {
  test.each(['beneficiary', 'remitter', 'additional_info', 'payout_options'])(
    '%s of another type is refused under its name',
    async (name) => {
      for (const value of [7, 'x', true, [{}]]) {
        const before = await door.kept(refused.client.id);
        const answer = await refused.client.post(CREATE_PAYOUT, { ...body(2, refused), [name]: value });
        expect(await door.kept(refused.client.id)).toEqual(before);
        const { errors } = answer.body as { errors: Fields[] };
        expect(errors.map((one) => [one.field, one.code, one.message])).toEqual([
          [name, 'incorrect_format', expect.stringMatching(/^an object: .* was sent$/)],
        ]);
      }
    },
  );

  test('additional_info is one in version 1 too', async () => {
    expect(await faults(1, { additional_info: 7 })).toEqual([
      'additional_info incorrect_format: an object: a number was sent',
    ]);
  });

  test('that are missing: their fields are named', async () => {
    const { beneficiary: _, ...bare } = body(2, refused);
    const { body: answer } = await refused.client.post(CREATE_PAYOUT, bare);
    expect((answer.errors as Fields[]).map(({ field }) => field).sort()).toEqual([
      ...['beneficiary.account_number', 'beneficiary.country_code', 'beneficiary.name'],
    ]);
  });

  test('that are empty, and may be, are as good as none', async () => {
    const created = await on.client.post(CREATE_PAYOUT, body(2, on, { additional_info: {}, payout_options: {} }));
    expect(created.body.status).toBe('IN_PROCESS');
  });
});

describe('payout_options.fx_hold_id', () => {
  test.each([7, true, null, ['x'], {}])('%j: a text', async (fx_hold_id) => {
    expect(await faults(2, { payout_options: { fx_hold_id } })).toEqual([
      expect.stringMatching(/^payout_options\.fx_hold_id incorrect_format: a text: .* was sent$/),
    ]);
  });

  test('empty is none', async () => {
    const created = await on.client.post(CREATE_PAYOUT, body(2, on, { payout_options: { fx_hold_id: '' } }));
    expect(created.body).toMatchObject({ status: 'IN_PROCESS', hold_fx_expires_on: '' });
  });
});

test.each([
  [1, { remitter_account_type: 'Individual', remitter_name: 'A. Rao' }, 'remitter_name', 'remitter_given_name'],
  [2, { remitter: { account_type: 'Individual', name: 'A. Rao' } }, 'remitter.name', 'remitter.given_name'],
] as const)(
  'version %i: initials have to be announced, by the name of that version',
  async (version, more, name, announced) => {
    expect(await faults(version, more)).toContain(
      `${name} incorrect_format: send the names in full, or ${announced} true`,
    );
  },
);

describe('source_amount and destination_amount', () => {
  test('both, or neither: reports one of them', async () => {
    expect(await faults(2, { source_amount: 1, destination_amount: 1 })).toEqual([
      'source_amount invalid_combination: send source_amount or destination_amount, not both',
    ]);
    expect(await faults(2, { destination_amount: undefined })).toEqual([
      'destination_amount field_missing: send destination_amount or source_amount',
    ]);
  });

  test('destination_amount 0 decides nothing in version 2', async () => {
    expect(await faults(2, { destination_amount: 0 })).toEqual(['destination_amount incorrect_format: above 0']);
  });

  test('version 1: destination_amount and equivalent_amount are one or the other', async () => {
    expect(await faults(1, { equivalent_amount: 1, equivalent_currency: 'USD' })).toEqual([
      'equivalent_amount invalid_combination: send it with destination_amount 0 alone',
    ]);
    expect(await faults(1, { destination_amount: 0 })).toEqual([
      'equivalent_amount field_missing: mandatory when destination_amount is 0',
    ]);
  });
});

describe.each(VERSIONS)('version %i', (version) => {
  const path = PATHS[version];

  test('the same payment in JSON and as a form is the same payment', async () => {
    const fields = (send: string) => ({
      request_id: `same-${send}-${version}`,
      transaction_number: `same-${send}-${version}`,
    });
    const kept = [];
    for (const send of ['post', 'form'] as const) {
      const more = version === 1 ? { remitter_given_name: true } : { remitter: { given_name: true } };
      const { body: created } = await on.client[send](
        path,
        body(version, on, { ...fields(send), destination_amount: 12.5, ...more }),
      );
      const { payment: found } = await door.operator('showPayment', { paymentId: String(created.payment_id) });
      const { id: _, requestId: __, transactionNumber: ___, createdAtMs: ____, updatedAtMs: _____, ...same } = found;
      kept.push(same);
    }
    expect(kept[0]).toEqual(kept[1]);
    expect(kept[0]).toMatchObject({ details: { remitter: { givenName: true, sourceOfIncome: 'Business Relations' } } });
  });

  test.each<[what: string, headers: Record<string, string>, status: number, code: string]>([
    ['no token', { authorization: '' }, 401, 'TOKEN_REQUIRED'],
    ['an unknown token', { authorization: 'Bearer unknown' }, 401, 'TOKEN_INVALID'],
    ['another content-type', { 'content-type': 'text/plain' }, 400, 'UNSUPPORTED_CONTENT_TYPE'],
    ['no content-type', { 'content-type': '' }, 400, 'UNSUPPORTED_CONTENT_TYPE'],
  ])('%s', async (_what, headers, status, code) => {
    const answer = await on.client.post(path, body(version, on), headers);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
  });

  test('a key without the right to pay creates nothing; one that may pay and not read reads nothing', async () => {
    const { store } = door.opened;
    const { token } = await store.tokens.issue(on.client.id, 'CK_R', ['read', 'rates', 'trade']);
    const answer = await on.client.post(path, body(version, on), { authorization: `Bearer ${token}` });
    expect([answer.status, answer.body.detail]).toEqual([403, 'Not entitled: this key lacks the right pay']);
    const { body: created } = await on.client.post(path, body(version, on));
    const payer = await store.tokens.issue(on.client.id, 'CK_P', ['pay']);
    for (const key of [`id/${created.payment_id}`, `reference/${created.reference_number}`]) {
      const read = await on.client.get(`/api/v1/payments/${key}`, { authorization: `Bearer ${payer.token}` });
      expect([read.status, read.body.detail]).toEqual([403, 'Not entitled: this key lacks the right read']);
    }
  });

  test.each(['GET', 'PUT', 'DELETE', 'PATCH'])('%s is another method: 405', async (method) => {
    const answer = await door.ask(method, path, {});
    // A payment of version 1 has the path of a list beside it, and no read of its own.
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
  });

  test.each<[what: string, text: string]>([
    ['no JSON', '{"request_id":'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['nothing but null', 'null'],
  ])('%s: 400, naming no field', async (_what, text) => {
    const { status, body: answer } = await on.client.raw(path, text);
    expect([status, answer.code, answer.errors]).toEqual([400, 'VALIDATION_FAILED', []]);
  });

  test('a body above 64 KiB: 400', async () => {
    const { status, body: answer } = await on.client.raw(path, JSON.stringify({ x: 'y'.repeat(65_536) }));
    expect([status, answer.code]).toEqual([400, 'BODY_TOO_LARGE']);
  });

  test('without a body: what is required is named', async () => {
    const { status, body: answer } = await door.ask('POST', path, {
      authorization: `Bearer ${(await door.opened.store.tokens.issue(on.client.id, 'CK_P', ['pay'])).token}`,
    });
    expect([status, answer.code]).toEqual([400, 'VALIDATION_FAILED']);
    const missing = (answer.errors as Fields[])
      .filter(({ code }) => code === 'field_missing')
      .map(({ field }) => field);
    expect(missing).toEqual(expect.arrayContaining(['request_id', 'transaction_number', 'statement_narrative']));
  });

  test('an answer is never cached, and carries its request id', async () => {
    const { headers } = await on.client.post(path, body(version, on));
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-request-id']).toMatch(/./);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });
});

test('cancel and information take any body, or none, of the right kind', async () => {
  const { body: created } = await on.client.post(CREATE_PAYMENT, body(1, on));
  const { token } = await door.opened.store.tokens.issue(on.client.id, 'CK_P', ['pay']);
  const cancelled = await door.ask('POST', `/api/v1/payments/id/${created.payment_id}/cancel`, {
    authorization: `Bearer ${token}`,
  });
  expect([cancelled.status, cancelled.body.status]).toEqual([200, 'USER_REJECTED']);
});

test('a card number where nothing is paid to a card is refused by the second version, and not kept by the first', async () => {
  const refused = await on.client.post(
    CREATE_PAYOUT,
    body(2, on, { beneficiary: { card_number: '4111111111111111' } }),
  );
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [expect.objectContaining({ code: 'unsupported_field', message: 'leave it out: goes by BANK' })],
  ]);
  const { body: created } = await on.client.post(
    CREATE_PAYMENT,
    body(1, on, { beneficiary_card_number: '4111111111111111' }),
  );
  expect(created.status).toBe('IN_PROCESS');
  expect(
    JSON.stringify(
      await door.opened.store.payments.read(
        (await door.opened.store.clients.get(on.client.id))!,
        String(created.payment_id),
      ),
    ),
  ).not.toContain('41111111');
});

test('no line of the log names who is paid, or by which account or document', async () => {
  const identified = {
    ...{ beneficiary_identification_type: 'PASS', beneficiary_identification_value: 'K7654321' },
    beneficiary_card_number: '4111111111111111',
  };
  const { body: created } = await on.client.post(CREATE_PAYMENT, body(1, on, identified));
  await on.client.post(`/api/v1/payments/id/${created.payment_id}/cancel`, {});
  await on.client.post(`/api/v1/payments/id/${created.payment_id}/cancel`, {});
  const log = door.services.logged.join('\n');
  expect(log).toContain(String(created.payment_id));
  for (const secret of ['DE89370400440532013000', 'Anna Schmidt', 'K7654321', '4111111111111111', String(on.of.EUR)])
    expect(log).not.toContain(secret);
});
