/** Funding over REST: every field of request and answer, every refusal, and no client sees the fundings of another. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { perform } from '../../../engine/service/perform.js';
import { CREATED_FUNDING_RESPONSE, FUNDING_RESPONSE } from '../../../rest/features/fundings/fundings.js';
import { BY_CURRENCY, type Client, type Fields, MONDAY, type MoneyDoor, openMoneyDoor } from '../../rest/money-door.js';
import type { Answer } from '../../rest/rest-door.js';

const CREATE = '/api/v1/fund/create';
const READ = '/api/v1/fund/reference';

let door: MoneyDoor;
let acme: Client;
let other: Client;
let eur: number;
let jpy: number;
let closed: number;
let foreign: number;
let next = 0;

beforeAll(async () => {
  door = await openMoneyDoor();
  acme = await door.client('acme');
  other = await door.client('other');
  eur = await acme.account('EUR', 100_00n);
  jpy = await acme.account('JPY');
  closed = await acme.account('EUR');
  await acme.account('USD');
  foreign = await other.account('EUR');
  const { store } = door.opened;
  await store.accounts.change((await store.clients.get('acme'))!, String(closed), { active: false });
});
afterAll(() => door.stop());

const valid = (more: Fields = {}): Fields => ({
  account_number: eur,
  amount: 2500.5,
  instarem_deposit_account: 'DBS Bank-0012345678-EUR',
  payment_reference: 'Invoice 417',
  ...more,
});
async function created(fields: Fields = valid(), send: 'post' | 'form' = 'post'): Promise<Record<string, unknown>> {
  const { status, body } = await acme[send](CREATE, fields);
  expect([status, body.detail, body.errors]).toEqual([200, undefined, undefined]);
  return body;
}
const operator = (name: 'completeFunding' | 'rejectFunding', fundingId: unknown) =>
  perform(door.services, name, undefined, { fundingId, reason: 'seen' });
const read = async (body: Record<string, unknown>) => (await acme.get(`${READ}/${body.gl_reference_number}`)).body;
const balance = async () =>
  ((await acme.get(`/api/v1/balance/account/${eur}`)).body as unknown as { balance: number }[])[0]!.balance;

type Row = readonly [field: string, type: string, value: () => unknown];
const COMMON: Readonly<Record<string, Row>> = {
  amount: ['amount', 'number', () => 2500.5],
  currency: ['currency', 'string', () => 'EUR'],
  reference: ['gl_reference_number', 'string', () => expect.stringMatching(/^GLR[0-9A-HJKMNP-TV-Z]{17}$/)],
  status: ['status', 'string', () => 'PENDING'],
  created: ['created_at', 'string', () => '2028-07-03T10:00:00.000+00:00'],
  updated: ['updated_at', 'string', () => '2028-07-03T10:00:00.000+00:00'],
};
const CREATED: readonly Row[] = [
  ['account_number', 'string', () => String(eur)],
  ...[COMMON.amount!, COMMON.currency!, COMMON.reference!, COMMON.status!, COMMON.created!, COMMON.updated!],
];
const FOUND: readonly Row[] = [
  ...[COMMON.reference!, COMMON.status!, COMMON.amount!, COMMON.currency!, COMMON.created!, COMMON.updated!],
];

describe.each<[string, readonly Row[], () => Promise<Record<string, unknown>>]>([
  ['created', CREATED, () => created()],
  ['created as a form', CREATED, () => created(valid(), 'form')],
  ['created with a request id', CREATED, () => created(valid({ request_id: `r-${++next}` }))],
  ['read', FOUND, async () => read(await created())],
])('an entry that is %s', (how, fields, entry) => {
  test.each(fields)('%s', async (field, type, value) => {
    const body = await entry();
    expect(body[field]).toEqual(value());
    expect(typeof body[field]).toBe(type);
  });

  test('has no other field, and fits its schema', async () => {
    const body = await entry();
    expect(Object.keys(body)).toEqual(fields.map(([field]) => field));
    (how === 'read' ? FUNDING_RESPONSE : CREATED_FUNDING_RESPONSE).parse(body);
  });
});

describe('each field of the request', () => {
  const faultsOf = async (ask: () => Promise<Answer>) => {
    const before = await door.kept('acme');
    const { status, body } = await ask();
    expect(await door.kept('acme')).toEqual(before);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    return (body.errors as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`);
  };

  test.each<[string, unknown, string]>([
    ['account_number', undefined, 'field_missing'],
    ['account_number', null, 'incorrect_format'],
    ['account_number', '123456789018', 'incorrect_format'],
    ['account_number', 1.5, 'incorrect_format'],
    ['account_number', -1, 'incorrect_value'],
    ['amount', undefined, 'field_missing'],
    ['amount', null, 'incorrect_format'],
    ['amount', '2500.50', 'incorrect_format'],
    ['amount', true, 'incorrect_format'],
    ['instarem_deposit_account', undefined, 'field_missing'],
    ['instarem_deposit_account', null, 'incorrect_format'],
    ['instarem_deposit_account', 12345678, 'incorrect_format'],
    ['instarem_deposit_account', '', 'incorrect_value'],
    ['instarem_deposit_account', 'DBS Bank', 'incorrect_value'],
    ['instarem_deposit_account', 'DBS Bank-0012345678', 'incorrect_value'],
    ['instarem_deposit_account', '-0012345678-EUR', 'incorrect_value'],
    ['instarem_deposit_account', 'DBS Bank--EUR', 'incorrect_value'],
    ['instarem_deposit_account', 'DBS Bank-0012345678-eur', 'incorrect_value'],
    ['instarem_deposit_account', 'DBS Bank-0012345678-EURO', 'incorrect_value'],
    ['instarem_deposit_account', 'DBS Bank-0012345678-EUR\n', 'incorrect_format'],
    ['instarem_deposit_account', 'DBS\tBank-0012345678-EUR', 'incorrect_format'],
    ['instarem_deposit_account', ' DBS-0012345678-EUR', 'incorrect_value'],
    ['instarem_deposit_account', `${'B'.repeat(130)}-0012345678-EUR`, 'incorrect_value'],
    ['instarem_deposit_account', 'DBS Bank-0012345678-USD', 'invalid_combination'],
    ['instarem_deposit_account', 'DBS Bank-0012345678-ZZZ', 'invalid_combination'],
    ['payment_reference', undefined, 'field_missing'],
    ['payment_reference', null, 'incorrect_format'],
    ['payment_reference', 417, 'incorrect_format'],
    ['payment_reference', '', 'incorrect_value'],
    ['payment_reference', 'x'.repeat(141), 'incorrect_value'],
    ['payment_reference', 'two\nlines', 'incorrect_format'],
    ['payment_reference', 'a bell\u0007', 'incorrect_format'],
    ['payment_reference', 'a next line\u0085', 'incorrect_format'],
    ['payment_reference', 'half a letter \ud83d', 'incorrect_format'],
    ['request_id', null, 'incorrect_format'],
    ['request_id', 7, 'incorrect_format'],
    ['request_id', '', 'incorrect_format'],
    ['request_id', '-x', 'incorrect_format'],
    ['request_id', 'x'.repeat(65), 'incorrect_format'],
  ])('%s %j: %s', async (field, value, code) => {
    expect(await faultsOf(() => acme.post(CREATE, valid({ [field]: value })))).toEqual([`${field} ${code}`]);
  });

  test.each<[string, unknown]>([
    ['instarem_deposit_account', 'Société Générale - Paris-FR7612345-EUR'],
    ['instarem_deposit_account', 'B-1-EUR'],
    ['payment_reference', 'ü'.repeat(140)],
    ['payment_reference', 'R'],
    ['request_id', `A${'-_.z9'.repeat(12)}xyz`],
    ['amount', 0.01],
  ])('%s %j is taken', async (field, value) => {
    await created(valid({ [field]: value }));
  });

  test('all faults at once', async () => {
    const body = { account_number: 'x', amount: 'x', instarem_deposit_account: 7, payment_reference: 7, request_id: 7 };
    expect(await faultsOf(() => acme.post(CREATE, body))).toEqual([
      'account_number incorrect_format',
      'amount incorrect_format',
      'instarem_deposit_account incorrect_format',
      'payment_reference incorrect_format',
      'request_id incorrect_format',
    ]);
    expect(await faultsOf(() => acme.post(CREATE, {}))).toHaveLength(4);
    expect(await faultsOf(() => acme.form(CREATE, { amount: '1e2', account_number: 'x' }))).toEqual([
      'account_number incorrect_format',
      'amount incorrect_format',
      'instarem_deposit_account field_missing',
      'payment_reference field_missing',
    ]);
  });

  test('an amount of 0 is named beside the other faults, and alone is BAD_AMOUNT', async () => {
    expect(await faultsOf(() => acme.post(CREATE, valid({ amount: 0, payment_reference: '' })))).toEqual([
      'payment_reference incorrect_value',
      'amount incorrect_value',
    ]);
    const body = valid({ amount: -1, instarem_deposit_account: 'DBS Bank-0012345678-USD' });
    expect(await faultsOf(() => acme.post(CREATE, body))).toEqual([
      'instarem_deposit_account invalid_combination',
      'amount incorrect_value',
    ]);
    expect((await acme.post(CREATE, valid({ amount: 0 }))).body.code).toBe('BAD_AMOUNT');
  });

  test('reports a fault of the deposit account beside other faults', async () => {
    const body = valid({ amount: 'x', instarem_deposit_account: 'DBS Bank-0012345678-USD' });
    expect(await faultsOf(() => acme.post(CREATE, body))).toEqual([
      'amount incorrect_format',
      'instarem_deposit_account invalid_combination',
    ]);
  });
});

describe('what is refused, in order, with everything as it was', () => {
  const used = { request_id: 'used-id' };
  const FAULTS: readonly { code: string; status?: number; fields: () => Fields }[] = [
    { code: 'VALIDATION_FAILED', fields: () => ({ instarem_deposit_account: 'DBS Bank-0012345678-JPY' }) },
    { code: 'REQUEST_ID_REUSED', status: 409, fields: () => used },
    { code: 'UNKNOWN_ACCOUNT', fields: () => ({ account_number: 123456789018 }) },
    { code: 'ACCOUNT_INACTIVE', fields: () => ({ account_number: closed }) },
    { code: 'BAD_AMOUNT', fields: () => ({ amount: 0 }) },
  ];
  beforeAll(() => created(valid({ ...used, amount: 1 })));

  async function refused(fields: Fields) {
    const before = [await door.kept('acme'), await door.kept('other')];
    const { status, body } = await acme.post(CREATE, valid(fields));
    expect([await door.kept('acme'), await door.kept('other')]).toEqual(before);
    return [status, body.code];
  }

  test.each(FAULTS)('$code', async ({ code, status = 400, fields }) => {
    expect(await refused(fields())).toEqual([status, code]);
  });

  const pairs = FAULTS.flatMap((first, i) =>
    FAULTS.slice(i + 1)
      .filter((second) => !Object.keys(first.fields()).some((field) => field in second.fields()))
      .map((second) => [first.code, second.code, first, second] as const),
  );
  // An unknown account has no currency that the deposit account could differ from.
  test.each(pairs.filter(([first, second]) => first !== 'VALIDATION_FAILED' || second !== 'UNKNOWN_ACCOUNT'))(
    '%s before %s',
    async (code, _second, first, second) => {
      const amount = second.code === 'BAD_AMOUNT' ? { amount: 1.001 } : {};
      const [status, reported] = await refused({ ...first.fields(), ...second.fields(), ...amount });
      expect([status, reported]).toEqual([first.status ?? 400, code]);
    },
  );

  test.each<[string, () => Fields, string]>([
    ['another client’s account', () => ({ account_number: foreign }), 'UNKNOWN_ACCOUNT'],
    ['no account number at all', () => ({ account_number: 7 }), 'UNKNOWN_ACCOUNT'],
    ['a negative amount', () => ({ amount: -1 }), 'BAD_AMOUNT'],
    ['a third decimal', () => ({ amount: 0.001 }), 'BAD_AMOUNT'],
    ['more than an account holds', () => ({ amount: 10_000_000_000_000 }), 'BAD_AMOUNT'],
    [
      'a decimal of a yen',
      () => ({ account_number: jpy, amount: 1.5, instarem_deposit_account: 'B-1-JPY' }),
      'BAD_AMOUNT',
    ],
  ])('%s: %s', async (_what, fields, code) => {
    expect(await refused(fields())).toEqual([400, code]);
  });

  test('a key without the right to pay, no token, another content-type', async () => {
    const { token } = await door.opened.store.tokens.issue('acme', 'CK_R', ['read', 'rates', 'trade']);
    const authorization = { authorization: `Bearer ${token}` };
    const reader = await acme.post(CREATE, valid(), authorization);
    expect([reader.status, reader.body.detail]).toEqual([403, 'Not entitled: this key lacks the right pay']);
    const entry = await created();
    expect((await door.ask('GET', `${READ}/${entry.gl_reference_number}`, authorization)).status).toBe(200);
    expect((await acme.post(CREATE, valid(), { authorization: '' })).body.code).toBe('TOKEN_REQUIRED');
    expect((await acme.post(CREATE, valid(), { 'content-type': 'text/xml' })).body.code).toBe(
      'UNSUPPORTED_CONTENT_TYPE',
    );
    const writer = await door.opened.store.tokens.issue('acme', 'CK_W', ['pay']);
    const unread = await door.ask('GET', `${READ}/${entry.gl_reference_number}`, {
      authorization: `Bearer ${writer.token}`,
    });
    expect([unread.status, unread.body.detail]).toEqual([403, 'Not entitled: this key lacks the right read']);
  });
});

describe('a request id', () => {
  test('gives the same command its first answer again, also when it has been decided since', async () => {
    const fields = valid({ request_id: 'again-1' });
    const first = await acme.post(CREATE, fields);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    await operator('completeFunding', first.body.gl_reference_number);
    const before = await door.kept('acme');
    for (const send of ['post', 'form'] as const) {
      const again = await acme[send](CREATE, fields);
      expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([200, 'true', first.body]);
    }
    expect(await door.kept('acme')).toEqual(before);
    expect((await read(first.body)).status).toBe('COMPLETED');
  });

  test.each<[string, () => Fields]>([
    ['another amount', () => ({ amount: 2500.51 })],
    ['another account', () => ({ account_number: jpy, instarem_deposit_account: 'B-1-JPY' })],
    ['another deposit account', () => ({ instarem_deposit_account: 'B-1-EUR' })],
    ['another reference', () => ({ payment_reference: 'Invoice 418' })],
  ])('with %s is refused', async (_what, more) => {
    const request_id = `again-${++next + 100}`;
    await created(valid({ request_id }));
    const { status, body } = await acme.post(CREATE, valid({ request_id, ...more() }));
    expect([status, body.code]).toEqual([409, 'REQUEST_ID_REUSED']);
  });

  test('is one namespace with Book FX, and another client’s is another', async () => {
    door.freshPrices();
    const conversion = { description: 'x', sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 1 };
    await created(valid({ request_id: 'shared-1' }));
    expect((await acme.post(BY_CURRENCY, { ...conversion, request_id: 'shared-1' })).body.code).toBe(
      'REQUEST_ID_REUSED',
    );
    expect((await acme.post(BY_CURRENCY, { ...conversion, request_id: 'shared-2' })).status).toBe(200);
    expect((await acme.post(CREATE, valid({ request_id: 'shared-2' }))).body.code).toBe('REQUEST_ID_REUSED');
    const theirs = await other.post(CREATE, valid({ request_id: 'shared-1', account_number: foreign }));
    expect([theirs.status, theirs.headers['idempotent-replayed']]).toEqual([200, undefined]);
  });

  test('fifty at once are one entry; without one each call is another', async () => {
    const fields = valid({ request_id: 'burst' });
    const answers = await Promise.all(Array.from({ length: 50 }, () => acme.post(CREATE, fields)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.gl_reference_number}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    const [one, two] = [await created(), await created()];
    expect(one.gl_reference_number).not.toBe(two.gl_reference_number);
  });
});

describe('an entry that is read', () => {
  test('reports its current state and when it changed; the balance rises once it is completed', async () => {
    const before = await balance();
    const [first, second] = [await created(), await created()];
    expect(await balance()).toBe(before);
    door.services.nowMs = MONDAY + 90_061_001;
    const A_DAY_LATER = expect.stringMatching(/^2028-07-04T11:01:\d\d\.\d{3}\+00:00$/);
    await operator('completeFunding', first.gl_reference_number);
    await operator('rejectFunding', second.gl_reference_number);
    door.services.nowMs = MONDAY;
    const { account_number: _, ...rest } = first;
    expect(await read(first)).toEqual({ ...rest, status: 'COMPLETED', updated_at: A_DAY_LATER });
    expect(await read(second)).toMatchObject({ status: 'REJECTED', updated_at: A_DAY_LATER });
    expect(await balance()).toBe(before + 2500.5);
  });

  test('answers 404 for another client’s and for an unknown one, with the same body', async () => {
    const { gl_reference_number: mine } = await created();
    const answers = [];
    for (const id of [mine, 'GLR00000000000000000']) {
      const { status, body } = await other.get(`${READ}/${id}`);
      answers.push([status, body.code, body.detail, body.errors]);
    }
    expect(answers[0]).toEqual([404, 'NOT_FOUND', 'No such funding of yours: check the reference', []]);
    expect(answers[1]).toEqual(answers[0]);
  });

  test.each(['GLR', 'glr0000000000000', 'x', '%00', '..%2f..', 'BFX0000000000000000', '__proto__'])(
    '%s: 404',
    async (id) => {
      expect((await acme.get(`${READ}/${id}`)).body.code).toBe('NOT_FOUND');
    },
  );
});

test('no line of the log names an account or a reference of the client', async () => {
  await created(valid({ payment_reference: 'a secret word' }));
  const log = door.services.logged.join('\n');
  for (const secret of ['0012345678', String(eur), 'a secret word']) expect(log).not.toContain(secret);
});
