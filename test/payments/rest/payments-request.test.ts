/** A row for every field of the two requests: present, absent, of another type, and wrong; in JSON and as a form. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client, Fields } from '../../rest/money-door.js';
import { INTERFACE } from '../../rest/openapi/interface.js';
import { CREATE_PAYMENT, CREATE_PAYOUT, payout } from './payment-bodies.js';
import { openPaymentDoor, type PaymentDoor } from './payment-door.js';
import { fieldsWith, type PaymentField, type Type } from './payment-fields.js';

let door: PaymentDoor;
/** Creates; and another one who is refused all the time, so that nothing is kept of it. */
let client: Client;
let refused: Client;
let account: number;
let refusedAccount: number;

beforeAll(async () => {
  door = await openPaymentDoor();
  client = await door.client('acme');
  refused = await door.client('other');
  // The account of the rows is not known when they are written down.
  account = await client.account('EUR', 1_000_000_00n);
  refusedAccount = await refused.account('EUR', 1_000_000_00n);
});
afterAll(() => door.stop());

type Version = 1 | 2;
const PATHS = { 1: CREATE_PAYMENT, 2: CREATE_PAYOUT };
/** A placeholder for the client's account. */
const ACCOUNT = 7;
const FIELDS = fieldsWith(ACCOUNT);
const rows = (version: Version) =>
  FIELDS.filter(({ names }) => names[version - 1] !== '').map((field) => [field.names[version - 1]!, field] as const);

const REMITTER = { name: 'Acme Trading', country_code: 'SG', address: '1 Raffles Place', city: 'Singapore' };
let requests = 0;

/** Nested, as the second version has it. */
function body(of: number, more: Fields = {}): Record<string, unknown> {
  const base = payout('EUR', of, {
    request_id: `q-${++requests}`,
    transaction_number: `q-${requests}`,
    remitter: REMITTER,
  });
  return merged(base, more);
}

function merged(base: Fields, more: Fields): Record<string, unknown> {
  const into: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(more)) {
    const isObject = typeof value === 'object' && value !== null;
    into[name] = isObject ? { ...(base[name] as object | undefined), ...value } : value;
  }
  return into;
}

/** With a value at `beneficiary.name`; undefined takes it away. */
function put(fields: Record<string, unknown>, name: string, value: unknown): Record<string, unknown> {
  const [outer = '', inner] = name.split('.');
  if (inner === undefined) return { ...fields, [outer]: value };
  return { ...fields, [outer]: { ...(fields[outer] as object | undefined), [inner]: value } };
}

/** The names of the first version for those of the second: what only one of them has is left out. */
const FLAT = new Map(FIELDS.filter(({ names }) => names[0] && names[1]).map(({ names: [v1, v2] }) => [v2, v1]));

/** The same payment by the first version. */
function flat(nested: Fields): Record<string, unknown> {
  let into: Record<string, unknown> = {};
  for (const [outer, value] of Object.entries(nested)) {
    const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [['', value] as const];
    for (const [inner, part] of parts) {
      const name = inner === '' ? outer : `${outer}.${inner}`;
      const known = FLAT.get(name) ?? (name.startsWith('equivalent') ? name : undefined);
      if (known !== undefined) into = put(into, known, part);
    }
  }
  return into;
}

/** Of this version, with the field as `value`, and with what it comes with. */
function request(version: Version, name: string, { beside = {} }: PaymentField, value: unknown, of: number): Fields {
  const nested = body(of, beside);
  const whole = version === 1 ? flat(nested) : nested;
  return put(whole, name, value === ACCOUNT ? of : value);
}

/** JSON has no infinity: a number with an exponent represents it. */
const text = (fields: Fields) =>
  JSON.stringify(fields, (_name, value) => (value === Number.POSITIVE_INFINITY ? 'EXPONENT' : value)).replace(
    '"EXPONENT"',
    '1e5',
  );

async function errorsOf(version: Version, fields: Fields): Promise<unknown[]> {
  const { status, body: answer } = await refused.raw(PATHS[version], text(fields));
  expect([status, answer.code, answer.detail]).toEqual([
    ...[400, 'VALIDATION_FAILED', 'Some fields are wrong: correct those listed in errors'],
  ]);
  return (answer.errors as Fields[]).map(({ field, code, message }) => [field, code, message]);
}

const at = (value: unknown, path: string) =>
  path.split('.').reduce<unknown>((found, name) => (found as Fields | undefined)?.[name], value);

async function keptOf(answer: Fields): Promise<unknown> {
  return (await door.operator('showPayment', { paymentId: String(answer.payment_id) })).payment;
}

const WRONG_TYPES: Readonly<Record<Type, { readonly values: readonly unknown[]; readonly message: string }>> = {
  text: { values: [7, true, null, ['x'], { x: 1 }], message: 'a text' },
  number: { values: ['7', true, null, [7], { x: 1 }], message: 'a number' },
  whole: { values: ['7', true, null, [7], 1.5], message: 'a whole number' },
  account: { values: ['400100000019', true, null, [7], { x: 1 }], message: 'an account number of 12 digits' },
  flag: { values: ['true', 1, null, [true], { x: 1 }], message: 'true or false' },
};

/** What is expected, and the type that was sent. */
function wrongType(expected: string, value: unknown): string {
  if (typeof value === 'number' && expected === 'a whole number') return expected;
  if (value === null) return `${expected}: null was sent`;
  if (Array.isArray(value)) return `${expected}: a list was sent`;
  const kinds = { string: 'a text', number: 'a number', boolean: 'true or false', object: 'an object' };
  return `${expected}: ${kinds[typeof value as keyof typeof kinds]} was sent`;
}

describe.each([1, 2] as const)('version %i', (version) => {
  describe.each(rows(version))('%s', (name, field) => {
    const { type, right, kept, absent, wrong = [] } = field;
    const [path, expected = right] = kept;

    test.each(['post', 'form'] as const)('is taken by %s, and kept', async (how) => {
      const unique =
        name === 'request_id' || name === 'transaction_number'
          ? `${String(right).slice(0, 60)}${how[0]}${version}`
          : right;
      const fields = request(version, name, field, unique, account);
      const { status, body: answer } = await client[how](PATHS[version], fields);
      expect([status, answer.errors, answer.detail]).toEqual([200, undefined, undefined]);
      const isAccount = right === ACCOUNT;
      expect(at(await keptOf(answer), path)).toEqual(
        isAccount ? String(account) : unique === right ? expected : unique,
      );
    });

    test(absent ? 'may not be absent, nor empty in a form' : 'may be absent, and empty in a form', async () => {
      const fields = request(version, name, field, undefined, absent ? refusedAccount : account);
      if (absent) {
        const [code, message, v1Message = message] = absent;
        const expected = [[name, code, version === 1 ? v1Message : message]];
        expect(await errorsOf(version, fields)).toEqual(expected);
        const { body: form } = await refused.form(PATHS[version], put({ ...fields }, name, ''));
        expect((form.errors as Fields[]).map((one) => [one.field, one.code, one.message])).toEqual(expected);
        return;
      }
      // A source amount is one of two.
      const whole = name === 'source_amount' ? { ...fields, destination_amount: 1 } : fields;
      expect((await client.post(PATHS[version], whole)).body.status).toBe('IN_PROCESS');
      const again = { ...whole, request_id: `e-${++requests}`, transaction_number: `e-${requests}` };
      expect((await client.form(PATHS[version], put(again, name, ''))).body.status).toBe('IN_PROCESS');
    });

    test('of another type is refused under its name, and nothing is kept', async () => {
      const before = await door.kept('other');
      const { values, message } = WRONG_TYPES[type];
      for (const value of values)
        expect(await errorsOf(version, request(version, name, field, value, refusedAccount)), String(value)).toEqual([
          [name, 'incorrect_format', wrongType(message, value)],
        ]);
      if (type !== 'text') {
        const fields = request(version, name, field, 'x', refusedAccount);
        const { body: form } = await refused.form(PATHS[version], fields);
        expect(form.errors).toMatchObject([
          { field: name, code: 'incorrect_format', message: wrongType(message, 'x') },
        ]);
      }
      expect(await door.kept('other')).toEqual(before);
    });

    const texts = [
      ['a bell\u0007', 'send it without control characters and line breaks'],
      ['two\nlines', 'send it without control characters and line breaks'],
      [' x', 'send it without spaces in front and behind'],
      ['u\u0308', 'send it in Unicode normal form C (NFC)'],
    ] as const;
    const all = [
      ...wrong,
      ...(type === 'text' ? texts.map(([value, message]) => [value, undefined, message] as const) : []),
    ];
    if (all.length > 0)
      test('with another value is refused, and nothing is kept', async () => {
        const before = await door.kept('other');
        for (const [value, code, message] of all) {
          const errors = await errorsOf(version, request(version, name, field, value, refusedAccount));
          const own = errors.find((one) => (one as unknown[])[0] === name);
          expect(own, `${name} ${value}`).toEqual(
            code === undefined ? [name, 'incorrect_format', expect.any(String)] : [name, code, message],
          );
        }
        expect(await door.kept('other')).toEqual(before);
      });
  });

  test('every field of the interface has a row, with its type and whether it is required', () => {
    const written = INTERFACE[`post ${PATHS[version]}`]!.asks.split(' ').map((one) => one.replace('!', ''));
    const types: Readonly<Record<Type, string>> = {
      text: 'string',
      flag: 'boolean',
      number: 'number',
      whole: 'number',
      account: 'number',
    };
    const mine = rows(version).map(([name, { type }]) => `${name}:${types[type]}`);
    // A hold and a card have tests of their own.
    const others = ['payout_options.fx_hold_id:string', 'beneficiary.card_number:string'];
    expect([...mine, ...(version === 2 ? others : [])].sort()).toEqual(written.sort());
  });
});
