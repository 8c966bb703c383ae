import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { perform } from '../../../engine/service/perform.js';
import type { Body } from '../../../rest/http/body.js';
import { type EchoDoor, JSON_TYPE, openEchoDoor } from './echo-door.js';

let door: EchoDoor;

beforeAll(async () => {
  door = await openEchoDoor();
});
afterAll(() => door.stop());

describe('a JSON body', () => {
  test.each<[string, string, unknown]>([
    ['numbers, texts and the rest stay what they are', '{"n":12.34,"t":"12.34","b":true,"x":null,"l":[1]}', undefined],
    ['no fields', '{}', undefined],
    ['white space around', ' \n{ "n" : 1 }\t', undefined],
    ['letters of any kind', '{"t":"Zoë 東京 \\u00e9"}', undefined],
    ['15 significant digits', '{"n":999999999999.999,"m":-0.5,"z":0.00,"k":100000000000000}', undefined],
    ['15 after zeros', '{"n":0.00123456789012345}', undefined],
    ['a text that looks like a number', '{"t":" 1e3, -0 ,12345678901234567890","u":":1e5"}', undefined],
    ['quotes in a text before a number', '{"t":"\\"a\\\\","u":", 1e3","n":1.5}', undefined],
    ['deeper than any field', '{"a":{"a":{"a":{"a":{"a":{"a":[[{"n":1}]]}}}}}}', undefined],
    ['one name in several objects', '{"n":{"n":1},"l":[{"n":1},{"n":2}],"t":"n","u":"\\"n\\":1"}', undefined],
    ['a key that JavaScript knows', '{"constructor":{"prototype":1},"toString":2}', undefined],
  ])('%s', async (_what, text, expected = JSON.parse(text)) => {
    expect((await door.post(text)).status).toBe(200);
    expect(door.seen()).toEqual(expected);
  });

  test('the key __proto__ is an ordinary unknown field', async () => {
    expect((await door.post('{"__proto__":{"amount":5},"n":1}')).status).toBe(200);
    const seen = door.seen() as Body;
    expect(seen.amount).toBeUndefined();
    expect(Object.keys(seen)).toEqual(['__proto__', 'n']);
  });

  test.each([
    '1e3',
    '1E3',
    '1.5e2',
    '-1e3',
    '1e999',
    '0e1',
    '-0',
    '-0.00',
    '1234567890123456',
    '1.234567890123456',
    '0.1000000000000000',
    '-1234567890.123456',
    '0.0000001',
    '0.0000000000000000000001',
    '12345678901234567890123',
  ])('rejects the number %s at any place', async (number) => {
    const text = `{"n":${number},"o":{"n": ${number} },"l":[${number},${number}],"t":"${number}"}`;
    expect((await door.post(text)).status).toBe(200);
    const none = Number.POSITIVE_INFINITY;
    expect(door.seen()).toEqual({ n: none, o: { n: none }, l: [none, none], t: number });
  });

  test('is named with the other faults of its body', async () => {
    const { status, body } = await door.post('{"sell":1e3,"type":"SOON"}', JSON_TYPE, '/named');
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.errors).toEqual([
      { field: 'sell', code: 'incorrect_format', message: expect.any(String) },
      { field: 'buy', code: 'field_missing', message: 'required' },
      { field: 'type', code: 'incorrect_value', message: expect.any(String) },
    ]);
    // Where a number is due, the fault says what is wrong with this one.
    expect(await perform(door.services, 'listClients', undefined, { limit: Number.POSITIVE_INFINITY })).toMatchObject({
      fields: [{ field: 'limit', code: 'incorrect_format', message: expect.stringMatching(/^a plain decimal: /) }],
    });
  });

  test.each<[string, string | Buffer, RegExp]>([
    ['nothing but white space', ' ', /not valid JSON/],
    ['half an object', '{"n":1', /not valid JSON/],
    ['a comma too many', '{"n":1,}', /not valid JSON/],
    ['NaN', '{"n":NaN}', /not valid JSON/],
    ['Infinity', '{"n":-Infinity}', /not valid JSON/],
    ['a number with a plus', '{"n":+1}', /not valid JSON/],
    ['a number with a zero before', '{"n":01}', /not valid JSON/],
    ['a form', '--cut\r\n', /not valid JSON/],
    ['an array', '[{"n":1}]', /must be a JSON object/],
    ['a text', '"n"', /must be a JSON object/],
    ['a number', '1e3', /must be a JSON object/],
    ['null', 'null', /must be a JSON object/],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /not valid UTF-8/],
  ])('%s is refused before the operation', async (_what, text, detail) => {
    const { status, body } = await door.post(text);
    expect([status, body.code, body.errors]).toEqual([400, 'VALIDATION_FAILED', []]);
    expect(body.detail).toMatch(detail);
    expect(door.seen()).toBe('not-asked');
  });

  test.each<[string, string, string[]]>([
    ['a name twice', '{"n":1,"n":2}', ['n']],
    ['with the same value', '{"n":1,"n":1}', ['n']],
    ['three times', '{"n":1,"m":1,"n":1,"n":1}', ['n']],
    ['written otherwise', '{"sell_amount":1,"sell\\u005famount":2}', ['sell_amount']],
    ['with white space', '{ "n" : 1 , "n"\n:2}', ['n']],
    ['inside an object', '{"o":{"a":1,"b":[{}],"a":2},"a":3}', ['o.a']],
    ['inside a list', '{"l":[{"a":1},{"a":1,"a":2}]}', ['l.a']],
    ['before a value of the same name', '{"o":{"a":1,"b":2},"o":1}', ['o']],
    ['deeper than any field', '{"a":{"a":{"a":{"a":{"a":{"a":{"n":1,"n":2}}}}}}}', ['a.a.a.a']],
    ['behind an object of the same name', '{"o":{"a":1},"o":{"b":1}}', ['o']],
    ['__proto__', '{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['quotes and colons in texts', '{"t":"\\\\","n":"a\\":","n":1}', ['n']],
    ['several', '{"a":1,"b":2,"b":3,"a":4}', ['b', 'a']],
  ])('%s is refused, and named', async (_what, text, names) => {
    const { status, body } = await door.post(text);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.errors).toEqual(
      names.map((field) => ({ field, code: 'invalid_combination', message: expect.any(String) })),
    );
    expect(door.seen()).toBe('not-asked');
  });

  test('as many members and levels as a body has room for are read once', async () => {
    const members = Array.from({ length: 5_000 }, (_, i) => `"m${i}":${i}`).join();
    expect((await door.post(`{${members}}`)).status).toBe(200);
    expect((await door.post(`{${members},"m4999":1}`)).body.errors).toMatchObject([{ field: 'm4999' }]);
  });

  test('a list that is too long, and what lies too deep, is refused before anything in it is judged', async () => {
    const long = (item: string, count = 1_001) => `{"t":"[,","n":[${Array(count).fill(item).join()}]}`;
    for (const item of ['{}', '{"a":{}}', '1', '"\\",["'])
      expect((await door.post(long(item))).body.errors).toEqual([
        { field: 'n', code: 'incorrect_value', message: 'at most 1000 items' },
      ]);
    expect((await door.post(long('{}', 1_000))).status).toBe(200);
    const deep = await door.post(`{"a":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`);
    expect(deep.body.message).toMatch(/^The body is nested deeper than 8 levels/);
    const wide = Array.from({ length: 11 }, () => `[${Array(1_000).fill(1).join()}]`).join();
    expect((await door.post(`{"n":[${wide}]}`)).status).toBe(200);
    expect(door.seen()).not.toBe('not-asked');
  });

  test('a body that reads like a refusal of ours is a body', async () => {
    expect((await door.post('{"refusal":"NOT_FOUND","text":"gone"}')).status).toBe(200);
  });
});
