import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Body } from '../../../rest/http/body.js';
import { type EchoDoor, FORM_TYPE, openEchoDoor } from './echo-door.js';

let door: EchoDoor;

beforeAll(async () => {
  door = await openEchoDoor();
});
afterAll(() => door.stop());

const part = (name: string, value: string, more = '') =>
  `--cut\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const form = (...fields: readonly (readonly [name: string, value: string])[]) =>
  `${fields.map(([name, value]) => part(name, value)).join('')}--cut--\r\n`;
/** As JSON shows it: without prototypes. */
const plain = (seen: unknown) => JSON.parse(JSON.stringify(seen));

describe('a form', () => {
  test.each<[string, string, unknown]>([
    ['fields are texts', form(['t', '12'], ['u', 'true']), { t: '12', u: 'true' }],
    [
      'numbers where they are due',
      form(['amount', '12.50'], ['options[deduct]', '-1']),
      { amount: 12.5, options: { deduct: -1 } },
    ],
    [
      'true and false where they are due',
      form(['sure', 'true'], ['options[sure]', 'false']),
      { sure: true, options: { sure: false } },
    ],
    ['an empty value is none', form(['t', ''], ['amount', ''], ['options[deduct]', ''], ['u', 'x']), { u: 'x' }],
    ['nested beside plain', form(['a[b]', '1'], ['c', '2'], ['a[d]', '3']), { a: { b: '1', d: '3' }, c: '2' }],
    [
      'deeper is a name like any other',
      form(['a[b][c]', '1'], ['a[]', '2'], ['[b]', '3']),
      { 'a[b][c]': '1', 'a[]': '2', '[b]': '3' },
    ],
    ['no fields', '--cut--\r\n', {}],
    ['what stands before the first part', `hello\r\n${form(['t', '1'])}`, { t: '1' }],
    ['letters of any kind', form(['té', '東京']), { té: '東京' }],
  ])('%s', async (_what, text, expected) => {
    expect((await door.post(text, FORM_TYPE)).status).toBe(200);
    expect(plain(door.seen())).toEqual(expected);
  });

  test.each<[string, string, string[]]>([
    ['a name twice', form(['t', '1'], ['t', '2']), ['t']],
    ['the second one empty', form(['t', '1'], ['t', '']), ['t']],
    ['a nested name twice', form(['o[p]', '1'], ['q', '1'], ['o[p]', '1']), ['o.p']],
    ['a text, and fields inside it', form(['o', 'x'], ['o[p]', 'y']), ['o']],
    ['fields, and a text around them', form(['o[p]', 'y'], ['o', 'x']), ['o']],
    ['__proto__', form(['__proto__', '1'], ['__proto__', '2']), ['__proto__']],
  ])('%s is refused, and named', async (_what, text, names) => {
    const { status, body } = await door.post(text, FORM_TYPE);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.errors).toEqual(
      names.map((field) => ({ field, code: 'invalid_combination', message: expect.any(String) })),
    );
    expect(door.seen()).toBe('not-asked');
  });

  test.each([
    ['amount', '1e3'],
    ['amount', '+1'],
    ['amount', ' 1'],
    ['amount', '1,000'],
    ['amount', '.5'],
    ['amount', '1.'],
    ['amount', '-0'],
    ['amount', '0x10'],
    ['amount', 'NaN'],
    ['amount', '0.0000001'],
    ['amount', '1234567890123456'],
    ['amount', '123456789012345.1'],
    ['sure', 'TRUE'],
    ['sure', '1'],
    ['sure', 'yes'],
  ])('%s of %s stays a text', async (name, value) => {
    expect((await door.post(form([name, value]), FORM_TYPE)).status).toBe(200);
    expect(plain(door.seen())).toEqual({ [name]: value });
  });

  test.each(['__proto__', '__proto__[amount]', 'constructor[prototype]', 'a[__proto__]', 'toString'])(
    '%s changes no prototype',
    async (name) => {
      expect((await door.post(form([name, '7']), FORM_TYPE)).status).toBe(200);
      expect((door.seen() as Body).amount).toBeUndefined();
      expect(({} as Body).amount).toBeUndefined();
      expect(`${{}}`).toBe('[object Object]');
    },
  );

  test('that reads like a refusal of ours is a form', async () => {
    expect((await door.post(form(['refusal', 'NOT_FOUND'], ['text', 'gone']), FORM_TYPE)).status).toBe(200);
  });

  const manyFields = Array.from({ length: 201 }, (_, n) => [`f${n}`, '1'] as const);
  test.each<[string, string | Buffer, Record<string, string>, RegExp]>([
    ['a file', `${part('f', 'x', '; filename="a.txt"')}${form()}`, FORM_TYPE, /^Files are not taken/],
    ['a file behind fields', `${part('t', '1')}${part('f', 'x', '; filename="a.txt"')}--cut--`, FORM_TYPE, /^Files/],
    ['201 fields', form(...manyFields), FORM_TYPE, /^More than 200 fields/],
    ['no end', part('t', '1'), FORM_TYPE, /not valid multipart/],
    ['another boundary', form(['t', '1']).replaceAll('cut', 'tear'), FORM_TYPE, /not valid multipart/],
    ['no boundary', form(['t', '1']), { 'content-type': 'multipart/form-data' }, /not valid multipart/],
    ['no name', form(['t', '1']).replace('; name="t"', ''), FORM_TYPE, /has no name/],
    ['no part headers', '--cut\r\nnonsense\r\n\r\n1\r\n--cut--', FORM_TYPE, /not valid multipart/],
    [
      'an unknown charset',
      form(['t', '1']).replace('\r\n\r\n', '\r\ncontent-type: text/plain; charset=klingon\r\n\r\n'),
      FORM_TYPE,
      /charset/,
    ],
    ['JSON', '{"t":1}', FORM_TYPE, /not valid multipart/],
    ['bytes that are no UTF-8', Buffer.from(form(['t', '\u00ff']), 'latin1'), FORM_TYPE, /not valid UTF-8/],
  ])('with %s is refused before the operation', async (_what, text, headers, detail) => {
    const { status, body } = await door.post(text, headers);
    expect([status, body.code, body.errors]).toEqual([400, 'VALIDATION_FAILED', []]);
    expect(body.detail).toMatch(detail);
    expect(door.seen()).toBe('not-asked');
  });
});
