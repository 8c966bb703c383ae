/** Decimals between JSON texts and strings: no digit is lost, and nothing else is touched. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withNumbers, withTexts } from '../../../rest/client/src/decimals.js';
import { DECIMAL_FIELDS } from '../../../rest/client/src/openapi/document.js';

test.each([
  ['{"amount":1.10}', '{"amount":"1.10"}'],
  ['{"amount":123456789012345678901234.5}', '{"amount":"123456789012345678901234.5"}'],
  ['{"amount":-0.5,"limit":2}', '{"amount":"-0.5","limit":2}'],
  ['{"account_number":400100000019,"balance" : 0}', '{"account_number":400100000019,"balance" : "0"}'],
  ['{"margin_value":2.9e-8}', '{"margin_value":"0.000000029"}'],
  ['{"margin_value":-5e-1}', '{"margin_value":"-0.5"}'],
  ['{"margin_value":1E+3,"fx_rate":1.25e1}', '{"margin_value":"1000","fx_rate":"12.5"}'],
  ['{"amount":[1.5,2.50],"limit":[3]}', '{"amount":["1.5","2.50"],"limit":[3]}'],
  ['{"label":"\\"amount\\":1.10","amount":"1.10"}', '{"label":"\\"amount\\":1.10","amount":"1.10"}'],
  ['{"amount":{"limit":1,"amount":2}}', '{"amount":{"limit":1,"amount":"2"}}'],
  ['{"amount":null,"active":true}', '{"amount":null,"active":true}'],
])('of an answer: %s', (json, expected) => {
  expect(withTexts(json)).toBe(expected);
});

test.each<[string, string]>([
  ['{"sell_amount":"1.10"}', '{"sell_amount":1.10}'],
  ['{"sell_amount":"123456789012345.67"}', '{"sell_amount":123456789012345.67}'],
  ['{"sell_amount":5}', '{"sell_amount":5}'],
  ['{"description":"1.10"}', '{"description":"1.10"}'],
  ...['', '1.', '.5', '01', '1e3', '+1', ' 1', '1}', '1,"x":2', 'NaN'].map((text) => {
    const json = JSON.stringify({ sell_amount: text });
    return [json, json] as [string, string];
  }),
])('of a request: %s', (json, expected) => {
  expect(withNumbers(json)).toBe(expected);
});

test('any JSON keeps its meaning: there and back it is the same, and only decimals are strings on the way', () => {
  const name = fc.oneof(fc.constantFrom(...DECIMAL_FIELDS, 'limit', 'label'), fc.string());
  const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(number, fc.boolean(), fc.constant(null), tie('object'), fc.array(tie('value'), { maxLength: 3 })),
    object: fc.dictionary(name, tie('value'), { maxKeys: 5 }),
  }));
  fc.assert(
    fc.property(fc.dictionary(name, value), (object) => {
      const json = JSON.stringify(object);
      expect(JSON.parse(withNumbers(withTexts(json)))).toEqual(JSON.parse(json));
    }),
    { seed: 20_261_123, numRuns: 2_000 },
  );
});

test('a text that ends within a string is read once, and stays as it is', () => {
  for (const text of [`{"amount":"${'\\"'.repeat(300_000)}`, `"${'\\'.repeat(300_001)}`, '"'.repeat(300_001)])
    expect(withTexts(text)).toBe(text);
});
