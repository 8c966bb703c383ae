/** The UK's modulus check, by a table made up here: one range for each method and exception, none of them the publisher's. */
import { describe, expect, test } from 'vitest';
import { parseUkModulusTable, ukModulusFault } from '../../../../engine/domain/beneficiaries/identifiers/uk-modulus.js';

const TABLE = parseUkModulusTable(`
  100000 100009 MOD10 0 0 0 0 0 0 1 1 1 1 1 1 1 1
  100010 100019 MOD11 0 0 0 0 0 0 1 1 1 1 1 1 1 1
  100020 100029 DBLAL 0 0 0 0 0 0 2 1 2 1 2 1 2 1
  100030 100039 MOD10 0 0 0 0 0 0 1 1 1 1 1 1 1 1
  100030 100039 MOD11 0 0 0 0 0 0 1 1 1 1 1 1 1 1
  200010 200010 DBLAL 0 0 0 0 0 0 2 1 2 1 2 1 2 1 1
  200020 200020 MOD11 0 0 0 0 0 0 0 0 0 0 0 0 0 1 2
  200020 200020 MOD11 0 0 1 0 0 1 0 0 0 0 0 0 0 1 9
  200030 200030 MOD11 0 0 0 0 0 0 1 0 0 0 0 0 0 1
  200030 200030 DBLAL 0 0 0 0 0 0 0 0 0 0 0 0 0 1 3
  200040 200040 MOD11 0 0 0 0 0 0 9 0 0 0 0 0 0 0 4
  200050 200052 MOD11 0 0 0 0 0 2 1 0 0 0 0 0 0 0 5
  200050 200052 DBLAL 0 0 0 0 0 0 2 0 0 0 0 0 0 0 5
  200060 200060 MOD10 0 0 0 0 0 0 1 1 1 1 1 1 1 1 6
  200070 200070 MOD10 1 1 1 1 1 1 1 1 1 1 1 1 1 1 7
  200080 200080 MOD10 1 1 1 1 1 1 0 0 0 0 0 0 0 1 8
  200100 200100 MOD11 1 0 0 0 0 0 0 0 0 0 0 0 0 1 10
  200100 200100 MOD11 0 0 0 0 0 0 1 1 0 0 0 0 0 1 11
  200120 200120 MOD11 0 0 0 0 0 0 1 0 0 0 0 0 0 1 12
  200120 200120 MOD10 0 0 0 0 0 0 0 0 0 0 0 0 1 1 13
  200140 200140 MOD11 0 0 0 0 0 0 1 1 1 1 1 1 1 1 14

  200051 200053
`);

test.each([
  // sort code, account, possible, rule
  ['999999', '12345678', true, 'a sort code outside the table says nothing'],
  ['100000', '11111113', true, 'modulus 10: 10'],
  ['100000', '11111112', false, 'modulus 10: 9'],
  ['100009', '11111113', true, 'the last of a range'],
  ['100010', '11111114', true, 'modulus 11: 11'],
  ['100010', '11111113', false, 'modulus 11: 10'],
  ['100020', '90000001', true, 'double alternate: 18 counts 9, and 1'],
  ['100020', '90000002', false, 'double alternate: 11'],
  ['100030', '00000000', true, 'two checks, both pass'],
  ['100030', '11111113', false, 'two checks, only the first passes'],
  ['100030', '11111114', false, 'two checks, only the second passes'],
  ['200010', '00000003', true, 'exception 1: 27 more'],
  ['200010', '00000000', false, 'exception 1: 27 is not enough'],
  // With a = 0 the weights of the table: h alone. With a = 1: y by 5 and a by 6 make 16, and h; when g is 9, g by 3 and h.
  ['200020', '00000000', true, 'exception 2: a is 0, weights of the table'],
  ['200020', '10000006', true, 'exception 2: weights for a, by sort code 200020'],
  ['200020', '11000002', true, 'exception 2: b by 4'],
  ['200020', '11000096', true, 'exception 2: b does not count when g is 9'],
  ['200020', '10000095', false, 'exception 2: other weights when g is 9: 27 + 5'],
  ['200020', '10000096', true, 'exception 2: other weights when g is 9: 27 + 6'],
  ['200020', '00000009', true, 'exception 9: sort code 309634 instead, 9 and 4'],
  ['200020', '00000008', false, 'exceptions 2 and 9: neither passes'],
  ['200030', '90000002', false, 'exception 3: c is 0, the second check counts'],
  ['200030', '90600002', true, 'exception 3: c is 6, only the first'],
  ['200030', '90900002', true, 'exception 3: c is 9, only the first'],
  ['200040', '20000007', true, 'exception 4: remainder 7 is gh'],
  ['200040', '60000010', true, 'exception 4: remainder 10 is gh'],
  ['200040', '20000000', false, 'exception 4: remainder 7, gh is 00'],
  // z by 2 and a by 1; g is 11 less the remainder. 2 by a, its digits added; h is 10 less the remainder.
  ['200050', '20000096', true, 'exception 5: 2 and 4'],
  ['200050', '20000095', false, 'exception 5: g is right, h is wrong'],
  ['200050', '20000086', false, 'exception 5: g is wrong, h is right'],
  ['200050', '00000000', true, 'exception 5: both remainders 0'],
  ['200050', '10000008', false, 'exception 5: remainder 1 has no check digit'],
  ['200051', '20000036', true, 'exception 5: 200053 instead, z is 3'],
  ['200052', '20000056', true, 'exception 5: no substitute'],
  ['200060', '41111122', true, 'exception 6: foreign currency, cannot be checked'],
  ['200060', '41111123', false, 'exception 6: g is not h'],
  ['200060', '31111122', false, 'exception 6: a is below 4'],
  ['200070', '00000091', true, 'exception 7: g is 9, u to b do not count'],
  ['200070', '00000081', false, 'exception 7: g is 8, they do'],
  ['200080', '00000002', true, 'exception 8: sort code 090126 instead, 18'],
  ['200080', '00000008', false, 'exception 8: not its own, 4'],
  ['200100', '09000090', true, 'exception 10: ab is 09 and g is 9, u to b do not count'],
  ['200100', '99000090', true, 'exception 10: ab is 99 and g is 9'],
  ['200100', '00000090', true, 'exception 11 passes where exception 10 fails: ab is 00'],
  ['200100', '19000080', false, 'exceptions 10 and 11: neither passes'],
  ['200120', '10000090', false, 'exceptions 12 and 13: neither passes'],
  ['200120', '10000091', true, 'exception 13 passes'],
  ['200120', '20000009', true, 'exception 12 passes'],
  ['200140', '11111114', true, 'exception 14: as it stands'],
  ['200140', '65000001', true, 'exception 14: 1 left out, 11'],
  ['200140', '65000002', false, 'exception 14: 2 is not left out'],
  ['200140', '64000001', true, 'exception 14: 11 as it stands'],
  ['200140', '65000009', true, 'exception 14: 9 left out, 11'],
  ['200140', '64000009', false, 'exception 14: 9 left out, 10'],
])('%s %s: %s, %s', (sortCode, account, isPossible) => {
  expect(ukModulusFault(sortCode, account, TABLE) === undefined).toBe(isPossible);
});

test('checks only the form without a table or with an incomplete one', () => {
  expect(ukModulusFault('20-00-00', '12345678')).toBeUndefined();
  expect(ukModulusFault('20-00-00', '1234567')).toBe('a sort code has 6 digits and an account 8');
  expect(ukModulusFault('20-00-0', '12345678', TABLE)).toBe('a sort code has 6 digits and an account 8');
});

describe('the text of the table', () => {
  test('may come from any system', () => {
    const { rows, substitutes } = parseUkModulusTable(
      '\ufeff070116 070116 MOD11    0    0    7    6    5    8    9    4    5    6    7    8    9   -1  12\r\n938600 938611\r\n',
    );
    expect(rows).toEqual([
      {
        from: '070116',
        to: '070116',
        method: 'MOD11',
        weights: [0, 0, 7, 6, 5, 8, 9, 4, 5, 6, 7, 8, 9, -1],
        exception: 12,
      },
    ]);
    expect([...substitutes]).toEqual([['938600', '938611']]);
  });

  test.each([
    ['', 'the table of modulus weights is empty'],
    ['100000 100009 MOD12 0 0 0 0 0 0 1 1 1 1 1 1 1 1', 'line 1'],
    ['\n100000 100009 MOD10 0 0 0 0 0 0 1 1 1 1 1 1 1', 'line 2'],
    ['100000 100009 MOD10 0 0 0 0 0 0 1 1 1 1 1 1 1 1 15', 'line 1'],
    ['<html>', 'line 1'],
  ])('%j is refused: %s', (text, fault) => {
    expect(() => parseUkModulusTable(text)).toThrow(fault);
  });
});
